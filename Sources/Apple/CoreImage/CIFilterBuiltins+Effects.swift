import CoreVideo
import Foundation

// Filters of effects made by functions.

/// Corners darkened.
public protocol CIVignette: CIInputImageFilter {
    /// Strength, 0…1.
    var intensity: Float { get set }
    /// Share of half the diagonal that is kept.
    var radius: Float { get set }
}
/// All but a disc darkened.
public protocol CIVignetteEffect: CIInputImageFilter {
    /// The disc's middle.
    var center: CGPoint { get set }
    /// Its radius, pixels.
    var radius: Float { get set }
    /// Strength, 0…1.
    var intensity: Float { get set }
    /// Width of its edge by its radius.
    var falloff: Float { get set }
}
/// Dull colours made stronger.
public protocol CIVibrance: CIInputImageFilter {
    /// Strength, -1…1.
    var amount: Float { get set }
}
/// A light's colour turned into another's.
public protocol CITemperatureAndTint: CIInputImageFilter {
    /// The light: kelvin and tint.
    var neutral: CIVector { get set }
    /// The light that it becomes: kelvin and tint.
    var targetNeutral: CIVector { get set }
}
/// Components by a curve through five points.
public protocol CIToneCurve: CIInputImageFilter {
    /// Point 1 of 5.
    var point0: CGPoint { get set }
    /// Point 2 of 5.
    var point1: CGPoint { get set }
    /// Point 3 of 5.
    var point2: CGPoint { get set }
    /// Point 4 of 5.
    var point3: CGPoint { get set }
    /// Point 5 of 5.
    var point4: CGPoint { get set }
}
/// Linear light coded as sRGB.
public protocol CILinearToSRGBToneCurve: CIInputImageFilter {}
/// sRGB as linear light.
public protocol CISRGBToneCurveToLinear: CIInputImageFilter {}
/// Shadows lifted, highlights lowered.
public protocol CIHighlightShadowAdjust: CIInputImageFilter {
    /// Kept.
    var radius: Float { get set }
    /// Lift of shadows, -1…1.
    var shadowAmount: Float { get set }
    /// Highlights, 1 as they are.
    var highlightAmount: Float { get set }
}
/// Glow about what is bright.
public protocol CIBloom: CIInputImageFilter {
    /// Standard deviation, pixels.
    var radius: Float { get set }
    /// Strength, 0…1.
    var intensity: Float { get set }
}
/// Bright parts dulled.
public protocol CIGloom: CIInputImageFilter {
    /// Standard deviation, pixels.
    var radius: Float { get set }
    /// Strength, 0…1.
    var intensity: Float { get set }
}
/// Sharper edges of brightness.
public protocol CISharpenLuminance: CIInputImageFilter {
    /// Strength.
    var sharpness: Float { get set }
    /// Standard deviation of the mean, pixels.
    var radius: Float { get set }
}
/// Small differences evened out.
public protocol CINoiseReduction: CIInputImageFilter {
    /// The greatest difference of brightness that is noise.
    var noiseLevel: Float { get set }
    /// Strength at edges.
    var sharpness: Float { get set }
}
/// Few levels of each component.
public protocol CIColorPosterize: CIInputImageFilter {
    /// Number of levels.
    var levels: Float { get set }
}
/// Components by cubic polynomials.
public protocol CIColorPolynomial: CIInputImageFilter {
    /// Coefficients of red, the constant first.
    var redCoefficients: CIVector { get set }
    /// Coefficients of green, the constant first.
    var greenCoefficients: CIVector { get set }
    /// Coefficients of blue, the constant first.
    var blueCoefficients: CIVector { get set }
    /// Coefficients of alpha, the constant first.
    var alphaCoefficients: CIVector { get set }
}
/// Brightness between two colours.
public protocol CIFalseColor: CIInputImageFilter {
    /// Colour of black.
    var color0: CIColor { get set }
    /// Colour of white.
    var color1: CIColor { get set }
}
/// Edges.
public protocol CIEdges: CIInputImageFilter {
    /// Strength.
    var intensity: Float { get set }
}
/// Blur along a direction.
public protocol CIMotionBlur: CIInputImageFilter {
    /// Half of its length, pixels.
    var radius: Float { get set }
    /// Its direction, radians.
    var angle: Float { get set }
}
/// Blur towards a point.
public protocol CIZoomBlur: CIInputImageFilter {
    /// The point.
    var center: CGPoint { get set }
    /// Length at half the diagonal, pixels.
    var amount: Float { get set }
}
/// Blur by a disc.
public protocol CIDiscBlur: CIInputImageFilter {
    /// Radius, pixels.
    var radius: Float { get set }
}
/// Blur where a mask is bright.
public protocol CIMaskedVariableBlur: CIInputImageFilter {
    /// The mask.
    var mask: CIImage? { get set }
    /// Standard deviation where it is white, pixels.
    var radius: Float { get set }
}

