import Foundation

/// Wall and processor time of a piece of work; the latter holds on a busy machine as well.
package struct ProcessorTime: Codable, Sendable {
    /// Processes counted: this one, or its finished children.
    package enum Whose { case ours, children }

    /// Wall-clock seconds.
    package var wall: Double
    /// Processor seconds, summed over all cores, user and system.
    package var cores: Double

    /// Measures `body`.
    package static func measure(_ whose: Whose, _ body: () throws -> Void) rethrows -> ProcessorTime {
        let (start, used) = (ContinuousClock.now, cores(whose))
        try body()
        let passed = (ContinuousClock.now - start).components
        return ProcessorTime(wall: Double(passed.seconds) + Double(passed.attoseconds) * 1e-18, cores: cores(whose) - used)
    }

    /// Times of this process since its start, the wall's within 0.01 s; nil where `/proc` does not tell.
    package static var sinceStart: ProcessorTime? {
        // Behind the program's name, which may hold anything, come the fields from the third on; the 22nd is the start in ticks since boot.
        guard let text = try? String(contentsOfFile: "/proc/self/stat", encoding: .utf8), let name = text.lastIndex(of: ")") else { return nil }
        let fields = text[text.index(after: name)...].split(separator: " ")
        guard fields.count > 19, let ticks = Double(fields[19]) else { return nil }
        var now = timespec()
        clock_gettime(CLOCK_BOOTTIME, &now)
        let start = ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
        return ProcessorTime(wall: Double(now.tv_sec) + Double(now.tv_nsec) * 1e-9 - start, cores: cores(.ours))
    }

    private static func cores(_ whose: Whose) -> Double {
        var usage = rusage()
        getrusage(__rusage_who_t((whose == .ours ? RUSAGE_SELF : RUSAGE_CHILDREN).rawValue), &usage)
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) * 1e-6 }
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }

    /// Difference of both times.
    package static func - (a: ProcessorTime, b: ProcessorTime) -> ProcessorTime { ProcessorTime(wall: a.wall - b.wall, cores: a.cores - b.cores) }

    /// Time per repetition.
    package static func / (a: ProcessorTime, count: Int) -> ProcessorTime {
        ProcessorTime(wall: a.wall / Double(count), cores: a.cores / Double(count))
    }
}
