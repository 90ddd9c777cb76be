import Foundation
import Synchronization

/// Under this key of an interruption's user info lies the raw value of its reason, as `NSNumber`.
public let AVCaptureSessionInterruptionReasonKey = "AVCaptureSessionInterruptionReasonKey"
/// Under this key lies the `SystemPressureState` of an interruption by heat.
public let AVCaptureSessionInterruptionSystemPressureStateKey = "AVCaptureSessionInterruptionSystemPressureStateKey"

extension AVCaptureSession {
    /// Why the hardware was taken away.
    public enum InterruptionReason: Int, Sendable {
        case videoDeviceNotAvailableInBackground = 1
        case audioDeviceInUseByAnotherClient = 2
        case videoDeviceInUseByAnotherClient = 3
        case videoDeviceNotAvailableWithMultipleForegroundApps = 4
        case videoDeviceNotAvailableDueToSystemPressure = 5
        case sensitiveContentMitigationActivated = 6
    }

    /// Carries the reason, and by heat the pressure. The session stops until `interruptionEndedNotification`.
    public static let wasInterruptedNotification = Notification.Name("AVCaptureSessionWasInterruptedNotification")
    public static let interruptionEndedNotification = Notification.Name("AVCaptureSessionInterruptionEndedNotification")

    /// Whether the hardware is away. Observable.
    public var isInterrupted: Bool { state.withLock { $0.isInterrupted } }

    /// Takes the hardware away, when the reason concerns this session. A session that runs will run again.
    func interrupt(_ interruption: CaptureConditions.Interruption) {
        guard isConcerned(by: interruption.reason) else { return }
        guard !isInterrupted else { return }
        _observers.willChange(\AVCaptureSession.isInterrupted, from: false, to: true)
        willStop()
        let (isNew, wasRunning, pipeline) = state.withLock { state in
            guard !state.isInterrupted else { return (false, false, (any SessionPipeline)?.none) }
            defer { state.pipeline = nil }
            let wasRunning = state.phase != .stopped
            state.isInterrupted = true
            state.resumes = wasRunning
            state.phase = .stopped
            return (true, wasRunning, state.pipeline)
        }
        guard isNew else { return }
        pipeline?.stop()
        state.withLock { $0.suspended = pipeline }
        let isBackground = interruption.reason == .videoDeviceNotAvailableInBackground
        endCaptures(error: AVError(isBackground ? .deviceIsNotAvailableInBackground : .sessionWasInterrupted))
        _observers.changed(\AVCaptureSession.isInterrupted, from: false, to: true, wasAnnounced: true)
        var info: [AnyHashable: Any] = [AVCaptureSessionInterruptionReasonKey: NSNumber(value: interruption.reason.rawValue)]
        info[AVCaptureSessionInterruptionSystemPressureStateKey] = interruption.pressure
        NotificationCenter.default.post(name: Self.wasInterruptedNotification, object: self, userInfo: info)
        if wasRunning { didStop() }
    }

    /// Gives the hardware back and resumes, from the next frame of the camera it had.
    func endInterruption() {
        _observers.willChange(\AVCaptureSession.isInterrupted, from: isInterrupted, to: false)
        let (wasInterrupted, resumes) = state.withLock { state in
            defer { (state.isInterrupted, state.resumes) = (false, false) }
            return (state.isInterrupted, state.resumes)
        }
        guard wasInterrupted else { return }
        _observers.changed(\AVCaptureSession.isInterrupted, from: true, to: false, wasAnnounced: true)
        post(Self.interruptionEndedNotification)
        if resumes { run() }
        state.withLock { $0.suspended = nil }
    }

    /// Ends a running session with a runtime error.
    func fail(_ error: AVError) {
        willStop()
        let (wasRunning, pipeline) = state.withLock { state in
            defer {
                state.phase = .stopped
                (state.pipeline, state.microphone) = (nil, nil)
            }
            return (state.phase == .running, state.pipeline)
        }
        guard wasRunning else { return }
        pipeline?.stop()
        endCaptures(error: error)
        post(error)
        didStop()
    }

    private func isConcerned(by reason: InterruptionReason) -> Bool {
        let devices = inputs.compactMap { ($0 as? AVCaptureDeviceInput)?.device }
        switch reason {
        case .audioDeviceInUseByAnotherClient: return devices.contains { $0.hasMediaType(.audio) }
        case .videoDeviceNotAvailableWithMultipleForegroundApps where isMultitaskingCameraAccessEnabled: return false
        default: return devices.contains { $0.hasMediaType(.video) }
        }
    }

    /// Whether the camera may be kept while other apps share the screen.
    public var isMultitaskingCameraAccessSupported: Bool { true }

    /// Keeps the camera while other apps share the screen; set before the session starts. Observable.
    public var isMultitaskingCameraAccessEnabled: Bool {
        get { state.withLock { $0.isMultitasking } }
        set {
            _observers.change(\AVCaptureSession.isMultitaskingCameraAccessEnabled, from: isMultitaskingCameraAccessEnabled, to: newValue) {
                state.withLock { $0.isMultitasking = newValue }
            }
        }
    }

    // MARK: cost

    /// The share of the hardware that the graph takes: 0 for at most one stream of pictures to outputs of video data and movies, except for
    /// a session of several cameras; above 1 it does not run.
    ///
    /// Apple names no formula. Here each stream costs its pixels per second, against two 4K streams of 30 frames.
    public var hardwareCost: Float {
        let data = outputs.count { $0 is AVCaptureVideoDataOutput }
        let movies = outputs.count { $0 is AVCaptureMovieFileOutput }
        let streams = data + movies
        guard (data > 0 && streams > 1) || (streams > 0 && self is AVCaptureMultiCamSession),
            let device = inputs.lazy.compactMap({ ($0 as? AVCaptureDeviceInput)?.device }).first(where: { $0.hasMediaType(.video) })
        else { return 0 }
        let (format, fastest) = (device.activeFormat.profile, device.activeVideoMinFrameDuration.seconds)
        return Float(Double(streams * format.width * format.height) / fastest / Double(2 * 3840 * 2160 * 30))
    }
}

extension Notification.Name {
    public static var AVCaptureSessionWasInterrupted: Notification.Name { AVCaptureSession.wasInterruptedNotification }
    public static var AVCaptureSessionInterruptionEnded: Notification.Name { AVCaptureSession.interruptionEndedNotification }
}
