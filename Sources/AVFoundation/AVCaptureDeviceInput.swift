import CoreMedia
import Foundation
import Synchronization

/// A camera in a session, and the simulated aperture of its cinematic capture.
///
///     not supported ──commit of a cinematic format──► supported, off ◄──set false/true──► enabled
///           ▲                                               │                                │
///           └──────── commit of another format, removal from the session ────────────────────┘
public final class AVCaptureDeviceInput: AVCaptureInput, _KeyValueObservable, @unchecked Sendable {
    public let device: AVCaptureDevice
    public let _observers = _KeyValueObservers()
    private let state: Mutex<State>
    let options = Mutex(Options())

    private struct State: Sendable {
        var isSupported = false
        var isEnabled = false
        var aperture: Float
        var audioMode = AVCaptureMultichannelAudioMode.none
        weak var session: AVCaptureSession?
    }

    /// Opens the device; a camera starts with cinematic capture off and the format's own aperture.
    ///
    /// Throws when it is gone or the user refused; asks the user when nobody did.
    public init(device: AVCaptureDevice) throws {
        guard device.isConnected else { throw AVError(.deviceNotConnected) }
        let conditions = device.environment.conditions
        switch conditions.authorization(for: device.mediaType) {
        case .denied, .restricted: throw AVError(.applicationIsNotAuthorizedToUseDevice)
        case .notDetermined: conditions.ask(for: device.mediaType) { _ in }
        case .authorized: break
        }
        self.device = device
        state = Mutex(State(aperture: device.activeFormat.defaultSimulatedAperture))
        super.init(environment: device.environment)
        let hasDepth = device.formats.contains { !$0.supportedDepthDataFormats.isEmpty }
        let media: [AVMediaType] = device.profile.isMicrophone ? [.audio] : [.video, .metadataObject, .metadata] + (hasDepth ? [.depthData] : [])
        setPorts(media.map { Port(input: self, mediaType: $0, device: device) })
    }

    public func ports(
        for mediaType: AVMediaType?, sourceDeviceType: AVCaptureDevice.DeviceType?, sourceDevicePosition: AVCaptureDevice.Position
    ) -> [Port] {
        ports.filter { port in
            (mediaType ?? port.mediaType) == port.mediaType && (sourceDeviceType ?? device.deviceType) == device.deviceType
                && (sourceDevicePosition == .unspecified || sourceDevicePosition == device.position)
        }
    }

    /// Whether the session's committed configuration permits cinematic capture; false outside a session. Observable.
    public var isCinematicVideoCaptureSupported: Bool { state.withLock { $0.isSupported } }

    /// Renders the simulated aperture into every output of this input. Falls back to false when support goes. Observable.
    public var isCinematicVideoCaptureEnabled: Bool {
        get { state.withLock { $0.isEnabled } }
        set {
            let (old, isSupported) = state.withLock { ($0.isEnabled, $0.isSupported) }
            guard newValue != old else { return }
            guard isSupported || !newValue else {
                return environment.raise(
                    .invalidArgument, "-[AVCaptureDeviceInput setCinematicVideoCaptureEnabled:]",
                    "Not supported - use isCinematicVideoCaptureSupported")
            }
            guard self.session?.isRecording != true else {
                return environment.raise(
                    .invalidArgument, "-[AVCaptureDeviceInput setCinematicVideoCaptureEnabled:]",
                    "May not be changed while a recording is in progress")
            }
            _observers.change(\AVCaptureDeviceInput.isCinematicVideoCaptureEnabled, from: old, to: newValue) {
                state.withLock { $0.isEnabled = newValue }
                device.setCinematic(newValue)
            }
            session?.configurationDidChange()
        }
    }

