import Foundation

/// Time and memory of this process so far.
struct Usage {
    /// Seconds since the machine's start.
    let clock: Double
    /// Seconds of processor time of all threads.
    let processor: Double
    /// Resident memory at its highest, bytes.
    let mostBytes: Int

    init() {
        var (now, usage) = (timespec(), rusage())
        clock_gettime(CLOCK_MONOTONIC, &now)
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        clock = Double(now.tv_sec) + Double(now.tv_nsec) * 1e-9
        processor = [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) * 1e-6 }
        mostBytes = usage.ru_maxrss << 10
    }
}
