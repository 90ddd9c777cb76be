import Foundation

/// Description key of the format's code, an `OSType`.
public nonisolated(unsafe) let kCVPixelFormatConstant: CFString = "PixelFormat"
/// Description key of the planes, an array of dictionaries; left out for a packed format.
public nonisolated(unsafe) let kCVPixelFormatPlanes: CFString = "Planes"
/// Description key of the pixels that a block is wide; 1, as no format here has wider ones.
public nonisolated(unsafe) let kCVPixelFormatBlockWidth: CFString = "BlockWidth"
/// Description key of the rows that a block is high; 1, as no format here has higher ones.
public nonisolated(unsafe) let kCVPixelFormatBlockHeight: CFString = "BlockHeight"
/// Description key of the bits of a block.
public nonisolated(unsafe) let kCVPixelFormatBitsPerBlock: CFString = "BitsPerBlock"
/// Description key of the divisor of a plane's width; left out where it is 1.
public nonisolated(unsafe) let kCVPixelFormatHorizontalSubsampling: CFString = "HorizontalSubsampling"
/// Description key of the divisor of a plane's height; left out where it is 1.
public nonisolated(unsafe) let kCVPixelFormatVerticalSubsampling: CFString = "VerticalSubsampling"
/// Description key of whether there is an alpha channel.
public nonisolated(unsafe) let kCVPixelFormatContainsAlpha: CFString = "ContainsAlpha"
/// Description key of whether the components are luma and chroma.
public nonisolated(unsafe) let kCVPixelFormatContainsYCbCr: CFString = "ContainsYCbCr"
/// Description key of whether the components are red, green and blue.
public nonisolated(unsafe) let kCVPixelFormatContainsRGB: CFString = "ContainsRGB"
/// Description key of whether there is a component of grey.
public nonisolated(unsafe) let kCVPixelFormatContainsGrayscale: CFString = "ContainsGrayscale"
/// Description key of the range of luma and chroma; left out where the format leaves it open.
public nonisolated(unsafe) let kCVPixelFormatComponentRange: CFString = "ComponentRange"
/// Range of luma 16 to 235 of 255, and in proportion with more bits.
public nonisolated(unsafe) let kCVPixelFormatComponentRange_VideoRange: CFString = "VideoRange"
/// Range of all values.
public nonisolated(unsafe) let kCVPixelFormatComponentRange_FullRange: CFString = "FullRange"

/// Returns the description of a pixel format under the `kCVPixelFormat…` keys; nil for an unknown one. The allocator is ignored.
public func CVPixelFormatDescriptionCreateWithPixelFormatType(_ allocator: CFAllocator?, _ pixelFormat: OSType) -> CFDictionary? {
    guard let traits = PixelFormatTraits.of(pixelFormat) else { return nil }
    var description: [CFString: Any] = [
        kCVPixelFormatConstant: pixelFormat, kCVPixelFormatContainsAlpha: traits.contents.contains(.alpha),
        kCVPixelFormatContainsYCbCr: traits.contents.contains(.yCbCr), kCVPixelFormatContainsRGB: traits.contents.contains(.rgb),
        kCVPixelFormatContainsGrayscale: traits.contents.contains(.grayscale),
    ]
    if traits.contents.contains(.videoRange) { description[kCVPixelFormatComponentRange] = kCVPixelFormatComponentRange_VideoRange }
    if traits.contents.contains(.fullRange) { description[kCVPixelFormatComponentRange] = kCVPixelFormatComponentRange_FullRange }
    let planes = traits.planes.map(\.description)
    if planes.count == 1 { description.merge(planes[0]) { own, _ in own } }
    if planes.count > 1 { description[kCVPixelFormatPlanes] = planes }
    return description as CFDictionary
}

/// Returns the codes of all pixel formats that have a description, as `OSType`. The allocator is ignored.
public func CVPixelFormatDescriptionArrayCreateWithAllPixelFormatTypes(_ allocator: CFAllocator?) -> CFArray? {
    PixelFormatTraits.all.map(\.format) as CFArray
}

extension PlaneLayout {
    fileprivate var description: [CFString: Any] {
        var description: [CFString: Any] = [kCVPixelFormatBlockWidth: 1, kCVPixelFormatBlockHeight: 1, kCVPixelFormatBitsPerBlock: 8 * bytesPerPixel]
        if widthDivisor > 1 { description[kCVPixelFormatHorizontalSubsampling] = widthDivisor }
        if heightDivisor > 1 { description[kCVPixelFormatVerticalSubsampling] = heightDivisor }
        return description
    }
}
