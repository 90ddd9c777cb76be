import CoreVideo

// Older names of Core Media for pixel formats; the codes are Core Video's.

/// Four-character code of a pixel format.
public typealias CMPixelFormatType = FourCharCode
/// 8 bits each of alpha, red, green and blue.
public let kCMPixelFormat_32ARGB: CMPixelFormatType = kCVPixelFormatType_32ARGB
/// 8 bits each of blue, green, red and alpha.
public let kCMPixelFormat_32BGRA: CMPixelFormatType = kCVPixelFormatType_32BGRA
/// 8 bits each of red, green and blue.
public let kCMPixelFormat_24RGB: CMPixelFormatType = kCVPixelFormatType_24RGB
/// 5 bits each of red, green and blue, the upper byte first.
public let kCMPixelFormat_16BE555: CMPixelFormatType = kCVPixelFormatType_16BE555
/// 5, 6 and 5 bits of red, green and blue, the upper byte first.
public let kCMPixelFormat_16BE565: CMPixelFormatType = kCVPixelFormatType_16BE565
/// 5 bits each of red, green and blue, the lower byte first.
public let kCMPixelFormat_16LE555: CMPixelFormatType = kCVPixelFormatType_16LE555
/// 5, 6 and 5 bits of red, green and blue, the lower byte first.
public let kCMPixelFormat_16LE565: CMPixelFormatType = kCVPixelFormatType_16LE565
/// 5 bits each of red, green and blue and one of alpha, the lower byte first.
public let kCMPixelFormat_16LE5551: CMPixelFormatType = kCVPixelFormatType_16LE5551
/// 8 bits of Y'CbCr 4:2:2 in the order Cb, Y', Cr, Y'.
public let kCMPixelFormat_422YpCbCr8: CMPixelFormatType = kCVPixelFormatType_422YpCbCr8
/// 8 bits of Y'CbCr 4:2:2 in the order Y', Cb, Y', Cr.
public let kCMPixelFormat_422YpCbCr8_yuvs: CMPixelFormatType = kCVPixelFormatType_422YpCbCr8_yuvs
/// 8 bits of Y'CbCr 4:4:4.
public let kCMPixelFormat_444YpCbCr8: CMPixelFormatType = kCVPixelFormatType_444YpCbCr8
/// 8 bits of Y'CbCr 4:4:4 and of alpha.
public let kCMPixelFormat_4444YpCbCrA8: CMPixelFormatType = kCVPixelFormatType_4444YpCbCrA8
/// 16 bits of Y'CbCr 4:2:2.
public let kCMPixelFormat_422YpCbCr16: CMPixelFormatType = kCVPixelFormatType_422YpCbCr16
/// 10 bits of Y'CbCr 4:2:2.
public let kCMPixelFormat_422YpCbCr10: CMPixelFormatType = kCVPixelFormatType_422YpCbCr10
/// 10 bits of Y'CbCr 4:4:4.
public let kCMPixelFormat_444YpCbCr10: CMPixelFormatType = kCVPixelFormatType_444YpCbCr10
