import CoreVideo
import Foundation

// Filters made by functions, with properties in place of keys: the module `CoreImage.CIFilterBuiltins` of Apple's systems.

/// Filter of one picture.
public protocol CIInputImageFilter: CIFilterProtocol {
    /// The picture.
    var inputImage: CIImage? { get set }
}
/// Filter of two pictures.
public protocol CICompositeOperation: CIInputImageFilter {
    /// The picture beneath.
    var backgroundImage: CIImage? { get set }
}
/// Gaussian blur.
public protocol CIGaussianBlur: CIInputImageFilter {
    /// Standard deviation, pixels.
    var radius: Float { get set }
}
/// Blur by a box.
public protocol CIBoxBlur: CIInputImageFilter {
    /// Half of the box, pixels.
    var radius: Float { get set }
}
/// Saturation, brightness and contrast.
public protocol CIColorControls: CIInputImageFilter {
    /// Saturation, 1 as it is.
    var saturation: Float { get set }
    /// Brightness, 0 as it is.
    var brightness: Float { get set }
    /// Contrast, 1 as it is.
    var contrast: Float { get set }
}
/// Linear map of the components.
public protocol CIColorMatrix: CIInputImageFilter {
    /// Weights of red.
    var rVector: CIVector { get set }
    /// Weights of green.
    var gVector: CIVector { get set }
    /// Weights of blue.
    var bVector: CIVector { get set }
    /// Weights of alpha.
    var aVector: CIVector { get set }
    /// Added to the sums.
    var biasVector: CIVector { get set }
}
/// Exposure.
public protocol CIExposureAdjust: CIInputImageFilter {
    /// Stops.
    var ev: Float { get set }
}
/// Power of the components.
public protocol CIGammaAdjust: CIInputImageFilter {
    /// Exponent.
    var power: Float { get set }
}
/// Shades of brown.
public protocol CISepiaTone: CIInputImageFilter {
    /// Strength, 0…1.
    var intensity: Float { get set }
}
/// Inverted colours.
public protocol CIColorInvert: CIInputImageFilter {}
/// Shades of one colour.
public protocol CIColorMonochrome: CIInputImageFilter {
    /// The colour.
    var color: CIColor { get set }
    /// Strength, 0…1.
    var intensity: Float { get set }
}
/// Scaling by Lanczos' window.
public protocol CILanczosScaleTransform: CIInputImageFilter {
    /// Scale of the height.
    var scale: Float { get set }
    /// Factor of the width besides the scale.
    var aspectRatio: Float { get set }
}
/// Mean of an area.
public protocol CIAreaAverage: CIInputImageFilter {
    /// The area.
    var extent: CGRect { get set }
}
/// Two pictures by a mask: the first where it is white.
public protocol CIBlendWithMask: CIInputImageFilter {
    /// The picture where the mask is black.
    var backgroundImage: CIImage? { get set }
    /// The mask.
    var maskImage: CIImage? { get set }
}

