import CoreMedia
import Foundation
import Synchronization

/// Outside events for a test to play: permissions, plugs, heat, interruptions, the rotation of the phone.
///
///     let environment = CaptureEnvironment(cameras: CameraProfile.iPhone14, renderer: nil) { ... }
///     environment.conditions.setAuthorization(.notDetermined, for: .video)
///     environment.conditions.interrupt(.videoDeviceInUseByAnotherClient)
///
/// One object per environment; a call takes effect before it returns, on the thread it is made on.
public final class CaptureConditions: Sendable {
    struct State: Sendable {
        var authorizations: [AVMediaType: AVAuthorizationStatus] = [:]
        /// Answer of the user to a prompt; nil leaves it open until `answerPrompt`.
        var answers: [AVMediaType: Bool?] = [:]
        var prompts: [Prompt] = []
        var unplugged: [String] = []
        var plugged: [CameraProfile] = []
        var preferences: [String] = []
        var preferenceWatchers: [PreferredCameraWatcher] = []
        var horizonAngle: CGFloat = 0
        var interruption: Interruption?
        var sessions: [Weak<AVCaptureSession>] = []
        var devices: [Weak<AVCaptureDevice>] = []
        var coordinators: [Weak<AVCaptureDevice.RotationCoordinator>] = []
        var searches: [Weak<AVCaptureDevice.DiscoverySession>] = []
        var metadataDelay: (frames: Int, until: CMTime)?
        var codes: [Code] = []
        var audioSession: AVAudioSession?
        var thermalState = ProcessInfo.ThermalState.nominal
        var isOver = false
    }

    struct Weak<Object: AnyObject & Sendable>: Sendable {
        weak var object: Object?
    }

    struct Prompt: Sendable {
        let mediaType: AVMediaType
        let answer: @Sendable (Bool) -> Void
    }

    struct Interruption: Sendable {
        let reason: AVCaptureSession.InterruptionReason
        let pressure: AVCaptureDevice.SystemPressureState?
    }

    let state = Mutex(State())
    let claims = CameraClaims()

    /// Makes conditions in which everything is allowed, plugged in, cool and undisturbed.
    public init() {}

    // MARK: permission

    /// Sets the user's consent as the system knows it; without a call it is `.authorized`.
    public func setAuthorization(_ status: AVAuthorizationStatus, for mediaType: AVMediaType) {
        state.withLock { $0.authorizations[mediaType] = status }
    }

    /// Sets the answer to every coming prompt; nil keeps prompts open until `answerPrompt`. Without a call the user agrees.
    public func setAnswer(_ isGranted: Bool?, for mediaType: AVMediaType) {
        state.withLock { _ = $0.answers.updateValue(isGranted, forKey: mediaType) }
    }

    /// Answers the open prompts for `mediaType`; does nothing when none is open.
    public func answerPrompt(for mediaType: AVMediaType, isGranted: Bool) {
        let open = state.withLock { state in
            let open = state.prompts.filter { $0.mediaType == mediaType }
            state.prompts.removeAll { $0.mediaType == mediaType }
            if !open.isEmpty { state.authorizations[mediaType] = isGranted ? .authorized : .denied }
            return open
        }
        for prompt in open { prompt.answer(isGranted) }
    }

    /// Number of callers that wait for the user's answer.
    public var openPrompts: Int { state.withLock { $0.prompts.count } }

    func authorization(for mediaType: AVMediaType) -> AVAuthorizationStatus {
        state.withLock { $0.authorizations[mediaType] ?? .authorized }
    }

    /// Asks the user unless the decision is known, and calls `answer` with it.
    func ask(for mediaType: AVMediaType, _ answer: @escaping @Sendable (Bool) -> Void) {
        let known: Bool? = state.withLock { state in
            let status = state.authorizations[mediaType] ?? .authorized
            guard status == .notDetermined else { return status == .authorized }
            guard let scripted = state.answers[mediaType, default: true] else {
                state.prompts.append(Prompt(mediaType: mediaType, answer: answer))
                return nil
            }
            state.authorizations[mediaType] = scripted ? .authorized : .denied
            return scripted
        }
        if let known { answer(known) }
    }

