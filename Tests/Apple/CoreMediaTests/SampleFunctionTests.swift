import CoreMedia
import CoreVideo
import Foundation
import Testing

@Suite("C functions of samples and formats")
struct SampleFunctionTests {
    private func sample(_ timing: CMSampleTimingInfo = .invalid) throws -> CMSampleBuffer {
        var format: CMVideoFormatDescription?
        CMVideoFormatDescriptionCreate(
            allocator: nil, codecType: kCMVideoCodecType_HEVC, width: 64, height: 36, extensions: ["Depth": 24], formatDescriptionOut: &format)
        var made: CMSampleBuffer?
        var timing = timing
        let status = CMSampleBufferCreate(
            allocator: nil, dataBuffer: try CMBlockBuffer(length: 5), dataReady: true, makeDataReadyCallback: nil, refcon: nil,
            formatDescription: format,
            sampleCount: 1, sampleTimingEntryCount: 1, sampleTimingArray: &timing, sampleSizeEntryCount: 0, sampleSizeArray: nil,
            sampleBufferOut: &made)
        #expect(status == noErr)
        return try #require(made)
    }

    @Test("a compressed picture keeps bytes, codec, size and extensions")
    func compressed() throws {
        let sample = try sample()
        let format = try #require(CMSampleBufferGetFormatDescription(sample))
        #expect(format.mediaSubType == .hevc && format.dimensions.width == 64 && CMSampleBufferGetDataBuffer(sample)?.dataLength == 5)
        #expect(CMFormatDescriptionGetExtensions(format)?["Depth"] as? Int == 24 && CMFormatDescriptionGetExtension(format, extensionKey: "x") == nil)
        var plain: CMFormatDescription?
        let status = CMFormatDescriptionCreate(
            allocator: nil, mediaType: kCMMediaType_Metadata, mediaSubType: 1, extensions: nil, formatDescriptionOut: &plain)
        #expect(
            status == noErr && plain.flatMap(CMFormatDescriptionGetExtensions) == nil
                && !CMFormatDescriptionEqual(plain, otherFormatDescription: format))
        #expect(CMVideoFormatDescriptionGetPresentationDimensions(format, usePixelAspectRatio: true, useCleanAperture: true).height == 36)
        #expect(CMSampleBufferInvalidate(sample) == noErr && !CMSampleBufferIsValid(sample))
    }

    @Test("a timing is counted first and filled in then")
    func timings() throws {
        let time = CMTime(value: 3, timescale: 30)
        let sample = try sample(CMSampleTimingInfo(duration: .invalid, presentationTimeStamp: time, decodeTimeStamp: .invalid))
        var count: CMItemCount = 0
        #expect(CMSampleBufferGetSampleTimingInfoArray(sample, entryCount: 0, arrayToFill: nil, entriesNeededOut: &count) == noErr && count == 1)
        var timings = [CMSampleTimingInfo](repeating: .invalid, count: count)
        #expect(CMSampleBufferGetSampleTimingInfoArray(sample, entryCount: count, arrayToFill: &timings, entriesNeededOut: nil) == noErr)
        #expect(timings[0].presentationTimeStamp == time)
        #expect(
            CMSampleBufferGetSampleTimingInfoArray(sample, entryCount: 0, arrayToFill: &timings, entriesNeededOut: nil)
                == kCMSampleBufferError_ArrayTooSmall)
    }

    @Test("sizes are counted first and filled in then")
    func sizes() throws {
        let sample = try sample()
        var (count, size): (CMItemCount, Int) = (0, 0)
        #expect(CMSampleBufferGetSampleSizeArray(sample, entryCount: 0, arrayToFill: nil, entriesNeededOut: &count) == noErr && count == 1)
        #expect(CMSampleBufferGetSampleSizeArray(sample, entryCount: 1, arrayToFill: &size, entriesNeededOut: nil) == noErr && size == 5)
        #expect(
            CMSampleBufferGetSampleSizeArray(sample, entryCount: 0, arrayToFill: &size, entriesNeededOut: nil)
                == kCMSampleBufferError_ArrayTooSmall)
    }

    @Test("attachments are read, copied and removed by mode")
    func attachments() throws {
        let (one, other) = (try sample(), try sample())
        #expect(CMCopyDictionaryOfAttachments(allocator: nil, target: one, attachmentMode: kCMAttachmentMode_ShouldPropagate) == nil)
        #expect(CMSampleBufferGetSampleAttachmentsArray(one, createIfNecessary: false) == nil)
        CMSetAttachments(one, attachments: ["a": 1, "b": "two"], attachmentMode: kCMAttachmentMode_ShouldPropagate)
        one.attachments[.droppedFrameReason] = .shouldNotPropagate("late")
        CMPropagateAttachments(one, destination: other)
        let copied = CMCopyDictionaryOfAttachments(allocator: nil, target: other, attachmentMode: kCMAttachmentMode_ShouldPropagate)
        #expect(copied?["a"] as? Int == 1 && copied?["b"] as? String == "two" && other.attachments.nonPropagated.isEmpty)
        #expect(one.attachments[.droppedFrameReason]?.value as? String == "late" && one.attachments.propagated.count == 2)
        #expect(CMSampleBufferGetSampleAttachmentsArray(other, createIfNecessary: false) == nil, "those of the single samples are others")
        CMRemoveAttachment(other, key: "a")
        #expect(other.attachments.propagated.count == 1)
        other.attachments.removeAll()
        #expect(other.attachments.propagated.isEmpty)
    }

    @Test("a sample, a block and a picture are equal to themselves alone")
    func identity() throws {
        let (one, other) = (try sample(), try sample())
        #expect(one == one && one != other && Set([one, other, one]).count == 2)
        #expect(one.dataBuffer == one.dataBuffer && one.dataBuffer != other.dataBuffer)
        let picture = CVPixelBuffer(width: 2, height: 2, pixelFormat: kCVPixelFormatType_32BGRA)
        #expect(picture == picture && picture != CVPixelBuffer(width: 2, height: 2, pixelFormat: kCVPixelFormatType_32BGRA))
    }
}
