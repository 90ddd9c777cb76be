import Foundation

/// Step-by-step clock: a session under it takes a frame only in a `step`, which returns when everybody has had it.
///
///     at the gate ──step──► taking a frame ──delivered everywhere──► at the gate
///          └──────────── the session stops ────────────► gone
public final class FrameStepper: @unchecked Sendable {
    private struct Runner {
        let id: ObjectIdentifier
        var permits = 0
        var isAtGate = false
    }

    private let condition = NSCondition()
    private var runners: [Runner] = []
    private var waiters: [CheckedContinuation<Void, Never>] = []

    /// Makes a stepper for `CaptureEnvironment.Clock.stepped`.
    public init() {}

    /// Lets every running session take `count` frames and returns when their delegates have had them, at once when no session runs.
    ///
    /// Not from a delegate, whose frame is not over.
    public func step(frames count: Int = 1) async {
        await withCheckedContinuation { continuation in
            condition.withLock {
                for index in runners.indices { runners[index].permits += count }
                waiters.append(continuation)
                resumeWaiters()
                condition.broadcast()
            }
        }
    }

    /// Whether a session runs.
    public var isRunning: Bool { condition.withLock { !runners.isEmpty } }

    func enter(_ pipeline: any SessionPipeline) {
        condition.withLock { runners.append(Runner(id: ObjectIdentifier(pipeline))) }
    }

    /// Waits for permission to take a frame; false when the pipeline is over.
    func waitForFrame(_ pipeline: any SessionPipeline) -> Bool {
        condition.withLock {
            while let index = index(of: pipeline) {
                if runners[index].permits > 0 {
                    runners[index].permits -= 1
                    runners[index].isAtGate = false
                    return true
                }
                runners[index].isAtGate = true
                resumeWaiters()
                condition.wait()
            }
            return false
        }
    }

    func leave(_ pipeline: any SessionPipeline) {
        condition.withLock {
            runners.removeAll { $0.id == ObjectIdentifier(pipeline) }
            resumeWaiters()
            condition.broadcast()
        }
    }

    private func index(of pipeline: any SessionPipeline) -> Int? { runners.firstIndex { $0.id == ObjectIdentifier(pipeline) } }

    /// Resumes waiting callers, once all frames are over.
    private func resumeWaiters() {
        guard runners.allSatisfy({ $0.isAtGate && $0.permits == 0 }) else { return }
        for waiter in waiters { waiter.resume() }
        waiters = []
    }
}
