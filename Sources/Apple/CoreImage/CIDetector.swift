import CoreVideo
import Foundation

/// Kind of detector: faces.
public let CIDetectorTypeFace = "CIDetectorTypeFace"
/// Kind of detector: rectangles.
public let CIDetectorTypeRectangle = "CIDetectorTypeRectangle"
/// Kind of detector: QR codes.
public let CIDetectorTypeQRCode = "CIDetectorTypeQRCode"
/// Kind of detector: lines of text.
public let CIDetectorTypeText = "CIDetectorTypeText"
/// Option of how well a detector looks, one of `CIDetectorAccuracyLow` and `CIDetectorAccuracyHigh`.
public let CIDetectorAccuracy = "CIDetectorAccuracy"
/// Quickly.
public let CIDetectorAccuracyLow = "CIDetectorAccuracyLow"
/// Well.
public let CIDetectorAccuracyHigh = "CIDetectorAccuracyHigh"
/// Option of whether faces are followed from picture to picture.
public let CIDetectorTracking = "CIDetectorTracking"
/// Option of the least size of a face, as a share of the shorter side.
public let CIDetectorMinFeatureSize = "CIDetectorMinFeatureSize"
/// Option of the most features.
public let CIDetectorMaxFeatureCount = "CIDetectorMaxFeatureCount"
/// Option of how the picture is turned, by EXIF's number.
public let CIDetectorImageOrientation = "CIDetectorImageOrientation"
/// Option of whether closed eyes are told.
public let CIDetectorEyeBlink = "CIDetectorEyeBlink"
/// Option of whether smiles are told.
public let CIDetectorSmile = "CIDetectorSmile"
/// Option of a rectangle's width by its height.
public let CIDetectorAspectRatio = "CIDetectorAspectRatio"

/// Finder of faces, rectangles, codes or text. There is none of any kind: none can be made, as Core Image says of a kind that a system does not have.
open class CIDetector: NSObject {
    /// Makes a detector of a kind: always nil.
    public init?(ofType type: String, context: CIContext?, options: [String: Any]? = nil) { nil }
    /// Features of a picture.
    open func features(in image: CIImage) -> [CIFeature] { [] }
    /// Features of a picture, looked for with options.
    open func features(in image: CIImage, options: [String: Any]? = nil) -> [CIFeature] { [] }
}

/// Kind of a feature: a face.
public let CIFeatureTypeFace = "Face"
/// Kind of a feature: a rectangle.
public let CIFeatureTypeRectangle = "Rectangle"
/// Kind of a feature: a QR code.
public let CIFeatureTypeQRCode = "QRCode"
/// Kind of a feature: a line of text.
public let CIFeatureTypeText = "Text"

/// Thing that a detector found: for code that names it, as no detector is there to make one.
open class CIFeature: NSObject {
    /// Kind, one of `CIFeatureType…`.
    open var type: String { "" }
    /// Rectangle about it in the picture.
    open var bounds: CGRect { .null }
    override init() { super.init() }
}

/// Feature of four corners.
open class CIRectangleFeature: CIFeature {
    /// Kind: a rectangle.
    open override var type: String { CIFeatureTypeRectangle }
    /// Corner at the top left.
    open var topLeft: CGPoint { .zero }
    /// Corner at the top right.
    open var topRight: CGPoint { .zero }
    /// Corner at the bottom left.
    open var bottomLeft: CGPoint { .zero }
    /// Corner at the bottom right.
    open var bottomRight: CGPoint { .zero }
}

/// QR code.
open class CIQRCodeFeature: CIFeature {
    /// Kind: a QR code.
    open override var type: String { CIFeatureTypeQRCode }
    /// Text of the code; nil where it could not be read.
    open var messageString: String? { nil }
    /// Corner at the top left.
    open var topLeft: CGPoint { .zero }
    /// Corner at the top right.
    open var topRight: CGPoint { .zero }
    /// Corner at the bottom left.
    open var bottomLeft: CGPoint { .zero }
    /// Corner at the bottom right.
    open var bottomRight: CGPoint { .zero }
}

/// Line of text.
open class CITextFeature: CIFeature {
    /// Kind: a line of text.
    open override var type: String { CIFeatureTypeText }
    /// Words of the line.
    open var subFeatures: [Any]? { nil }
}

/// Face.
open class CIFaceFeature: CIFeature {
    /// Kind: a face.
    open override var type: String { CIFeatureTypeFace }
    /// Whether the left eye was found.
    open var hasLeftEyePosition: Bool { false }
    /// Middle of the left eye.
    open var leftEyePosition: CGPoint { .zero }
    /// Whether the right eye was found.
    open var hasRightEyePosition: Bool { false }
    /// Middle of the right eye.
    open var rightEyePosition: CGPoint { .zero }
    /// Whether the mouth was found.
    open var hasMouthPosition: Bool { false }
    /// Middle of the mouth.
    open var mouthPosition: CGPoint { .zero }
    /// Whether the face smiles.
    open var hasSmile: Bool { false }
    /// Whether the left eye is closed.
    open var leftEyeClosed: Bool { false }
    /// Whether the right eye is closed.
    open var rightEyeClosed: Bool { false }
    /// Whether it is known how the face is tilted.
    open var hasFaceAngle: Bool { false }
    /// Tilt of the face, degrees.
    open var faceAngle: Float { 0 }
    /// Whether the face is followed.
    open var hasTrackingID: Bool { false }
    /// Number of the face.
    open var trackingID: Int32 { 0 }
}
