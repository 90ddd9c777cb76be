import CoreMedia
import CoreVideo
import Foundation
import Testing

@Suite("Block buffers")
struct BlockBufferTests {
    private func buffer(_ bytes: [UInt8]) throws -> CMBlockBuffer {
        let buffer = try CMBlockBuffer(length: bytes.count)
        try buffer.replaceDataBytes(with: bytes)
        return buffer
    }

    @Test("a part of another one shares its memory, or is a copy where that is asked for", arguments: [0, kCMBlockBufferAlwaysCopyDataFlag])
    func parts(flags: CMBlockBufferFlags) throws {
        var part: CMBlockBuffer?
        do {
            let whole = try buffer([1, 2, 3, 4])
            let status = CMBlockBufferCreateContiguous(
                allocator: nil, sourceBuffer: whole, blockAllocator: nil, customBlockSource: nil, offsetToData: 1, dataLength: 2, flags: flags,
                blockBufferOut: &part)
            #expect(status == kCMBlockBufferNoErr)
            try whole.fillDataBytes(with: 9)
        }
        #expect(try [UInt8](#require(part).dataBytes()) == (flags == 0 ? [9, 9] : [2, 3]))
        let whole = try buffer([1, 2, 3, 4])
        func status(_ offset: Int, _ length: Int) -> OSStatus {
            CMBlockBufferCreateContiguous(
                allocator: nil, sourceBuffer: whole, blockAllocator: nil, customBlockSource: nil, offsetToData: offset, dataLength: length,
                flags: flags, blockBufferOut: &part)
        }
        #expect(status(1, 4) == kCMBlockBufferBadOffsetParameterErr && status(5, 0) == kCMBlockBufferBadOffsetParameterErr)
        #expect(status(1, 0) == kCMBlockBufferNoErr && part?.dataLength == 3)
        #expect(CMBlockBufferIsRangeContiguous(whole, atOffset: 1, length: 3) && !CMBlockBufferIsRangeContiguous(whole, atOffset: 1, length: 4))
    }

    @Test("hold bytes that can be copied, pointed at and overwritten")
    func bytes() throws {
        let buffer = try buffer([1, 2, 3, 4])
        #expect(CMBlockBufferGetDataLength(buffer) == 4 && buffer.dataLength == 4 && !CMBlockBufferIsEmpty(buffer))
        var copy = [UInt8](repeating: 0, count: 2)
        #expect(CMBlockBufferCopyDataBytes(buffer, atOffset: 1, dataLength: 2, destination: &copy) == kCMBlockBufferNoErr && copy == [2, 3])
        var (rest, total) = (0, 0)
        var pointer: UnsafeMutablePointer<CChar>?
        #expect(CMBlockBufferGetDataPointer(buffer, atOffset: 1, lengthAtOffsetOut: &rest, totalLengthOut: &total, dataPointerOut: &pointer) == 0)
        #expect(rest == 3 && total == 4 && pointer?[2] == 4)
        pointer?[0] = 9
        #expect(CMBlockBufferReplaceDataBytes(with: [7 as UInt8, 8], blockBuffer: buffer, offsetIntoDestination: 2, dataLength: 2) == 0)
        #expect(try buffer.dataBytes() == Data([1, 9, 7, 8]))
        #expect(CMBlockBufferFillDataBytes(with: -1, blockBuffer: buffer, offsetIntoDestination: 3, dataLength: 1) == 0)
        #expect(try buffer.withContiguousStorage { Array($0) } == [1, 9, 7, 255])
        try buffer.fillDataBytes(with: 6)
        #expect(try buffer.withUnsafeMutableBytes(atOffset: 2) { Array($0) } == [6, 6])
    }