    // MARK: interruptions and failures

    /// Takes the hardware away from every session that `reason` concerns; each stops until `endInterruption`.
    public func interrupt(_ reason: AVCaptureSession.InterruptionReason) { interrupt(reason, pressure: nil) }

    func interrupt(_ reason: AVCaptureSession.InterruptionReason, pressure: AVCaptureDevice.SystemPressureState?) {
        let interruption = Interruption(reason: reason, pressure: pressure)
        state.withLock { $0.interruption = interruption }
        for session in sessions { session.interrupt(interruption) }
        if reason == .audioDeviceInUseByAnotherClient { state.withLock { $0.audioSession }?.tellInterruption(isBegin: true) }
    }

    /// Gives the hardware back: sessions that ran, or were asked to, run again.
    public func endInterruption() {
        let (reason, audioSession) = state.withLock { state in
            defer { state.interruption = nil }
            return (state.interruption?.reason, state.audioSession)
        }
        for session in sessions { session.endInterruption() }
        resumeWaitingSession()
        if reason == .audioDeviceInUseByAnotherClient { audioSession?.tellInterruption(isBegin: false) }
    }

    /// Returns the app's audio session, made at the first call.
    func audioSession(_ make: () -> AVAudioSession) -> AVAudioSession {
        if let made = state.withLock({ $0.audioSession }) { return made }
        let new = make()
        return state.withLock { state in
            if let made = state.audioSession { return made }
            state.audioSession = new
            return new
        }
    }

    /// Stops every session that runs, or waits for the cameras that another has, with a runtime error, as a reset of the media services does.
    public func fail(_ code: AVError.Code) {
        let running = sessions.filter(\.isRunning)
        // While the phone itself is interrupted they wait for that, too.
        let waiting = interruption == nil ? sessions.filter(claims.isWaiting) : []
        for session in waiting { claims.remove(ObjectIdentifier(session)) }
        for session in running { session.fail(AVError(code)) }
        for session in waiting { session.failWaiting(AVError(code)) }
    }

    /// Sessions that the app made, in the order of their making; without those of recorders and engines.
    package var appSessions: [AVCaptureSession] { sessions.filter { $0.listener == nil } }

    /// Sessions of the phone, in the order of their making.
    var sessions: [AVCaptureSession] { state.withLock { $0.sessions.compactMap(\.object) } }

    /// Stops the sessions that still run; for good, a session that is started afterwards raises.
    package func end(isForGood: Bool = true) {
        claims.removeAll()
        for session in sessions where session.isRunning { session.stopRunning() }
        if isForGood { state.withLock { $0.isOver = true } }
    }

    /// Everything is as at first: allowed, plugged in, cool and undisturbed. Sessions and devices stay, and are told.
    package func restart() {
        for session in sessions { session.forgetInterruption() }
        setHorizonAngle(0)
        state.withLock { state in
            (state.authorizations, state.answers, state.prompts) = ([:], [:], [])
            (state.unplugged, state.plugged, state.interruption, state.metadataDelay, state.codes) = ([], [], nil, nil, [])
            state.thermalState = .nominal
        }
        for device in devices where device.systemPressureState.level != .nominal { setPressure(.nominal, of: device.uniqueID) }
    }

    /// Whether a device was found, whoever asked.
    package var hasDevices: Bool { !devices.isEmpty }

    var isOver: Bool { state.withLock { $0.isOver } }

    /// Whether the object is of this environment; false for a session or a device of another.
    package func concerns(_ object: Any?) -> Bool {
        switch object {
        case let session as AVCaptureSession: sessions.contains { $0 === session }
        case let device as AVCaptureDevice: devices.contains { $0 === device }
        default: true
        }
    }

