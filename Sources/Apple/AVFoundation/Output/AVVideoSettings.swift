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
/// Compression key of the quality, 0…1.
public let AVVideoQualityKey = "Quality"
/// Compression key of the greatest number of frames from one key frame to the next.
public let AVVideoMaxKeyFrameIntervalKey = "MaxKeyFrameInterval"
/// Compression key of the profile and level, one of `AVVideoProfileLevel…`.
public let AVVideoProfileLevelKey = "ProfileLevel"
/// Baseline profile of H.264 at the level that fits.
public let AVVideoProfileLevelH264BaselineAutoLevel = "H264_Baseline_AutoLevel"
/// Main profile of H.264 at the level that fits.
public let AVVideoProfileLevelH264MainAutoLevel = "H264_Main_AutoLevel"
/// High profile of H.264 at the level that fits.
public let AVVideoProfileLevelH264HighAutoLevel = "H264_High_AutoLevel"
/// Compression key of H.264's entropy coding, one of `AVVideoH264EntropyMode…`.
public let AVVideoH264EntropyModeKey = "H264EntropyMode"
/// Context-adaptive variable-length coding.
public let AVVideoH264EntropyModeCAVLC = "CAVLC"
/// Context-adaptive binary arithmetic coding.
public let AVVideoH264EntropyModeCABAC = "CABAC"
/// Settings key of the fit into another size, one of `AVVideoScalingMode…`.
public let AVVideoScalingModeKey = "AVVideoScalingModeKey"
/// All of the picture, bars beside it.
public let AVVideoScalingModeResizeAspect = "AVVideoScalingModeResizeAspect"
/// All of the size, edges of the picture cut off.
public let AVVideoScalingModeResizeAspectFill = "AVVideoScalingModeResizeAspectFill"
/// All of both, out of proportion.
public let AVVideoScalingModeResize = "AVVideoScalingModeResize"
/// Settings key of a dictionary about the colours.
public let AVVideoColorPropertiesKey = "AVVideoColorPropertiesKey"
/// Colour key of the primaries.
public let AVVideoColorPrimariesKey = "ColorPrimaries"
/// Primaries of ITU-R BT.709.
public let AVVideoColorPrimaries_ITU_R_709_2 = "ITU_R_709_2"
/// Colour key of the transfer function.
public let AVVideoTransferFunctionKey = "TransferFunction"
/// Transfer function of ITU-R BT.709.
public let AVVideoTransferFunction_ITU_R_709_2 = "ITU_R_709_2"
/// Colour key of the matrix between R'G'B' and Y'CbCr.
public let AVVideoYCbCrMatrixKey = "YCbCrMatrix"
/// Y'CbCr matrix of ITU-R BT.709.
public let AVVideoYCbCrMatrix_ITU_R_709_2 = "ITU_R_709_2"

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
