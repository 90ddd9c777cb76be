import Dispatch

/// Serial queue that an actor can run on: `nonisolated var unownedExecutor { queue.asUnownedSerialExecutor() }`.
public typealias DispatchSerialQueue = DispatchQueue

extension DispatchQueue: @retroactive Executor {}

extension DispatchQueue: @retroactive SerialExecutor {
    /// Runs a job of an actor on this queue.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        async(group: nil) { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    /// Returns the queue as the executor of an actor.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    /// Stops the program unless it runs on this queue; lets `assumeIsolated` hold in a delegate's call here.
    public func checkIsolated() { dispatchPrecondition(condition: .onQueue(self)) }
}