extension BuiltinFilter:
    CIVignette, CIVignetteEffect, CIVibrance, CITemperatureAndTint, CIToneCurve, CILinearToSRGBToneCurve, CISRGBToneCurveToLinear,
    CIHighlightShadowAdjust, CIBloom, CIGloom, CISharpenLuminance, CINoiseReduction, CIColorPosterize, CIColorPolynomial, CIFalseColor, CIEdges,
    CIMotionBlur, CIZoomBlur, CIDiscBlur, CIMaskedVariableBlur
{
    var falloff: Float {
        get { number("inputFalloff") }
        set { set("inputFalloff", newValue) }
    }
    var amount: Float {
        get { number("inputAmount") }
        set { set("inputAmount", newValue) }
    }
    var neutral: CIVector {
        get { vector("inputNeutral") }
        set { setValue(newValue, forKey: "inputNeutral") }
    }
    var targetNeutral: CIVector {
        get { vector("inputTargetNeutral") }
        set { setValue(newValue, forKey: "inputTargetNeutral") }
    }
    var point2: CGPoint {
        get { vector("inputPoint2").cgPointValue }
        set { setValue(CIVector(cgPoint: newValue), forKey: "inputPoint2") }
    }
    var point3: CGPoint {
        get { vector("inputPoint3").cgPointValue }
        set { setValue(CIVector(cgPoint: newValue), forKey: "inputPoint3") }
    }
    var point4: CGPoint {
        get { vector("inputPoint4").cgPointValue }
        set { setValue(CIVector(cgPoint: newValue), forKey: "inputPoint4") }
    }
    var shadowAmount: Float {
        get { number("inputShadowAmount") }
        set { set("inputShadowAmount", newValue) }
    }
    var highlightAmount: Float {
        get { number("inputHighlightAmount") }
        set { set("inputHighlightAmount", newValue) }
    }
    var sharpness: Float {
        get { number(kCIInputSharpnessKey) }
        set { set(kCIInputSharpnessKey, newValue) }
    }
    var noiseLevel: Float {
        get { number("inputNoiseLevel") }
        set { set("inputNoiseLevel", newValue) }
    }
    var levels: Float {
        get { number("inputLevels") }
        set { set("inputLevels", newValue) }
    }
    var redCoefficients: CIVector {
        get { vector("inputRedCoefficients") }
        set { setValue(newValue, forKey: "inputRedCoefficients") }
    }
    var greenCoefficients: CIVector {
        get { vector("inputGreenCoefficients") }
        set { setValue(newValue, forKey: "inputGreenCoefficients") }
    }
    var blueCoefficients: CIVector {
        get { vector("inputBlueCoefficients") }
        set { setValue(newValue, forKey: "inputBlueCoefficients") }
    }
    var alphaCoefficients: CIVector {
        get { vector("inputAlphaCoefficients") }
        set { setValue(newValue, forKey: "inputAlphaCoefficients") }
    }
    var mask: CIImage? {
        get { value(forKey: "inputMask") as? CIImage }
        set { setValue(newValue, forKey: "inputMask") }
    }
}

