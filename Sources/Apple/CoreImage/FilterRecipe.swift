import CoreVideo
import Foundation

/// Values of a filter's inputs.
struct FilterInputs {
    let values: [String: Any]

    func image(_ key: String = kCIInputImageKey) -> CIImage? { values[key] as? CIImage }

    /// Number under a key, whatever its type; nil for another value.
    func number(_ key: String) -> Double? { NumberSetting.number(values[key]) }

    func vector(_ key: String) -> CIVector? { values[key] as? CIVector }
    func color(_ key: String) -> CIColor? { values[key] as? CIColor }
}

/// Filter: its inputs with their defaults, and what is made of them.
struct FilterRecipe: Sendable {
    /// Default of an input.
    struct Usual: @unchecked Sendable {
        let value: Any
    }

    struct Input: Sendable {
        let key: String
        var usual: Usual?
        /// A picture, or another value without a default.
        static func needed(_ key: String = kCIInputImageKey) -> Input { Input(key: key) }
        static func number(_ key: String, _ usual: Double) -> Input { Input(key: key, usual: Usual(value: NSNumber(value: usual))) }
        static func vector(_ key: String, _ x: CGFloat, _ y: CGFloat, _ z: CGFloat, _ w: CGFloat) -> Input {
            Input(key: key, usual: Usual(value: CIVector(x: x, y: y, z: z, w: w)))
        }
        static func color(_ key: String, _ red: CGFloat, _ green: CGFloat, _ blue: CGFloat) -> Input {
            Input(key: key, usual: Usual(value: CIColor(red: red, green: green, blue: blue)))
        }
    }

    let name: String
    let inputs: [Input]
    let make: @Sendable (FilterInputs) -> CIImage?

    /// Map of a pixel's colour, not multiplied by alpha.
    typealias PixelMap = @Sendable (SIMD4<Float>) -> SIMD4<Float>

    init(_ name: String, _ inputs: [Input], make: @escaping @Sendable (FilterInputs) -> CIImage?) {
        self.name = name
        self.inputs = inputs
        self.make = make
    }

    /// Filter of a picture's colours, not multiplied by alpha, each pixel by itself.
    static func colour(_ name: String, _ inputs: [Input], _ map: @escaping @Sendable (FilterInputs) -> PixelMap?) -> FilterRecipe {
        FilterRecipe(name, [.needed()] + inputs) { values in
            guard let image = values.image(), let map = map(values) else { return nil }
            return image.mapped { pixel, _ in map(pixel.straight).multiplied }
        }
    }

    /// Every filter by its name.
    static let all: [String: FilterRecipe] = {
        let every = colours + tones + looks + effects + blurs + geometry + shapes + blends + modes
        return Dictionary(uniqueKeysWithValues: every.map { ($0.name, $0) })
    }()
}
