import Foundation
import Support
import Synchronization

/// Frame, frames a second and time left, on one line of a terminal; nothing at all when piped.
final class ProgressLine: Sendable {
    private let total: Int?
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private let start = ContinuousClock.now
    private let shown = Mutex(ContinuousClock.now)

    init(total: Int?) { self.total = total }

    func update(frame: Int) {
        guard isTerminal else { return }
        let now = ContinuousClock.now
        let isDue = shown.withLock { shown in
            guard now - shown > .milliseconds(200) else { return false }
            shown = now
            return true
        }
        guard isDue else { return }
        let seconds = Double((now - start).components.seconds) + Double((now - start).components.attoseconds) * 1e-18
        let rate = Double(frame) / max(seconds, 1e-3)
        var line = "frame \(frame)"
        if let total { line += "/\(total)" }
        line += String(format: "  %.1f fps", rate)
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
