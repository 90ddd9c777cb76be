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
/// Baseline profile of H.264, level 3.0.
public let AVVideoProfileLevelH264Baseline30 = "H264_Baseline_3_0"
/// Baseline profile of H.264, level 3.1.
public let AVVideoProfileLevelH264Baseline31 = "H264_Baseline_3_1"
/// Baseline profile of H.264, level 4.1.
public let AVVideoProfileLevelH264Baseline41 = "H264_Baseline_4_1"
/// Main profile of H.264, level 3.0.
public let AVVideoProfileLevelH264Main30 = "H264_Main_3_0"
/// Main profile of H.264, level 3.1.
public let AVVideoProfileLevelH264Main31 = "H264_Main_3_1"
/// Main profile of H.264, level 3.2.
public let AVVideoProfileLevelH264Main32 = "H264_Main_3_2"
/// Main profile of H.264, level 4.1.
public let AVVideoProfileLevelH264Main41 = "H264_Main_4_1"
/// High profile of H.264, level 4.0.
public let AVVideoProfileLevelH264High40 = "H264_High_4_0"
/// High profile of H.264, level 4.1.
public let AVVideoProfileLevelH264High41 = "H264_High_4_1"
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
/// Primaries of ITU-R BT.2020.
public let AVVideoColorPrimaries_ITU_R_2020 = "ITU_R_2020"
/// Primaries of Display P3.
public let AVVideoColorPrimaries_P3_D65 = "P3_D65"
/// Primaries of SMPTE C.
public let AVVideoColorPrimaries_SMPTE_C = "SMPTE_C"
/// Colour key of the transfer function.
public let AVVideoTransferFunctionKey = "TransferFunction"
/// Transfer function of ITU-R BT.709.
public let AVVideoTransferFunction_ITU_R_709_2 = "ITU_R_709_2"
/// Transfer function of ITU-R BT.2100, hybrid log-gamma.
public let AVVideoTransferFunction_ITU_R_2100_HLG = "ITU_R_2100_HLG"
/// Transfer function of SMPTE ST 2084, perceptual quantiser.
public let AVVideoTransferFunction_SMPTE_ST_2084_PQ = "SMPTE_ST_2084_PQ"
/// Linear light.
public let AVVideoTransferFunction_Linear = "Linear"
/// Transfer function of IEC 61966-2-1, sRGB.
public let AVVideoTransferFunction_IEC_sRGB = "IEC_sRGB"
/// Colour key of the matrix between R'G'B' and Y'CbCr.
public let AVVideoYCbCrMatrixKey = "YCbCrMatrix"
/// Y'CbCr matrix of ITU-R BT.709.
public let AVVideoYCbCrMatrix_ITU_R_709_2 = "ITU_R_709_2"
/// Y'CbCr matrix of ITU-R BT.2020.
public let AVVideoYCbCrMatrix_ITU_R_2020 = "ITU_R_2020"
/// Y'CbCr matrix of ITU-R BT.601.
public let AVVideoYCbCrMatrix_ITU_R_601_4 = "ITU_R_601_4"
/// Settings key of whether colours wider than BT.709 may be given.
public let AVVideoAllowWideColorKey = "AVVideoAllowWideColor"
/// Compression key of the average rate of frames that are not dropped.
public let AVVideoAverageNonDroppableFrameRateKey = "AverageNonDroppableFrameRate"
/// Settings key of what is wanted of an encoder.
public let AVVideoEncoderSpecificationKey = "AVVideoEncoderSpecificationKey"
/// Settings key of a dictionary about the part of the picture to show.
public let AVVideoCleanApertureKey = "AVVideoCleanApertureKey"
/// Aperture key of the width in pixels.
public let AVVideoCleanApertureWidthKey = "CleanApertureWidth"
/// Aperture key of the height in pixels.
public let AVVideoCleanApertureHeightKey = "CleanApertureHeight"
/// Aperture key of how far its middle is to the right of the picture's.
public let AVVideoCleanApertureHorizontalOffsetKey = "CleanApertureHorizontalOffset"
/// Aperture key of how far its middle is below the picture's.
public let AVVideoCleanApertureVerticalOffsetKey = "CleanApertureVerticalOffset"
/// Settings key of a dictionary about the shape of pixels.
public let AVVideoPixelAspectRatioKey = "AVVideoPixelAspectRatioKey"
/// Shape key of the width.
public let AVVideoPixelAspectRatioHorizontalSpacingKey = "HorizontalSpacing"
/// Shape key of the height.
public let AVVideoPixelAspectRatioVerticalSpacingKey = "VerticalSpacing"
/// The older name of `AVVideoCodecType.h264`.
public let AVVideoCodecH264 = "avc1"
/// The older name of `AVVideoCodecType.jpeg`.
public let AVVideoCodecJPEG = "jpeg"

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
