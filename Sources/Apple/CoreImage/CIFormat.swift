import Foundation

/// Layout of a pixel in memory.
public struct CIFormat: RawRepresentable, Hashable, Sendable {
    /// Number of the format; the numbers are this module's.
    public let rawValue: Int32
    /// Makes a format of a number; one without a name is not rendered.
    public init(rawValue: Int32) { self.rawValue = rawValue }
    /// Alpha, red, green, blue, a byte each.
    public static let ARGB8 = CIFormat(rawValue: 1)
    /// Blue, green, red, alpha, a byte each.
    public static let BGRA8 = CIFormat(rawValue: 2)
    /// Red, green, blue, alpha, a byte each.
    public static let RGBA8 = CIFormat(rawValue: 3)
    /// Brightness, a byte.
    public static let L8 = CIFormat(rawValue: 4)
    /// Red, green, blue, alpha, a 32-bit float each.
    public static let RGBAf = CIFormat(rawValue: 5)
    /// Red, green, blue, alpha, a 16-bit float each.
    public static let RGBAh = CIFormat(rawValue: 6)

    /// Bytes of a pixel; 0 for a number without a name.
    var bytesPerPixel: Int {
        switch self {
        case .ARGB8, .BGRA8, .RGBA8: 4
        case .L8: 1
        case .RGBAf: 16
        case .RGBAh: 8
        default: 0
        }
    }

    /// Places of red, green, blue and alpha among the bytes of a pixel; nil for others than four bytes.
    var places: [Int]? {
        switch self {
        case .ARGB8: [1, 2, 3, 0]
        case .BGRA8: [2, 1, 0, 3]
        case .RGBA8: [0, 1, 2, 3]
        default: nil
        }
    }

    /// Pixel in memory.
    func pixel(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> SIMD4<Float> {
        func byte(_ place: Int) -> Float { Float(bytes[offset + place]) / 255 }
        if let places { return SIMD4(byte(places[0]), byte(places[1]), byte(places[2]), byte(places[3])) }
        if self == .L8 { return SIMD4(SIMD3(repeating: byte(0)), 1) }
        if self == .RGBAh { return SIMD4<Float>(bytes.loadUnaligned(fromByteOffset: offset, as: SIMD4<Float16>.self)) }
        return bytes.loadUnaligned(fromByteOffset: offset, as: SIMD4<Float>.self)
    }
}

/// Option of a context.
public struct CIContextOption: RawRepresentable, Hashable, Sendable {
    /// Key as Core Image spells it.
    public let rawValue: String
    /// Makes a key; one without a name is ignored.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Space that filters work in: `NSNull()` for colours as they are stored; another is taken for linear sRGB.
    public static let workingColorSpace = CIContextOption(rawValue: "working_color_space")
    /// Space of pictures that name none: a linear one, or another, which is taken for sRGB.
    public static let outputColorSpace = CIContextOption(rawValue: "output_color_space")
    /// Format that filters work in; ignored: 32-bit floats.
    public static let workingFormat = CIContextOption(rawValue: "working_format")
    /// Whether the processor renders; ignored, as it always does.
    public static let useSoftwareRenderer = CIContextOption(rawValue: "software_renderer")
    /// Whether results are kept; ignored, as none are.
    public static let cacheIntermediates = CIContextOption(rawValue: "kCIContextCacheIntermediates")
    /// Whether pictures are averaged as they shrink; ignored, as they always are.
    public static let highQualityDownsample = CIContextOption(rawValue: "high_quality_downsample")
    /// Whether others go first; ignored.
    public static let priorityRequestLow = CIContextOption(rawValue: "low_priority")
    /// Whether the device may do other things meanwhile; ignored.
    public static let allowLowPower = CIContextOption(rawValue: "kCIContextAllowLowPower")
    /// Whether colours are multiplied by alpha; ignored, as they are.
    public static let outputPremultiplied = CIContextOption(rawValue: "output_premultiplied")
    /// Name for people; ignored.
    public static let name = CIContextOption(rawValue: "kCIContextName")
}

/// Option of a picture's file.
public struct CIImageRepresentationOption: RawRepresentable, Hashable, Sendable {
    /// Key as ImageIO or Core Image spells it.
    public let rawValue: String
    /// Makes a key: that of ImageIO's quality counts, others are ignored.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Map beside the picture: depth; ignored.
    public static let avDepthData = CIImageRepresentationOption(rawValue: "kCIImageRepresentationAVDepthData")
    /// Map beside the picture: depth as a picture; ignored.
    public static let depthImage = CIImageRepresentationOption(rawValue: "kCIImageRepresentationDepthImage")
    /// Map beside the picture: disparity as a picture; ignored.
    public static let disparityImage = CIImageRepresentationOption(rawValue: "kCIImageRepresentationDisparityImage")
    /// Map beside the picture: a matte of people; ignored.
    public static let portraitEffectsMatteImage = CIImageRepresentationOption(rawValue: "kCIImageRepresentationPortraitEffectsMatteImage")
    /// Map beside the picture: a matte of hair; ignored.
    public static let semanticSegmentationHairMatteImage = CIImageRepresentationOption(
        rawValue: "kCIImageRepresentationSemanticSegmentationHairMatteImage")
    /// Map beside the picture: a matte of skin; ignored.
    public static let semanticSegmentationSkinMatteImage = CIImageRepresentationOption(
        rawValue: "kCIImageRepresentationSemanticSegmentationSkinMatteImage")
    /// Map beside the picture: a matte of teeth; ignored.
    public static let semanticSegmentationTeethMatteImage = CIImageRepresentationOption(
        rawValue: "kCIImageRepresentationSemanticSegmentationTeethMatteImage")
}

// `kCGImageDestinationLossyCompressionQuality as CIImageRepresentationOption`, as Core Image's header spells it.
extension CIImageRepresentationOption: _ObjectiveCBridgeable {
    /// Text of the key, as Foundation's class.
    public func _bridgeToObjectiveC() -> NSString { NSString(string: rawValue) }
    /// Makes a key of a text.
    public static func _forceBridgeFromObjectiveC(_ source: NSString, result: inout CIImageRepresentationOption?) {
        result = _unconditionallyBridgeFromObjectiveC(source)
    }
    /// Makes a key of a text; always can.
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSString, result: inout CIImageRepresentationOption?) -> Bool {
        result = _unconditionallyBridgeFromObjectiveC(source)
        return true
    }
    /// Makes a key of a text, an empty one of nil.
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSString?) -> CIImageRepresentationOption {
        CIImageRepresentationOption(rawValue: source.map { String(describing: $0) } ?? "")
    }
}