/// The one filter behind the functions; what they return hides what a filter does not have.
final class BuiltinFilter: CIFilter, CICompositeOperation, CIGaussianBlur, CIBoxBlur, CIColorControls, CIColorMatrix, CIExposureAdjust, CIGammaAdjust,
    CISepiaTone, CIColorInvert, CIColorMonochrome, CILanczosScaleTransform, CIAreaAverage, CIBlendWithMask
{
    func number(_ key: String) -> Float { NumberSetting.number(value(forKey: key)).map(Float.init) ?? 0 }
    func set(_ key: String, _ number: Float) { setValue(NSNumber(value: number), forKey: key) }
    func vector(_ key: String) -> CIVector { value(forKey: key) as? CIVector ?? CIVector(x: 0) }

    var inputImage: CIImage? {
        get { value(forKey: kCIInputImageKey) as? CIImage }
        set { setValue(newValue, forKey: kCIInputImageKey) }
    }
    var backgroundImage: CIImage? {
        get { value(forKey: kCIInputBackgroundImageKey) as? CIImage }
        set { setValue(newValue, forKey: kCIInputBackgroundImageKey) }
    }
    var maskImage: CIImage? {
        get { value(forKey: kCIInputMaskImageKey) as? CIImage }
        set { setValue(newValue, forKey: kCIInputMaskImageKey) }
    }
    var radius: Float {
        get { number(kCIInputRadiusKey) }
        set { set(kCIInputRadiusKey, newValue) }
    }
    var saturation: Float {
        get { number(kCIInputSaturationKey) }
        set { set(kCIInputSaturationKey, newValue) }
    }
    var brightness: Float {
        get { number(kCIInputBrightnessKey) }
        set { set(kCIInputBrightnessKey, newValue) }
    }
    var contrast: Float {
        get { number(kCIInputContrastKey) }
        set { set(kCIInputContrastKey, newValue) }
    }
    var ev: Float {
        get { number(kCIInputEVKey) }
        set { set(kCIInputEVKey, newValue) }
    }
    var power: Float {
        get { number("inputPower") }
        set { set("inputPower", newValue) }
    }
    var intensity: Float {
        get { number(kCIInputIntensityKey) }
        set { set(kCIInputIntensityKey, newValue) }
    }
    var scale: Float {
        get { number(kCIInputScaleKey) }
        set { set(kCIInputScaleKey, newValue) }
    }
    var aspectRatio: Float {
        get { number(kCIInputAspectRatioKey) }
        set { set(kCIInputAspectRatioKey, newValue) }
    }
    var color: CIColor {
        get { value(forKey: kCIInputColorKey) as? CIColor ?? .clear }
        set { setValue(newValue, forKey: kCIInputColorKey) }
    }
    var extent: CGRect {
        get { (value(forKey: kCIInputExtentKey) as? CIVector)?.cgRectValue ?? .zero }
        set { setValue(CIVector(cgRect: newValue), forKey: kCIInputExtentKey) }
    }
    var rVector: CIVector {
        get { vector("inputRVector") }
        set { setValue(newValue, forKey: "inputRVector") }
    }
    var gVector: CIVector {
        get { vector("inputGVector") }
        set { setValue(newValue, forKey: "inputGVector") }
    }
    var bVector: CIVector {
        get { vector("inputBVector") }
        set { setValue(newValue, forKey: "inputBVector") }
    }
    var aVector: CIVector {
        get { vector("inputAVector") }
        set { setValue(newValue, forKey: "inputAVector") }
    }
    var biasVector: CIVector {
        get { vector("inputBiasVector") }
        set { setValue(newValue, forKey: "inputBiasVector") }
    }

    static func make(_ name: String) -> BuiltinFilter {
        guard let recipe = FilterRecipe.all[name] else { preconditionFailure("no filter \(name)") }
        return BuiltinFilter(known: recipe)
    }
}

extension CIFilter {
    /// Makes a Gaussian blur.
    public class func gaussianBlur() -> any CIFilter & CIGaussianBlur { BuiltinFilter.make("CIGaussianBlur") }
    /// Makes a blur by a box.
    public class func boxBlur() -> any CIFilter & CIBoxBlur { BuiltinFilter.make("CIBoxBlur") }
    /// Makes a filter of saturation, brightness and contrast.
    public class func colorControls() -> any CIFilter & CIColorControls { BuiltinFilter.make("CIColorControls") }
    /// Makes a linear map of the components.
    public class func colorMatrix() -> any CIFilter & CIColorMatrix { BuiltinFilter.make("CIColorMatrix") }
    /// Makes a filter of exposure.
    public class func exposureAdjust() -> any CIFilter & CIExposureAdjust { BuiltinFilter.make("CIExposureAdjust") }
    /// Makes a power of the components.
    public class func gammaAdjust() -> any CIFilter & CIGammaAdjust { BuiltinFilter.make("CIGammaAdjust") }
    /// Makes a filter to shades of brown.
    public class func sepiaTone() -> any CIFilter & CISepiaTone { BuiltinFilter.make("CISepiaTone") }
    /// Makes a filter to inverted colours.
    public class func colorInvert() -> any CIFilter & CIColorInvert { BuiltinFilter.make("CIColorInvert") }
    /// Makes a filter to shades of one colour.
    public class func colorMonochrome() -> any CIFilter & CIColorMonochrome { BuiltinFilter.make("CIColorMonochrome") }
    /// Makes a scaling by Lanczos' window.
    public class func lanczosScaleTransform() -> any CIFilter & CILanczosScaleTransform { BuiltinFilter.make("CILanczosScaleTransform") }
    /// Makes a mean of an area.
    public class func areaAverage() -> any CIFilter & CIAreaAverage { BuiltinFilter.make("CIAreaAverage") }
    /// Makes a blend of two pictures by a mask.
    public class func blendWithMask() -> any CIFilter & CIBlendWithMask { BuiltinFilter.make("CIBlendWithMask") }
    /// Makes a blend of two pictures by a mask's opacity.
    public class func blendWithAlphaMask() -> any CIFilter & CIBlendWithMask { BuiltinFilter.make("CIBlendWithAlphaMask") }
    /// Makes a filter that lays one picture over another.
    public class func sourceOverCompositing() -> any CIFilter & CICompositeOperation { BuiltinFilter.make("CISourceOverCompositing") }
    /// Makes a filter that adds two pictures.
    public class func additionCompositing() -> any CIFilter & CICompositeOperation { BuiltinFilter.make("CIAdditionCompositing") }
    /// Makes a filter that multiplies two pictures.
    public class func multiplyCompositing() -> any CIFilter & CICompositeOperation { BuiltinFilter.make("CIMultiplyCompositing") }
}
