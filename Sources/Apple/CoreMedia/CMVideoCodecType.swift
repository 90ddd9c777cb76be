import CoreVideo
import Foundation

/// Four-character code of a video codec; one of `kCMVideoCodecType_…`.
public typealias CMVideoCodecType = FourCharCode
/// HEVC (H.265) (`hvc1`).
public let kCMVideoCodecType_HEVC: CMVideoCodecType = 0x6876_6331
/// HEVC with an alpha channel (`muxa`).
public let kCMVideoCodecType_HEVCWithAlpha: CMVideoCodecType = 0x6D75_7861
/// H.264 (`avc1`).
public let kCMVideoCodecType_H264: CMVideoCodecType = 0x6176_6331
/// JPEG (`jpeg`).
public let kCMVideoCodecType_JPEG: CMVideoCodecType = 0x6A70_6567
/// MPEG-4 part 2 (`mp4v`).
public let kCMVideoCodecType_MPEG4Video: CMVideoCodecType = 0x6D70_3476
/// AV1 (`av01`).
public let kCMVideoCodecType_AV1: CMVideoCodecType = 0x6176_3031
/// VP9 (`vp09`).
public let kCMVideoCodecType_VP9: CMVideoCodecType = 0x7670_3039
/// HEVC with Dolby Vision (`dvh1`).
public let kCMVideoCodecType_DolbyVisionHEVC: CMVideoCodecType = 0x6476_6831
/// ProRes 4444 XQ (`ap4x`).
public let kCMVideoCodecType_AppleProRes4444XQ: CMVideoCodecType = 0x6170_3478
/// ProRes 4444 (`ap4h`).
public let kCMVideoCodecType_AppleProRes4444: CMVideoCodecType = 0x6170_3468
/// ProRes 422 HQ (`apch`).
public let kCMVideoCodecType_AppleProRes422HQ: CMVideoCodecType = 0x6170_6368
/// ProRes 422 (`apcn`).
public let kCMVideoCodecType_AppleProRes422: CMVideoCodecType = 0x6170_636E
/// ProRes 422 LT (`apcs`).
public let kCMVideoCodecType_AppleProRes422LT: CMVideoCodecType = 0x6170_6373
/// ProRes 422 Proxy (`apco`).
public let kCMVideoCodecType_AppleProRes422Proxy: CMVideoCodecType = 0x6170_636F
/// ProRes RAW (`aprn`).
public let kCMVideoCodecType_AppleProResRAW: CMVideoCodecType = 0x6170_726E
/// ProRes RAW HQ (`aprh`).
public let kCMVideoCodecType_AppleProResRAWHQ: CMVideoCodecType = 0x6170_7268

extension CMFormatDescription.MediaSubType {
    /// HEVC (H.265).
    public static let hevc = Self(rawValue: kCMVideoCodecType_HEVC)
    /// HEVC with an alpha channel.
    public static let hevcWithAlpha = Self(rawValue: kCMVideoCodecType_HEVCWithAlpha)
    /// H.264.
    public static let h264 = Self(rawValue: kCMVideoCodecType_H264)
    /// JPEG.
    public static let jpeg = Self(rawValue: kCMVideoCodecType_JPEG)
    /// MPEG-4 part 2.
    public static let mpeg4Video = Self(rawValue: kCMVideoCodecType_MPEG4Video)
    /// HEVC with Dolby Vision.
    public static let dolbyVisionHEVC = Self(rawValue: kCMVideoCodecType_DolbyVisionHEVC)
    /// ProRes 4444 XQ.
    public static let proRes4444XQ = Self(rawValue: kCMVideoCodecType_AppleProRes4444XQ)
    /// ProRes 4444.
    public static let proRes4444 = Self(rawValue: kCMVideoCodecType_AppleProRes4444)
    /// ProRes 422 HQ.
    public static let proRes422HQ = Self(rawValue: kCMVideoCodecType_AppleProRes422HQ)
    /// ProRes 422.
    public static let proRes422 = Self(rawValue: kCMVideoCodecType_AppleProRes422)
    /// ProRes 422 LT.
    public static let proRes422LT = Self(rawValue: kCMVideoCodecType_AppleProRes422LT)
    /// ProRes 422 Proxy.
    public static let proRes422Proxy = Self(rawValue: kCMVideoCodecType_AppleProRes422Proxy)
    /// ProRes RAW.
    public static let proResRAW = Self(rawValue: kCMVideoCodecType_AppleProResRAW)
    /// ProRes RAW HQ.
    public static let proResRAWHQ = Self(rawValue: kCMVideoCodecType_AppleProResRAWHQ)
    /// AAC.
    public static let mpeg4AAC = Self(rawValue: 0x6161_6320)
    /// Opus.
    public static let opus = Self(rawValue: 0x6F70_7573)
    /// Uncompressed sound.
    public static let linearPCM = Self(rawValue: 0x6C70_636D)
    /// Apple Lossless.
    public static let appleLossless = Self(rawValue: 0x616C_6163)
    /// Uncompressed 8-bit blue, green, red, alpha.
    public static let pixelFormat_32BGRA = Self(rawValue: kCVPixelFormatType_32BGRA)
    /// Uncompressed 8-bit 4:2:2.
    public static let pixelFormat_422YpCbCr8 = Self(rawValue: kCVPixelFormatType_422YpCbCr8)
}
