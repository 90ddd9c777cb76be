import AVFCapture
import Foundation
import Synchronization

extension CinematicCamera {
    /// End of a session.
    public enum End: Sendable {
        /// Stopped, by the source's end or by a call.
        case stopped
        /// Failed by a runtime error; `AVError` with the cause beneath.
        case failed(any Error)
        /// Stopped at the time limit.
        case timedOut
    }

    /// Runs the session until it stops, at most `timeLimit` seconds of wall time (nil: as long as it takes).
    ///
    /// A lens that fails lets its frame pass sharp and the session run on, so it ends nothing. `resume` may set going again what stopped,
    /// and says whether it did.
    public func play(
        timeLimit: Double? = nil, resume: (End) -> Bool = { _ in false }, onShot: @escaping @Sendable (Shot) -> Void
    ) -> End {
        let (session, stopped) = (session, DispatchSemaphore(value: 0))
        let failure = Mutex<(any Error)?>(nil)
        let center = NotificationCenter.default
        let tokens = [
            center.addObserver(forName: AVCaptureSession.runtimeErrorNotification, object: session, queue: nil) { note in
                guard !session.isRunning, let error = note.userInfo?[AVCaptureSessionErrorKey] as? any Error else { return }
                failure.withLock { $0 = $0 ?? error }
            },
            center.addObserver(forName: AVCaptureSession.didStopRunningNotification, object: session, queue: nil) { _ in stopped.signal() },
        ]
        defer { tokens.forEach(center.removeObserver) }
        start(onShot: onShot)
        let deadline = timeLimit.map { DispatchTime.now() + $0 } ?? .distantFuture
        while true {
            let isUnderWay = session.isRunning || failure.withLock { $0 == nil }
            if isUnderWay, stopped.wait(timeout: deadline) == .timedOut {
                session.stopRunning()
                return .timedOut
            }
            let end = failure.withLock { failure in
                defer { failure = nil }
                return failure.map(End.failed) ?? .stopped
            }
            guard resume(end) else { return end }
        }
    }
}
