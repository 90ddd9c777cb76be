import CoreMedia
import Foundation
import Synchronization

/// Device in a session, and for a camera the simulated aperture of its cinematic capture.
///
///     not supported ──commit of a cinematic format──► supported, off ◄──set false/true──► enabled
///           ▲                                               │                                │
///           └──────── commit of another format, removal from the session ────────────────────┘
open class AVCaptureDeviceInput: AVCaptureInput, _KeyValueObservable, @unchecked Sendable {
    /// Camera or microphone that the input opened.
    public let device: AVCaptureDevice
    /// Observers of this input's properties; for `observe(_:options:changeHandler:)` only.
    public let _observers = _KeyValueObservers()
    private let state: Mutex<State>
    let options = Mutex(Options())

    private struct State: Sendable {
        var isSupported = false
        var isEnabled = false
        var aperture: Float
        var audioMode = AVCaptureMultichannelAudioMode.none
        var sidePorts: [AVCaptureDevice.Position: Port] = [:]
    }

    /// Opens the device; a camera starts with cinematic capture off and the format's default aperture.
    ///
    /// Throws `deviceNotConnected`, or `applicationIsNotAuthorizedToUseDevice` when the user refused; asks an undecided user.
    public required init(device: AVCaptureDevice) throws {
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
        makePorts()
    }

    /// Opens a device whatever the user decided, and asks nobody: a microphone without consent gives silence.
    package init(unasked device: AVCaptureDevice) {
        self.device = device
        state = Mutex(State(aperture: device.activeFormat.defaultSimulatedAperture))
        super.init(environment: device.environment)
        makePorts()
    }

    /// Port of a side of the phone, made at the first call.
    private func sidePort(_ side: AVCaptureDevice.Position) -> Port {
        state.withLock { state in
            if let port = state.sidePorts[side] { return port }
            let port = Port(input: self, mediaType: .audio, device: device, side: side)
            state.sidePorts[side] = port
            return port
        }
    }

    private func makePorts() {
        let hasDepth = device.formats.contains { !$0.supportedDepthDataFormats.isEmpty }
        let media: [AVMediaType] = device.profile.isMicrophone ? [.audio] : [.video, .metadataObject, .metadata] + (hasDepth ? [.depthData] : [])
        setPorts(media.map { Port(input: self, mediaType: $0, device: device) })
    }

    /// Returns the ports of a media type, device type and position; nil and `.unspecified` match all.
    ///
    /// A microphone has one for each side of the phone besides, whose sound is that of all directions.
    open func ports(
        for mediaType: AVMediaType?, sourceDeviceType: AVCaptureDevice.DeviceType?, sourceDevicePosition: AVCaptureDevice.Position
    ) -> [Port] {
        if device.profile.isMicrophone, sourceDevicePosition != .unspecified {
            return [.audio, nil].contains(mediaType) && [device.deviceType, nil].contains(sourceDeviceType) ? [sidePort(sourceDevicePosition)] : []
        }
        return ports.filter { port in
            (mediaType ?? port.mediaType) == port.mediaType && (sourceDeviceType ?? device.deviceType) == device.deviceType
                && (sourceDevicePosition == .unspecified || sourceDevicePosition == device.position)
        }
    }

    /// Whether the session's committed configuration permits cinematic capture; false outside a session. Observable.
    ///
    /// Until the session first runs, the configuration of an open batch answers (see `CaptureEnvironment.asksCommitsAlone`); observers are notified at
    /// the commit.
    open var isCinematicVideoCaptureSupported: Bool {
        guard let session, session.answersForBatch else { return state.withLock { $0.isSupported } }
        return supports(session.pendingFormat(of: device), in: session)
    }

    private func supports(_ format: AVCaptureDevice.Format, in session: AVCaptureSession?) -> Bool {
        format.isCinematicVideoCaptureSupported && !(session is AVCaptureMultiCamSession)
    }

