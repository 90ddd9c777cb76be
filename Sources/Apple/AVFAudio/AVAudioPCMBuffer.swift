import AVFCapture
import CoreMedia

/// Memory of sound.
open class AVAudioBuffer: NSObject {
    /// Format of the sound.
    public let format: AVAudioFormat
    /// List of the buffers, which lasts as long as this object.
    public let mutableAudioBufferList: UnsafeMutablePointer<AudioBufferList>
    /// List of the buffers, to read.
    public var audioBufferList: UnsafePointer<AudioBufferList> { UnsafePointer(mutableAudioBufferList) }

    init(format: AVAudioFormat, buffers: Int, bytes: Int, channels: UInt32) {
        self.format = format
        let size = AudioBufferList.sizeInBytes(maximumBuffers: buffers)
        let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: MemoryLayout<AudioBufferList>.alignment)
        mutableAudioBufferList = memory.initializeMemory(as: AudioBufferList.self, repeating: AudioBufferList(), count: 1)
        let list = UnsafeMutableAudioBufferListPointer(mutableAudioBufferList)
        list.count = buffers
        for index in 0..<buffers {
            let data = UnsafeMutableRawPointer.allocate(byteCount: max(bytes, 1), alignment: 16)
            data.initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
            list[index] = AudioBuffer(mNumberChannels: channels, mDataByteSize: 0, mData: data)
        }
    }

    deinit {
        for buffer in UnsafeMutableAudioBufferListPointer(mutableAudioBufferList) { buffer.mData?.deallocate() }
        UnsafeMutableRawPointer(mutableAudioBufferList).deallocate()
    }
}

/// Uncompressed samples in memory, zero at first.
open class AVAudioPCMBuffer: AVAudioBuffer {
    /// Frames that there is room for.
    public let frameCapacity: AVAudioFrameCount
    private let channels: UnsafeMutableBufferPointer<UnsafeMutableRawPointer>

    /// Makes a buffer without frames; nil for a compressed format.
    public init?(pcmFormat format: AVAudioFormat, frameCapacity: AVAudioFrameCount) {
        let stream = format.streamDescription.pointee
        guard stream.mFormatID == kAudioFormatLinearPCM, stream.mBytesPerFrame > 0 else { return nil }
        self.frameCapacity = frameCapacity
        let count = Int(format.channelCount)
        channels = .allocate(capacity: count)
        super.init(
            format: format, buffers: format.isInterleaved ? 1 : count, bytes: Int(frameCapacity * stream.mBytesPerFrame),
            channels: format.isInterleaved ? format.channelCount : 1)
        let list = UnsafeMutableAudioBufferListPointer(mutableAudioBufferList)
        let step = Int(stream.mBitsPerChannel / 8)
        for channel in 0..<count {
            guard let data = list[format.isInterleaved ? 0 : channel].mData else { preconditionFailure("a buffer without memory") }
            channels[channel] = format.isInterleaved ? data + channel * step : data
        }
    }

    deinit { channels.deallocate() }

    /// Frames that are valid; ends the program where there is no room for as many.
    open var frameLength: AVAudioFrameCount {
        get { audioBufferList.pointee.mBuffers.mDataByteSize / format.streamDescription.pointee.mBytesPerFrame }
        set {
            precondition(newValue <= frameCapacity, "a buffer of \(frameCapacity) frames cannot hold \(newValue)")
            let list = UnsafeMutableAudioBufferListPointer(mutableAudioBufferList)
            for index in list.indices { list[index].mDataByteSize = newValue * format.streamDescription.pointee.mBytesPerFrame }
        }
    }

    /// Samples from one of a channel to its next: the number of channels where they share a buffer.
    open var stride: Int { format.isInterleaved ? Int(format.channelCount) : 1 }
    /// First sample of each channel; nil unless samples are 32-bit floats.
    open var floatChannelData: UnsafePointer<UnsafeMutablePointer<Float>>? { samples(.pcmFormatFloat32) }
    /// First sample of each channel; nil unless samples are 16-bit integers.
    open var int16ChannelData: UnsafePointer<UnsafeMutablePointer<Int16>>? { samples(.pcmFormatInt16) }
    /// First sample of each channel; nil unless samples are 32-bit integers.
    open var int32ChannelData: UnsafePointer<UnsafeMutablePointer<Int32>>? { samples(.pcmFormatInt32) }

    private func samples<Sample>(_ kind: AVAudioCommonFormat) -> UnsafePointer<UnsafeMutablePointer<Sample>>? {
        guard format.commonFormat == kind, let base = channels.baseAddress else { return nil }
        // Pointers of all types are alike in memory.
        return UnsafeRawPointer(base).assumingMemoryBound(to: UnsafeMutablePointer<Sample>.self)
    }
}
