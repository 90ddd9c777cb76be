import CoreVideo
import Foundation

// Further filters made by functions.

/// Filter of a picture between four corners.
public protocol CIFourCoordinateGeometryFilter: CIInputImageFilter {
    /// Corner at the top left.
    var topLeft: CGPoint { get set }
    /// Corner at the top right.
    var topRight: CGPoint { get set }
    /// Corner at the bottom right.
    var bottomRight: CGPoint { get set }
    /// Corner at the bottom left.
    var bottomLeft: CGPoint { get set }
}
/// The part between four corners, laid out straight.
public protocol CIPerspectiveCorrection: CIFourCoordinateGeometryFilter {
    /// Whether the rest is left out; kept, as it always is.
    var crop: Bool { get set }
}
/// The picture between four corners.
public protocol CIPerspectiveTransform: CIFourCoordinateGeometryFilter {}
/// Rectangle with round corners.
public protocol CIRoundedRectangleGenerator: CIFilterProtocol {
    /// The rectangle.
    var extent: CGRect { get set }
    /// Radius of its corners, pixels.
    var radius: Float { get set }
    /// Its colour.
    var color: CIColor { get set }
}
/// Edge of a rectangle with round corners.
public protocol CIRoundedRectangleStrokeGenerator: CIFilterProtocol {
    /// The rectangle.
    var extent: CGRect { get set }
    /// Radius of its corners, pixels.
    var radius: Float { get set }
    /// Width of the edge, pixels.
    var width: Float { get set }
    /// Its colour.
    var color: CIColor { get set }
}
/// Colours along a line.
public protocol CILinearGradient: CIFilterProtocol {
    /// Place of the first colour.
    var point0: CGPoint { get set }
    /// Place of the second colour.
    var point1: CGPoint { get set }
    /// The first colour.
    var color0: CIColor { get set }
    /// The second colour.
    var color1: CIColor { get set }
}
/// Colours from a circle to another about the same point.
public protocol CIRadialGradient: CIFilterProtocol {
    /// The point.
    var center: CGPoint { get set }
    /// Radius of the first colour, pixels.
    var radius0: Float { get set }
    /// Radius of the second colour, pixels.
    var radius1: Float { get set }
    /// The first colour.
    var color0: CIColor { get set }
    /// The second colour.
    var color1: CIColor { get set }
}
/// Squares of one colour.
public protocol CIPixellate: CIInputImageFilter {
    /// Corner of a square.
    var center: CGPoint { get set }
    /// Side of a square, pixels.
    var scale: Float { get set }
}
/// Colours by a table.
public protocol CIColorCube: CIInputImageFilter {
    /// Entries of the table along an axis, 2…128.
    var cubeDimension: Float { get set }
    /// Entries as numbers of red, green, blue and alpha, red the fastest.
    var cubeData: Data { get set }
    /// Whether the table is continued beyond 0…1; kept.
    var extrapolate: Bool { get set }
}
/// Colours by a table of sRGB.
public protocol CIColorCubeWithColorSpace: CIInputImageFilter {
    /// Entries of the table along an axis, 2…128.
    var cubeDimension: Float { get set }
    /// Entries as numbers of red, green, blue and alpha, red the fastest.
    var cubeData: Data { get set }
    /// Space of the table; kept: it is sRGB.
    var colorSpace: CGColorSpace? { get set }
    /// Whether the table is continued beyond 0…1; kept.
    var extrapolate: Bool { get set }
}
/// Look of a film.
public protocol CIPhotoEffect: CIInputImageFilter {
    /// Whether it goes beyond 0…1; kept.
    var extrapolate: Bool { get set }
}
/// Grey of the greatest component.
public protocol CIMaximumComponent: CIInputImageFilter {}
/// Grey of the least component.
public protocol CIMinimumComponent: CIInputImageFilter {}
/// White, as opaque as the picture is bright.
public protocol CIMaskToAlpha: CIInputImageFilter {}
/// Components that are 0 or 1.
public protocol CIColorThreshold: CIInputImageFilter {
    /// The least that becomes 1.
    var threshold: Float { get set }
}
/// Colours times that of a light.
public protocol CIWhitePointAdjust: CIInputImageFilter {
    /// The light.
    var color: CIColor { get set }
}
/// Sharper edges.
public protocol CIUnsharpMask: CIInputImageFilter {
    /// Standard deviation of the mean, pixels.
    var radius: Float { get set }
    /// Strength.
    var intensity: Float { get set }
}
/// Turned hues.
public protocol CIHueAdjust: CIInputImageFilter {
    /// Angle, radians.
    var angle: Float { get set }
}
/// Components within bounds.
public protocol CIColorClamp: CIInputImageFilter {
    /// The least.
    var minComponents: CIVector { get set }
    /// The greatest.
    var maxComponents: CIVector { get set }
}
/// Edges repeated without end, then a map.
public protocol CIAffineClamp: CIInputImageFilter {
    /// The map.
    var transform: CGAffineTransform { get set }
}
/// A picture that turns into another.
public protocol CITransitionFilter: CIInputImageFilter {
    /// The other.
    var targetImage: CIImage? { get set }
    /// Amount of it, 0…1.
    var time: Float { get set }
}
/// A picture that fades into another.
public protocol CIDissolveTransition: CITransitionFilter {}

