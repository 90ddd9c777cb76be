/// Way of laying colours over those that are there: those of PDF 1.7, 11.3.5, and of Porter and Duff (1984).
public enum CGBlendMode: Int32, Sendable {
    /// Over what is there, as far as the colour is opaque.
    case normal = 0
    /// The product.
    case multiply = 1
    /// The product of what both lack.
    case screen = 2
    /// `multiply` or `screen`, by what is there.
    case overlay = 3
    /// The darker.
    case darken = 4
    /// The lighter.
    case lighten = 5
    /// Existing colour brightened by the new one.
    case colorDodge = 6
    /// Existing colour darkened by the new one.
    case colorBurn = 7
    /// Darker or lighter, by the colour.
    case softLight = 8
    /// `multiply` or `screen`, by the colour.
    case hardLight = 9
    /// The difference.
    case difference = 10
    /// The difference, with less contrast.
    case exclusion = 11
    /// Transparent, whatever the colour.
    case clear = 16
    /// In place of what is there, transparency included.
    case copy = 17
    /// The colour, where there is something.
    case sourceIn = 18
    /// The colour, where there is nothing.
    case sourceOut = 19
    /// Over what is there, where there is something.
    case sourceAtop = 20
    /// Beneath what is there.
    case destinationOver = 21
    /// Existing colour, where the new one is opaque.
    case destinationIn = 22
    /// Existing colour, where the new one is clear.
    case destinationOut = 23
    /// Beneath what is there, where the colour is opaque.
    case destinationAtop = 24
    /// Either, where the other is clear.
    case xor = 25
    /// The sum.
    case plusLighter = 27

    /// Component of a colour and of what is there, neither multiplied by alpha, where both are opaque; the colour's own for modes of alpha.
    package func mixed(_ upper: Float, _ lower: Float) -> Float {
        switch self {
        case .multiply: return upper * lower
        case .screen: return upper + lower - upper * lower
        case .overlay: return CGBlendMode.hardLight.mixed(lower, upper)
        case .darken: return min(upper, lower)
        case .lighten: return max(upper, lower)
        case .colorDodge: return lower <= 0 ? 0 : upper >= 1 ? 1 : min(1, lower / (1 - upper))
        case .colorBurn: return lower >= 1 ? 1 : upper <= 0 ? 0 : 1 - min(1, (1 - lower) / upper)
        case .softLight:
            if upper <= 0.5 { return lower - (1 - 2 * upper) * lower * (1 - lower) }
            let root = lower <= 0.25 ? ((16 * lower - 12) * lower + 4) * lower : lower.squareRoot()
            return lower + (2 * upper - 1) * (root - lower)
        case .hardLight: return upper <= 0.5 ? 2 * upper * lower : 1 - 2 * (1 - upper) * (1 - lower)
        case .difference: return abs(upper - lower)
        case .exclusion: return upper + lower - 2 * upper * lower
        default: return upper
        }
    }

    /// Colour laid over another, all multiplied by alpha.
    package func blended(_ upper: SIMD4<Float>, over lower: SIMD4<Float>) -> SIMD4<Float> {
        let (above, below) = (1 - upper.w, 1 - lower.w)
        switch self {
        case .clear: return .zero
        case .copy: return upper
        case .normal: return upper + lower * above
        case .sourceIn: return upper * lower.w
        case .sourceOut: return upper * below
        case .sourceAtop: return upper * lower.w + lower * above
        case .destinationOver: return lower + upper * below
        case .destinationIn: return lower * upper.w
        case .destinationOut: return lower * above
        case .destinationAtop: return lower * upper.w + upper * below
        case .xor: return upper * below + lower * above
        case .plusLighter: return pointwiseMin(upper + lower, .one)
        default:
            let (first, second) = (upper.w > 0 ? upper / upper.w : upper, lower.w > 0 ? lower / lower.w : lower)
            let both = SIMD4(mixed(first.x, second.x), mixed(first.y, second.y), mixed(first.z, second.z), 1) * (upper.w * lower.w)
            return upper * below + lower * above + both
        }
    }
}
