import Foundation
import Synchronization

/// The way of one stream from the ports of an input to an output or a preview layer.
public final class AVCaptureConnection: NSObject, _KeyValueObservable, @unchecked Sendable {
    public let inputPorts: [AVCaptureInput.Port]
    public let _observers = _KeyValueObservers()
    let state: Mutex<State>
    let environment: CaptureEnvironment
    /// Of the channels of sound.
    let meters = Mutex<[AVCaptureAudioChannel]>([])

    struct State: Sendable {
        weak var output: AVCaptureOutput?
        weak var layer: AVCaptureVideoPreviewLayer?
        var isEnabled = true
        var isActive = false
        var rotation: CGFloat = 0
        var isMirrored = false
        var adjustsMirroring = true
        var stabilization = AVCaptureVideoStabilizationMode.off
        var deliversIntrinsics = false
    }

    public init(inputPorts ports: [AVCaptureInput.Port], output: AVCaptureOutput) {
        inputPorts = ports
        state = Mutex(State(output: output))
        environment = output.environment
    }

    public init(inputPort port: AVCaptureInput.Port, videoPreviewLayer layer: AVCaptureVideoPreviewLayer) {
        inputPorts = [port]
        state = Mutex(State(layer: layer))
        environment = layer.environment
    }

    public var output: AVCaptureOutput? { state.withLock { $0.output } }
    public var videoPreviewLayer: AVCaptureVideoPreviewLayer? { state.withLock { $0.layer } }

    /// Whether the client lets media through.
    public var isEnabled: Bool {
        get { state.withLock { $0.isEnabled } }
        set {
            state.withLock { $0.isEnabled = newValue }
            GraphRevision.advance()
        }
    }

    /// Whether the committed configuration feeds this connection. Observable.
    public var isActive: Bool { state.withLock { $0.isActive } }

    func setActive(_ isActive: Bool) {
        _observers.change(\AVCaptureConnection.isActive, from: self.isActive, to: isActive) {
            state.withLock { $0.isActive = isActive }
            GraphRevision.advance()
        }
    }

    /// The output or layer it led to is gone.
    var isDangling: Bool { output == nil && videoPreviewLayer == nil }
    var mediaType: AVMediaType? { inputPorts.first?.mediaType }
    /// Pictures or maps, which can be turned and mirrored.
    var carriesPicture: Bool { mediaType == .video || mediaType == .depthData }
    /// Whether the committed format of the camera brings what the connection carries.
    var canBeFed: Bool { mediaType != .depthData || inputPorts.contains { $0.device?.activeDepthDataFormat != nil } }
    /// Media flows: active, enabled, and so are its ports.
    var isOpen: Bool { isActive && isEnabled && inputPorts.allSatisfy(\.isEnabled) }

    // MARK: rotation

    public func isVideoRotationAngleSupported(_ videoRotationAngle: CGFloat) -> Bool {
        carriesPicture && [0, 90, 180, 270].contains(videoRotationAngle)
    }

    /// Clockwise degrees: 0, 90, 180 or 270. A preview layer turns, a video or depth data output delivers turned buffers.
    public var videoRotationAngle: CGFloat {
        get { state.withLock { $0.rotation } }
        set {
            guard isVideoRotationAngleSupported(newValue) else {
                return environment.raise(
                    .invalidArgument, "-[AVCaptureConnection setVideoRotationAngle:]",
                    "\(newValue) is not supported - use isVideoRotationAngleSupported:")
            }
            _observers.change(\AVCaptureConnection.videoRotationAngle, from: videoRotationAngle, to: newValue) {
                state.withLock { $0.rotation = newValue }
            }
        }
    }

    // MARK: mirroring

    public var isVideoMirroringSupported: Bool { carriesPicture }

    /// The session mirrors the preview of a front camera by itself.
    public var automaticallyAdjustsVideoMirroring: Bool {
        get { state.withLock { $0.adjustsMirroring } }
        set { state.withLock { $0.adjustsMirroring = newValue } }
    }

    /// Left and right change places, after the rotation. Setting it on a preview wants automatic mirroring off first.
    public var isVideoMirrored: Bool {
        get {
            let isFront = inputPorts.first?.sourceDevicePosition == .front
            return state.withLock { $0.adjustsMirroring && $0.layer != nil ? isFront : $0.isMirrored }
        }
        set {
            let selector = "-[AVCaptureConnection setVideoMirrored:]"
            guard isVideoMirroringSupported else {
                return environment.raise(.invalidArgument, selector, "Not supported - use isVideoMirroringSupported")
            }
            guard state.withLock({ $0.layer == nil || !$0.adjustsMirroring }) else {
                return environment.raise(.invalidArgument, selector, "Cannot be set when automaticallyAdjustsVideoMirroring is YES")
            }
            _observers.change(\AVCaptureConnection.isVideoMirrored, from: isVideoMirrored, to: newValue) {
                state.withLock { $0.isMirrored = newValue }
            }
        }
    }
}
