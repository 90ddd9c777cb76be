import CoreVideo
import Foundation
import Synchronization

/// A queue was full.
public let kCMBufferQueueError_QueueIsFull: OSStatus = -12764
/// A buffer came after the end was marked.
public let kCMBufferQueueError_EnqueueAfterEndOfData: OSStatus = -12763

/// Buffer of a queue: here a `CMSampleBuffer`.
public typealias CMBuffer = CMSampleBuffer

/// Queue of sample buffers, in the order in which they came or by their presentation times. Any thread may use it.
public final class CMBufferQueue: Sendable {
    private let state = Mutex(State())
    private let capacity: Int
    private let order: Handlers

    private struct State: Sendable {
        var buffers: [CMSampleBuffer] = []
        var isEnded = false
    }

    /// Order of a queue.
    public struct Handlers: Sendable {
        fileprivate let isSorted: Bool
        /// Buffers in the order in which they came.
        public static let unsortedSampleBuffers = Handlers(isSorted: false)
        /// Buffers by their presentation times as they are output; equal ones in the order in which they came.
        public static let outputPTSSortedSampleBuffers = Handlers(isSorted: true)
    }

    /// Makes a queue of at most so many buffers; 0 has no bound.
    public init(capacity: CMItemCount, handlers: Handlers) throws {
        self.capacity = max(0, capacity)
        order = handlers
    }

    /// Adds a buffer; throws `NSError` where the queue is full or its end is marked.
    public func enqueue(_ buffer: CMBuffer) throws {
        let status = add(buffer)
        guard status == noErr else { throw NSError(domain: NSOSStatusErrorDomain, code: Int(status)) }
    }

    fileprivate func add(_ buffer: CMSampleBuffer) -> OSStatus {
        state.withLock { state in
            guard !state.isEnded else { return kCMBufferQueueError_EnqueueAfterEndOfData }
            guard capacity == 0 || state.buffers.count < capacity else { return kCMBufferQueueError_QueueIsFull }
            let time = buffer.outputPresentationTimeStamp
            let place = order.isSorted ? state.buffers.lastIndex { $0.outputPresentationTimeStamp <= time }.map { $0 + 1 } ?? 0 : state.buffers.count
            state.buffers.insert(buffer, at: place)
            return noErr
        }
    }

    /// Removes and returns the first buffer; nil where there is none.
    public func dequeue() -> CMBuffer? { state.withLock { $0.buffers.isEmpty ? nil : $0.buffers.removeFirst() } }
    /// First buffer; nil where there is none.
    public var head: CMBuffer? { state.withLock { $0.buffers.first } }
    /// Whether there is no buffer.
    public var isEmpty: Bool { state.withLock { $0.buffers.isEmpty } }
    /// Number of buffers.
    public var bufferCount: CMItemCount { state.withLock { $0.buffers.count } }
    /// Sum of the buffers' durations.
    public var duration: CMTime { state.withLock { $0.buffers.reduce(.zero) { $1.duration.isNumeric ? $0 + $1.duration : $0 } } }
    /// Presentation time of the first buffer; `.invalid` where there is none.
    public var firstPresentationTimeStamp: CMTime { head?.presentationTimeStamp ?? .invalid }
    /// Least presentation time; `.invalid` where there is no buffer.
    public var minPresentationTimeStamp: CMTime { state.withLock { $0.buffers.map(\.presentationTimeStamp).min() } ?? .invalid }
    /// Greatest presentation time; `.invalid` where there is no buffer.
    public var maxPresentationTimeStamp: CMTime { state.withLock { $0.buffers.map(\.presentationTimeStamp).max() } ?? .invalid }
    /// Whether the end is marked.
    public var containsEndOfData: Bool { state.withLock { $0.isEnded } }
    /// Whether the end is marked and no buffer is left.
    public var isAtEndOfData: Bool { state.withLock { $0.isEnded && $0.buffers.isEmpty } }
    /// Marks the end: no more buffers are taken until a reset.
    public func markEndOfData() throws { state.withLock { $0.isEnded = true } }
    /// Removes all buffers, and the mark of the end.
    public func reset() throws { _ = empty() }

    fileprivate func empty() -> OSStatus {
        state.withLock { $0 = State() }
        return noErr
    }
}

/// Makes a queue of at most `capacity` buffers, 0 without a bound.
@discardableResult
public func CMBufferQueueCreate(
    allocator: CFAllocator?, capacity: CMItemCount, callbacks: CMBufferQueue.Handlers, queueOut: UnsafeMutablePointer<CMBufferQueue?>
) -> OSStatus {
    queueOut.pointee = try? CMBufferQueue(capacity: capacity, handlers: callbacks)
    return noErr
}
/// Returns the order in which buffers came.
public func CMBufferQueueGetCallbacksForUnsortedSampleBuffers() -> CMBufferQueue.Handlers { .unsortedSampleBuffers }
/// Returns the order of presentation times as they are output.
public func CMBufferQueueGetCallbacksForSampleBuffersSortedByOutputPTS() -> CMBufferQueue.Handlers { .outputPTSSortedSampleBuffers }
/// Adds a buffer; an error where the queue is full or its end is marked.
@discardableResult public func CMBufferQueueEnqueue(_ queue: CMBufferQueue, buffer: CMBuffer) -> OSStatus { queue.add(buffer) }
/// Removes and returns the first buffer; nil where there is none.
public func CMBufferQueueDequeue(_ queue: CMBufferQueue) -> CMBuffer? { queue.dequeue() }
/// Returns the first buffer; nil where there is none.
public func CMBufferQueueGetHead(_ queue: CMBufferQueue) -> CMBuffer? { queue.head }
/// Returns whether there is no buffer.
public func CMBufferQueueIsEmpty(_ queue: CMBufferQueue) -> Bool { queue.isEmpty }
/// Returns the number of buffers.
public func CMBufferQueueGetBufferCount(_ queue: CMBufferQueue) -> CMItemCount { queue.bufferCount }
/// Returns the sum of the buffers' durations.
public func CMBufferQueueGetDuration(_ queue: CMBufferQueue) -> CMTime { queue.duration }
/// Removes all buffers, and the mark of the end.
@discardableResult public func CMBufferQueueReset(_ queue: CMBufferQueue) -> OSStatus { queue.empty() }
