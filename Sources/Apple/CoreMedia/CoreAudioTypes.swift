import Foundation

// Apple's CoreAudioTypes: the layout of samples in memory and the kinds of channels. Sizes in bytes.

/// Four-character code of an encoding of sound.
public typealias AudioFormatID = UInt32
/// Bit mask of the sample format; its meaning depends on the encoding.
public typealias AudioFormatFlags = UInt32
/// Code of an arrangement of channels; its low 16 bits are the number of channels.
public typealias AudioChannelLayoutTag = UInt32
/// Code of the place of one channel, such as left.
public typealias AudioChannelLabel = UInt32
/// Four-character code of a property of a format.
public typealias AudioFormatPropertyID = UInt32

/// Uncompressed samples (`lpcm`).
public let kAudioFormatLinearPCM: AudioFormatID = 0x6C70_636D
/// MPEG-4 AAC (`aac `).
public let kAudioFormatMPEG4AAC: AudioFormatID = 0x6161_6320
/// High-efficiency AAC (`aach`).
public let kAudioFormatMPEG4AAC_HE: AudioFormatID = 0x6161_6368
/// Apple Lossless (`alac`).
public let kAudioFormatAppleLossless: AudioFormatID = 0x616C_6163
/// Opus (`opus`).
public let kAudioFormatOpus: AudioFormatID = 0x6F70_7573
/// FLAC (`flac`).
public let kAudioFormatFLAC: AudioFormatID = 0x666C_6163
/// Apple's ADPCM of four bits (`ima4`).
public let kAudioFormatAppleIMA4: AudioFormatID = 0x696D_6134
/// G.711 µ-law (`ulaw`).
public let kAudioFormatULaw: AudioFormatID = 0x756C_6177
/// G.711 A-law (`alaw`).
public let kAudioFormatALaw: AudioFormatID = 0x616C_6177
/// MPEG-1 or 2 layer 3 (`.mp3`).
public let kAudioFormatMPEGLayer3: AudioFormatID = 0x2E6D_7033
/// Internet low-bit-rate codec (`ilbc`).
public let kAudioFormatiLBC: AudioFormatID = 0x696C_6263
/// Adaptive multi-rate speech (`samr`).
public let kAudioFormatAMR: AudioFormatID = 0x7361_6D72

/// Flag: samples are floating-point numbers, full scale ±1.
public let kAudioFormatFlagIsFloat: AudioFormatFlags = 1
/// Flag: the high byte of a sample comes first.
public let kAudioFormatFlagIsBigEndian: AudioFormatFlags = 2
/// Flag: samples are signed integers.
public let kAudioFormatFlagIsSignedInteger: AudioFormatFlags = 4
/// Flag: all bits of a sample's bytes are used.
public let kAudioFormatFlagIsPacked: AudioFormatFlags = 8
/// Flag: a sample is at the high end of its bytes.
public let kAudioFormatFlagIsAlignedHigh: AudioFormatFlags = 16
/// Flag: every channel has a buffer of its own.
public let kAudioFormatFlagIsNonInterleaved: AudioFormatFlags = 32
/// Flags of the machine's byte order, which is little-endian: none.
public let kAudioFormatFlagsNativeEndian: AudioFormatFlags = 0
/// `kAudioFormatFlagIsFloat`, by its name for uncompressed sound.
public let kLinearPCMFormatFlagIsFloat = kAudioFormatFlagIsFloat
/// `kAudioFormatFlagIsBigEndian`, by its name for uncompressed sound.
public let kLinearPCMFormatFlagIsBigEndian = kAudioFormatFlagIsBigEndian
/// `kAudioFormatFlagIsSignedInteger`, by its name for uncompressed sound.
public let kLinearPCMFormatFlagIsSignedInteger = kAudioFormatFlagIsSignedInteger
/// `kAudioFormatFlagIsPacked`, by its name for uncompressed sound.
public let kLinearPCMFormatFlagIsPacked = kAudioFormatFlagIsPacked
/// `kAudioFormatFlagIsNonInterleaved`, by its name for uncompressed sound.
public let kLinearPCMFormatFlagIsNonInterleaved = kAudioFormatFlagIsNonInterleaved

