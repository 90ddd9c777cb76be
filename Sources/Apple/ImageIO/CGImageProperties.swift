import CoreVideo

// Keys of a picture's properties.

/// Dictionary of EXIF's own properties.
public let kCGImagePropertyExifDictionary: CFString = "{Exif}"
/// Dictionary of TIFF's properties: camera and file.
public let kCGImagePropertyTIFFDictionary: CFString = "{TIFF}"
/// Dictionary of the place.
public let kCGImagePropertyGPSDictionary: CFString = "{GPS}"
/// Width as stored, in pixels.
public let kCGImagePropertyPixelWidth: CFString = "PixelWidth"
/// Height as stored, in pixels.
public let kCGImagePropertyPixelHeight: CFString = "PixelHeight"
/// Orientation, 1…8.
public let kCGImagePropertyOrientation: CFString = "Orientation"
/// Bits of a component.
public let kCGImagePropertyDepth: CFString = "Depth"
/// Whether there is alpha.
public let kCGImagePropertyHasAlpha: CFString = "HasAlpha"
/// Kind of colours: `kCGImagePropertyColorModelRGB` or `kCGImagePropertyColorModelGray`.
public let kCGImagePropertyColorModel: CFString = "ColorModel"
/// Red, green and blue.
public let kCGImagePropertyColorModelRGB: CFString = "RGB"
/// Grey.
public let kCGImagePropertyColorModelGray: CFString = "Gray"

/// Quality of a JPEG file, 0…1; without it 0.85.
public let kCGImageDestinationLossyCompressionQuality: CFString = "kCGImageDestinationLossyCompressionQuality"
/// Most pixels of the longer side of a picture that is added.
public let kCGImageDestinationImageMaxPixelSize: CFString = "kCGImageDestinationImageMaxPixelSize"

/// Most pixels of the longer side of a thumbnail.
public let kCGImageSourceThumbnailMaxPixelSize: CFString = "kCGImageSourceThumbnailMaxPixelSize"
/// Whether a thumbnail is made of the picture even where the file has one; files' own are never used here.
public let kCGImageSourceCreateThumbnailFromImageAlways: CFString = "kCGImageSourceCreateThumbnailFromImageAlways"
/// Whether a thumbnail is made of the picture where the file has none.
public let kCGImageSourceCreateThumbnailFromImageIfAbsent: CFString = "kCGImageSourceCreateThumbnailFromImageIfAbsent"
/// Whether a thumbnail is turned upright.
public let kCGImageSourceCreateThumbnailWithTransform: CFString = "kCGImageSourceCreateThumbnailWithTransform"
/// Whether pixels are kept once they are decoded; without effect.
public let kCGImageSourceShouldCache: CFString = "kCGImageSourceShouldCache"
/// Whether pixels are decoded at once; without effect, as they are.
public let kCGImageSourceShouldCacheImmediately: CFString = "kCGImageSourceShouldCacheImmediately"

/// Way in which a stored picture is turned: where its row 0 and its column 0 belong.
public enum CGImagePropertyOrientation: UInt32, Sendable {
    /// Row 0 at the top, column 0 at the left.
    case up = 1
    /// Row 0 at the top, column 0 at the right.
    case upMirrored = 2
    /// Row 0 at the bottom, column 0 at the right.
    case down = 3
    /// Row 0 at the bottom, column 0 at the left.
    case downMirrored = 4
    /// Row 0 at the left, column 0 at the top.
    case leftMirrored = 5
    /// Row 0 at the right, column 0 at the top.
    case right = 6
    /// Row 0 at the right, column 0 at the bottom.
    case rightMirrored = 7
    /// Row 0 at the left, column 0 at the bottom.
    case left = 8
}
