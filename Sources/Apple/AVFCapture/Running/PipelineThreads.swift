import Foundation
import Support
import Synchronization

/// Threads behind one pipeline of a session. They begin when those of stopped pipelines are over, so that no two frames of a camera are ever
/// under way at once, and a finished one is held by nobody.
final class PipelineThreads: Sendable {
    struct Work: Sendable {
        let name: String
        let body: @Sendable () -> Void

        init(_ name: String, _ body: @escaping @Sendable () -> Void) { (self.name, self.body) = (name, body) }
    }

    private struct Running: @unchecked Sendable {
        let thread: Thread
        let end: DispatchGroup
    }

    private let running = Mutex<[Running]>([])
    /// Left when the last thread is over.
    private let all = DispatchGroup()

    /// Whether none runs.
    var areOver: Bool { running.withLock { $0.isEmpty } }

    /// Runs each of `works` on a thread of its own in the scope of `environment`, once those of `before` are over; not at all when `delivery` is
    /// stopped until then.
    func start(_ works: [Work], in environment: CaptureEnvironment, after before: [PipelineThreads], delivery: Delivery) {
        if !before.isEmpty {
            delivery.hold()
            let ends = DispatchGroup()
            for threads in before {
                ends.enter()
                threads.all.notify(queue: .global()) { ends.leave() }
            }
            ends.notify(queue: .global()) { delivery.release() }
        }
        let made = works.map { work in
            let end = DispatchGroup()
            end.enter()
            all.enter()
            let thread = Thread(named: work.name) { [self] in
                if delivery.mayBegin() { environment.enter(work.body) }
                running.withLock { $0.removeAll { $0.end === end } }
                all.leave()
                end.leave()
            }
            return Running(thread: thread, end: end)
        }
        running.withLock { $0 = made }
        for run in made { run.thread.start() }
    }

    /// Waits for every thread but the one this is called on.
    func join() {
        for run in running.withLock({ $0 }) where run.thread !== Thread.current { run.end.wait() }
    }
}
