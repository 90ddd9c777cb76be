import CoreImage
import CoreVideo
import Foundation
import ImageIO

/// Picture with its scale and the way in which it is turned.
open class UIImage: NSObject, @unchecked Sendable {
    /// Stored pixels; nil for a picture of nothing and for Core Image's.
    public let cgImage: CGImage?
    /// Recipe of Core Image's that the picture was made of; nil for others. Nothing is worked out: `CIContext` makes pixels of it.
    public let ciImage: CIImage?
    /// Pixels of a point.
    public let scale: CGFloat
    /// Way in which the stored picture is turned.
    public let imageOrientation: Orientation
    /// Way of drawing it in a view, by `withRenderingMode(_:)`; nothing here depends on it.
    public internal(set) var renderingMode = RenderingMode.automatic

    /// Way in which a stored picture is turned.
    public enum Orientation: Int, Sendable {
        /// As stored.
        case up = 0
        /// By half a turn.
        case down = 1
        /// By a quarter, counter-clockwise.
        case left = 2
        /// By a quarter, clockwise.
        case right = 3
        /// Mirrored left to right.
        case upMirrored = 4
        /// Mirrored top to bottom.
        case downMirrored = 5
        /// Mirrored left to right, then turned by a quarter, counter-clockwise.
        case leftMirrored = 6
        /// Mirrored left to right, then turned by a quarter, clockwise.
        case rightMirrored = 7

        /// Orientations in the order of EXIF's numbers, from 1.
        private static let byNumber: [Orientation] = [.up, .upMirrored, .down, .downMirrored, .leftMirrored, .right, .rightMirrored, .left]

        /// Number in EXIF, 1…8.
        var number: Int { (Self.byNumber.firstIndex(of: self) ?? 0) + 1 }
        /// The same for Core Graphics.
        var turn: (isMirrored: Bool, quarters: Int) { CGImagePropertyOrientation(rawValue: UInt32(number))?.turn ?? (false, 0) }
        /// Makes the orientation of a number of EXIF; `.up` for another number.
        init(number: Int) { self = Self.byNumber.indices.contains(number - 1) ? Self.byNumber[number - 1] : .up }
    }

    /// Makes a picture of nothing, 0 × 0.
    public override init() { (cgImage, ciImage, scale, imageOrientation) = (nil, nil, 1, .up) }

    /// Makes a picture of a bitmap, unscaled and as stored.
    public convenience init(cgImage: CGImage) { self.init(cgImage: cgImage, scale: 1, orientation: .up) }

    /// Makes a picture of a bitmap; `scale` is pixels of a point.
    public init(cgImage: CGImage, scale: CGFloat, orientation: Orientation) {
        self.cgImage = cgImage
        ciImage = nil
        self.scale = scale
        imageOrientation = orientation
    }

    /// Makes a picture of Core Image's, unscaled and as it is.
    public convenience init(ciImage: CIImage) { self.init(ciImage: ciImage, scale: 1, orientation: .up) }

    /// Makes a picture of Core Image's; `scale` is pixels of a point.
    public init(ciImage: CIImage, scale: CGFloat, orientation: Orientation) {
        cgImage = nil
        self.ciImage = ciImage
        self.scale = scale
        imageOrientation = orientation
    }

    /// Decodes a JPEG or PNG file in memory; nil for another.
    public convenience init?(data: Data) { self.init(data: data, scale: 1) }

    /// Decodes a JPEG or PNG file in memory; nil for another.
    public convenience init?(data: Data, scale: CGFloat) {
        guard let source = CGImageSourceCreateWithData(data as CFData, nil), let image = CGImageSourceCreateImageAtIndex(source, 0, nil) else {
            return nil
        }
        let number = CGImageSourceCopyPropertiesAtIndex(source, 0, nil)?[kCGImagePropertyOrientation] as? Int ?? 1
        self.init(cgImage: image, scale: scale, orientation: Orientation(number: number))
    }

    /// Decodes a JPEG or PNG file; nil for another.
    public convenience init?(contentsOfFile path: String) {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        self.init(data: data)
    }

    /// Size in points, as turned.
    open var size: CGSize {
        let pixels = ciImage?.extent.size ?? CGSize(width: cgImage?.width ?? 0, height: cgImage?.height ?? 0)
        let (width, height) = (pixels.width / scale, pixels.height / scale)
        return imageOrientation.number > 4 ? CGSize(width: height, height: width) : CGSize(width: width, height: height)
    }

    /// Encodes as JPEG with the orientation in its EXIF data; quality 0…1. Nil for bitmaps that ImageIO does not encode.
    open func jpegData(compressionQuality: CGFloat) -> Data? {
        let number = imageOrientation.number
        return encoded("public.jpeg", [kCGImageDestinationLossyCompressionQuality: compressionQuality, kCGImagePropertyOrientation: number])
    }

    /// Encodes as PNG, the pixels as stored. Nil for bitmaps that ImageIO does not encode.
    open func pngData() -> Data? { encoded("public.png", [:]) }

    private func encoded(_ type: CFString, _ properties: CFDictionary) -> Data? {
        let file = NSMutableData()
        guard let cgImage, let destination = CGImageDestinationCreateWithData(file, type, 1, nil) else { return nil }
        CGImageDestinationAddImage(destination, cgImage, properties)
        return CGImageDestinationFinalize(destination) ? file as Data : nil
    }
}

extension CIImage {
    /// Makes a recipe of a picture's pixels as stored; nil for a picture of nothing.
    public convenience init?(image: UIImage) {
        if let recipe = image.ciImage {
            self.init(recipe)
        } else if let bitmap = image.cgImage {
            self.init(cgImage: bitmap)
        } else {
            return nil
        }
    }
}

extension CIColor {
    /// Makes a colour of UIKit's.
    public convenience init(color: UIColor) { self.init(cgColor: color.cgColor) }
}
