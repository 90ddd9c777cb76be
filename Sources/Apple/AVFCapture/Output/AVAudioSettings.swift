import Foundation

/// Settings key of the encoding of sound, an `AudioFormatID`.
public let AVFormatIDKey = "AVFormatIDKey"
/// Settings key of the frames per second.
public let AVSampleRateKey = "AVSampleRateKey"
/// Settings key of the number of channels.
public let AVNumberOfChannelsKey = "AVNumberOfChannelsKey"
/// Settings key of the bytes of an `AudioChannelLayout`.
public let AVChannelLayoutKey = "AVChannelLayoutKey"
/// Settings key of the bits per second of all channels together.
public let AVEncoderBitRateKey = "AVEncoderBitRateKey"
/// Settings key of the bits per second of each channel.
public let AVEncoderBitRatePerChannelKey = "AVEncoderBitRatePerChannelKey"
/// Settings key of the bits per sample of uncompressed sound.
public let AVLinearPCMBitDepthKey = "AVLinearPCMBitDepthKey"
/// Settings key of whether samples have the high byte first.
public let AVLinearPCMIsBigEndianKey = "AVLinearPCMIsBigEndianKey"
/// Settings key of whether samples are floating-point numbers.
public let AVLinearPCMIsFloatKey = "AVLinearPCMIsFloatKey"
/// Settings key of whether every channel has a buffer of its own.
public let AVLinearPCMIsNonInterleaved = "AVLinearPCMIsNonInterleaved"

/// Kind of media file, by its uniform type identifier.
public struct AVFileType: RawRepresentable, Hashable, Sendable {
    /// Uniform type identifier of the kind.
    public let rawValue: String
    /// Makes a kind from its identifier; any is accepted.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// QuickTime movie.
    public static let mov = AVFileType(rawValue: "com.apple.quicktime-movie")
    /// MPEG-4 movie.
    public static let mp4 = AVFileType(rawValue: "public.mpeg-4")
    /// MPEG-4 movie as iTunes names it.
    public static let m4v = AVFileType(rawValue: "com.apple.m4v-video")
    /// MPEG-4 file of sound alone.
    public static let m4a = AVFileType(rawValue: "com.apple.m4a-audio")
    /// Waveform file of uncompressed sound.
    public static let wav = AVFileType(rawValue: "com.microsoft.waveform-audio")
}

/// Settings key of the care an encoder takes, a number of `AVAudioQuality`.
public let AVEncoderAudioQualityKey = "AVEncoderQualityKey"
/// Settings key of the course of the bit rate, one of Apple's strings.
public let AVEncoderBitRateStrategyKey = "AVEncoderBitRateStrategyKey"
/// Settings key of the way to another rate, one of Apple's strings.
public let AVSampleRateConverterAlgorithmKey = "AVSampleRateConverterAlgorithmKey"
/// Settings key of the care taken on the way to another rate, a number of `AVAudioQuality`.
public let AVSampleRateConverterAudioQualityKey = "AVSampleRateConverterQualityKey"
/// Settings key of the bits of a sample that an encoder should keep.
public let AVEncoderBitDepthHintKey = "AVEncoderBitDepthHintKey"

/// Bit rate that stays the same.
public let AVAudioBitRateStrategy_Constant = "AVAudioBitRateStrategy_Constant"
/// Bit rate that stays the same over a while.
public let AVAudioBitRateStrategy_LongTermAverage = "AVAudioBitRateStrategy_LongTermAverage"
/// Bit rate that varies within limits.
public let AVAudioBitRateStrategy_VariableConstrained = "AVAudioBitRateStrategy_VariableConstrained"
/// Bit rate that varies.
public let AVAudioBitRateStrategy_Variable = "AVAudioBitRateStrategy_Variable"

/// The usual way to another rate.
public let AVSampleRateConverterAlgorithm_Normal = "AVSampleRateConverterAlgorithm_Normal"
/// The best way to another rate, and the slowest.
public let AVSampleRateConverterAlgorithm_Mastering = "AVSampleRateConverterAlgorithm_Mastering"
/// A way to another rate that delays less.
public let AVSampleRateConverterAlgorithm_MinimumPhase = "AVSampleRateConverterAlgorithm_MinimumPhase"

/// Care that an encoder or a converter of rates takes.
public enum AVAudioQuality: Int, Sendable {
    /// The least.
    case min = 0
    /// Little.
    case low = 0x20
    /// Some.
    case medium = 0x40
    /// Much.
    case high = 0x60
    /// The most.
    case max = 0x7F
}
