import Foundation

/// What this process has in memory, megabytes of 2^20 bytes; what it shares with others, libraries above all, counts in full.
package struct ProcessMemory: Sendable {
    package var now: Double
    /// The most since the process began, or since `forgetPeak`.
    package var peak: Double

    /// Nil where there is no `/proc`.
    package init?() {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return nil }
        func megabytes(_ key: String) -> Double? {
            let line = status.split(separator: "\n").first { $0.hasPrefix(key) }
            return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Double($0) }.map { $0 / 1024 }
        }
        guard let now = megabytes("VmRSS:"), let peak = megabytes("VmHWM:") else { return nil }
        (self.now, self.peak) = (now, peak)
    }

    /// The peak begins to count from here.
    package static func forgetPeak() {
        guard let file = FileHandle(forWritingAtPath: "/proc/self/clear_refs") else { return }
        try? file.write(contentsOf: Data("5".utf8))
        try? file.close()
    }
}
