import Foundation

/// Colour in a colour space, with alpha.
public final class CGColor: Sendable, Hashable {
    /// Space of the components.
    public let colorSpace: CGColorSpace?
    /// Components in 0…1 and alpha after them.
    public let components: [CGFloat]?

    /// Makes a colour from the components of `space` and alpha after them, which must all be there.
    public init?(colorSpace space: CGColorSpace, components: UnsafePointer<CGFloat>) {
        colorSpace = space
        self.components = (0...space.numberOfComponents).map { components[$0] }
    }

    private init(_ space: CGColorSpace, _ components: [CGFloat]) {
        colorSpace = space
        self.components = components
    }

    /// Makes a colour of the generic RGB space, which is sRGB here.
    public convenience init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        self.init(srgbRed: red, green: green, blue: blue, alpha: alpha)
    }

    /// Makes a colour of sRGB.
    public convenience init(srgbRed red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        self.init(CGColorSpace(name: CGColorSpace.sRGB, model: .rgb), [red, green, blue, alpha])
    }

    /// Makes a grey of the exponent 2.2.
    public convenience init(gray: CGFloat, alpha: CGFloat) {
        self.init(CGColorSpace(name: CGColorSpace.genericGrayGamma2_2, model: .monochrome), [gray, alpha])
    }

    /// Number of components, alpha included.
    public var numberOfComponents: Int { components?.count ?? 0 }
    /// Red, green, blue and alpha, a grey in all three; nil without components.
    package var rgba: [CGFloat]? {
        guard let components, components.count >= 2 else { return nil }
        return components.count < 4 ? [components[0], components[0], components[0], components[1]] : Array(components.prefix(4))
    }
    /// Opacity, 0…1.
    public var alpha: CGFloat { components?.last ?? 1 }

    /// Returns the colour with another opacity.
    public func copy(alpha: CGFloat) -> CGColor? {
        guard let colorSpace, let components else { return nil }
        return CGColor(colorSpace, components.dropLast() + [alpha])
    }

    /// Whether space, components and alpha are equal.
    public static func == (lhs: CGColor, rhs: CGColor) -> Bool { lhs.colorSpace == rhs.colorSpace && lhs.components == rhs.components }
    /// Hashes space, components and alpha.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(colorSpace)
        hasher.combine(components)
    }
}
