import Foundation

/// 8-bit grey (`L008`).
public let kCVPixelFormatType_OneComponent8: OSType = 0x4C30_3038
/// 10-bit little-endian grey at the top of 16 bits (`L010`).
public let kCVPixelFormatType_OneComponent10: OSType = 0x4C30_3130
/// 12-bit little-endian grey at the top of 16 bits (`L012`).
public let kCVPixelFormatType_OneComponent12: OSType = 0x4C30_3132
/// 16-bit little-endian grey (`L016`).
public let kCVPixelFormatType_OneComponent16: OSType = 0x4C30_3136
/// 16-bit float grey (`L00h`).
public let kCVPixelFormatType_OneComponent16Half: OSType = 0x4C30_3068
/// 32-bit float grey (`L00f`).
public let kCVPixelFormatType_OneComponent32Float: OSType = 0x4C30_3066
/// Two 8-bit components (`2C08`).
public let kCVPixelFormatType_TwoComponent8: OSType = 0x3243_3038
/// Two 16-bit little-endian components (`2C16`).
public let kCVPixelFormatType_TwoComponent16: OSType = 0x3243_3136
/// Two 16-bit float components (`2C0h`).
public let kCVPixelFormatType_TwoComponent16Half: OSType = 0x3243_3068
/// Two 32-bit float components (`2C0f`).
public let kCVPixelFormatType_TwoComponent32Float: OSType = 0x3243_3066
/// 16-bit big-endian grey (`b16g`).
public let kCVPixelFormatType_16Gray: OSType = 0x6231_3667
/// 16-bit big-endian alpha and grey (`b32a`).
public let kCVPixelFormatType_32AlphaGray: OSType = 0x6233_3261
/// 16-bit float disparity, 1/m (`hdis`).
public let kCVPixelFormatType_DisparityFloat16: OSType = 0x6864_6973
/// 32-bit float disparity, 1/m (`fdis`).
public let kCVPixelFormatType_DisparityFloat32: OSType = 0x6664_6973
/// 16-bit float depth, m (`hdep`).
public let kCVPixelFormatType_DepthFloat16: OSType = 0x6864_6570
/// 32-bit float depth, m (`fdep`).
public let kCVPixelFormatType_DepthFloat32: OSType = 0x6664_6570
/// 14-bit little-endian sensor data at the bottom of 16 bits, mosaic GRBG (`grb4`).
public let kCVPixelFormatType_14Bayer_GRBG: OSType = 0x6772_6234
/// 14-bit little-endian sensor data at the bottom of 16 bits, mosaic RGGB (`rgg4`).
public let kCVPixelFormatType_14Bayer_RGGB: OSType = 0x7267_6734
/// 14-bit little-endian sensor data at the bottom of 16 bits, mosaic BGGR (`bgg4`).
public let kCVPixelFormatType_14Bayer_BGGR: OSType = 0x6267_6734
/// 14-bit little-endian sensor data at the bottom of 16 bits, mosaic GBRG (`gbr4`).
public let kCVPixelFormatType_14Bayer_GBRG: OSType = 0x6762_7234
/// 16-bit little-endian sensor data of ProRes RAW (`bp16`).
public let kCVPixelFormatType_16VersatileBayer: OSType = 0x6270_3136
/// 12-bit sensor data of ProRes RAW, eight in 96 bits (`btp2`). No buffer of it can be made here.
public let kCVPixelFormatType_96VersatileBayerPacked12: OSType = 0x6274_7032
/// 1-bit indexed. No buffer of it can be made here.
public let kCVPixelFormatType_1Monochrome: OSType = 0x0000_0001
/// 2-bit indexed. No buffer of it can be made here.
public let kCVPixelFormatType_2Indexed: OSType = 0x0000_0002
/// 4-bit indexed. No buffer of it can be made here.
public let kCVPixelFormatType_4Indexed: OSType = 0x0000_0004
/// 8-bit indexed. No buffer of it can be made here.
public let kCVPixelFormatType_8Indexed: OSType = 0x0000_0008
/// 1-bit grey, white is 0. No buffer of it can be made here.
public let kCVPixelFormatType_1IndexedGray_WhiteIsZero: OSType = 0x0000_0021
/// 2-bit grey, white is 0. No buffer of it can be made here.
public let kCVPixelFormatType_2IndexedGray_WhiteIsZero: OSType = 0x0000_0022
/// 4-bit grey, white is 0. No buffer of it can be made here.
public let kCVPixelFormatType_4IndexedGray_WhiteIsZero: OSType = 0x0000_0024
/// 8-bit grey, white is 0. No buffer of it can be made here.
public let kCVPixelFormatType_8IndexedGray_WhiteIsZero: OSType = 0x0000_0028