    /// The f-number rendered while cinematic capture is enabled; smaller blurs more. Observable.
    public var simulatedAperture: Float {
        get { state.withLock { $0.aperture } }
        set {
            let selector = "-[AVCaptureDeviceInput setSimulatedAperture:]"
            let format = device.activeFormat
            let (low, high) = (format.minSimulatedAperture, format.maxSimulatedAperture)
            guard low > 0 else {
                return environment.raise(.invalidArgument, selector, "Not supported - the activeFormat has no adjustable simulated aperture")
            }
            guard session?.isRecording != true else {
                return environment.raise(.invalidArgument, selector, "May not be set while a recording is in progress")
            }
            guard newValue.isFinite else { return environment.raise(.invalidArgument, selector, "\(newValue) is not an f-number") }
            guard (low...high).contains(newValue) else {
                return environment.raise(.range, selector, "\(newValue) is out of range [\(low), \(high)]")
            }
            setAperture(newValue)
        }
    }

    private func setAperture(_ aperture: Float) {
        _observers.change(\AVCaptureDeviceInput.simulatedAperture, from: simulatedAperture, to: aperture) {
            state.withLock { $0.aperture = aperture }
        }
    }

    public func isMultichannelAudioModeSupported(_ multichannelAudioMode: AVCaptureMultichannelAudioMode) -> Bool {
        multichannelAudioMode == .none || device.profile.hardware.audioModes.contains(multichannelAudioMode.rawValue)
    }

    /// How a microphone hears directions.
    public var multichannelAudioMode: AVCaptureMultichannelAudioMode {
        get { state.withLock { $0.audioMode } }
        set {
            guard isMultichannelAudioModeSupported(newValue) else {
                return environment.raise(
                    .invalidArgument, "-[AVCaptureDeviceInput setMultichannelAudioMode:]",
                    "Not supported - use isMultichannelAudioModeSupported:")
            }
            guard session?.isRecording != true else {
                return environment.raise(
                    .invalidArgument, "-[AVCaptureDeviceInput setMultichannelAudioMode:]", "May not be changed while a recording is in progress")
            }
            let session = state.withLock { state in
                state.audioMode = newValue
                return state.session
            }
            session?.configurationDidChange()
        }
    }

    var session: AVCaptureSession? { state.withLock { $0.session } }

    /// The session took the input in, or let it go.
    func join(_ session: AVCaptureSession?) {
        state.withLock { $0.session = session }
        device.state.withLock { $0.session = session }
        if session == nil { device.state.withLock { $0.focusCalls = [] } }
    }

    /// A commit settled the format: support is read anew, and enabled falls where support went.
    func commit(isInSession: Bool) {
        let format = device.activeFormat
        let isSupported = isInSession && format.isCinematicVideoCaptureSupported && !(session is AVCaptureMultiCamSession)
        let old = state.withLock { $0 }
        var new = old
        new.isSupported = isSupported
        new.isEnabled = old.isEnabled && isSupported
        if !(format.minSimulatedAperture...format.maxSimulatedAperture).contains(old.aperture) { new.aperture = format.defaultSimulatedAperture }
        _observers.willChange(\AVCaptureDeviceInput.isCinematicVideoCaptureSupported, from: old.isSupported, to: new.isSupported)
        _observers.willChange(\AVCaptureDeviceInput.isCinematicVideoCaptureEnabled, from: old.isEnabled, to: new.isEnabled)
        _observers.willChange(\AVCaptureDeviceInput.simulatedAperture, from: old.aperture, to: new.aperture)
        state.withLock { ($0.isSupported, $0.isEnabled, $0.aperture) = (new.isSupported, new.isEnabled, new.aperture) }
        if old.isEnabled != new.isEnabled { device.setCinematic(new.isEnabled) }
        _observers.changed(
            \AVCaptureDeviceInput.isCinematicVideoCaptureSupported, from: old.isSupported, to: new.isSupported, wasAnnounced: true)
        _observers.changed(\AVCaptureDeviceInput.isCinematicVideoCaptureEnabled, from: old.isEnabled, to: new.isEnabled, wasAnnounced: true)
        _observers.changed(\AVCaptureDeviceInput.simulatedAperture, from: old.aperture, to: new.aperture, wasAnnounced: true)
    }
}

/// How many directions a microphone tells apart.
public enum AVCaptureMultichannelAudioMode: Int, Sendable {
    case none = 0
    case stereo = 1
    case firstOrderAmbisonics = 2
}
