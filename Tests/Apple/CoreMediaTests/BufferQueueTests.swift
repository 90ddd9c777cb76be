import CoreMedia
import CoreVideo
import Foundation
import Testing

@Suite("A queue of sample buffers")
struct BufferQueueTests {
    private func sample(_ time: Int64) throws -> CMSampleBuffer {
        let picture = CVPixelBuffer(width: 2, height: 2, pixelFormat: kCVPixelFormatType_32BGRA)
        let timing = CMSampleTimingInfo(
            duration: CMTime(value: 1, timescale: 30), presentationTimeStamp: CMTime(value: time, timescale: 30), decodeTimeStamp: .invalid)
        return CMSampleBuffer(imageBuffer: picture, formatDescription: CMFormatDescription(of: picture), timing: timing)
    }

    @Test("gives buffers in the order in which they came, or of their times", arguments: [false, true])
    func order(isSorted: Bool) throws {
        let queue = try CMBufferQueue(capacity: 0, handlers: isSorted ? .outputPTSSortedSampleBuffers : .unsortedSampleBuffers)
        for time: Int64 in [3, 1, 2] { try queue.enqueue(try sample(time)) }
        #expect(queue.bufferCount == 3 && queue.duration == CMTime(value: 3, timescale: 30) && queue.minPresentationTimeStamp.value == 1)
        var times: [Int64] = []
        while let buffer = queue.dequeue() { times.append(buffer.presentationTimeStamp.value) }
        #expect(times == (isSorted ? [1, 2, 3] : [3, 1, 2]) && queue.isEmpty && queue.head == nil)
    }

    @Test("refuses buffers when it is full and after its end, until it is reset")
    func refusals() throws {
        var made: CMBufferQueue?
        CMBufferQueueCreate(allocator: nil, capacity: 1, callbacks: CMBufferQueueGetCallbacksForUnsortedSampleBuffers(), queueOut: &made)
        let queue = try #require(made)
        let (first, second) = (try sample(0), try sample(1))
        #expect(CMBufferQueueEnqueue(queue, buffer: first) == noErr)
        #expect(CMBufferQueueEnqueue(queue, buffer: second) == kCMBufferQueueError_QueueIsFull)
        try queue.markEndOfData()
        #expect(CMBufferQueueDequeue(queue) != nil && queue.isAtEndOfData)
        #expect(CMBufferQueueEnqueue(queue, buffer: second) == kCMBufferQueueError_EnqueueAfterEndOfData)
        #expect(CMBufferQueueReset(queue) == noErr && CMBufferQueueEnqueue(queue, buffer: second) == noErr)
    }
}
