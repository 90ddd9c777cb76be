import AVFCapture
import CoreMedia

/// Number of channels.
public typealias AVAudioChannelCount = UInt32
/// Number of frames, each a sample of every channel.
public typealias AVAudioFrameCount = UInt32
/// Place of a frame.
public typealias AVAudioFramePosition = Int64

/// Kind of uncompressed samples, in the machine's byte order.
public enum AVAudioCommonFormat: UInt, Sendable {
    /// Another one.
    case otherFormat = 0
    /// 32-bit floats, full scale ±1.
    case pcmFormatFloat32 = 1
    /// 64-bit floats, full scale ±1.
    case pcmFormatFloat64 = 2
    /// 16-bit integers.
    case pcmFormatInt16 = 3
    /// 32-bit integers.
    case pcmFormatInt32 = 4

    /// Whether samples are floats.
    var isFloat: Bool { self == .pcmFormatFloat32 || self == .pcmFormatFloat64 }

    /// Bytes of a sample; 0 for another format.
    var size: UInt32 {
        switch self {
        case .otherFormat: 0
        case .pcmFormatInt16: 2
        case .pcmFormatFloat32, .pcmFormatInt32: 4
        case .pcmFormatFloat64: 8
        }
    }
}

/// Format of sound.
open class AVAudioFormat: NSObject, @unchecked Sendable {
    /// Format as Core Media describes it.
    public let formatDescription: CMAudioFormatDescription
    private var stream: AudioStreamBasicDescription { formatDescription.audioStreamBasicDescription ?? AudioStreamBasicDescription() }

    /// Makes the format of a description of sound.
    public init(cmAudioFormatDescription formatDescription: CMAudioFormatDescription) { self.formatDescription = formatDescription }

    /// Makes the format of a stream; nil for no channels or a rate of 0.
    public convenience init?(streamDescription asbd: UnsafePointer<AudioStreamBasicDescription>) {
        guard let description = try? CMFormatDescription(audioStreamBasicDescription: asbd.pointee) else { return nil }
        self.init(cmAudioFormatDescription: description)
    }

    /// Makes the format of 32-bit floats, a buffer for each of one or two channels; nil for more channels or a rate of 0.
    public convenience init?(standardFormatWithSampleRate sampleRate: Double, channels: AVAudioChannelCount) {
        self.init(commonFormat: .pcmFormatFloat32, sampleRate: sampleRate, channels: channels, interleaved: false)
    }

    /// Makes a format of uncompressed samples; nil for more than two channels, which need a layout, for another format, or a rate of 0.
    public convenience init?(commonFormat format: AVAudioCommonFormat, sampleRate: Double, channels: AVAudioChannelCount, interleaved: Bool) {
        guard format != .otherFormat, (1...2).contains(channels) else { return nil }
        var stream = AudioStreamBasicDescription(
            packed: sampleRate, channels: channels, bits: 8 * format.size, isFloat: format.isFloat, isBigEndian: false, isInterleaved: interleaved)
        self.init(streamDescription: &stream)
    }

    /// Makes the format of a writer's or a recorder's settings, 16-bit integers unless they say otherwise; nil without a rate or channels.
    public convenience init?(settings: [String: Any]) {
        func number(_ key: String) -> Double? { NumberSetting.number(settings[key]) }
        func isSet(_ key: String) -> Bool { number(key).map { $0 != 0 } ?? false }
        guard let rate = number(AVSampleRateKey), let channels = number(AVNumberOfChannelsKey).flatMap({ UInt32(exactly: $0) }),
            let bits = UInt32(exactly: number(AVLinearPCMBitDepthKey) ?? 16), bits <= 64, (1...64).contains(channels)
        else { return nil }
        var stream = AudioStreamBasicDescription(
            packed: rate, channels: channels, bits: bits, isFloat: isSet(AVLinearPCMIsFloatKey), isBigEndian: isSet(AVLinearPCMIsBigEndianKey),
            isInterleaved: !isSet(AVLinearPCMIsNonInterleaved))
        if let format = number(AVFormatIDKey).flatMap({ AudioFormatID(exactly: $0) }), format != kAudioFormatLinearPCM {
            stream = AudioStreamBasicDescription(
                mSampleRate: rate, mFormatID: format, mFormatFlags: 0, mBytesPerPacket: 0,
                mFramesPerPacket: format == kAudioFormatMPEG4AAC ? 1024 : 0, mBytesPerFrame: 0, mChannelsPerFrame: channels, mBitsPerChannel: 0,
                mReserved: 0)
        }
        self.init(streamDescription: &stream)
    }

    /// Frames per second, in Hz.
    open var sampleRate: Double { stream.mSampleRate }
    /// Number of channels.
    open var channelCount: AVAudioChannelCount { stream.mChannelsPerFrame }
    /// Whether the channels share a buffer.
    open var isInterleaved: Bool { stream.mFormatFlags & kAudioFormatFlagIsNonInterleaved == 0 }
    /// Whether samples are 32-bit floats in a buffer for each channel.
    open var isStandard: Bool { commonFormat == .pcmFormatFloat32 && !isInterleaved }
    /// Layout of the stream in memory, valid as long as the format.
    open var streamDescription: UnsafePointer<AudioStreamBasicDescription> {
        guard let pointer = CMAudioFormatDescriptionGetStreamBasicDescription(formatDescription) else {
            preconditionFailure("the format description is not one of sound")
        }
        return pointer
    }
    /// Kind of the samples.
    open var commonFormat: AVAudioCommonFormat {
        let stream = stream
        guard stream.mFormatID == kAudioFormatLinearPCM, stream.mFormatFlags & kAudioFormatFlagIsBigEndian == 0 else { return .otherFormat }
        let isFloat = stream.mFormatFlags & kAudioFormatFlagIsFloat != 0
        let isSigned = stream.mFormatFlags & kAudioFormatFlagIsSignedInteger != 0
        return switch (stream.mBitsPerChannel, isFloat, isSigned) {
        case (32, true, _): .pcmFormatFloat32
        case (64, true, _): .pcmFormatFloat64
        case (16, false, true): .pcmFormatInt16
        case (32, false, true): .pcmFormatInt32
        default: .otherFormat
        }
    }
    /// Format as settings of a writer.
    open var settings: [String: Any] {
        [
            AVFormatIDKey: stream.mFormatID, AVSampleRateKey: sampleRate, AVNumberOfChannelsKey: channelCount,
            AVLinearPCMBitDepthKey: stream.mBitsPerChannel, AVLinearPCMIsFloatKey: stream.mFormatFlags & kAudioFormatFlagIsFloat != 0,
            AVLinearPCMIsBigEndianKey: stream.mFormatFlags & kAudioFormatFlagIsBigEndian != 0, AVLinearPCMIsNonInterleaved: !isInterleaved,
        ].bridged
    }

    /// Whether the formats are equal.
    open override func isEqual(_ object: Any?) -> Bool { (object as? AVAudioFormat)?.formatDescription == formatDescription }
    /// Hash of the format.
    open override var hash: Int { formatDescription.hashValue }
}
