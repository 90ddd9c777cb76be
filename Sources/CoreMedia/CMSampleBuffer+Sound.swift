import CoreVideo
import Foundation

public let kCMSampleBufferError_ArrayTooSmall: OSStatus = -12737
public let kCMSampleBufferError_BufferHasNoSampleSizes: OSStatus = -12735
public let kCMSampleBufferError_InvalidSampleData: OSStatus = -12742
public let kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment: UInt32 = 1

/// Where a packet of compressed sound lies; there is none here.
public struct AudioStreamPacketDescription: Sendable {
    public var mStartOffset: Int64
    public var mVariableFramesInPacket: UInt32
    public var mDataByteSize: UInt32

    public init() { self.init(mStartOffset: 0, mVariableFramesInPacket: 0, mDataByteSize: 0) }

    public init(mStartOffset: Int64, mVariableFramesInPacket: UInt32, mDataByteSize: UInt32) {
        self.mStartOffset = mStartOffset
        self.mVariableFramesInPacket = mVariableFramesInPacket
        self.mDataByteSize = mDataByteSize
    }
}

extension CMSampleBuffer {
    public struct Flags: OptionSet, Sendable {
        public let rawValue: UInt32
        public init(rawValue: UInt32) { self.rawValue = rawValue }
        public static let audioBufferListAssure16ByteAlignment = Flags(rawValue: kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment)
    }

    /// A buffer of uncompressed sound: `numSamples` frames from `presentationTimeStamp` on.
    ///
    /// Throws where the format is none of sound, or the data holds fewer frames.
    public convenience init(
        dataBuffer: CMBlockBuffer, formatDescription: CMFormatDescription, numSamples: CMItemCount, presentationTimeStamp: CMTime,
        packetDescriptions: [AudioStreamPacketDescription] = []
    ) throws {
        guard let stream = formatDescription.audioStreamBasicDescription, stream.mBytesPerFrame > 0 else {
            throw CMBlockBuffer.error(kCMSampleBufferError_InvalidMediaFormat)
        }
        let buffers = stream.isInterleaved ? 1 : Int(stream.mChannelsPerFrame)
        guard numSamples > 0, dataBuffer.dataLength / buffers >= numSamples * Int(stream.mBytesPerFrame) else {
            throw CMBlockBuffer.error(kCMSampleBufferError_InvalidSampleData)
        }
        let sample = CMTime(value: 1, timescale: CMTimeScale(stream.mSampleRate.rounded()))
        self.init(
            dataBuffer: dataBuffer, formatDescription: formatDescription, numSamples: numSamples,
            timing: CMSampleTimingInfo(duration: sample, presentationTimeStamp: presentationTimeStamp, decodeTimeStamp: .invalid))
    }

    /// The memory of the samples, one buffer if the channels are interleaved, else one for each; valid within `body`.
    public func withAudioBufferList<R>(
        blockBufferMemoryAllocator: CFAllocator? = nil, flags: Flags = [], body: (UnsafeMutableAudioBufferListPointer, CMBlockBuffer) throws -> R
    ) throws -> R {
        let size = AudioBufferList.sizeInBytes(maximumBuffers: try audioBufferCount())
        let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: MemoryLayout<AudioBufferList>.alignment)
        defer { memory.deallocate() }
        let list = memory.bindMemory(to: AudioBufferList.self, capacity: 1)
        return try body(UnsafeMutableAudioBufferListPointer(list), try fill(list))
    }

    fileprivate func audioBufferCount() throws -> Int {
        guard dataBuffer != nil, let stream = formatDescription?.audioStreamBasicDescription else {
            throw CMBlockBuffer.error(kCMSampleBufferError_InvalidMediaFormat)
        }
        return stream.isInterleaved ? 1 : Int(stream.mChannelsPerFrame)
    }

    /// Points the buffers of `list`, which has room for them all, to the samples.
    fileprivate func fill(_ list: UnsafeMutablePointer<AudioBufferList>) throws -> CMBlockBuffer {
        let count = try audioBufferCount()
        guard let dataBuffer, let stream = formatDescription?.audioStreamBasicDescription else {
            throw CMBlockBuffer.error(kCMSampleBufferError_InvalidMediaFormat)
        }
        list.pointee.mNumberBuffers = UInt32(count)
        let length = numSamples * Int(stream.mBytesPerFrame)
        let buffers = UnsafeMutableAudioBufferListPointer(list)
        for index in buffers.indices {
            buffers[index] = AudioBuffer(
                mNumberChannels: stream.isInterleaved ? stream.mChannelsPerFrame : 1, mDataByteSize: UInt32(length),
                mData: dataBuffer.bytes.baseAddress.map { $0 + index * length })
        }
        return dataBuffer
    }
}

extension AudioStreamBasicDescription {
    var isInterleaved: Bool { mFormatFlags & kAudioFormatFlagIsNonInterleaved == 0 }
}

public func CMSampleBufferGetDataBuffer(_ sbuf: CMSampleBuffer) -> CMBlockBuffer? { sbuf.dataBuffer }

/// Points `bufferListOut` to the samples, which live as long as `blockBufferOut`. Without a list it only tells how large one must be.
@discardableResult
public func CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
    _ sbuf: CMSampleBuffer, bufferListSizeNeededOut: UnsafeMutablePointer<Int>?, bufferListOut: UnsafeMutablePointer<AudioBufferList>?,
    bufferListSize: Int, blockBufferAllocator: CFAllocator?, blockBufferMemoryAllocator: CFAllocator?, flags: UInt32,
    blockBufferOut: UnsafeMutablePointer<CMBlockBuffer?>?
) -> OSStatus {
    guard let count = try? sbuf.audioBufferCount() else { return kCMSampleBufferError_InvalidMediaFormat }
    let needed = AudioBufferList.sizeInBytes(maximumBuffers: count)
    bufferListSizeNeededOut?.pointee = needed
    guard let bufferListOut else { return 0 }
    guard bufferListSize >= needed else { return kCMSampleBufferError_ArrayTooSmall }
    blockBufferOut?.pointee = try? sbuf.fill(bufferListOut)
    return 0
}

/// Makes a buffer of uncompressed sound. Allocator and packets are ignored.
@discardableResult
public func CMAudioSampleBufferCreateReadyWithPacketDescriptions(
    allocator: CFAllocator?, dataBuffer: CMBlockBuffer, formatDescription: CMFormatDescription, sampleCount numSamples: CMItemCount,
    presentationTimeStamp: CMTime, packetDescriptions: UnsafePointer<AudioStreamPacketDescription>?,
    sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
    do {
        sampleBufferOut.pointee = try CMSampleBuffer(
            dataBuffer: dataBuffer, formatDescription: formatDescription, numSamples: numSamples, presentationTimeStamp: presentationTimeStamp)
        return 0
    } catch {
        return OSStatus((error as NSError).code)
    }
}