extension BuiltinFilter:
    CIPerspectiveCorrection, CIPerspectiveTransform, CIRoundedRectangleGenerator, CIRoundedRectangleStrokeGenerator,
    CILinearGradient, CIRadialGradient, CIPixellate, CIColorCube, CIColorCubeWithColorSpace, CIPhotoEffect, CIMaximumComponent,
    CIMinimumComponent, CIMaskToAlpha, CIColorThreshold, CIWhitePointAdjust, CIUnsharpMask, CIHueAdjust, CIColorClamp, CIAffineClamp,
    CIDissolveTransition
{
    var topLeft: CGPoint {
        get { vector("inputTopLeft").cgPointValue }
        set { setValue(CIVector(cgPoint: newValue), forKey: "inputTopLeft") }
    }
    var topRight: CGPoint {
        get { vector("inputTopRight").cgPointValue }
        set { setValue(CIVector(cgPoint: newValue), forKey: "inputTopRight") }
    }
    var bottomRight: CGPoint {
        get { vector("inputBottomRight").cgPointValue }
        set { setValue(CIVector(cgPoint: newValue), forKey: "inputBottomRight") }
    }
    var bottomLeft: CGPoint {
        get { vector("inputBottomLeft").cgPointValue }
        set { setValue(CIVector(cgPoint: newValue), forKey: "inputBottomLeft") }
    }
    var crop: Bool {
        get { number("inputCrop") != 0 }
        set { set("inputCrop", newValue ? 1 : 0) }
    }
    var width: Float {
        get { number(kCIInputWidthKey) }
        set { set(kCIInputWidthKey, newValue) }
    }
    var point0: CGPoint {
        get { vector("inputPoint0").cgPointValue }
        set { setValue(CIVector(cgPoint: newValue), forKey: "inputPoint0") }
    }
    var point1: CGPoint {
        get { vector("inputPoint1").cgPointValue }
        set { setValue(CIVector(cgPoint: newValue), forKey: "inputPoint1") }
    }
    var color0: CIColor {
        get { value(forKey: "inputColor0") as? CIColor ?? .clear }
        set { setValue(newValue, forKey: "inputColor0") }
    }
    var color1: CIColor {
        get { value(forKey: "inputColor1") as? CIColor ?? .clear }
        set { setValue(newValue, forKey: "inputColor1") }
    }
    var center: CGPoint {
        get { vector(kCIInputCenterKey).cgPointValue }
        set { setValue(CIVector(cgPoint: newValue), forKey: kCIInputCenterKey) }
    }
    var radius0: Float {
        get { number("inputRadius0") }
        set { set("inputRadius0", newValue) }
    }
    var radius1: Float {
        get { number("inputRadius1") }
        set { set("inputRadius1", newValue) }
    }
    var cubeDimension: Float {
        get { number("inputCubeDimension") }
        set { set("inputCubeDimension", newValue) }
    }
    var cubeData: Data {
        get { value(forKey: "inputCubeData") as? Data ?? Data() }
        set { setValue(newValue, forKey: "inputCubeData") }
    }
    var extrapolate: Bool {
        get { number("inputExtrapolate") != 0 }
        set { set("inputExtrapolate", newValue ? 1 : 0) }
    }
    var colorSpace: CGColorSpace? {
        get { value(forKey: "inputColorSpace") as? CGColorSpace }
        set { setValue(newValue, forKey: "inputColorSpace") }
    }
    var threshold: Float {
        get { number("inputThreshold") }
        set { set("inputThreshold", newValue) }
    }
    var angle: Float {
        get { number(kCIInputAngleKey) }
        set { set(kCIInputAngleKey, newValue) }
    }
    var minComponents: CIVector {
        get { vector("inputMinComponents") }
        set { setValue(newValue, forKey: "inputMinComponents") }
    }
    var maxComponents: CIVector {
        get { vector("inputMaxComponents") }
        set { setValue(newValue, forKey: "inputMaxComponents") }
    }
    var transform: CGAffineTransform {
        get { value(forKey: kCIInputTransformKey) as? CGAffineTransform ?? .identity }
        set { setValue(newValue, forKey: kCIInputTransformKey) }
    }
    var targetImage: CIImage? {
        get { value(forKey: kCIInputTargetImageKey) as? CIImage }
        set { setValue(newValue, forKey: kCIInputTargetImageKey) }
    }
    var time: Float {
        get { number(kCIInputTimeKey) }
        set { set(kCIInputTimeKey, newValue) }
    }
}

