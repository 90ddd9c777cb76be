import CoreVideo
import Foundation

/// Matte of a part of people beside a photo; no photo here brings one.
public final class AVSemanticSegmentationMatte: NSObject, Sendable {
    /// Part that the matte shows.
    public struct MatteType: RawRepresentable, Hashable, Sendable {
        /// Name of the part, as Apple spells it.
        public let rawValue: String
        /// Makes a part from its name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// Hair.
        public static let hair = MatteType(rawValue: "AVSemanticSegmentationMatteTypeHair")
        /// Skin.
        public static let skin = MatteType(rawValue: "AVSemanticSegmentationMatteTypeSkin")
        /// Teeth.
        public static let teeth = MatteType(rawValue: "AVSemanticSegmentationMatteTypeTeeth")
        /// Glasses.
        public static let glasses = MatteType(rawValue: "AVSemanticSegmentationMatteTypeGlasses")
    }

    /// Part that the matte shows.
    public let matteType: MatteType
    /// Shares of the part in each pixel.
    public let mattingImage: CVPixelBuffer

    private init(_ matteType: MatteType, _ mattingImage: CVPixelBuffer) { (self.matteType, self.mattingImage) = (matteType, mattingImage) }

    /// Throws `AVError`: no file here has a matte.
    public convenience init(
        fromImageSourceAuxiliaryDataType imageSourceAuxiliaryDataType: CFString,
        dictionaryRepresentation imageSourceAuxiliaryDataInfoDictionary: [AnyHashable: Any]
    ) throws { throw AVError(.unknown, reason: "mattes of files are not read") }

    /// Returns what a file keeps: nil, as mattes are not written.
    public func dictionaryRepresentation(forAuxiliaryDataType outAuxDataType: UnsafeMutablePointer<NSString?>?) -> [AnyHashable: Any]? { nil }

    /// Format of `mattingImage`.
    public var pixelFormatType: OSType { mattingImage.format }

    /// Returns the matte turned upright from an orientation of EXIF.
    public func applyingExifOrientation(_ exifOrientation: CGImagePropertyOrientation) -> Self {
        Self(matteType, mattingImage.turned(from: exifOrientation, bytesPerPixel: 1))
    }
}

/// Matte of the people in front beside a photo; no photo here brings one.
public final class AVPortraitEffectsMatte: NSObject, Sendable {
    /// Shares of people in each pixel.
    public let mattingImage: CVPixelBuffer

    private init(_ mattingImage: CVPixelBuffer) { self.mattingImage = mattingImage }

    /// Throws `AVError`: no file here has a matte.
    public convenience init(fromDictionaryRepresentation imageSourceAuxDataInfoDictionary: [AnyHashable: Any]) throws {
        throw AVError(.unknown, reason: "mattes of files are not read")
    }

    /// Returns what a file keeps: nil, as mattes are not written.
    public func dictionaryRepresentation(forAuxiliaryDataType outAuxDataType: UnsafeMutablePointer<NSString?>?) -> [AnyHashable: Any]? { nil }

    /// Format of `mattingImage`.
    public var pixelFormatType: OSType { mattingImage.format }

    /// Returns the matte turned upright from an orientation of EXIF.
    public func applyingExifOrientation(_ exifOrientation: CGImagePropertyOrientation) -> Self {
        Self(mattingImage.turned(from: exifOrientation, bytesPerPixel: 1))
    }
}
