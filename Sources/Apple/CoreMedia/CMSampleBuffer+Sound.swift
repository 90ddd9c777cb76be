import CoreVideo
import Foundation

/// Error -12737: the memory for the list of audio buffers is too small.
public let kCMSampleBufferError_ArrayTooSmall: OSStatus = -12737
/// Error -12735: the buffer does not know the sizes of its samples; never returned here.
public let kCMSampleBufferError_BufferHasNoSampleSizes: OSStatus = -12735
/// Error -12742: the data holds fewer samples than claimed, or none.
public let kCMSampleBufferError_InvalidSampleData: OSStatus = -12742
/// Option to align audio buffers to 16 bytes; accepted and ignored.
public let kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment: UInt32 = 1

/// Position of a packet of compressed sound in its data; not used here, where sound is never compressed.
public struct AudioStreamPacketDescription: Sendable {
    /// Offset of the packet from the start of the data, in bytes.
    public var mStartOffset: Int64
    /// Frames in the packet; 0 where all packets have equally many.
    public var mVariableFramesInPacket: UInt32
    /// Length of the packet in bytes.
    public var mDataByteSize: UInt32

    /// Makes a description of all zeros.
    public init() { self.init(mStartOffset: 0, mVariableFramesInPacket: 0, mDataByteSize: 0) }

    /// Makes a description from an offset in bytes, a count of frames and a length in bytes.
    public init(mStartOffset: Int64, mVariableFramesInPacket: UInt32, mDataByteSize: UInt32) {
        self.mStartOffset = mStartOffset
        self.mVariableFramesInPacket = mVariableFramesInPacket
        self.mDataByteSize = mDataByteSize
    }
}

extension CMSampleBuffer {
    /// Options of `withAudioBufferList`.
    public struct Flags: OptionSet, Sendable {
        /// Bit mask of the options.
        public let rawValue: UInt32
        /// Makes the options from a bit mask.
        public init(rawValue: UInt32) { self.rawValue = rawValue }
        /// Aligns the audio buffers to 16 bytes; accepted and ignored.
        public static let audioBufferListAssure16ByteAlignment = Flags(rawValue: kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment)
    }

    /// Makes a buffer of uncompressed sound: `numSamples` frames from `presentationTimeStamp` on.
    ///
    /// Throws -12743 for a format that is no sound of fixed-size frames, and -12742 where the data holds fewer frames, or for none.
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

    /// Calls `body` with the samples in memory, one buffer if channels are interleaved, else one per channel; valid within `body`.
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

    /// Points the buffers of `list`, which has room for all of them, to the samples.
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

/// Returns the bytes of the sound; nil for a picture.
public func CMSampleBufferGetDataBuffer(_ sbuf: CMSampleBuffer) -> CMBlockBuffer? { sbuf.dataBuffer }

/// Points `bufferListOut` to the samples, which live as long as `blockBufferOut`; without a list only returns its size in bytes.
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

/// Makes a buffer of uncompressed sound. Allocator and packet descriptions are ignored.
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
