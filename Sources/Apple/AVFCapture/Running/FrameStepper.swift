import Foundation

/// Step-by-step clock: a session under it takes a frame only in a `step`, which returns when everybody has had it.
///
/// Sessions take their frames by turns, in the order of their starts, so that what an app makes of the frames of several is the same each time.
///
///     at the gate ──step──► taking a frame ──delivered everywhere──► at the gate
///          ├──────────── the session stops ────────────► gone
///          └──another camera or format──► between two pipelines ──► at the gate, with the steps that are left
public final class FrameStepper: @unchecked Sendable {
    private struct Runner {
        /// The pipeline's; between two of them the session's.
        var id: ObjectIdentifier
        var permits = 0
        var isAtGate = false
        /// Whether a frame of it is on its way.
        var isTaking = false
        /// Whether its steps wait, as another pipeline may take them.
        var isHeld = false
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

    /// Takes in a pipeline of a session: a new one, or the one that takes over the steps of another.
    func enter(_ pipeline: any SessionPipeline, of session: AVCaptureSession) {
        condition.withLock {
            if let index = index(of: session) {
                runners[index].id = ObjectIdentifier(pipeline)
                runners[index].isHeld = false
            } else {
                runners.append(Runner(id: ObjectIdentifier(pipeline)))
            }
        }
    }

    /// Lets a pipeline take no step until `release`, or until another of its session has taken them over.
    func hold(_ pipeline: any SessionPipeline) {
        condition.withLock {
            if let index = index(of: pipeline) { runners[index].isHeld = true }
            condition.broadcast()
        }
    }

    /// Lets a held pipeline go on, if it still has its steps.
    func release(_ pipeline: any SessionPipeline) {
        condition.withLock {
            if let index = index(of: pipeline) { runners[index].isHeld = false }
            condition.broadcast()
        }
    }

    /// Takes a pipeline's steps until another of the session enters, or `leave` is called for the session: they wait for it.
    func keepSteps(of pipeline: any SessionPipeline, for session: AVCaptureSession) {
        condition.withLock {
            guard let index = index(of: pipeline) else { return }
            runners[index] = Runner(id: ObjectIdentifier(session), permits: runners[index].permits, isHeld: true)
            condition.broadcast()
        }
    }

    /// Waits for permission to take a frame; false when the pipeline is over.
    func waitForFrame(_ pipeline: any SessionPipeline) -> Bool {
        condition.withLock {
            if let index = index(of: pipeline), runners[index].isTaking {
                runners[index].isTaking = false
                condition.broadcast()
            }
            while let index = index(of: pipeline) {
                if isTurn(of: index) {
                    runners[index].permits -= 1
                    runners[index].isAtGate = false
                    runners[index].isTaking = true
                    return true
                }
                runners[index].isAtGate = true
                resumeWaiters()
                condition.wait()
            }
            return false
        }
    }

    /// Whether a runner may take a frame: no other has one on its way, more steps to take, or as many and started before.
    private func isTurn(of index: Int) -> Bool {
        let mine = runners[index]
        guard mine.permits > 0, !mine.isHeld else { return false }
        return !runners.enumerated().contains { place, other in
            let isAhead = other.permits > mine.permits || (other.permits == mine.permits && place < index)
            return place != index && (other.isTaking || (isAhead && !other.isHeld))
        }
    }

    /// Lets a pipeline go, or a session between two of them.
    func leave(_ runner: AnyObject) {
        condition.withLock {
            runners.removeAll { $0.id == ObjectIdentifier(runner) }
            resumeWaiters()
            condition.broadcast()
        }
    }

    private func index(of runner: AnyObject) -> Int? { runners.firstIndex { $0.id == ObjectIdentifier(runner) } }

    /// Resumes waiting callers, once all frames are over.
    private func resumeWaiters() {
        guard runners.allSatisfy({ $0.isAtGate && $0.permits == 0 }) else { return }
        for waiter in waiters { waiter.resume() }
        waiters = []
    }
}