/// Layout of a stream of samples in memory; 0 where not known. Uncompressed, a packet is one frame: a sample of every channel.
public struct AudioStreamBasicDescription: Sendable {
    /// Frames per second, in Hz.
    public var mSampleRate: Float64
    /// Encoding, such as `kAudioFormatLinearPCM`.
    public var mFormatID: AudioFormatID
    /// Sample format, of the `kAudioFormatFlag…` constants.
    public var mFormatFlags: AudioFormatFlags
    /// Bytes per packet; 0 where packets differ.
    public var mBytesPerPacket: UInt32
    /// Frames per packet: 1 in uncompressed sound.
    public var mFramesPerPacket: UInt32
    /// Bytes per frame, in one buffer; 0 in compressed sound.
    public var mBytesPerFrame: UInt32
    /// Number of channels.
    public var mChannelsPerFrame: UInt32
    /// Bits per sample; 0 in compressed sound.
    public var mBitsPerChannel: UInt32
    /// Padding to a multiple of 8 bytes; 0.
    public var mReserved: UInt32

    /// Makes a description of all zeros.
    public init() {
        self.init(
            mSampleRate: 0, mFormatID: 0, mFormatFlags: 0, mBytesPerPacket: 0, mFramesPerPacket: 0, mBytesPerFrame: 0, mChannelsPerFrame: 0,
            mBitsPerChannel: 0, mReserved: 0)
    }

    /// Makes a description from its fields; not checked.
    public init(
        mSampleRate: Float64, mFormatID: AudioFormatID, mFormatFlags: AudioFormatFlags, mBytesPerPacket: UInt32, mFramesPerPacket: UInt32,
        mBytesPerFrame: UInt32, mChannelsPerFrame: UInt32, mBitsPerChannel: UInt32, mReserved: UInt32
    ) {
        self.mSampleRate = mSampleRate
        self.mFormatID = mFormatID
        self.mFormatFlags = mFormatFlags
        self.mBytesPerPacket = mBytesPerPacket
        self.mFramesPerPacket = mFramesPerPacket
        self.mBytesPerFrame = mBytesPerFrame
        self.mChannelsPerFrame = mChannelsPerFrame
        self.mBitsPerChannel = mBitsPerChannel
        self.mReserved = mReserved
    }

    /// Uncompressed samples without padding; `sampleRate` in Hz.
    package init(packed sampleRate: Double, channels: UInt32, bits: UInt32, isFloat: Bool, isBigEndian: Bool, isInterleaved: Bool) {
        let bytes = bits / 8 * (isInterleaved ? channels : 1)
        self.init(
            mSampleRate: sampleRate, mFormatID: kAudioFormatLinearPCM,
            mFormatFlags: (isFloat ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger) | kAudioFormatFlagIsPacked
                | (isBigEndian ? kAudioFormatFlagIsBigEndian : 0) | (isInterleaved ? 0 : kAudioFormatFlagIsNonInterleaved), mBytesPerPacket: bytes,
            mFramesPerPacket: 1, mBytesPerFrame: bytes, mChannelsPerFrame: channels, mBitsPerChannel: bits, mReserved: 0)
    }
}

/// Layout that its list of channels describes instead of a tag.
public let kAudioChannelLayoutTag_UseChannelDescriptions: AudioChannelLayoutTag = 0
/// One channel.
public let kAudioChannelLayoutTag_Mono: AudioChannelLayoutTag = 100 << 16 | 1
/// Left and right.
public let kAudioChannelLayoutTag_Stereo: AudioChannelLayoutTag = 101 << 16 | 2
/// Ambisonics in ACN order, SN3D normalised; OR with the number of channels, 4 for the first order.
public let kAudioChannelLayoutTag_HOA_ACN_SN3D: AudioChannelLayoutTag = 190 << 16
/// Unknown layout; OR with the number of channels where that is known.
public let kAudioChannelLayoutTag_Unknown: AudioChannelLayoutTag = 0xFFFF_0000

