import Foundation

/// A copy of this process (fork) that runs a body again and again, because foreign code in it may not survive; a new copy follows one that ended.
///
/// Locks that other threads hold at that moment stay locked in the copy: for a process that runs nothing beside it.
public final class ForkedWorker {
    /// One run of the body.
    public struct Run {
        /// Number of the signal that ended the copy; 0 where it lived on, or ended by itself.
        public internal(set) var signal: Int32 = 0
        /// Whether the copy ended, also by itself (the sanitizer does so).
        public internal(set) var isEnd = false
        /// Whether the body threw.
        public internal(set) var hasThrown = false
        /// Seconds of processor time.
        public internal(set) var seconds = 0.0
        /// Resident memory of the copy at its highest so far, bytes.
        public internal(set) var mostBytes = 0
    }

    /// Seconds of the clock after which a copy is ended by SIGALRM.
    private static let endless: UInt32 = 120
    /// Runs after which a copy is replaced: what the foreign code leaks does not add up.
    private static let mostRuns = 500
    private let body: () throws -> Void
    private var copy: (process: pid_t, orders: Int32, runs: Int32, count: Int)?
    /// Copies that there were.
    public private(set) var copies = 0

    public init(_ body: @escaping () throws -> Void) { self.body = body }

    deinit { if copy != nil { _ = end() } }

    /// Runs the body in the copy, without standard error; throws where there can be none.
    public func run() throws -> Run {
        if let copy, copy.count >= Self.mostRuns { _ = end() }
        let (process, orders, runs, count) = try copy ?? start()
        copy = (process, orders, runs, count + 1)
        var (order, run) = (UInt8(0), Run())
        guard write(orders, &order, 1) == 1, read(runs, &run, MemoryLayout<Run>.size) == MemoryLayout<Run>.size else { return end() }
        return run
    }

    private func start() throws -> (process: pid_t, orders: Int32, runs: Int32, count: Int) {
        var (orders, runs): ([Int32], [Int32]) = ([0, 0], [0, 0])
        guard pipe(&orders) == 0, pipe(&runs) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EAGAIN) }
        let process = fork()
        guard process >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EAGAIN) }
        if process == 0 {
            close(orders[1])
            close(runs[0])
            serve(orders[0], runs[1])
        }
        close(orders[0])
        close(runs[1])
        // An order to a copy that has ended is answered, not a signal.
        signal(SIGPIPE, SIG_IGN)
        copies += 1
        return (process, orders[1], runs[0], 0)
    }

    /// The copy's life: a run for each order.
    private func serve(_ orders: Int32, _ runs: Int32) -> Never {
        // Ended by the signal itself, not by the handlers of Swift and of the sanitizer.
        for number in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP] { signal(number, SIG_DFL) }
        dup2(open("/dev/null", O_WRONLY), STDERR_FILENO)
        var order = UInt8(0)
        while read(orders, &order, 1) == 1 {
            alarm(Self.endless)
            let before = Usage()
            var run = Run()
            do { try body() } catch { run.hasThrown = true }
            let after = Usage()
            (run.seconds, run.mostBytes) = (after.processor - before.processor, after.mostBytes)
            guard write(runs, &run, MemoryLayout<Run>.size) == MemoryLayout<Run>.size else { break }
        }
        _exit(0)
    }

    /// Lets the copy go, and tells how it ended.
    private func end() -> Run {
        guard let (process, orders, runs, _) = copy else { return Run() }
        copy = nil
        close(orders)
        close(runs)
        var (status, usage) = (Int32(0), rusage())
        while wait4(process, &status, 0, &usage) < 0, errno == EINTR {}
        return Run(signal: status & 0x7F, isEnd: true, seconds: 0, mostBytes: usage.ru_maxrss << 10)
    }
}
