import Foundation

/// 8-bit 4:2:0, luma plane and interleaved chroma plane, video range (`420v`).
public let kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange: OSType = 0x3432_3076
/// 8-bit 4:2:0, two planes, full range (`420f`).
public let kCVPixelFormatType_420YpCbCr8BiPlanarFullRange: OSType = 0x3432_3066
/// 8-bit 4:2:2, two planes, video range (`422v`).
public let kCVPixelFormatType_422YpCbCr8BiPlanarVideoRange: OSType = 0x3432_3276
/// 8-bit 4:2:2, two planes, full range (`422f`).
public let kCVPixelFormatType_422YpCbCr8BiPlanarFullRange: OSType = 0x3432_3266
/// 8-bit 4:4:4, two planes, video range (`444v`).
public let kCVPixelFormatType_444YpCbCr8BiPlanarVideoRange: OSType = 0x3434_3476
/// 8-bit 4:4:4, two planes, full range (`444f`).
public let kCVPixelFormatType_444YpCbCr8BiPlanarFullRange: OSType = 0x3434_3466
/// 10-bit 4:2:0, two planes, the ten bits at the top of 16, video range (`x420`).
public let kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange: OSType = 0x7834_3230
/// 10-bit 4:2:2, two planes, the ten bits at the top of 16, video range (`x422`).
public let kCVPixelFormatType_422YpCbCr10BiPlanarVideoRange: OSType = 0x7834_3232
/// 10-bit 4:4:4, two planes, the ten bits at the top of 16, video range (`x444`).
public let kCVPixelFormatType_444YpCbCr10BiPlanarVideoRange: OSType = 0x7834_3434
/// 10-bit 4:2:0, two planes, the ten bits at the top of 16, full range (`xf20`).
public let kCVPixelFormatType_420YpCbCr10BiPlanarFullRange: OSType = 0x7866_3230
/// 10-bit 4:2:2, two planes, the ten bits at the top of 16, full range (`xf22`).
public let kCVPixelFormatType_422YpCbCr10BiPlanarFullRange: OSType = 0x7866_3232
/// 10-bit 4:4:4, two planes, the ten bits at the top of 16, full range (`xf44`).
public let kCVPixelFormatType_444YpCbCr10BiPlanarFullRange: OSType = 0x7866_3434
/// 16-bit 4:2:2, two planes, video range (`sv22`).
public let kCVPixelFormatType_422YpCbCr16BiPlanarVideoRange: OSType = 0x7376_3232
/// 16-bit 4:4:4, two planes, video range (`sv44`).
public let kCVPixelFormatType_444YpCbCr16BiPlanarVideoRange: OSType = 0x7376_3434
/// `420v` and a third plane of 8-bit alpha (`v0a8`).
public let kCVPixelFormatType_420YpCbCr8VideoRange_8A_TriPlanar: OSType = 0x7630_6138
/// `sv44` and a third plane of 16-bit alpha (`s4as`).
public let kCVPixelFormatType_444YpCbCr16VideoRange_16A_TriPlanar: OSType = 0x7334_6173
/// 8-bit 4:2:0, planes of luma, Cb and Cr, video range (`y420`).
public let kCVPixelFormatType_420YpCbCr8Planar: OSType = 0x7934_3230
/// 8-bit 4:2:0, planes of luma, Cb and Cr, full range (`f420`).
public let kCVPixelFormatType_420YpCbCr8PlanarFullRange: OSType = 0x6634_3230
/// Plane of `2vuy` and plane of 8-bit alpha (`a2vy`).
public let kCVPixelFormatType_422YpCbCr_4A_8BiPlanar: OSType = 0x6132_7679
/// 8-bit 4:2:2 in one plane, Cb Y Cr Y, video range (`2vuy`).
public let kCVPixelFormatType_422YpCbCr8: OSType = 0x3276_7579
/// 8-bit 4:2:2 in one plane, Y Cb Y Cr, video range (`yuvs`).
public let kCVPixelFormatType_422YpCbCr8_yuvs: OSType = 0x7975_7673
/// 8-bit 4:2:2 in one plane, Y Cb Y Cr, full range (`yuvf`).
public let kCVPixelFormatType_422YpCbCr8FullRange: OSType = 0x7975_7666
/// 8-bit Cb, Y, Cr, alpha (`v408`).
public let kCVPixelFormatType_4444YpCbCrA8: OSType = 0x7634_3038
/// 8-bit alpha, Y, Cb, Cr with zero-based luma, for compositing (`r408`).
public let kCVPixelFormatType_4444YpCbCrA8R: OSType = 0x7234_3038
/// 8-bit alpha, Y, Cb, Cr, full-range alpha and video-range colour (`y408`).
public let kCVPixelFormatType_4444AYpCbCr8: OSType = 0x7934_3038
/// 16-bit little-endian alpha, Y, Cb, Cr, full-range alpha and video-range colour (`y416`).
public let kCVPixelFormatType_4444AYpCbCr16: OSType = 0x7934_3136
/// 32-bit float alpha, Y, Cb, Cr (`r4fl`).
public let kCVPixelFormatType_4444AYpCbCrFloat: OSType = 0x7234_666C
/// 8-bit Cr, Y, Cb, video range (`v308`).
public let kCVPixelFormatType_444YpCbCr8: OSType = 0x7633_3038
/// 10- to 16-bit little-endian 4:2:2 in one plane, video range (`v216`).
public let kCVPixelFormatType_422YpCbCr16: OSType = 0x7632_3136
/// 10-bit 4:2:2, six pixels in 16 bytes, video range (`v210`). No buffer of it can be made here.
public let kCVPixelFormatType_422YpCbCr10: OSType = 0x7632_3130
/// 10-bit Cb, Y, Cr in 32 bits, video range (`v410`).
public let kCVPixelFormatType_444YpCbCr10: OSType = 0x7634_3130
/// `420v` in Apple's lossless compression (`&8v0`); the planes are plain here.
public let kCVPixelFormatType_Lossless_420YpCbCr8BiPlanarVideoRange: OSType = 0x2638_7630
/// `420f` in Apple's lossless compression (`&8f0`); the planes are plain here.
public let kCVPixelFormatType_Lossless_420YpCbCr8BiPlanarFullRange: OSType = 0x2638_6630
/// `x420` in Apple's lossless compression (`&xv0`); the planes are plain here, as those of `x420`.
public let kCVPixelFormatType_Lossless_420YpCbCr10PackedBiPlanarVideoRange: OSType = 0x2678_7630
/// `xf20` in Apple's lossless compression (`&xf0`); the planes are plain here.
public let kCVPixelFormatType_Lossless_420YpCbCr10PackedBiPlanarFullRange: OSType = 0x2678_6630
/// `x422` in Apple's lossless compression (`&xv2`); the planes are plain here.
public let kCVPixelFormatType_Lossless_422YpCbCr10PackedBiPlanarVideoRange: OSType = 0x2678_7632
/// `420v` in Apple's lossy compression (`-8v0`); the planes are plain here.
public let kCVPixelFormatType_Lossy_420YpCbCr8BiPlanarVideoRange: OSType = 0x2D38_7630
/// `420f` in Apple's lossy compression (`-8f0`); the planes are plain here.
public let kCVPixelFormatType_Lossy_420YpCbCr8BiPlanarFullRange: OSType = 0x2D38_6630
/// `x420` in Apple's lossy compression (`-xv0`); the planes are plain here.
public let kCVPixelFormatType_Lossy_420YpCbCr10PackedBiPlanarVideoRange: OSType = 0x2D78_7630
/// `x422` in Apple's lossy compression (`-xv2`); the planes are plain here.
public let kCVPixelFormatType_Lossy_422YpCbCr10PackedBiPlanarVideoRange: OSType = 0x2D78_7632