    func add(_ session: AVCaptureSession) {
        state.withLock { state in
            state.sessions.removeAll { $0.object == nil }
            state.sessions.append(Weak(object: session))
        }
    }

    /// Delays the objects of each frame by `frames` frames until `time` of the frames; then metadata delegates get all that is late at once.
    public func delayMetadata(frames: Int, until time: CMTime) { state.withLock { $0.metadataDelay = (frames, time) } }

    /// Number of frames by which metadata is late at a time.
    func metadataDelay(at time: CMTime) -> Int {
        state.withLock { state in state.metadataDelay.map { time < $0.until ? $0.frames : 0 } ?? 0 }
    }

    // MARK: codes

    /// Bar code or matrix code ahead of a camera.
    public struct Code: Sendable, Equatable {
        /// Type of the code, such as `.qr`.
        public var type: AVMetadataObject.ObjectType
        /// Text in it; nil for one without.
        public var text: String?
        /// Bytes in a QR code, for its `descriptor`; nil for those of the text.
        public var bytes: Data?
        /// Box in 0…1 of the unrotated picture, origin top left.
        public var bounds: CGRect

        /// Makes a code; not checked.
        public init(_ type: AVMetadataObject.ObjectType, _ text: String?, bounds: CGRect = CGRect(x: 0.4, y: 0.4, width: 0.2, height: 0.2)) {
            (self.type, self.text, self.bounds) = (type, text, bounds)
        }

        /// The code as a metadata output delivers it, upright where pictures are that are rotated clockwise by `angle`: 0, 90, 180 or 270 degrees.
        package func content(at time: CMTime, lasting duration: CMTime, horizonAngle angle: CGFloat) -> AVMetadataObject.Content {
            var content = AVMetadataObject.Content(type, bounds: bounds, time: time, duration: duration)
            content.stringValue = text
            content.codeBytes = bytes
            let corners = [(bounds.minX, bounds.minY), (bounds.minX, bounds.maxY), (bounds.maxX, bounds.maxY), (bounds.maxX, bounds.minY)]
                .map { CGPoint(x: $0, y: $1) }
            let first = Int(angle / 90) & 3
            content.corners = Array(corners[first...] + corners[..<first])
            return content
        }
    }

    /// Shows every camera these codes, in place of those before, in each frame from the next on; the picture does not show them. They stand upright
    /// however the phone is held.
    public func showCodes(_ codes: [Code]) { state.withLock { $0.codes = codes } }

    /// Codes that cameras are shown.
    var codes: [Code] { state.withLock { $0.codes } }

    // MARK: heat of the phone

    /// Heat of the phone, as `ProcessInfo.thermalState` tells it.
    public var thermalState: ProcessInfo.ThermalState { state.withLock { $0.thermalState } }

    /// Sets the phone's heat and posts `ProcessInfo.thermalStateDidChangeNotification`; the pressure of a camera is `setPressure(_:factors:of:)`.
    public func setThermalState(_ new: ProcessInfo.ThermalState) {
        let old = state.withLock { state in
            defer { state.thermalState = new }
            return state.thermalState
        }
        if old != new { NotificationCenter.default.post(name: ProcessInfo.thermalStateDidChangeNotification, object: ProcessInfo.processInfo) }
    }

    // MARK: rotation of the phone

    package var horizonAngle: CGFloat { state.withLock { $0.horizonAngle } }

    /// Rotates the phone: the clockwise angle (0, 90, 180, 270 degrees) that makes pictures upright; 0, the default, is the sensor's own.
    public func setHorizonAngle(_ degrees: CGFloat) {
        let coordinators = state.withLock { state in
            state.horizonAngle = degrees
            return state.coordinators.compactMap(\.object)
        }
        for coordinator in coordinators { coordinator.turn(to: degrees) }
    }
}
