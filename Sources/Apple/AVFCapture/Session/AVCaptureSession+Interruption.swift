import Foundation
import Synchronization

/// User info key of an interruption's reason, the raw value as `NSNumber`.
public let AVCaptureSessionInterruptionReasonKey = "AVCaptureSessionInterruptionReasonKey"
/// User info key of the `SystemPressureState` of an interruption by system pressure.
public let AVCaptureSessionInterruptionSystemPressureStateKey = "AVCaptureSessionInterruptionSystemPressureStateKey"

extension AVCaptureSession {
    /// Reason for taking the hardware away.
    public enum InterruptionReason: Int, Sendable {
        /// Reason 1: the app is in the background, which has no camera.
        case videoDeviceNotAvailableInBackground = 1
        /// Reason 2: somebody else has the microphone, as a phone call.
        case audioDeviceInUseByAnotherClient = 2
        /// Reason 3: somebody else has the camera.
        case videoDeviceInUseByAnotherClient = 3
        /// Reason 4: several apps share the screen; not while multitasking access is enabled.
        case videoDeviceNotAvailableWithMultipleForegroundApps = 4
        /// Reason 5: the phone is too hot or short of power.
        case videoDeviceNotAvailableDueToSystemPressure = 5
        /// Reason 6: a check for sensitive content stopped the camera.
        case sensitiveContentMitigationActivated = 6
    }

    /// Posted with the reason, and the pressure if that is it; the session stops until `interruptionEndedNotification`.
    public static let wasInterruptedNotification = Notification.Name("AVCaptureSessionWasInterruptedNotification")
    /// Posted when the hardware is back; a session that the interruption stopped runs again.
    public static let interruptionEndedNotification = Notification.Name("AVCaptureSessionInterruptionEndedNotification")

    /// Whether the hardware is taken away. Observable.
    public var isInterrupted: Bool { state.withLock { $0.isInterrupted } }

    /// Takes the hardware away, when the reason concerns this session; a session that runs will run again.
    func interrupt(_ interruption: CaptureConditions.Interruption) {
        guard isConcerned(by: interruption.reason) else { return }
        guard !isInterrupted else { return }
        _observers.willChange(\AVCaptureSession.isInterrupted, from: false, to: true)
        willStop()
        let (isNew, wasRunning, pipelines) = state.withLock { state in
            guard !state.isInterrupted else { return (false, false, [any SessionPipeline]()) }
            let wasRunning = state.phase != .stopped
            state.isInterrupted = true
            state.resumes = wasRunning
            return (true, wasRunning, state.suspend())
        }
        guard isNew else { return }
        for pipeline in pipelines { pipeline.stop() }
        state.withLock { $0.suspended = pipelines }
        let isBackground = interruption.reason == .videoDeviceNotAvailableInBackground
        endCaptures(error: AVError(isBackground ? .deviceIsNotAvailableInBackground : .sessionWasInterrupted))
        _observers.changed(\AVCaptureSession.isInterrupted, from: false, to: true, wasAnnounced: true)
        var info: [AnyHashable: Any] = [AVCaptureSessionInterruptionReasonKey: NSNumber(value: interruption.reason.rawValue)]
        info[AVCaptureSessionInterruptionSystemPressureStateKey] = interruption.pressure
        post(Self.wasInterruptedNotification, info)
        if wasRunning { didStop() }
    }

    /// Gives the hardware back and resumes, from the next frame of the camera it had; does nothing while another session has the cameras.
    func endInterruption() {
        guard !environment.conditions.claims.isWaiting(self) else { return }
        _observers.willChange(\AVCaptureSession.isInterrupted, from: isInterrupted, to: false)
        let (wasInterrupted, resumes) = state.withLock { state in
            defer { (state.isInterrupted, state.resumes) = (false, false) }
            return (state.isInterrupted, state.resumes)
        }
        guard wasInterrupted else { return }
        _observers.changed(\AVCaptureSession.isInterrupted, from: true, to: false, wasAnnounced: true)
        post(Self.interruptionEndedNotification)
        if resumes { run() }
        state.withLock { $0.suspended = [] }
    }

