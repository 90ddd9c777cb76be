import Foundation

/// Alpha of a bitmap's pixels, and its place among the components.
public enum CGImageAlphaInfo: UInt32, Sendable {
    /// No alpha, as RGB.
    case none = 0
    /// After colours that it is multiplied into, as RGBA.
    case premultipliedLast = 1
    /// Before colours that it is multiplied into, as ARGB.
    case premultipliedFirst = 2
    /// After the colours, as RGBA.
    case last = 3
    /// Before the colours, as ARGB.
    case first = 4
    /// An unused component after the colours.
    case noneSkipLast = 5
    /// An unused component before the colours.
    case noneSkipFirst = 6
    /// Alpha and no colours.
    case alphaOnly = 7
}

/// Order of the bytes of a bitmap's 16- or 32-bit units.
public enum CGImageByteOrderInfo: UInt32, Sendable {
    /// Mask of the order.
    case orderMask = 0x7000
    /// As the components come.
    case orderDefault = 0
    /// Little-endian units of 16 bits.
    case order16Little = 0x1000
    /// Little-endian units of 32 bits.
    case order32Little = 0x2000
    /// Big-endian units of 16 bits.
    case order16Big = 0x3000
    /// Big-endian units of 32 bits.
    case order32Big = 0x4000
}

/// Alpha, byte order and number type of a bitmap's pixels.
public struct CGBitmapInfo: OptionSet, Sendable {
    /// Bit mask: a `CGImageAlphaInfo`, a byte order, and whether components are floats.
    public let rawValue: UInt32
    /// Makes the description from a bit mask.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// Mask of the `CGImageAlphaInfo`.
    public static let alphaInfoMask = CGBitmapInfo(rawValue: 0x1F)
    /// Mask of the number type.
    public static let floatInfoMask = CGBitmapInfo(rawValue: 0xF00)
    /// Components are floating-point numbers.
    public static let floatComponents = CGBitmapInfo(rawValue: 0x100)
    /// Mask of the byte order.
    public static let byteOrderMask = CGBitmapInfo(rawValue: 0x7000)
    /// Bytes in the order of the components.
    public static let byteOrderDefault = CGBitmapInfo([])
    /// Little-endian units of 16 bits.
    public static let byteOrder16Little = CGBitmapInfo(rawValue: 0x1000)
    /// Little-endian units of 32 bits: with alpha first, BGRA in memory.
    public static let byteOrder32Little = CGBitmapInfo(rawValue: 0x2000)
    /// Big-endian units of 16 bits.
    public static let byteOrder16Big = CGBitmapInfo(rawValue: 0x3000)
    /// Big-endian units of 32 bits.
    public static let byteOrder32Big = CGBitmapInfo(rawValue: 0x4000)
}

/// Units of 16 bits in the byte order of this machine.
public let kCGBitmapByteOrder16Host: CGBitmapInfo = 1.littleEndian == 1 ? .byteOrder16Little : .byteOrder16Big
/// Units of 32 bits in the byte order of this machine.
public let kCGBitmapByteOrder32Host: CGBitmapInfo = 1.littleEndian == 1 ? .byteOrder32Little : .byteOrder32Big

/// Treatment of colours that a device does not have; kept without effect.
public enum CGColorRenderingIntent: Int32, Sendable {
    /// As the device likes.
    case defaultIntent = 0
    /// Colours outside are cut off, white stays.
    case absoluteColorimetric = 1
    /// Colours outside are cut off, white becomes the device's.
    case relativeColorimetric = 2
    /// All colours move closer together.
    case perceptual = 3
    /// Saturation stays.
    case saturation = 4
}
