import CoreVideo
import Foundation
import ImageIO

/// Version of a decoder of raw files.
public struct CIRAWDecoderVersion: RawRepresentable, Hashable, Sendable {
    /// Name of the version.
    public let rawValue: String
    /// Makes a version of any name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// None: the file's camera is not known.
    public static let versionNone = Self(rawValue: "None")
}

/// Development of a camera's raw file. There is no decoder of raw files: none can be made, as Core Image says of a file that it cannot develop.
open class CIRAWFilter: CIFilter {
    /// Makes the development of a file: always nil.
    public convenience init?(imageURL url: URL) { nil }
    /// Makes the development of a file's bytes: always nil.
    public convenience init?(imageData data: Data, identifierHint: String?) { nil }
    /// Makes the development of a sensor's picture: always nil.
    public convenience init?(cvPixelBuffer buffer: CVPixelBuffer, properties: [AnyHashable: Any]) { nil }

    /// Cameras whose files can be developed: none.
    open class var supportedCameraModels: [String] { [] }
    /// Versions of the decoder for the file: none.
    open var supportedDecoderVersions: [CIRAWDecoderVersion] { [] }
    /// Version of the decoder.
    open var decoderVersion = CIRAWDecoderVersion.versionNone
    /// Size of the picture in pixels, before `scaleFactor`.
    open var nativeSize: CGSize { .zero }
    /// Properties of the picture, as the file has them.
    open var properties: [AnyHashable: Any] { [:] }
    /// Picture in the file to show at once.
    open var previewImage: CIImage? { nil }
    /// Filter that runs on linear light, ahead of the tone curve.
    open var linearSpaceFilter: CIFilter?
    /// Way in which the picture is turned.
    open var orientation = CGImagePropertyOrientation.up
    /// Whether a quick and coarse picture will do.
    open var isDraftModeEnabled = false
    /// Size of the picture by that of the sensor's.
    open var scaleFactor: Float = 1
    /// Exposure in stops.
    open var exposure: Float = 0
    /// Exposure that the camera asks for, in stops.
    open var baselineExposure: Float = 0
    /// Shift of the shadows.
    open var shadowBias: Float = 0
    /// Amount of the tone curve, 0…1.
    open var boostAmount: Float = 1
    /// Amount by which shadows are lifted, 0…2.
    open var boostShadowAmount: Float = 1
    /// Whether colours are moved into the context's.
    open var isGamutMappingEnabled = true
    /// Amount of extended range, 0…2.
    open var extendedDynamicRangeAmount: Float = 0
    /// White as a chromaticity.
    open var neutralChromaticity = CGPoint.zero
    /// White as a point of the picture.
    open var neutralLocation = CGPoint.zero
    /// White as a temperature in kelvins.
    open var neutralTemperature: Float = 6500
    /// White as a tint.
    open var neutralTint: Float = 0
    /// Whether the lens can be corrected.
    open var isLensCorrectionSupported: Bool { false }
    /// Whether the lens is corrected.
    open var isLensCorrectionEnabled = false
    /// Whether lost highlights can be rebuilt.
    open var isHighlightRecoverySupported: Bool { false }
    /// Whether lost highlights are rebuilt.
    open var isHighlightRecoveryEnabled = false
    /// Whether noise of brightness can be reduced.
    open var isLuminanceNoiseReductionSupported: Bool { false }
    /// Amount by which noise of brightness is reduced, 0…1.
    open var luminanceNoiseReductionAmount: Float = 0
    /// Whether noise of colour can be reduced.
    open var isColorNoiseReductionSupported: Bool { false }
    /// Amount by which noise of colour is reduced, 0…1.
    open var colorNoiseReductionAmount: Float = 0
    /// Whether edges can be sharpened.
    open var isSharpnessSupported: Bool { false }
    /// Amount by which edges are sharpened, 0…1.
    open var sharpnessAmount: Float = 0
    /// Whether local contrast can be raised.
    open var isContrastSupported: Bool { false }
    /// Amount of local contrast, 0…1.
    open var contrastAmount: Float = 0
    /// Whether detail can be enhanced.
    open var isDetailSupported: Bool { false }
    /// Amount of detail, 0…3.
    open var detailAmount: Float = 0
    /// Whether moiré can be reduced.
    open var isMoireReductionSupported: Bool { false }
    /// Amount by which moiré is reduced, 0…1.
    open var moireReductionAmount: Float = 0
    /// Whether the camera's local tone map can be applied.
    open var isLocalToneMapSupported: Bool { false }
    /// Amount of the local tone map, 0…1.
    open var localToneMapAmount: Float = 0
}
