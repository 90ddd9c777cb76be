import Foundation

/// End of a body that ran in a copy of this process (fork), because foreign code in it may not survive.
///
/// Locks that other threads hold at that moment stay locked in the copy: for a process that runs nothing beside it.
public struct ForkedRun {
    /// Number of the signal that ended the copy; 0 where it ended by itself.
    public let signal: Int32
    /// 0 where the body returned, 2 where it threw, and what the sanitizer gives where that ended the copy.
    public let exitCode: Int32
    /// Seconds of processor time.
    public let seconds: Double
    /// Resident memory at its highest, bytes.
    public let mostBytes: Int

    /// Seconds of the clock after which the copy is ended by SIGALRM.
    private static let endless: UInt32 = 120

    /// Runs `body` without standard error; throws where there can be no copy.
    public init(_ body: () throws -> Void) throws {
        let child = fork()
        guard child >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EAGAIN) }
        if child == 0 {
            // Ended by the signal itself, not by the handlers of Swift and of the sanitizer.
            for number in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP] { Foundation.signal(number, SIG_DFL) }
            dup2(open("/dev/null", O_WRONLY), STDERR_FILENO)
            alarm(Self.endless)
            do { try body() } catch { _exit(2) }
            _exit(0)
        }
        var (status, usage) = (Int32(0), rusage())
        while wait4(child, &status, 0, &usage) < 0, errno == EINTR {}
        (signal, exitCode) = (status & 0x7F, status >> 8 & 0xFF)
        seconds = [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) * 1e-6 }
        mostBytes = usage.ru_maxrss << 10
    }
}
