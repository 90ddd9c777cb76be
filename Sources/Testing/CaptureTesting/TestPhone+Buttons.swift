import AVFCapture
import Foundation
import Synchronization

extension TestPhone {
    /// Presses a button of the phone, which an app answers by `AVCaptureEventInteraction`; returns when the app has had the frame after it.
    ///
    /// - Parameters:
    ///   - duration: time from down to up, on the clock of the frames.
    ///   - isCancelled: whether the system takes the press away before the user lets go.
    /// - Throws: `TestFailure` where no session runs, or no enabled interaction is there: the system would have the button to itself.
    public func press(
        _ button: CaptureConditions.Button, for duration: Duration = .milliseconds(80), isCancelled: Bool = false,
        file: StaticString = #filePath, line: UInt = #line
    ) async throws {
        guard stepper.isRunning else {
            throw TestFailure("no session runs, so the system has the button \(button) to itself\(sessionRemark)", file, line)
        }
        guard await conditions.press(button, .began) else {
            throw TestFailure("no enabled AVCaptureEventInteraction is there for the button \(button): does anything hold it?", file, line)
        }
        let end = state.withLock { $0.time } + duration.nanoseconds
        while frameTime(nextFrame) <= end { await step() }
        await conditions.press(button, isCancelled ? .cancelled : .ended)
        state.withLock { $0.time = max($0.time, end) }
        await step()
    }
}