    @Test("refuse what does not lie within them")
    func outside() throws {
        let buffer = try buffer([1, 2, 3, 4])
        var byte: UInt8 = 0
        #expect(CMBlockBufferCopyDataBytes(buffer, atOffset: 4, dataLength: 1, destination: &byte) == kCMBlockBufferBadOffsetParameterErr)
        #expect(CMBlockBufferCopyDataBytes(buffer, atOffset: -1, dataLength: 1, destination: &byte) == kCMBlockBufferBadOffsetParameterErr)
        #expect(CMBlockBufferReplaceDataBytes(with: &byte, blockBuffer: buffer, offsetIntoDestination: 4, dataLength: 1) != 0)
        #expect(throws: NSError.self) { try buffer.replaceDataBytes(with: [1 as UInt8, 2], at: 3) }
        #expect(throws: NSError.self) { try CMBlockBuffer(length: -1) }
        let empty = try CMBlockBuffer(length: 0)
        var pointer: UnsafeMutablePointer<CChar>?
        #expect(
            CMBlockBufferGetDataPointer(empty, atOffset: 0, lengthAtOffsetOut: nil, totalLengthOut: nil, dataPointerOut: &pointer)
                == kCMBlockBufferEmptyBBufErr)
    }

    @Test("take over memory or borrow it")
    func foreignMemory() throws {
        var made: CMBlockBuffer?
        let given = malloc(8)!
        #expect(
            CMBlockBufferCreateWithMemoryBlock(
                allocator: kCFAllocatorDefault, memoryBlock: given, blockLength: 8, blockAllocator: kCFAllocatorDefault, customBlockSource: nil,
                offsetToData: 2, dataLength: 4, flags: 0, blockBufferOut: &made) == 0)
        given.storeBytes(of: 5, toByteOffset: 3, as: UInt8.self)
        #expect(try made?.dataBytes()[1] == 5)
        var lent: [UInt8] = [1, 2, 3]
        try lent.withUnsafeMutableBytes { lent throws in
            CMBlockBufferCreateWithMemoryBlock(
                allocator: nil, memoryBlock: lent.baseAddress, blockLength: 3, blockAllocator: kCFAllocatorNull, customBlockSource: nil,
                offsetToData: 0, dataLength: 3, flags: 0, blockBufferOut: &made)
            #expect(try made?.dataBytes() == Data([1, 2, 3]))
            made = nil
        }
        #expect(
            CMBlockBufferCreateWithMemoryBlock(
                allocator: nil, memoryBlock: nil, blockLength: 3, blockAllocator: nil, customBlockSource: nil, offsetToData: 1, dataLength: 3,
                flags: kCMBlockBufferAssureMemoryNowFlag, blockBufferOut: &made) == kCMBlockBufferBadLengthParameterErr)
        #expect(made == nil)
    }
}

@Suite("Sample buffers of sound")
struct SoundBufferTests {
    private func stream(channels: UInt32, flags: AudioFormatFlags = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked)
        -> AudioStreamBasicDescription
    {
        let width = flags & kAudioFormatFlagIsNonInterleaved == 0 ? 2 * channels : 2
        return AudioStreamBasicDescription(
            mSampleRate: 48_000, mFormatID: kAudioFormatLinearPCM, mFormatFlags: flags, mBytesPerPacket: width, mFramesPerPacket: 1,
            mBytesPerFrame: width, mChannelsPerFrame: channels, mBitsPerChannel: 16, mReserved: 0)
    }

    private func sample(_ values: [Int16], _ stream: AudioStreamBasicDescription, count: Int) throws -> CMSampleBuffer {
        let data = try CMBlockBuffer(length: 2 * values.count)
        try data.withUnsafeMutableBytes { $0.copyBytes(from: values.withUnsafeBytes(Array.init)) }
        return try CMSampleBuffer(
            dataBuffer: data, formatDescription: CMFormatDescription(audioStreamBasicDescription: stream), numSamples: count,
            presentationTimeStamp: CMTime(value: 96, timescale: 48_000))
    }

