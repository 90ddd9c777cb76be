import CoreVideo
import Foundation
import Synchronization

/// Path of one stream from the ports of an input to an output or a preview layer.
open class AVCaptureConnection: _SendableObject, _KeyValueObservable, @unchecked Sendable {
    /// Ports that the media comes from; fixed.
    public let inputPorts: [AVCaptureInput.Port]
    /// Observers of this connection's properties; for `observe(_:options:changeHandler:)` only.
    public let _observers = _KeyValueObservers()
    let state: Mutex<State>
    let environment: CaptureEnvironment
    /// Meters of the channels of sound.
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
        /// Whether the system may lessen noise; nil as long as the app does not say.
        var lessensNoise: Bool?
    }

    /// Makes a path to an output, for `AVCaptureSession.addConnection(_:)`.
    public init(inputPorts ports: [AVCaptureInput.Port], output: AVCaptureOutput) {
        inputPorts = ports
        state = Mutex(State(output: output))
        environment = output.environment
    }

    /// Makes a path to a preview layer, for `AVCaptureSession.addConnection(_:)`.
    public init(inputPort port: AVCaptureInput.Port, videoPreviewLayer layer: AVCaptureVideoPreviewLayer) {
        inputPorts = [port]
        environment = layer.environment
        let turns = port.sourceDeviceType != .external
        state = Mutex(State(layer: layer, rotation: turns ? environment.previewAngle : 0))
    }

    /// Output that receives the media; nil for a preview layer, or once it is gone.
    open var output: AVCaptureOutput? { state.withLock { $0.output } }
    /// Preview layer that shows the media; nil for an output, or once it is gone.
    open var videoPreviewLayer: AVCaptureVideoPreviewLayer? { state.withLock { $0.layer } }

    /// Whether the client lets media through; default true. Photos that wait for a frame fail where none can come any more.
    open var isEnabled: Bool {
        get { state.withLock { $0.isEnabled } }
        set {
            state.withLock { $0.isEnabled = newValue }
            GraphRevision.advance()
            (output as? AVCapturePhotoOutput)?.failWhereCutOff()
        }
    }

    /// Whether the committed configuration feeds this connection. Observable.
    open var isActive: Bool { state.withLock { $0.isActive } }

    func setActive(_ isActive: Bool) {
        _observers.change(\AVCaptureConnection.isActive, from: self.isActive, to: isActive) {
            state.withLock { $0.isActive = isActive }
            GraphRevision.advance()
        }
    }

    /// Whether the output or layer it led to is gone.
    var isDangling: Bool { output == nil && videoPreviewLayer == nil }
    var mediaType: AVMediaType? { inputPorts.first?.mediaType }
    /// Whether it carries pictures or maps, which can be rotated and mirrored.
    var carriesPicture: Bool { mediaType == .video || mediaType == .depthData }
    /// Whether the committed format of the camera delivers this connection's media.
    var canBeFed: Bool { mediaType != .depthData || inputPorts.contains { $0.device?.activeDepthDataFormat != nil } }
    /// Whether media flows: active, enabled, and so are its ports.
    var isOpen: Bool { isActive && isEnabled && inputPorts.allSatisfy(\.isEnabled) }

    // MARK: rotation

    /// Whether the angle is 0, 90, 180 or 270 degrees and the connection carries pictures.
    open func isVideoRotationAngleSupported(_ videoRotationAngle: CGFloat) -> Bool {
        carriesPicture && [0, 90, 180, 270].contains(videoRotationAngle)
    }

    /// Rotation in clockwise degrees: 0, 90, 180 or 270; raises for others. Observable.
    ///
    /// A new connection has 0, to a preview layer `CaptureEnvironment.previewAngle`.
    /// A preview layer rotates on screen, a video or depth data output delivers rotated buffers.
    open var videoRotationAngle: CGFloat {
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

    /// Whether the pictures can be mirrored: for video and depth.
    open var isVideoMirroringSupported: Bool { carriesPicture }

    /// Whether the session decides on mirroring: it mirrors the preview of a front camera. Default true.
    open var automaticallyAdjustsVideoMirroring: Bool {
        get { state.withLock { $0.adjustsMirroring } }
        set { state.withLock { $0.adjustsMirroring = newValue } }
    }

    /// Whether left and right change places, after the rotation. Observable.
    /// Raises for sound and metadata, and on a preview layer while mirroring is automatic.
    open var isVideoMirrored: Bool {
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
