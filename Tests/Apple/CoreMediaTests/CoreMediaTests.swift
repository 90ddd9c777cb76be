import CoreMedia
import CoreVideo
import Foundation
import Testing

@Suite("Time ranges")
struct TimeRangeTests {
    private let range = CMTimeRange(start: CMTime(value: 1, timescale: 2), end: CMTime(value: 3, timescale: 2))

    @Test("hold their start and not their end")
    func contains() {
        #expect(range.duration == CMTime(value: 1, timescale: 1))
        #expect(range.containsTime(CMTime(value: 1, timescale: 2)))
        #expect(!range.containsTime(range.end))
        #expect(range.containsTimeRange(CMTimeRange(start: CMTime(value: 1, timescale: 1), duration: CMTime(value: 1, timescale: 4))))
    }

    @Test("are invalid without times, empty without duration")
    func validity() {
        #expect(!CMTimeRange.invalid.isValid && !CMTimeRange.invalid.isEmpty)
        #expect(CMTimeRange.zero.isValid && CMTimeRange.zero.isEmpty)
    }
}

@Suite("Sample buffers")
struct SampleBufferTests {
    private let image = CVPixelBuffer(width: 8, height: 4, pixelFormat: kCVPixelFormatType_32BGRA)
    private let timing = CMSampleTimingInfo(
        duration: CMTime(value: 1, timescale: 30), presentationTimeStamp: CMTime(value: 7, timescale: 30), decodeTimeStamp: .invalid)

    @Test("carry the picture, its time and its kind")
    func content() throws {
        var made: CMFormatDescription?
        #expect(CMVideoFormatDescriptionCreateForImageBuffer(allocator: nil, imageBuffer: image, formatDescriptionOut: &made) == 0)
        let format = try #require(made)
        var timing = timing
        var buffer: CMSampleBuffer?
        #expect(
            CMSampleBufferCreateReadyWithImageBuffer(
                allocator: nil, imageBuffer: image, formatDescription: format, sampleTiming: &timing, sampleBufferOut: &buffer) == 0)
        let sample = try #require(buffer)
        #expect(CMSampleBufferGetImageBuffer(sample) === image)
        #expect(CMSampleBufferGetPresentationTimeStamp(sample) == CMTime(value: 7, timescale: 30))
        #expect(CMSampleBufferGetDuration(sample) == CMTime(value: 1, timescale: 30))
        #expect(format.mediaType == .video && format.mediaSubType.rawValue == kCVPixelFormatType_32BGRA)
        #expect(format.dimensions.width == 8 && CMVideoFormatDescriptionGetDimensions(format).height == 4)
        try sample.invalidate()
        #expect(!sample.isValid)
    }

    @Test("refuse a format description of another picture")
    func mismatch() {
        let other = CVPixelBuffer(width: 4, height: 4, pixelFormat: kCVPixelFormatType_32BGRA)
        var format: CMFormatDescription?
        CMVideoFormatDescriptionCreateForImageBuffer(allocator: nil, imageBuffer: other, formatDescriptionOut: &format)
        #expect(throws: NSError.self) { try CMSampleBuffer(imageBuffer: image, formatDescription: format!, sampleTiming: timing) }
    }
}

@Suite("Clocks")
struct ClockTests {
    @Test("the host's never goes back, a virtual one stands where it was put")
    func clocks() {
        let first = CMClockGetTime(CMClockGetHostTimeClock())
        #expect(first <= CMClock.hostTimeClock.time)
        let virtual = VirtualClock()
        virtual.advance(to: CMTime(value: 5, timescale: 30))
        #expect(virtual.clock.time == CMTime(value: 5, timescale: 30))
    }
}

@Suite("Attachments of a picture")
struct AttachmentTests {
    @Test("are kept under their key, with their mode, and go along when they should")
    func propagate() {
        let (from, to) = (
            CVPixelBuffer(width: 2, height: 2, pixelFormat: kCVPixelFormatType_32BGRA),
            CVPixelBuffer(width: 2, height: 2, pixelFormat: kCVPixelFormatType_32BGRA)
        )
        from.tagBT709()
        CVBufferSetAttachment(from, "note", "mine", .shouldNotPropagate)
        var mode = CVAttachmentMode.shouldNotPropagate
        #expect(CVBufferCopyAttachment(from, kCVImageBufferYCbCrMatrixKey, &mode) as? String == "ITU_R_709_2" && mode == .shouldPropagate)
        CVBufferPropagateAttachments(from, to)
        #expect(CVBufferHasAttachment(to, kCVImageBufferTransferFunctionKey) && !CVBufferHasAttachment(to, "note"))
        #expect(CVBufferCopyAttachments(from, .shouldNotPropagate)?.count == 1)
        CVBufferRemoveAttachment(from, "note")
        #expect(CVBufferCopyAttachment(from, "note", nil) == nil)
        CVBufferRemoveAllAttachments(from)
        #expect(CVBufferCopyAttachments(from, .shouldPropagate)?.count == 0)
    }
}