    @Test("know their format, also through the pointers of C")
    func format() throws {
        var stream = stream(channels: 2)
        var layout = AudioChannelLayout()
        layout.mChannelLayoutTag = kAudioChannelLayoutTag_Stereo
        var made: CMAudioFormatDescription?
        #expect(
            CMAudioFormatDescriptionCreate(
                allocator: nil, asbd: &stream, layoutSize: MemoryLayout<AudioChannelLayout>.size, layout: &layout, magicCookieSize: 0,
                magicCookie: nil,
                extensions: nil, formatDescriptionOut: &made) == 0)
        let format = try #require(made)
        #expect(format.mediaType == .audio && format.mediaSubType == .init(string: "lpcm"))
        #expect(format.audioStreamBasicDescription?.mChannelsPerFrame == 2)
        #expect(CMAudioFormatDescriptionGetStreamBasicDescription(format)?.pointee.mSampleRate == 48_000)
        var size = 0
        #expect(CMAudioFormatDescriptionGetChannelLayout(format, sizeOut: &size)?.pointee.mChannelLayoutTag == kAudioChannelLayoutTag_Stereo)
        #expect(size == MemoryLayout<AudioChannelLayout>.size && AudioChannelLayoutTag_GetNumberOfChannels(kAudioChannelLayoutTag_Stereo) == 2)
        #expect(try format != CMFormatDescription(audioStreamBasicDescription: stream))
        #expect(try CMFormatDescription(audioStreamBasicDescription: stream) == CMFormatDescription(audioStreamBasicDescription: stream))
        #expect(throws: NSError.self) { try CMFormatDescription(audioStreamBasicDescription: AudioStreamBasicDescription()) }
        let picture = CVPixelBuffer(width: 2, height: 2, pixelFormat: kCVPixelFormatType_32BGRA)
        var video: CMFormatDescription?
        CMVideoFormatDescriptionCreateForImageBuffer(allocator: nil, imageBuffer: picture, formatDescriptionOut: &video)
        #expect(CMAudioFormatDescriptionGetStreamBasicDescription(video!) == nil && video!.audioStreamBasicDescription == nil)
    }

    @Test("count their samples, and last as long as all of them")
    func times() throws {
        let sample = try sample([1, -1, 2, -2, 3, -3], stream(channels: 2), count: 3)
        #expect(CMSampleBufferGetNumSamples(sample) == 3 && CMSampleBufferGetImageBuffer(sample) == nil)
        #expect(sample.duration == CMTime(value: 3, timescale: 48_000) && sample.presentationTimeStamp == CMTime(value: 2, timescale: 1000))
        #expect(try sample.sampleTimingInfos()[0].duration == CMTime(value: 1, timescale: 48_000))
        #expect(CMSampleBufferGetDataBuffer(sample)?.dataLength == 12)
        var last = CMSampleTimingInfo()
        #expect(CMSampleBufferGetSampleTimingInfo(sample, at: 2, timingInfoOut: &last) == 0 && last.presentationTimeStamp.value == 98)
        #expect(CMSampleBufferGetSampleTimingInfo(sample, at: 3, timingInfoOut: &last) != 0)
        let copy = try CMSampleBuffer(copying: sample)
        #expect(copy.numSamples == 3 && copy.dataBuffer === sample.dataBuffer && copy.duration == sample.duration)
    }

    @Test("lend their memory as one buffer of all channels, or as one for each")
    func bufferList() throws {
        let interleaved = try sample([1, -1, 2, -2], stream(channels: 2), count: 2)
        try interleaved.withAudioBufferList { list, block in
            #expect(list.count == 1 && list[0].mNumberChannels == 2 && list[0].mDataByteSize == 8 && block === interleaved.dataBuffer)
            #expect(list[0].mData?.load(fromByteOffset: 6, as: Int16.self) == -2)
        }
        let planar = try sample(
            [1, 2, -1, -2], stream(channels: 2, flags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsNonInterleaved), count: 2)
        try planar.withAudioBufferList { list, _ in
            #expect(list.map(\.mNumberChannels) == [1, 1] && list.map(\.mDataByteSize) == [4, 4])
            #expect(list.map { $0.mData!.load(as: Int16.self) } == [1, -1])
        }
    }

    @Test("lend it through the function of C too, to a list that is large enough")
    func listOfC() throws {
        let sample = try sample([5, 6], stream(channels: 1), count: 2)
        var (list, needed) = (AudioBufferList(), 0)
        var block: CMBlockBuffer?
        func ask(size: Int) -> OSStatus {
            CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
                sample, bufferListSizeNeededOut: &needed, bufferListOut: &list, bufferListSize: size, blockBufferAllocator: nil,
                blockBufferMemoryAllocator: nil, flags: kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment, blockBufferOut: &block)
        }
        #expect(ask(size: 8) == kCMSampleBufferError_ArrayTooSmall && needed == MemoryLayout<AudioBufferList>.size)
        #expect(ask(size: needed) == 0 && block === sample.dataBuffer)
        #expect(list.mNumberBuffers == 1 && list.mBuffers.mData?.load(fromByteOffset: 2, as: Int16.self) == 6)
    }

    @Test("are refused with too little data, or with a format that is none of sound")
    func refused() throws {
        #expect(throws: NSError.self) { try sample([1, 2], stream(channels: 2), count: 2) }
        let picture = CVPixelBuffer(width: 2, height: 2, pixelFormat: kCVPixelFormatType_32BGRA)
        var video: CMFormatDescription?
        CMVideoFormatDescriptionCreateForImageBuffer(allocator: nil, imageBuffer: picture, formatDescriptionOut: &video)
        var made: CMSampleBuffer?
        #expect(
            CMAudioSampleBufferCreateReadyWithPacketDescriptions(
                allocator: nil, dataBuffer: try CMBlockBuffer(length: 4), formatDescription: video!, sampleCount: 1, presentationTimeStamp: .zero,
                packetDescriptions: nil, sampleBufferOut: &made) == kCMSampleBufferError_InvalidMediaFormat)
        #expect(made == nil)
    }
}
