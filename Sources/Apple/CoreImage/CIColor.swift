import CoreVideo
import Foundation

/// Colour of sRGB with alpha.
open class CIColor: NSObject, @unchecked Sendable {
    /// Red, 0…1.
    public let red: CGFloat
    /// Green, 0…1.
    public let green: CGFloat
    /// Blue, 0…1.
    public let blue: CGFloat
    /// Opacity, 0…1.
    public let alpha: CGFloat

    /// Makes a colour of sRGB.
    public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// Makes an opaque colour of sRGB.
    public convenience init(red: CGFloat, green: CGFloat, blue: CGFloat) { self.init(red: red, green: green, blue: blue, alpha: 1) }

    /// Makes the colour of a Core Graphics colour, whose components are taken for those of sRGB.
    public convenience init(cgColor color: CGColor) {
        let parts = color.rgba ?? [0, 0, 0, 1]
        self.init(red: parts[0], green: parts[1], blue: parts[2], alpha: color.alpha)
    }

    /// Number of components, alpha included: 4.
    public var numberOfComponents: Int { 4 }
    /// Space of the components: sRGB.
    public var colorSpace: CGColorSpace { CGColorSpace(name: CGColorSpace.sRGB) ?? CGColorSpaceCreateDeviceRGB() }

    /// Black.
    public class var black: CIColor { CIColor(red: 0, green: 0, blue: 0) }
    /// White.
    public class var white: CIColor { CIColor(red: 1, green: 1, blue: 1) }
    /// Middle grey.
    public class var gray: CIColor { CIColor(red: 0.5, green: 0.5, blue: 0.5) }
    /// Red.
    public class var red: CIColor { CIColor(red: 1, green: 0, blue: 0) }
    /// Green.
    public class var green: CIColor { CIColor(red: 0, green: 1, blue: 0) }
    /// Blue.
    public class var blue: CIColor { CIColor(red: 0, green: 0, blue: 1) }
    /// Black without opacity.
    public class var clear: CIColor { CIColor(red: 0, green: 0, blue: 0, alpha: 0) }

    /// The colour as filters work on it.
    func pixel(isLinear: Bool) -> SIMD4<Float> {
        let stored = SIMD4(Float(red), Float(green), Float(blue), Float(alpha))
        guard isLinear else { return stored.multiplied }
        return SIMD4(ColorCurve.linear(stored.x), ColorCurve.linear(stored.y), ColorCurve.linear(stored.z), stored.w).multiplied
    }
}

/// Numbers of a filter's input: a point, a rectangle, a row of a matrix.
open class CIVector: NSObject, @unchecked Sendable {
    private let values: [CGFloat]

    private init(list: [CGFloat]) { values = list }

    /// Makes a vector of numbers.
    public convenience init(values: UnsafePointer<CGFloat>, count: Int) { self.init(list: (0..<count).map { values[$0] }) }
    /// Makes a vector of one number.
    public convenience init(x: CGFloat) { self.init(list: [x]) }
    /// Makes a vector of two numbers.
    public convenience init(x: CGFloat, y: CGFloat) { self.init(list: [x, y]) }
    /// Makes a vector of three numbers.
    public convenience init(x: CGFloat, y: CGFloat, z: CGFloat) { self.init(list: [x, y, z]) }
    /// Makes a vector of four numbers.
    public convenience init(x: CGFloat, y: CGFloat, z: CGFloat, w: CGFloat) { self.init(list: [x, y, z, w]) }
    /// Makes a vector of a point.
    public convenience init(cgPoint p: CGPoint) { self.init(list: [p.x, p.y]) }
    /// Makes a vector of origin, width and height.
    public convenience init(cgRect r: CGRect) { self.init(list: [r.minX, r.minY, r.width, r.height]) }

    /// Number of numbers.
    public var count: Int { values.count }
    /// Returns a number; 0 beyond the last.
    public func value(at index: Int) -> CGFloat { values.indices.contains(index) ? values[index] : 0 }
    /// First number.
    public var x: CGFloat { value(at: 0) }
    /// Second number, else 0.
    public var y: CGFloat { value(at: 1) }
    /// Third number, else 0.
    public var z: CGFloat { value(at: 2) }
    /// Fourth number, else 0.
    public var w: CGFloat { value(at: 3) }
    /// The first two as a point.
    public var cgPointValue: CGPoint { CGPoint(x: x, y: y) }
    /// The four as a rectangle.
    public var cgRectValue: CGRect { CGRect(x: x, y: y, width: z, height: w) }

    var pixel: SIMD4<Float> { SIMD4(Float(x), Float(y), Float(z), Float(w)) }
}
