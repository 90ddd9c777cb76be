import Foundation

/// Quarter of a second in which the process does next to nothing.
struct Rest {
    private static let span = Duration.milliseconds(250)
    /// Share of one processor that asking takes.
    private static let share = 0.2
    private var start = ContinuousClock.now
    private var used = Rest.processorTime

    /// Whether the process rested for the span before now; begins anew where it did not.
    mutating func isOver() -> Bool {
        let now = ContinuousClock.now
        guard now - start >= Self.span else { return false }
        let (spent, limit) = (Self.processorTime - used, (now - start).seconds * Self.share)
        (start, used) = (now, Self.processorTime)
        return spent < limit
    }

    /// Seconds of processor time of all threads so far.
    private static var processorTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

extension Duration {
    fileprivate var seconds: Double { Double(nanoseconds) / 1e9 }
}
