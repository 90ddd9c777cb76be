import Dispatch

/// A queue that runs one thing at a time, and an actor on it: `nonisolated var unownedExecutor { queue.asUnownedSerialExecutor() }`.
public typealias DispatchSerialQueue = DispatchQueue

extension DispatchQueue: @retroactive Executor {}

extension DispatchQueue: @retroactive SerialExecutor {
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    public func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    /// Lets `assumeIsolated` hold in a delegate's call on this queue.
    public func checkIsolated() { dispatchPrecondition(condition: .onQueue(self)) }
}