    /// Ends an interruption without a word, in a session that stays stopped.
    func forgetInterruption() { state.withLock { ($0.isInterrupted, $0.resumes, $0.suspended) = (false, false, []) } }

    /// Stops a running session with a runtime error.
    func fail(_ error: AVError) {
        willStop()
        let (wasRunning, pipelines) = state.withLock { ($0.phase == .running, $0.stop()) }
        guard wasRunning else { return }
        for pipeline in pipelines { pipeline.stop() }
        endCaptures(error: error)
        didStop(because: error)
        giveBackCameras()
    }

    /// Ends the wait for the cameras with a runtime error, in a session that was to run.
    func failWaiting(_ error: AVError) {
        let wasToRun = state.withLock { state in
            defer { state.resumes = false }
            return state.resumes
        }
        endInterruption()
        if wasToRun { post(error) }
    }

    private func isConcerned(by reason: InterruptionReason) -> Bool {
        let devices = inputs.compactMap { ($0 as? AVCaptureDeviceInput)?.device }
        switch reason {
        case .audioDeviceInUseByAnotherClient: return devices.contains { $0.hasMediaType(.audio) }
        case .videoDeviceNotAvailableWithMultipleForegroundApps where isMultitaskingCameraAccessEnabled: return false
        default: return devices.contains { $0.hasMediaType(.video) }
        }
    }

    /// Whether the camera can be kept while other apps share the screen; always here.
    public var isMultitaskingCameraAccessSupported: Bool { true }

    /// Whether the camera is kept while other apps share the screen; default false, set before the start. Observable.
    public var isMultitaskingCameraAccessEnabled: Bool {
        get { state.withLock { $0.isMultitasking } }
        set {
            _observers.change(\AVCaptureSession.isMultitaskingCameraAccessEnabled, from: isMultitaskingCameraAccessEnabled, to: newValue) {
                state.withLock { $0.isMultitasking = newValue }
            }
        }
    }

    // MARK: cost

    /// Share of the hardware that the graph takes, above 1 of which it does not run; 0 for at most one stream of pictures.
    ///
    /// Streams go to outputs of video data and movies; a session of several cameras counts those of each, and a single one, too.
    ///
    /// Apple names no formula; the header says which outputs count, and one app met a refusal with a cinematic session of movie, video data and photos.
    /// Here each stream costs its pixels per second, against two 4K streams of 30 frames. A format for photos counts as 4K at most: its streams are
    /// smaller than its photos.
    public var hardwareCost: Float {
        if self is AVCaptureMultiCamSession {
            return cameraInputs.reduce(0) { sum, input in
                let streams = connections.count { connection in
                    (connection.output is AVCaptureVideoDataOutput || connection.output is AVCaptureMovieFileOutput)
                        && connection.inputPorts.contains { $0.input === input && $0.mediaType == .video }
                }
                return sum + cost(of: streams, from: input)
            }
        }
        let data = outputs.count { $0 is AVCaptureVideoDataOutput }
        let streams = data + outputs.count { $0 is AVCaptureMovieFileOutput }
        guard data > 0, streams > 1, let input = cameraInputs.first else { return 0 }
        return cost(of: streams, from: input)
    }

    private func cost(of streams: Int, from input: AVCaptureDeviceInput) -> Float {
        let (format, own) = (input.device.activeFormat.profile, input.device.activeVideoMinFrameDuration.seconds)
        // An app lowers the cost of a camera by an override of its fastest rate.
        let fastest = input.videoMinFrameDurationOverride.isNumeric ? max(own, input.videoMinFrameDurationOverride.seconds) : own
        let whole = 3840 * 2160
        return Float(Double(streams * min(format.width * format.height, whole)) / fastest / Double(2 * whole * 30))
    }
}

extension Notification.Name {
    /// `AVCaptureSession.wasInterruptedNotification`, by its older name.
    public static var AVCaptureSessionWasInterrupted: Notification.Name { AVCaptureSession.wasInterruptedNotification }
    /// `AVCaptureSession.interruptionEndedNotification`, by its older name.
    public static var AVCaptureSessionInterruptionEnded: Notification.Name { AVCaptureSession.interruptionEndedNotification }
}
