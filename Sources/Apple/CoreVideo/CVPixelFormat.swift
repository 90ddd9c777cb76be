import Foundation

/// 8-bit 4:2:0, luma plane and interleaved chroma plane, video range (`420v`).
public let kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange: OSType = 0x3432_3076
/// 8-bit 4:2:0, two planes, full range (`420f`).
public let kCVPixelFormatType_420YpCbCr8BiPlanarFullRange: OSType = 0x3432_3066
/// 10-bit 4:2:0, two planes, the ten bits at the top of 16, video range (`x420`).
public let kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange: OSType = 0x7834_3230
/// The same in Apple's lossless compression (`&xv0`); here the planes are plain, as those of `x420`.
public let kCVPixelFormatType_Lossless_420YpCbCr10PackedBiPlanarVideoRange: OSType = 0x2678_7630
/// `420v` in Apple's lossless compression (`&8v0`); here the planes are plain.
public let kCVPixelFormatType_Lossless_420YpCbCr8BiPlanarVideoRange: OSType = 0x2638_7630
/// `420f` in Apple's lossless compression (`&8f0`); here the planes are plain.
public let kCVPixelFormatType_Lossless_420YpCbCr8BiPlanarFullRange: OSType = 0x2638_6630
/// 8-bit blue, green, red, alpha (`BGRA`).
public let kCVPixelFormatType_32BGRA: OSType = 0x4247_5241
/// 8-bit grey (`L008`).
public let kCVPixelFormatType_OneComponent8: OSType = 0x4C30_3038
/// 16-bit little-endian grey (`L016`).
public let kCVPixelFormatType_OneComponent16: OSType = 0x4C30_3136
/// 16-bit float disparity, 1/m (`hdis`).
public let kCVPixelFormatType_DisparityFloat16: OSType = 0x6864_6973
/// 32-bit float disparity, 1/m (`fdis`).
public let kCVPixelFormatType_DisparityFloat32: OSType = 0x6664_6973
/// 16-bit float depth, m (`hdep`).
public let kCVPixelFormatType_DepthFloat16: OSType = 0x6864_6570
/// 32-bit float depth, m (`fdep`).
public let kCVPixelFormatType_DepthFloat32: OSType = 0x6664_6570

/// The planes of a pixel format: width and height divisors and bytes per pixel of each.
struct PlaneLayout {
    let widthDivisor: Int
    let heightDivisor: Int
    let bytesPerPixel: Int

    static func planes(of format: OSType) -> [PlaneLayout]? {
        switch format {
        case kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
            kCVPixelFormatType_Lossless_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_Lossless_420YpCbCr8BiPlanarFullRange:
            [PlaneLayout(widthDivisor: 1, heightDivisor: 1, bytesPerPixel: 1), PlaneLayout(widthDivisor: 2, heightDivisor: 2, bytesPerPixel: 2)]
        case kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange, kCVPixelFormatType_Lossless_420YpCbCr10PackedBiPlanarVideoRange:
            [PlaneLayout(widthDivisor: 1, heightDivisor: 1, bytesPerPixel: 2), PlaneLayout(widthDivisor: 2, heightDivisor: 2, bytesPerPixel: 4)]
        case kCVPixelFormatType_OneComponent8: [PlaneLayout(widthDivisor: 1, heightDivisor: 1, bytesPerPixel: 1)]
        case kCVPixelFormatType_OneComponent16, kCVPixelFormatType_DisparityFloat16, kCVPixelFormatType_DepthFloat16:
            [PlaneLayout(widthDivisor: 1, heightDivisor: 1, bytesPerPixel: 2)]
        case kCVPixelFormatType_32BGRA, kCVPixelFormatType_DisparityFloat32, kCVPixelFormatType_DepthFloat32:
            [PlaneLayout(widthDivisor: 1, heightDivisor: 1, bytesPerPixel: 4)]
        default: nil
        }
    }
}
