import CoreVideo
import Foundation

/// Key of a filter's picture.
public let kCIInputImageKey = "inputImage"
/// Key of the picture beneath.
public let kCIInputBackgroundImageKey = "inputBackgroundImage"
/// Key of the picture that says where.
public let kCIInputMaskImageKey = "inputMaskImage"
/// Key of a radius, pixels.
public let kCIInputRadiusKey = "inputRadius"
/// Key of a scale.
public let kCIInputScaleKey = "inputScale"
/// Key of width by height of a scale.
public let kCIInputAspectRatioKey = "inputAspectRatio"
/// Key of an angle, radians.
public let kCIInputAngleKey = "inputAngle"
/// Key of a strength, 0…1.
public let kCIInputIntensityKey = "inputIntensity"
/// Key of stops of exposure.
public let kCIInputEVKey = "inputEV"
/// Key of saturation, 1 as it is.
public let kCIInputSaturationKey = "inputSaturation"
/// Key of brightness, 0 as it is.
public let kCIInputBrightnessKey = "inputBrightness"
/// Key of contrast, 1 as it is.
public let kCIInputContrastKey = "inputContrast"
/// Key of a colour.
public let kCIInputColorKey = "inputColor"
/// Key of a rectangle.
public let kCIInputExtentKey = "inputExtent"
/// Key of a point.
public let kCIInputCenterKey = "inputCenter"
/// Key of a width, pixels.
public let kCIInputWidthKey = "inputWidth"
/// Key of the picture that another turns into.
public let kCIInputTargetImageKey = "inputTargetImage"
/// Key of how far it has, 0…1.
public let kCIInputTimeKey = "inputTime"
/// Key of an affine map.
public let kCIInputTransformKey = "inputTransform"
/// Key of a sharpness.
public let kCIInputSharpnessKey = "inputSharpness"
/// Key of what a filter makes.
public let kCIOutputImageKey = "outputImage"

/// Output that every filter has.
public protocol CIFilterProtocol: AnyObject {
    /// Result of the filter; nil where an input is missing.
    var outputImage: CIImage? { get }
}

/// Filter with values under keys; see `CIFilter.filterNames(inCategory:)`. As on Apple's systems it is for one thread at a time.
open class CIFilter: NSObject, CIFilterProtocol {
    /// Name of the filter, as "CIGaussianBlur".
    public let name: String
    private let recipe: FilterRecipe
    private var values: [String: Any] = [:]

    /// Makes a filter with its defaults; nil for one that is not there.
    public convenience init?(name: String) { self.init(name: name, parameters: nil) }

    /// Makes a filter with its defaults and these values; nil for one that is not there. Traps for a key that it does not have.
    public init?(name: String, parameters params: [String: Any]?) {
        guard let recipe = FilterRecipe.all[name] else { return nil }
        self.name = name
        self.recipe = recipe
        super.init()
        setDefaults()
        for (key, value) in params ?? [:] { setValue(value, forKey: key) }
    }

    /// Makes a filter with its defaults and these values; as with `parameters`.
    public convenience init?(name: String, withInputParameters params: [String: Any]?) { self.init(name: name, parameters: params) }

    /// For the filters of `CIFilterBuiltins`, which are there.
    init(known recipe: FilterRecipe) {
        name = recipe.name
        self.recipe = recipe
        super.init()
        setDefaults()
    }

    /// Names of the filters that are there, in alphabetical order, whatever the category.
    open class func filterNames(inCategory category: String?) -> [String] { FilterRecipe.all.keys.sorted() }

    /// Keys of the inputs.
    open var inputKeys: [String] { recipe.inputs.map(\.key) }
    /// Keys of the outputs: the picture.
    open var outputKeys: [String] { [kCIOutputImageKey] }

    /// Sets every input to its default; pictures to none.
    open func setDefaults() {
        values = [:]
        for input in recipe.inputs { values[input.key] = input.usual?.value }
    }

    /// Sets an input; traps for a key that the filter does not have, where a phone raises.
    open func setValue(_ value: Any?, forKey key: String) {
        precondition(
            inputKeys.contains(key), "[<\(name)> setValue:forUndefinedKey:]: this class is not key value coding-compliant for the key \(key).")
        values[key] = value is NSNull ? nil : value
    }

    /// Returns an input or the output; traps for a key that the filter does not have, where a phone raises.
    open func value(forKey key: String) -> Any? {
        if key == kCIOutputImageKey { return outputImage }
        precondition(
            inputKeys.contains(key), "[<\(name)> valueForUndefinedKey:]: this class is not key value coding-compliant for the key \(key).")
        return values[key]
    }

    /// Result of the filter; nil where an input is missing.
    open var outputImage: CIImage? { recipe.make(FilterInputs(values: values)) }
}
