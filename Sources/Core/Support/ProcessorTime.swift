import Foundation

/// Wall and processor time of a piece of work; the latter holds on a busy machine as well.
package struct ProcessorTime {
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
