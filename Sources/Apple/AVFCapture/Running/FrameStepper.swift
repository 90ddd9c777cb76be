import CoreMedia
import Foundation

/// Step-by-step clock: a session under it takes a frame only in a `step`, which returns when everybody has had it.
///
/// Cameras take their frames by turns, in the order of their starts, so that what an app makes of the frames of several is the same each time.
///
///     at the gate ──step──► taking a frame ──delivered everywhere──► at the gate
///          ├──────────── the session stops ────────────► gone
///          └──another camera or format──► between two pipelines ──► at the gate, with the steps that are left
public final class FrameStepper: @unchecked Sendable {
    private struct Runner {
        let session: ObjectIdentifier
        /// Nil between two pipelines of the session.
        var pipeline: ObjectIdentifier?
        var permits: Int
        /// Time of the last frame, where no step is needed; nil before the first.
        var time: CMTime?
        var isAtGate = false
        /// Whether a frame of it is on its way.
        var isTaking = false
        /// Whether its steps wait, as another pipeline may take them.
        var isHeld = false
    }

    private let condition = NSCondition()
    private let needsSteps: Bool
    private var runners: [Runner] = []
    private var waiters: [CheckedContinuation<Void, Never>] = []

    /// Makes a stepper for `CaptureEnvironment.Clock.stepped`.
    public init() { needsSteps = true }

    /// Makes the turns of one session's cameras where frames need no step: the camera whose last frame is the oldest takes the next.
    init(needsSteps: Bool) { self.needsSteps = needsSteps }

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
        let (id, session) = (ObjectIdentifier(pipeline), ObjectIdentifier(session))
        condition.withLock {
            if let index = runners.firstIndex(where: { $0.session == session && $0.pipeline == nil }) {
                runners[index] = Runner(session: session, pipeline: id, permits: runners[index].permits)
            } else {
                runners.append(Runner(session: session, pipeline: id, permits: needsSteps ? 0 : 1))
            }
        }
    }

    /// Lets the pipelines of a session take no step until `release`, or until others have taken them over.
    func hold(_ session: AVCaptureSession) { setHeld(true, session) }

    /// Lets the held pipelines that still have their steps go on.
    func release(_ session: AVCaptureSession) { setHeld(false, session) }

    private func setHeld(_ isHeld: Bool, _ session: AVCaptureSession) {
        condition.withLock {
            for index in runners.indices where runners[index].session == ObjectIdentifier(session) && runners[index].pipeline != nil {
                runners[index].isHeld = isHeld
            }
            condition.broadcast()
        }
    }

    /// Takes a pipeline's steps until another of its session enters, or `dropSteps` is called: they wait for it.
    func keepSteps(of pipeline: any SessionPipeline) {
        condition.withLock {
            guard let index = index(of: pipeline) else { return }
            runners[index] = Runner(session: runners[index].session, pipeline: nil, permits: runners[index].permits, isHeld: true)
            condition.broadcast()
        }
    }

    /// Lets go of the steps that were kept and that no pipeline of the session took.
    func dropSteps(of session: AVCaptureSession) { remove { $0.session == ObjectIdentifier(session) && $0.pipeline == nil } }

    /// Waits for permission to take the frame after the one of `time`; false when the pipeline is over.
    func waitForFrame(_ pipeline: any SessionPipeline, after time: CMTime?) -> Bool {
        condition.withLock {
            if let index = index(of: pipeline) {
                if !needsSteps { runners[index].time = time }
                runners[index].isTaking = false
                condition.broadcast()
            }
            while let index = index(of: pipeline) {
                if isTurn(of: index) {
                    if needsSteps { runners[index].permits -= 1 }
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

    /// Whether a runner may take a frame: no other has one on its way, or is ahead in the order of turns.
    private func isTurn(of index: Int) -> Bool {
        let mine = runners[index]
        guard mine.permits > 0, !mine.isHeld else { return false }
        return !runners.indices.contains { other in
            other != index && (runners[other].isTaking || (!runners[other].isHeld && comesFirst(other, before: index)))
        }
    }

    /// Whether a runner has more steps to take than another, else an older last frame, else started before.
    private func comesFirst(_ index: Int, before other: Int) -> Bool {
        let (one, two) = (runners[index], runners[other])
        if one.permits != two.permits { return one.permits > two.permits }
        let (first, second) = (one.time ?? .negativeInfinity, two.time ?? .negativeInfinity)
        return first == second ? index < other : first < second
    }

    /// Lets a pipeline go.
    func leave(_ pipeline: any SessionPipeline) { remove { $0.pipeline == ObjectIdentifier(pipeline) } }

    private func remove(where isGone: (Runner) -> Bool) {
        condition.withLock {
            runners.removeAll(where: isGone)
            resumeWaiters()
            condition.broadcast()
        }
    }

    private func index(of pipeline: any SessionPipeline) -> Int? { runners.firstIndex { $0.pipeline == ObjectIdentifier(pipeline) } }

    /// Resumes waiting callers, once all frames are over.
    private func resumeWaiters() {
        guard runners.allSatisfy({ $0.isAtGate && $0.permits == 0 }) else { return }
        for waiter in waiters { waiter.resume() }
        waiters = []
    }
}
