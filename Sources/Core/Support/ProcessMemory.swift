import Foundation

/// Resident memory of this process, in megabytes of 2^20 bytes; memory shared with others, libraries above all, counts in full.
package struct ProcessMemory: Sendable {
    /// Resident set size (VmRSS).
    package var now: Double
    /// Peak resident set size (VmHWM), since the process began or since `forgetPeak`.
    package var peak: Double

    /// Reads `/proc/self/status`; nil where there is none.
    package init?() {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return nil }
        func megabytes(_ key: String) -> Double? {
            let line = status.split(separator: "\n").first { $0.hasPrefix(key) }
            return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Double($0) }.map { $0 / 1024 }
        }
        guard let now = megabytes("VmRSS:"), let peak = megabytes("VmHWM:") else { return nil }
        (self.now, self.peak) = (now, peak)
    }

    /// Restarts the peak from the present size.
    package static func forgetPeak() {
        guard let file = FileHandle(forWritingAtPath: "/proc/self/clear_refs") else { return }
        try? file.write(contentsOf: Data("5".utf8))
        try? file.close()
    }
}