extension CIFilter {
    /// Makes a filter that darkens the corners.
    public class func vignette() -> any CIFilter & CIVignette { BuiltinFilter.make("CIVignette") }
    /// Makes a filter that darkens all but a disc.
    public class func vignetteEffect() -> any CIFilter & CIVignetteEffect { BuiltinFilter.make("CIVignetteEffect") }
    /// Makes a filter that makes dull colours stronger.
    public class func vibrance() -> any CIFilter & CIVibrance { BuiltinFilter.make("CIVibrance") }
    /// Makes a filter of the light's temperature and tint.
    public class func temperatureAndTint() -> any CIFilter & CITemperatureAndTint { BuiltinFilter.make("CITemperatureAndTint") }
    /// Makes a filter by a curve through five points.
    public class func toneCurve() -> any CIFilter & CIToneCurve { BuiltinFilter.make("CIToneCurve") }
    /// Makes a filter that codes linear light as sRGB.
    public class func linearToSRGBToneCurve() -> any CIFilter & CILinearToSRGBToneCurve { BuiltinFilter.make("CILinearToSRGBToneCurve") }
    /// Makes a filter of sRGB to linear light.
    public class func sRGBToneCurveToLinear() -> any CIFilter & CISRGBToneCurveToLinear { BuiltinFilter.make("CISRGBToneCurveToLinear") }
    /// Makes a filter of shadows and highlights.
    public class func highlightShadowAdjust() -> any CIFilter & CIHighlightShadowAdjust { BuiltinFilter.make("CIHighlightShadowAdjust") }
    /// Makes a glow about what is bright.
    public class func bloom() -> any CIFilter & CIBloom { BuiltinFilter.make("CIBloom") }
    /// Makes a filter that dulls bright parts.
    public class func gloom() -> any CIFilter & CIGloom { BuiltinFilter.make("CIGloom") }
    /// Makes a filter to sharper edges of brightness.
    public class func sharpenLuminance() -> any CIFilter & CISharpenLuminance { BuiltinFilter.make("CISharpenLuminance") }
    /// Makes a filter that evens small differences out.
    public class func noiseReduction() -> any CIFilter & CINoiseReduction { BuiltinFilter.make("CINoiseReduction") }
    /// Makes a filter to few levels of each component.
    public class func colorPosterize() -> any CIFilter & CIColorPosterize { BuiltinFilter.make("CIColorPosterize") }
    /// Makes a filter of components by cubic polynomials.
    public class func colorPolynomial() -> any CIFilter & CIColorPolynomial { BuiltinFilter.make("CIColorPolynomial") }
    /// Makes a filter of brightness between two colours.
    public class func falseColor() -> any CIFilter & CIFalseColor { BuiltinFilter.make("CIFalseColor") }
    /// Makes a filter to edges.
    public class func edges() -> any CIFilter & CIEdges { BuiltinFilter.make("CIEdges") }
    /// Makes a blur along a direction.
    public class func motionBlur() -> any CIFilter & CIMotionBlur { BuiltinFilter.make("CIMotionBlur") }
    /// Makes a blur towards a point.
    public class func zoomBlur() -> any CIFilter & CIZoomBlur { BuiltinFilter.make("CIZoomBlur") }
    /// Makes a blur by a disc.
    public class func discBlur() -> any CIFilter & CIDiscBlur { BuiltinFilter.make("CIDiscBlur") }
    /// Makes a blur where a mask is bright.
    public class func maskedVariableBlur() -> any CIFilter & CIMaskedVariableBlur { BuiltinFilter.make("CIMaskedVariableBlur") }
    /// Makes a look of its own.
    public class func photoEffectChrome() -> any CIFilter & CIPhotoEffect { BuiltinFilter.make("CIPhotoEffectChrome") }
    /// Makes a look of its own.
    public class func photoEffectFade() -> any CIFilter & CIPhotoEffect { BuiltinFilter.make("CIPhotoEffectFade") }
    /// Makes a look of its own.
    public class func photoEffectInstant() -> any CIFilter & CIPhotoEffect { BuiltinFilter.make("CIPhotoEffectInstant") }
    /// Makes a look of its own.
    public class func photoEffectProcess() -> any CIFilter & CIPhotoEffect { BuiltinFilter.make("CIPhotoEffectProcess") }
    /// Makes a look of its own.
    public class func photoEffectTransfer() -> any CIFilter & CIPhotoEffect { BuiltinFilter.make("CIPhotoEffectTransfer") }
}
