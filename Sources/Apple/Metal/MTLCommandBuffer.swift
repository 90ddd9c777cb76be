import Foundation
import Synchronization

/// Function that a command buffer calls.
public typealias MTLCommandBufferHandler = @Sendable (any MTLCommandBuffer) -> Void

/// State of a command buffer.
public enum MTLCommandBufferStatus: UInt, Sendable {
    /// Work may be encoded.
    case notEnqueued = 0
    /// Its place in the queue is taken; never so here, where a place is taken by committing.
    case enqueued = 1
    /// It waits for those before it.
    case committed = 2
    /// It is next to run; never so here.
    case scheduled = 3
    /// All work was done.
    case completed = 4
    /// Some work could not be done.
    case error = 5
}

/// Work that runs when it is committed.
public protocol MTLCommandBuffer: AnyObject, Sendable {
    /// Name for debugging; nil for none.
    var label: String? { get set }
    /// Queue that made the buffer.
    var commandQueue: any MTLCommandQueue { get }
    /// State.
    var status: MTLCommandBufferStatus { get }
    /// Error of the first work that could not be done; nil for none.
    var error: (any Error)? { get }
    /// Has `block` called when the work is done, in the order of these calls; without effect once committed.
    func addCompletedHandler(_ block: @escaping MTLCommandBufferHandler)
    /// Has `block` called as the work begins; without effect once committed.
    func addScheduledHandler(_ block: @escaping MTLCommandBufferHandler)
    /// Lets the work run, on a thread of the queue's; without effect the second time.
    func commit()
    /// Waits until the work and the handlers are done; without effect before it is committed.
    func waitUntilCompleted()
    /// Waits until the work has begun; without effect before it is committed.
    func waitUntilScheduled()
}

final class HostCommandQueue: MTLCommandQueue {
    private let host: HostDevice
    private let name = Mutex<String?>(nil)
    let queue = DispatchQueue(label: "rackfocus.command-queue")

    init(device: HostDevice) { host = device }

    var device: any MTLDevice { host }

    var label: String? {
        get { name.withLock { $0 } }
        set { name.withLock { $0 = newValue } }
    }

    func makeCommandBuffer() -> (any MTLCommandBuffer)? { HostCommandBuffer(queue: self) }
}

/// Command buffer of closures.
package final class HostCommandBuffer: MTLCommandBuffer {
    private let host: HostCommandQueue
    private let state = Mutex(State())
    private let scheduled = DispatchGroup()
    private let finished = DispatchGroup()

    private struct State {
        var label: String?
        var status = MTLCommandBufferStatus.notEnqueued
        var error: (any Error)?
        var work: [@Sendable () throws -> Void] = []
        var onScheduled: [MTLCommandBufferHandler] = []
        var onCompleted: [MTLCommandBufferHandler] = []
    }

    init(queue: HostCommandQueue) { host = queue }

    package var label: String? {
        get { state.withLock { $0.label } }
        set { state.withLock { $0.label = newValue } }
    }
    package var commandQueue: any MTLCommandQueue { host }
    package var status: MTLCommandBufferStatus { state.withLock { $0.status } }
    package var error: (any Error)? { state.withLock { $0.error } }

    /// Adds work; false once the buffer is committed.
    package func encode(_ work: @escaping @Sendable () throws -> Void) -> Bool {
        state.withLock { state in
            guard state.status == .notEnqueued else { return false }
            state.work.append(work)
            return true
        }
    }

    package func addCompletedHandler(_ block: @escaping MTLCommandBufferHandler) {
        state.withLock { if $0.status == .notEnqueued { $0.onCompleted.append(block) } }
    }

    package func addScheduledHandler(_ block: @escaping MTLCommandBufferHandler) {
        state.withLock { if $0.status == .notEnqueued { $0.onScheduled.append(block) } }
    }

    package func commit() {
        let isFirst = state.withLock { state in
            guard state.status == .notEnqueued else { return false }
            state.status = .committed
            return true
        }
        guard isFirst else { return }
        scheduled.enter()
        finished.enter()
        host.queue.async { [self] in
            let (work, onScheduled, onCompleted) = state.withLock { ($0.work, $0.onScheduled, $0.onCompleted) }
            for handler in onScheduled { handler(self) }
            scheduled.leave()
            do {
                for step in work { try step() }
                state.withLock { $0.status = .completed }
            } catch {
                state.withLock { ($0.status, $0.error) = (.error, error) }
            }
            for handler in onCompleted { handler(self) }
            state.withLock { ($0.work, $0.onScheduled, $0.onCompleted) = ([], [], []) }
            finished.leave()
        }
    }

    package func waitUntilCompleted() { finished.wait() }
    package func waitUntilScheduled() { scheduled.wait() }
}