/// Returns the number of channels: the low 16 bits of the tag.
public func AudioChannelLayoutTag_GetNumberOfChannels(_ inLayoutTag: AudioChannelLayoutTag) -> UInt32 { inLayoutTag & 0xFFFF }

/// Arrangement of channels, by tag; single channels are not described here, so `mNumberChannelDescriptions` is 0.
public struct AudioChannelLayout: Sendable {
    /// Tag of the arrangement, `kAudioChannelLayoutTag_…`.
    public var mChannelLayoutTag: AudioChannelLayoutTag
    /// Bit mask of the channels of layouts that use one; 0 here.
    public var mChannelBitmap: UInt32
    /// Number of channel descriptions that follow in memory; 0 here.
    public var mNumberChannelDescriptions: UInt32

    /// Makes a layout whose tag is `kAudioChannelLayoutTag_UseChannelDescriptions`, without descriptions.
    public init() { self.init(mChannelLayoutTag: kAudioChannelLayoutTag_UseChannelDescriptions) }

    package init(mChannelLayoutTag: AudioChannelLayoutTag) {
        self.mChannelLayoutTag = mChannelLayoutTag
        mChannelBitmap = 0
        mNumberChannelDescriptions = 0
    }
}

/// Samples of one channel, or of several, interleaved.
public struct AudioBuffer {
    /// Channels in the buffer; more than 1 are interleaved.
    public var mNumberChannels: UInt32
    /// Length in bytes.
    public var mDataByteSize: UInt32
    /// First byte of the samples; nil in an empty buffer.
    public var mData: UnsafeMutableRawPointer?

    /// Makes an empty buffer.
    public init() { self.init(mNumberChannels: 0, mDataByteSize: 0, mData: nil) }

    /// Makes a buffer over memory that it does not own.
    public init(mNumberChannels: UInt32, mDataByteSize: UInt32, mData: UnsafeMutableRawPointer?) {
        self.mNumberChannels = mNumberChannels
        self.mDataByteSize = mDataByteSize
        self.mData = mData
    }
}

/// Head of `mNumberBuffers` buffers that follow each other in memory; the first is part of it.
public struct AudioBufferList {
    /// Number of buffers.
    public var mNumberBuffers: UInt32
    /// First buffer of the list.
    public var mBuffers: AudioBuffer

    /// Makes an empty list.
    public init() { self.init(mNumberBuffers: 0, mBuffers: AudioBuffer()) }

    /// Makes a list from its number of buffers and the first one.
    public init(mNumberBuffers: UInt32, mBuffers: AudioBuffer) {
        self.mNumberBuffers = mNumberBuffers
        self.mBuffers = mBuffers
    }

    /// Returns the bytes that a list of `maximumBuffers` takes; room for one at least.
    public static func sizeInBytes(maximumBuffers: Int) -> Int {
        MemoryLayout<AudioBufferList>.size + (max(maximumBuffers, 1) - 1) * MemoryLayout<AudioBuffer>.stride
    }

    /// Allocates a list with room for buffers, all empty; whoever asks frees `unsafeMutablePointer` with `free`.
    public static func allocate(maximumBuffers: Int) -> UnsafeMutableAudioBufferListPointer {
        guard let memory = calloc(1, sizeInBytes(maximumBuffers: maximumBuffers)) else { preconditionFailure("no memory for a list of buffers") }
        let list = UnsafeMutableAudioBufferListPointer(memory.bindMemory(to: AudioBufferList.self, capacity: 1))
        list.count = maximumBuffers
        return list
    }
}