    /// Whether the simulated aperture is rendered into the outputs of this input; default false, falls back where support goes. Observable.
    ///
    /// Setting it raises without support and during a recording. Focus mode, zoom and frame rate move into their cinematic ranges.
    open var isCinematicVideoCaptureEnabled: Bool {
        get { state.withLock { $0.isEnabled } }
        set {
            let old = isCinematicVideoCaptureEnabled
            guard newValue != old else { return }
            guard isCinematicVideoCaptureSupported || !newValue else {
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

    /// Simulated aperture as an f-number, rendered while cinematic capture is enabled; smaller blurs more. Observable.
    ///
    /// The format's default at first. Raises out of the format's range, without an adjustable aperture, and during a recording.
    open var simulatedAperture: Float {
        get { state.withLock { $0.aperture } }
        set {
            let selector = "-[AVCaptureDeviceInput setSimulatedAperture:]"
            let format = session.flatMap { $0.answersForBatch ? $0.pendingFormat(of: device) : nil } ?? device.activeFormat
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

    /// Whether the microphone has the mode; `.none` always.
    open func isMultichannelAudioModeSupported(_ multichannelAudioMode: AVCaptureMultichannelAudioMode) -> Bool {
        multichannelAudioMode == .none || device.profile.hardware.audioModes.contains(multichannelAudioMode.rawValue)
    }

    /// Directional mode of a microphone; default `.none`. Raises for a mode that it lacks, and during a recording.
    open var multichannelAudioMode: AVCaptureMultichannelAudioMode {
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
            state.withLock { $0.audioMode = newValue }
            session?.configurationDidChange()
        }
    }

    override func join(_ session: AVCaptureSession?) {
        super.join(session)
        device.state.withLock { $0.session = session }
        if session == nil { device.state.withLock { $0.focusCalls = [] } }
    }

    /// Follows a commit, which fixed the format: support is read anew, and enabled falls where support went.
    func commit(isInSession: Bool) {
        let format = device.activeFormat
        let isSupported = isInSession && supports(format, in: session)
        let old = state.withLock { $0 }
        var new = old
        new.isSupported = isSupported
        new.isEnabled = old.isEnabled && isSupported
        if !(format.minSimulatedAperture...format.maxSimulatedAperture).contains(old.aperture) { new.aperture = format.defaultSimulatedAperture }
        _observers.willChange(\AVCaptureDeviceInput.isCinematicVideoCaptureSupported, from: old.isSupported, to: new.isSupported)
        _observers.willChange(\AVCaptureDeviceInput.isCinematicVideoCaptureEnabled, from: old.isEnabled, to: new.isEnabled)
        _observers.willChange(\AVCaptureDeviceInput.simulatedAperture, from: old.aperture, to: new.aperture)
        state.withLock { ($0.isSupported, $0.isEnabled, $0.aperture) = (new.isSupported, new.isEnabled, new.aperture) }
        // Enabled in the batch that brought the format.
        let cameTrue = new.isEnabled && !old.isSupported
        if old.isEnabled != new.isEnabled || cameTrue { device.setCinematic(new.isEnabled) }
        _observers.changed(
            \AVCaptureDeviceInput.isCinematicVideoCaptureSupported, from: old.isSupported, to: new.isSupported, wasAnnounced: true)
        _observers.changed(\AVCaptureDeviceInput.isCinematicVideoCaptureEnabled, from: old.isEnabled, to: new.isEnabled, wasAnnounced: true)
        _observers.changed(\AVCaptureDeviceInput.simulatedAperture, from: old.aperture, to: new.aperture, wasAnnounced: true)
    }
}

/// Number of channels that a microphone delivers, and what they stand for.
public enum AVCaptureMultichannelAudioMode: Int, Sendable {
    /// One channel.
    case none = 0
    /// Left and right.
    case stereo = 1
    /// Four channels of first-order ambisonics, ACN order, SN3D normalised.
    case firstOrderAmbisonics = 2
}
