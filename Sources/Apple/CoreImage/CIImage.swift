import CoreVideo
import Foundation
import ImageIO
import JPEGFiles

/// Recipe of a picture: pixels of a buffer or bitmap, and what filters make of them. Nothing is worked out before a context renders it.
///
/// Coordinates are pixels from the bottom left.
open class CIImage: NSObject, @unchecked Sendable {
    /// Rectangle outside of which everything is clear; infinite for colours and clamped pictures.
    public let extent: CGRect
    /// Buffer that the picture was made of; nil for a bitmap's and for what a filter made.
    public let pixelBuffer: CVPixelBuffer?
    /// Bitmap that the picture was made of; nil for a buffer's and for what a filter made.
    public let cgImage: CGImage?
    /// Properties of the file that the picture was made of, under ImageIO's keys; else empty.
    public let properties: [String: Any]
    private let work: @Sendable (PixelRegion, _ isLinear: Bool) -> Tile

    /// Pixels of a region, as far as they lie in the extent.
    func tile(_ region: PixelRegion, isLinear: Bool) -> Tile {
        let part = region.intersection(PixelRegion(extent))
        return part.isEmpty ? Tile(PixelRegion(.zero)) : work(part, isLinear)
    }

    init(
        extent: CGRect, pixelBuffer: CVPixelBuffer? = nil, cgImage: CGImage? = nil, properties: [String: Any] = [:],
        work: @escaping @Sendable (PixelRegion, _ isLinear: Bool) -> Tile
    ) {
        self.extent = extent
        self.pixelBuffer = pixelBuffer
        self.cgImage = cgImage
        self.properties = properties
        self.work = work
        super.init()
    }

    /// Makes the same recipe again.
    package convenience init(_ other: CIImage) {
        self.init(
            extent: other.extent, pixelBuffer: other.pixelBuffer, cgImage: other.cgImage, properties: other.properties, work: other.work)
    }

    /// Makes the picture of a pixel buffer: `420v`, `420f`, `x420`, BGRA, RGBA, ARGB, grey, depth or disparity. Traps for another format, by name.
    public convenience init(cvPixelBuffer pixelBuffer: CVPixelBuffer) { self.init(cvPixelBuffer: pixelBuffer, options: nil) }

    /// Makes the picture of a pixel buffer; options are ignored.
    public convenience init(cvPixelBuffer pixelBuffer: CVPixelBuffer, options: [CIImageOption: Any]?) {
        let pixels = BufferPixels(pixelBuffer)
        self.init(extent: CGRect(x: 0, y: 0, width: pixels.width, height: pixels.height), pixelBuffer: pixelBuffer) { region, isLinear in
            pixels.tile(region, isLinear: isLinear)
        }
    }

    /// Makes the picture of a pixel buffer.
    public convenience init(cvImageBuffer imageBuffer: CVImageBuffer) { self.init(cvPixelBuffer: imageBuffer, options: nil) }

    /// Makes a recipe of a buffer's pixels; the options are ignored.
    public convenience init(cvImageBuffer imageBuffer: CVImageBuffer, options: [CIImageOption: Any]?) {
        self.init(cvPixelBuffer: imageBuffer, options: options)
    }

    /// Makes the picture of a bitmap of 8 bits a component; empty for another.
    public convenience init(cgImage image: CGImage) { self.init(cgImage: image, options: nil) }

    /// Makes the picture of a bitmap; options are ignored.
    public convenience init(cgImage image: CGImage, options: [CIImageOption: Any]?) { self.init(image, Picture(image), properties: [:]) }

    private convenience init(_ image: CGImage, _ picture: Picture?, properties: [String: Any]) {
        let size = picture.map { CGSize(width: $0.width, height: $0.height) } ?? .zero
        self.init(extent: CGRect(origin: .zero, size: size), cgImage: image, properties: properties) { region, isLinear in
            picture?.tile(region, isLinear: isLinear) ?? Tile(region)
        }
    }

    /// Makes the picture of pixels in memory, the top row first, the colours multiplied by alpha; empty for a format without a name and for too few bytes.
    ///
    /// Without a space pixels are those that filters work on; one that is not linear is taken for sRGB.
    public convenience init(bitmapData data: Data, bytesPerRow: Int, size: CGSize, format: CIFormat, colorSpace: CGColorSpace?) {
        let (width, height) = (Int(size.width), Int(size.height))
        let isWhole =
            width > 0 && height > 0 && format.bytesPerPixel > 0 && bytesPerRow / format.bytesPerPixel >= width && data.count / bytesPerRow >= height
        self.init(extent: isWhole ? CGRect(x: 0, y: 0, width: width, height: height) : .null) { region, isLinear in
            var tile = Tile(region)
            data.withUnsafeBytes { bytes in
                tile.fill { x, y in format.pixel(bytes, at: (height - 1 - y) * bytesPerRow + x * format.bytesPerPixel) }
            }
            guard let colorSpace, CIContext.isLinear(colorSpace) != isLinear else { return tile }
            for index in tile.pixels.indices {
                tile.pixels[index] = tile.pixels[index].straight.curved(isLinear ? ColorCurve.linear : ColorCurve.coded).multiplied
            }
            return tile
        }
    }

