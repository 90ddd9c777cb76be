import Foundation

/// Work on another thread beside the caller's own; joined in the same frame it makes the result independent of any clock.
package final class ConcurrentTask<Value, Failure: Error>: @unchecked Sendable {
    private let group = DispatchGroup()
    private var result: Result<Value, Failure>?

    /// `work` touches nothing that the caller touches before `value()`; where it gives way, it goes on when no other thread wants to. A `queue` does the
    /// tasks that it is given one after the other.
    package init(on queue: DispatchQueue? = nil, givesWay: Bool = false, _ work: @escaping () throws(Failure) -> Value) {
        nonisolated(unsafe) let work = work
        let run = { @Sendable in
            do throws(Failure) { self.result = .success(try work()) } catch { self.result = .failure(error) }
        }
        guard givesWay else {
            (queue ?? .global(qos: .userInitiated)).async(group: group, execute: run)
            return
        }
        group.enter()
        Thread.detach(named: "search") { [group] in
            Thread.giveWay()
            run()
            group.leave()
        }
    }

    /// Whether there is nothing to wait for.
    package var isDone: Bool { group.wait(timeout: .now()) == .success }

    /// Waits for the end.
    package func join() { group.wait() }

    /// Waits for the end and gives what came out.
    package func value() throws(Failure) -> Value {
        join()
        return try result!.get()
    }
}
