import Foundation
import Synchronization

/// Queue of command buffers of closures.
final class HostCommandQueue: NSObject, MTLCommandQueue {
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
    func makeCommandBufferWithUnretainedReferences() -> (any MTLCommandBuffer)? { makeCommandBuffer() }
}

/// Command buffer of closures.
package final class HostCommandBuffer: NSObject, MTLCommandBuffer, Sendable {
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
    package var device: any MTLDevice { host.device }
    package var commandQueue: any MTLCommandQueue { host }
    package var gpuStartTime: Double { 0 }
    package var gpuEndTime: Double { 0 }
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

    package func present(_ drawable: any MTLDrawable) {
        nonisolated(unsafe) let drawable = drawable
        addScheduledHandler { _ in drawable.present() }
    }

    package func makeRenderCommandEncoder(descriptor renderPassDescriptor: MTLRenderPassDescriptor) -> (any MTLRenderCommandEncoder)? { nil }
    package func makeComputeCommandEncoder() -> (any MTLComputeCommandEncoder)? { nil }
    package func makeBlitCommandEncoder() -> (any MTLBlitCommandEncoder)? { nil }

    /// Without effect: a place in the queue is taken by committing.
    package func enqueue() {}

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