extension CIFilter {
    /// Makes a filter that lays the part between four corners out straight.
    public class func perspectiveCorrection() -> any CIFilter & CIPerspectiveCorrection { BuiltinFilter.make("CIPerspectiveCorrection") }
    /// Makes a filter that puts the picture between four corners.
    public class func perspectiveTransform() -> any CIFilter & CIPerspectiveTransform { BuiltinFilter.make("CIPerspectiveTransform") }
    /// Makes a rectangle with round corners.
    public class func roundedRectangleGenerator() -> any CIFilter & CIRoundedRectangleGenerator { BuiltinFilter.make("CIRoundedRectangleGenerator") }
    /// Makes the edge of a rectangle with round corners.
    public class func roundedRectangleStrokeGenerator() -> any CIFilter & CIRoundedRectangleStrokeGenerator {
        BuiltinFilter.make("CIRoundedRectangleStrokeGenerator")
    }
    /// Makes colours along a line.
    public class func linearGradient() -> any CIFilter & CILinearGradient { BuiltinFilter.make("CILinearGradient") }
    /// Makes colours from a circle to another.
    public class func radialGradient() -> any CIFilter & CIRadialGradient { BuiltinFilter.make("CIRadialGradient") }
    /// Makes a filter to squares of one colour.
    public class func pixellate() -> any CIFilter & CIPixellate { BuiltinFilter.make("CIPixellate") }
    /// Makes a filter of colours by a table.
    public class func colorCube() -> any CIFilter & CIColorCube { BuiltinFilter.make("CIColorCube") }
    /// Makes a filter of colours by a table of sRGB.
    public class func colorCubeWithColorSpace() -> any CIFilter & CIColorCubeWithColorSpace { BuiltinFilter.make("CIColorCubeWithColorSpace") }
    /// Makes a filter to the greatest component.
    public class func maximumComponent() -> any CIFilter & CIMaximumComponent { BuiltinFilter.make("CIMaximumComponent") }
    /// Makes a filter to the least component.
    public class func minimumComponent() -> any CIFilter & CIMinimumComponent { BuiltinFilter.make("CIMinimumComponent") }
    /// Makes a filter from brightness to opacity.
    public class func maskToAlpha() -> any CIFilter & CIMaskToAlpha { BuiltinFilter.make("CIMaskToAlpha") }
    /// Makes a filter to components of 0 or 1.
    public class func colorThreshold() -> any CIFilter & CIColorThreshold { BuiltinFilter.make("CIColorThreshold") }
    /// Makes a filter of the light.
    public class func whitePointAdjust() -> any CIFilter & CIWhitePointAdjust { BuiltinFilter.make("CIWhitePointAdjust") }
    /// Makes a filter to sharper edges.
    public class func unsharpMask() -> any CIFilter & CIUnsharpMask { BuiltinFilter.make("CIUnsharpMask") }
    /// Makes a filter that turns hues.
    public class func hueAdjust() -> any CIFilter & CIHueAdjust { BuiltinFilter.make("CIHueAdjust") }
    /// Makes a filter of bounds.
    public class func colorClamp() -> any CIFilter & CIColorClamp { BuiltinFilter.make("CIColorClamp") }
    /// Makes a filter that repeats the edges.
    public class func affineClamp() -> any CIFilter & CIAffineClamp { BuiltinFilter.make("CIAffineClamp") }
    /// Makes a filter that fades a picture into another.
    public class func dissolveTransition() -> any CIFilter & CIDissolveTransition { BuiltinFilter.make("CIDissolveTransition") }
    /// Makes a look of greys.
    public class func photoEffectMono() -> any CIFilter & CIPhotoEffect { BuiltinFilter.make("CIPhotoEffectMono") }
    /// Makes a look of greys.
    public class func photoEffectNoir() -> any CIFilter & CIPhotoEffect { BuiltinFilter.make("CIPhotoEffectNoir") }
    /// Makes a look of greys.
    public class func photoEffectTonal() -> any CIFilter & CIPhotoEffect { BuiltinFilter.make("CIPhotoEffectTonal") }
    /// Makes a filter that multiplies two pictures where both are opaque.
    public class func multiplyBlendMode() -> any CIFilter & CICompositeOperation { BuiltinFilter.make("CIMultiplyBlendMode") }
    /// Makes a filter that multiplies what two pictures lack.
    public class func screenBlendMode() -> any CIFilter & CICompositeOperation { BuiltinFilter.make("CIScreenBlendMode") }
    /// Makes a filter that multiplies or screens, by the picture beneath.
    public class func overlayBlendMode() -> any CIFilter & CICompositeOperation { BuiltinFilter.make("CIOverlayBlendMode") }
    /// Makes a filter that multiplies or screens, by the picture above.
    public class func hardLightBlendMode() -> any CIFilter & CICompositeOperation { BuiltinFilter.make("CIHardLightBlendMode") }
    /// Makes a filter that darkens or lightens, by the picture above.
    public class func softLightBlendMode() -> any CIFilter & CICompositeOperation { BuiltinFilter.make("CISoftLightBlendMode") }
    /// Makes a filter that brightens the picture beneath by the one above.
    public class func colorDodgeBlendMode() -> any CIFilter & CICompositeOperation { BuiltinFilter.make("CIColorDodgeBlendMode") }
    /// Makes a filter that darkens the picture beneath by the one above.
    public class func colorBurnBlendMode() -> any CIFilter & CICompositeOperation { BuiltinFilter.make("CIColorBurnBlendMode") }
    /// Makes a filter that takes the difference of two pictures.
    public class func differenceBlendMode() -> any CIFilter & CICompositeOperation { BuiltinFilter.make("CIDifferenceBlendMode") }
    /// Makes a filter that takes the difference, with less contrast.
    public class func exclusionBlendMode() -> any CIFilter & CICompositeOperation { BuiltinFilter.make("CIExclusionBlendMode") }
    /// Makes a filter that takes the darker of two pictures.
    public class func darkenBlendMode() -> any CIFilter & CICompositeOperation { BuiltinFilter.make("CIDarkenBlendMode") }
    /// Makes a filter that takes the lighter of two pictures.
    public class func lightenBlendMode() -> any CIFilter & CICompositeOperation { BuiltinFilter.make("CILightenBlendMode") }
    /// Makes a filter that takes the least of two pictures.
    public class func minimumCompositing() -> any CIFilter & CICompositeOperation { BuiltinFilter.make("CIMinimumCompositing") }
    /// Makes a filter that takes the greatest of two pictures.
    public class func maximumCompositing() -> any CIFilter & CICompositeOperation { BuiltinFilter.make("CIMaximumCompositing") }
    /// Makes a filter that shows a picture where the one beneath is opaque.
    public class func sourceInCompositing() -> any CIFilter & CICompositeOperation { BuiltinFilter.make("CISourceInCompositing") }
    /// Makes a filter that shows a picture where the one beneath is clear.
    public class func sourceOutCompositing() -> any CIFilter & CICompositeOperation { BuiltinFilter.make("CISourceOutCompositing") }
    /// Makes a filter that lays a picture over another where that is opaque.
    public class func sourceAtopCompositing() -> any CIFilter & CICompositeOperation { BuiltinFilter.make("CISourceAtopCompositing") }
}
