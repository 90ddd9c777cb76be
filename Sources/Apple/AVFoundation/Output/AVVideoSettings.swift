import Foundation

/// Settings key of the codec, an `AVVideoCodecType`.
public let AVVideoCodecKey = "AVVideoCodecKey"
/// Settings key of the width in pixels.
public let AVVideoWidthKey = "AVVideoWidthKey"
/// Settings key of the height in pixels.
public let AVVideoHeightKey = "AVVideoHeightKey"
/// Settings key of a dictionary about the compression.
public let AVVideoCompressionPropertiesKey = "AVVideoCompressionPropertiesKey"
/// Compression key of the average bits per second.
public let AVVideoAverageBitRateKey = "AverageBitRate"
/// Compression key of the expected frames per second.
public let AVVideoExpectedSourceFrameRateKey = "ExpectedFrameRate"
/// Compression key of the greatest time between key frames, in seconds.
public let AVVideoMaxKeyFrameIntervalDurationKey = "MaxKeyFrameIntervalDuration"
/// Compression key of whether frames may be stored in another order.
public let AVVideoAllowFrameReorderingKey = "AllowFrameReordering"

/// Codec of pictures.
public struct AVVideoCodecType: RawRepresentable, Hashable, Sendable {
    /// Four-character code of the codec, as text.
    public let rawValue: String
    /// Makes a codec from its code; any code is accepted.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// HEVC (H.265).
    public static let hevc = AVVideoCodecType(rawValue: "hvc1")
    /// H.264.
    public static let h264 = AVVideoCodecType(rawValue: "avc1")
    /// JPEG.
    public static let jpeg = AVVideoCodecType(rawValue: "jpeg")
    /// HEVC with an alpha channel; no output here offers it.
    public static let hevcWithAlpha = AVVideoCodecType(rawValue: "muxa")
    /// ProRes 422; no output here offers it.
    public static let proRes422 = AVVideoCodecType(rawValue: "apcn")
    /// ProRes 422 HQ; no output here offers it.
    public static let proRes422HQ = AVVideoCodecType(rawValue: "apch")
    /// ProRes 422 LT; no output here offers it.
    public static let proRes422LT = AVVideoCodecType(rawValue: "apcs")
    /// ProRes 422 Proxy; no output here offers it.
    public static let proRes422Proxy = AVVideoCodecType(rawValue: "apco")
    /// ProRes 4444; no output here offers it.
    public static let proRes4444 = AVVideoCodecType(rawValue: "ap4h")
}