    /// Decodes a JPEG or PNG file in memory; nil for another. Of the options `applyOrientationProperty` counts.
    public convenience init?(data: Data, options: [CIImageOption: Any]? = nil) {
        guard let source = CGImageSourceCreateWithData(data as CFData, nil), let image = CGImageSourceCreateImageAtIndex(source, 0, nil) else {
            return nil
        }
        let properties = CGImageSourceCopyPropertiesAtIndex(source, 0, nil)?.named ?? [:]
        let number = properties[kCGImagePropertyOrientation as String] as? Int ?? 1
        guard options?[.applyOrientationProperty] as? Bool == true, number != 1 else {
            self.init(image, Picture(image), properties: properties)
            return
        }
        let turned = CIImage(cgImage: image).oriented(forExifOrientation: Int32(number))
        self.init(extent: turned.extent, properties: properties) { turned.tile($0, isLinear: $1) }
    }

    /// Decodes a JPEG or PNG file; nil for another. Of the options `applyOrientationProperty` counts.
    public convenience init?(contentsOf url: URL, options: [CIImageOption: Any]? = nil) {
        guard let data = try? Data(contentsOf: url) else { return nil }
        self.init(data: data, options: options)
    }

    /// Makes the picture of one colour, without bounds.
    public convenience init(color: CIColor) {
        self.init(extent: .infinite) { region, isLinear in
            let value = color.pixel(isLinear: isLinear)
            var tile = Tile(region)
            tile.fill { _, _ in value }
            return tile
        }
    }

    /// Returns the picture without pixels.
    open class func empty() -> CIImage { CIImage(extent: .null) { region, _ in Tile(region) } }

    /// Space of the pixels that the picture was made of: a bitmap's; nil for others.
    open var colorSpace: CGColorSpace? { cgImage?.colorSpace }

    /// Picture of black.
    public class var black: CIImage { CIImage(color: .black) }
    /// Picture of white.
    public class var white: CIImage { CIImage(color: .white) }
    /// Picture of middle grey.
    public class var gray: CIImage { CIImage(color: .gray) }
    /// Picture of red.
    public class var red: CIImage { CIImage(color: .red) }
    /// Picture of green.
    public class var green: CIImage { CIImage(color: .green) }
    /// Picture of blue.
    public class var blue: CIImage { CIImage(color: .blue) }
    /// Picture without opacity and bounds.
    public class var clear: CIImage { CIImage(color: .clear) }
}

/// Option of a picture in the making.
public struct CIImageOption: RawRepresentable, Hashable, Sendable {
    /// Key as Core Image spells it.
    public let rawValue: String
    /// Makes a key; one without a name is ignored.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Space of the colours; ignored.
    public static let colorSpace = CIImageOption(rawValue: "CIImageColorSpace")
    /// Whether pixels are not mixed as the picture grows; ignored: they are.
    public static let nearestSampling = CIImageOption(rawValue: "CIImageNearestSampling")
    /// Whether a file's gain map brightens it; ignored, as files have none.
    public static let expandToHDR = CIImageOption(rawValue: "kCIImageExpandToHDR")
    /// Properties under ImageIO's keys; ignored.
    public static let properties = CIImageOption(rawValue: "CIImageProperties")
    /// Whether a file's picture is turned upright.
    public static let applyOrientationProperty = CIImageOption(rawValue: "CIImageApplyOrientationProperty")
    /// Whether the file's depth is meant; ignored, as files have none.
    public static let auxiliaryDepth = CIImageOption(rawValue: "kCIImageAuxiliaryDepth")
    /// Whether the file's disparity is meant; ignored, as files have none.
    public static let auxiliaryDisparity = CIImageOption(rawValue: "kCIImageAuxiliaryDisparity")
    /// Whether the picture is a matte of people; ignored.
    public static let auxiliaryPortraitEffectsMatte = CIImageOption(rawValue: "kCIImageAuxiliaryPortraitEffectsMatte")
    /// Whether the picture is a matte of hair; ignored.
    public static let auxiliarySemanticSegmentationHairMatte = CIImageOption(rawValue: "kCIImageAuxiliarySemanticSegmentationHairMatte")
    /// Whether the picture is a matte of skin; ignored.
    public static let auxiliarySemanticSegmentationSkinMatte = CIImageOption(rawValue: "kCIImageAuxiliarySemanticSegmentationSkinMatte")
    /// Whether the picture is a matte of teeth; ignored.
    public static let auxiliarySemanticSegmentationTeethMatte = CIImageOption(rawValue: "kCIImageAuxiliarySemanticSegmentationTeethMatte")
}
