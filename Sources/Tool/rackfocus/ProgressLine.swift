import Foundation
import Support
import Synchronization

/// Frame, frames a second and time left, on one line of a terminal; nothing at all when piped. What comes before the first frame, as looking ahead,
/// does not count as slowness.
final class ProgressLine: Sendable {
    private let total: Int?
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private let state = Mutex(State())

    private struct State {
        /// The first frame shown and its time.
        var first: (frame: Int, time: ContinuousClock.Instant)?
        var shown = ContinuousClock.now
    }

    init(total: Int?) { self.total = total }

    func update(frame: Int) {
        guard isTerminal else { return }
        let now = ContinuousClock.now
        let first = state.withLock { state -> (frame: Int, time: ContinuousClock.Instant)? in
            let first = state.first ?? (frame, now)
            state.first = first
            guard now - state.shown > .milliseconds(200) else { return nil }
            state.shown = now
            return first
        }
        guard let first else { return }
        let rate = Double(frame - first.frame) / max((now - first.time) / .seconds(1), 1e-3)
        var line = "frame \(frame)"
        if let total { line += "/\(total)" }
        if rate > 0 { line += String(format: "  %.1f fps", rate) }
        if let total, rate > 0 {
            let left = Int(Double(total - frame) / rate)
            line += String(format: "  %d:%02d left", left / 60, left % 60)
        }
        StandardError.printRaw("\r\u{1B}[K" + line)
    }

    /// Shows the work under way; clears the line for an empty text.
    func show(_ text: String) {
        if isTerminal { StandardError.printRaw("\r\u{1B}[K" + text) }
    }

    /// Runs `body`, and takes the line away afterwards.
    func whileShown<Result>(_ body: () throws -> Result) rethrows -> Result {
        defer { if isTerminal { StandardError.printRaw("\r\u{1B}[K") } }
        return try body()
    }
}
