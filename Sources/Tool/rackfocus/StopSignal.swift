import Foundation
import Support
import Synchronization

/// Ctrl-C, a request to terminate, and a terminal that is closed: the first asks for an end, the second ends the program at once. One at a time.
///
/// Handlers of signals rather than dispatch sources: those are installed some time after they are made, until when the signal is lost, and block it on
/// the threads that it has reached, so that none is left for the second to end.
final class StopSignal: @unchecked Sendable {
    private static let numbers = [SIGINT, SIGTERM, SIGHUP]
    /// Signals that came; the handler's.
    private static let count = Atomic<Int>(0)
    /// Descriptor that the handler writes a byte to.
    private static let output = Atomic<Int32>(-1)

    private let source: any DispatchSourceRead
    /// Actions of the signals before; not changed.
    private let before: [sigaction]

    /// Calls `stop` on a queue of its own, once. Throws an `OutputError` where the process has no descriptors left.
    init(_ stop: @escaping @Sendable () -> Void) throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw OutputError(errno: errno, path: "a pipe for signals", action: "open") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let (reading, writing) = (ends[0], ends[1])
        source = DispatchSource.makeReadSource(fileDescriptor: reading, queue: DispatchQueue(label: "rackfocus signals"))
        source.setEventHandler { [source] in
            source.cancel()
            stop()
        }
        source.setCancelHandler { close(reading) }
        source.activate()
        Self.count.store(0, ordering: .relaxed)
        Self.output.store(writing, ordering: .sequentiallyConsistent)
        before = Self.numbers.map { number in
            var (action, before) = (sigaction(), sigaction())
            sigaction(number, nil, &before)
            // `nohup` has it ignored.
            if number == SIGHUP, unsafeBitCast(before.__sigaction_handler.sa_handler, to: Int.self) == 1 { return before }
            // Async-signal-safe. What is raised comes when the handler has returned.
            action.__sigaction_handler.sa_handler = { number in
                guard StopSignal.count.add(1, ordering: .relaxed).newValue == 1 else {
                    UnfinishedOutput.removeAll()
                    signal(number, SIG_DFL)
                    raise(number)
                    return
                }
                let error = errno
                var byte: UInt8 = 0
                _ = write(StopSignal.output.load(ordering: .sequentiallyConsistent), &byte, 1)
                errno = error
            }
            action.sa_flags = Int32(SA_RESTART)
            sigaction(number, &action, &before)
            return before
        }
    }

    /// Lets signals do again what they did before.
    func end() {
        for (number, before) in zip(Self.numbers, before) {
            var before = before
            sigaction(number, &before, nil)
        }
        source.cancel()
        close(Self.output.exchange(-1, ordering: .sequentiallyConsistent))
    }
}
