import CoreMedia
import CoreVideo
import Foundation
import Testing

@Suite("Data and clocks of samples")
struct SampleDataTests {
    /// Stereo sound of 16-bit integers: frame n is (n, -n) from 1 s on.
    private static func sound(_ frames: Int, isInterleaved: Bool) throws -> CMSampleBuffer {
        let bytes: UInt32 = isInterleaved ? 4 : 2
        let description = try CMFormatDescription(
            audioStreamBasicDescription: AudioStreamBasicDescription(
                mSampleRate: 8000, mFormatID: kAudioFormatLinearPCM,
                mFormatFlags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked
                    | (isInterleaved ? 0 : kAudioFormatFlagIsNonInterleaved), mBytesPerPacket: bytes, mFramesPerPacket: 1, mBytesPerFrame: bytes,
                mChannelsPerFrame: 2, mBitsPerChannel: 16, mReserved: 0))
        let (left, right) = ((0..<frames).map { Int16($0) }, (0..<frames).map { Int16(-$0) })
        let samples = isInterleaved ? zip(left, right).flatMap { [$0, $1] } : left + right
        let data = try CMBlockBuffer(length: 4 * frames)
        try samples.withUnsafeBytes { try data.replaceDataBytes(with: Data($0)) }
        return try CMSampleBuffer(
            dataBuffer: data, formatDescription: description, numSamples: frames, presentationTimeStamp: CMTime(value: 8000, timescale: 8000))
    }

    private static func samples(_ sample: CMSampleBuffer) throws -> [Int16] {
        try #require(try sample.dataBuffer?.dataBytes()).withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
    }

    @Test("sound is copied into an app's own buffers", arguments: [false, true])
    func copying(isInterleaved: Bool) throws {
        let sound = try Self.sound(6, isInterleaved: isInterleaved)
        let list = AudioBufferList.allocate(maximumBuffers: isInterleaved ? 1 : 2)
        defer { free(list.unsafeMutablePointer) }
        var memory = [Int16](repeating: 99, count: 8)
        memory.withUnsafeMutableBytes { memory in
            for index in list.indices {
                list[index] = AudioBuffer(mNumberChannels: 1, mDataByteSize: UInt32(16 / list.count), mData: memory.baseAddress! + 8 * index)
            }
            let pointer = list.unsafeMutablePointer
            func copy(_ first: Int32, _ count: Int32) -> OSStatus {
                CMSampleBufferCopyPCMDataIntoAudioBufferList(sound, at: first, frameCount: count, into: pointer)
            }
            #expect(copy(2, 3) == noErr && copy(0, 6) == kCMSampleBufferError_ArrayTooSmall)
            #expect(copy(4, 3) == kCMSampleBufferError_SampleIndexOutOfRange && copy(-1, 1) == kCMSampleBufferError_SampleIndexOutOfRange)
        }
        #expect(memory == (isInterleaved ? [2, -2, 3, -3, 4, -4, 99, 99] : [2, 3, 4, 99, -2, -3, -4, 99]))
        let picture = CMSampleBuffer(imageBuffer: nil, formatDescription: nil, timing: .invalid)
        #expect(CMSampleBufferCopyPCMDataIntoAudioBufferList(picture, at: 0, frameCount: 0, into: list.unsafeMutablePointer) == -12743)
    }

    @Test("a range of sound is a buffer of its own, at its time", arguments: [false, true])
    func ranges(isInterleaved: Bool) throws {
        let sound = try Self.sound(6, isInterleaved: isInterleaved)
        CMSetAttachment(sound, key: "kept" as CFString, value: 1, attachmentMode: kCMAttachmentMode_ShouldPropagate)
        var out: CMSampleBuffer?
        let range = CFRangeMake(4, 2)
        #expect(CMSampleBufferCopySampleBufferForRange(allocator: nil, sampleBuffer: sound, sampleRange: range, sampleBufferOut: &out) == noErr)
        let part = try #require(out)
        #expect(try part.numSamples == 2 && Self.samples(part) == (isInterleaved ? [4, -4, 5, -5] : [4, 5, -4, -5]))
        #expect(part.presentationTimeStamp == CMTime(value: 8004, timescale: 8000) && part.duration == CMTime(value: 2, timescale: 8000))
        #expect(CMGetAttachment(part, key: "kept" as CFString, attachmentModeOut: nil) as? Int == 1)
        #expect(CMSampleBufferGetSampleSize(part, at: 1) == 4 && CMSampleBufferGetTotalSampleSize(part) == 8 && part.sampleSize(at: 2) == 0)
        #expect(CMSampleBufferGetOutputDuration(part) == part.duration && CMSampleBufferMakeDataReady(part) == noErr)
        for range in [CFRangeMake(5, 2), CFRangeMake(0, 0), CFRangeMake(-1, 2)] {
            #expect(CMSampleBufferCopySampleBufferForRange(allocator: nil, sampleBuffer: sound, sampleRange: range, sampleBufferOut: &out) == -12734)
        }
    }

    @Test("times and ranges are stored as dictionaries")
    func dictionaries() {
        for time in [CMTime(value: -7, timescale: 600), .positiveInfinity, .invalid, CMTime(value: 1, timescale: 3, flags: .valid, epoch: 4)] {
            let read = CMTimeMakeFromDictionary(CMTimeCopyAsDictionary(time, allocator: nil))
            #expect(read.value == time.value && read.timescale == time.timescale && read.flags == time.flags && read.epoch == time.epoch)
        }
        let range = CMTimeRange(start: CMTime(value: 1, timescale: 30), duration: CMTime(value: 2, timescale: 30))
        #expect(CMTimeRangeCopyAsDictionary(range, allocator: nil).map(CMTimeRangeMakeFromDictionary) == range)
        #expect(!CMTimeMakeFromDictionary(nil).isValid && !CMTimeMakeFromDictionary(["value": 1] as NSDictionary).isValid)
    }

    @Test("a time of one clock is told by another")
    func clocks() throws {
        let (one, other) = (VirtualClock(), VirtualClock())
        one.advance(to: CMTime(value: 10, timescale: 1))
        other.advance(to: CMTime(value: 100, timescale: 1))
        let time = CMTime(value: 12, timescale: 1)
        #expect(CMSyncConvertTime(time, from: one.clock, to: other.clock) == CMTime(value: 102, timescale: 1))
        let base = try CMTimebase(sourceClock: one.clock)
        #expect(!CMSyncConvertTime(time, from: base, to: one.clock).isValid, "one that stands has no other moment")
        try base.setRate(2)
        one.advance(to: CMTime(value: 11, timescale: 1))
        #expect(CMSyncGetTime(base) == CMTime(value: 2, timescale: 1) && CMSyncGetRelativeRate(base, relativeTo: one.clock) == 2)
        #expect(base.convertTime(CMTime(value: 6, timescale: 1), to: one.clock).seconds == 13 && one.clock.convertTime(time, to: base).seconds == 4)
        #expect(!CMSyncGetTime(NSObject()).isValid)
        let units = CMClockConvertHostTimeToSystemUnits(CMTime(value: 3, timescale: 2))
        #expect(units == 1_500_000_000 && CMClockMakeHostTimeFromSystemUnits(units).seconds == 1.5)
    }
}
