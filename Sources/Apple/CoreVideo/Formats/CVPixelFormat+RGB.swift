import Foundation

/// 16 bits, big-endian: 1 unused, 5 red, 5 green, 5 blue.
public let kCVPixelFormatType_16BE555: OSType = 0x0000_0010
/// 16 bits, little-endian: 1 unused, 5 red, 5 green, 5 blue (`L555`).
public let kCVPixelFormatType_16LE555: OSType = 0x4C35_3535
/// 16 bits, little-endian: 5 red, 5 green, 5 blue, 1 alpha (`5551`).
public let kCVPixelFormatType_16LE5551: OSType = 0x3535_3531
/// 16 bits, big-endian: 5 red, 6 green, 5 blue (`B565`).
public let kCVPixelFormatType_16BE565: OSType = 0x4235_3635
/// 16 bits, little-endian: 5 red, 6 green, 5 blue (`L565`).
public let kCVPixelFormatType_16LE565: OSType = 0x4C35_3635
/// 8-bit red, green, blue.
public let kCVPixelFormatType_24RGB: OSType = 0x0000_0018
/// 8-bit blue, green, red (`24BG`).
public let kCVPixelFormatType_24BGR: OSType = 0x3234_4247
/// 8-bit alpha, red, green, blue.
public let kCVPixelFormatType_32ARGB: OSType = 0x0000_0020
/// 8-bit blue, green, red, alpha (`BGRA`).
public let kCVPixelFormatType_32BGRA: OSType = 0x4247_5241
/// 8-bit alpha, blue, green, red (`ABGR`).
public let kCVPixelFormatType_32ABGR: OSType = 0x4142_4752
/// 8-bit red, green, blue, alpha (`RGBA`).
public let kCVPixelFormatType_32RGBA: OSType = 0x5247_4241
/// 16-bit big-endian alpha, red, green, blue (`b64a`).
public let kCVPixelFormatType_64ARGB: OSType = 0x6236_3461
/// 16-bit little-endian red, green, blue, alpha, full range (`l64r`).
public let kCVPixelFormatType_64RGBALE: OSType = 0x6C36_3472
/// 16-bit big-endian red, green, blue (`b48r`).
public let kCVPixelFormatType_48RGB: OSType = 0x6234_3872
/// 10-bit red, green, blue in 32 bits big-endian, 2 unused bits at the bottom (`R10k`).
public let kCVPixelFormatType_30RGB: OSType = 0x5231_306B
/// 10-bit red, green, blue in 32 bits big-endian, 2 unused bits at the top, video range (`r210`).
public let kCVPixelFormatType_30RGB_r210: OSType = 0x7232_3130
/// 10-bit red, green, blue of extended range in 32 bits little-endian, 2 unused bits at the top (`w30r`).
public let kCVPixelFormatType_30RGBLEPackedWideGamut: OSType = 0x7733_3072
/// 2-bit alpha and 10-bit red, green, blue in 32 bits little-endian (`l10r`).
public let kCVPixelFormatType_ARGB2101010LEPacked: OSType = 0x6C31_3072
/// 10-bit alpha, red, green, blue of extended range, each in the upper bits of 16 little-endian (`w40a`).
public let kCVPixelFormatType_40ARGBLEWideGamut: OSType = 0x7734_3061
/// `w40a` with colours premultiplied by alpha (`w40m`).
public let kCVPixelFormatType_40ARGBLEWideGamutPremultiplied: OSType = 0x7734_306D
/// Plane of `w30r` and plane of 8-bit alpha (`b3a8`).
public let kCVPixelFormatType_30RGBLE_8A_BiPlanar: OSType = 0x6233_6138
/// 16-bit float red, green, blue, alpha (`RGhA`).
public let kCVPixelFormatType_64RGBAHalf: OSType = 0x5247_6841
/// 32-bit float red, green, blue, alpha (`RGfA`).
public let kCVPixelFormatType_128RGBAFloat: OSType = 0x5247_6641
/// 16-bit little-endian red, green, blue, alpha of a reduced ProRes RAW picture (`bp64`).
public let kCVPixelFormatType_64RGBA_DownscaledProResRAW: OSType = 0x6270_3634
/// `BGRA` in Apple's lossless compression (`&BGA`); the planes are plain here.
public let kCVPixelFormatType_Lossless_32BGRA: OSType = 0x2642_4741
/// `RGhA` in Apple's lossless compression (`&RhA`); the planes are plain here.
public let kCVPixelFormatType_Lossless_64RGBAHalf: OSType = 0x2652_6841
/// `w30r` in Apple's lossless compression (`&w3r`); the planes are plain here.
public let kCVPixelFormatType_Lossless_30RGBLEPackedWideGamut: OSType = 0x2677_3372
/// `b3a8` in Apple's lossless compression (`&b38`); the planes are plain here.
public let kCVPixelFormatType_Lossless_30RGBLE_8A_BiPlanar: OSType = 0x2662_3338
/// `BGRA` in Apple's lossy compression (`-BGA`); the planes are plain here.
public let kCVPixelFormatType_Lossy_32BGRA: OSType = 0x2D42_4741
