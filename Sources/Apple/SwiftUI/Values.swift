import CoreVideo
import Foundation
import UIKit

/// Colour with an opacity, a value: nothing draws it.
public struct Color: Hashable, Sendable {
    private let components: [Double]

    /// Space of the components.
    public enum RGBColorSpace: Hashable, Sendable {
        /// IEC 61966-2-1.
        case sRGB
        /// sRGB's primaries without its curve.
        case sRGBLinear
        /// Display P3.
        case displayP3
    }

    private let space: RGBColorSpace

    /// Makes a colour of components in 0…1.
    public init(_ colorSpace: RGBColorSpace = .sRGB, red: Double, green: Double, blue: Double, opacity: Double = 1) {
        space = colorSpace
        components = [red, green, blue, opacity]
    }

    /// Makes a grey.
    public init(_ colorSpace: RGBColorSpace = .sRGB, white: Double, opacity: Double = 1) {
        self.init(colorSpace, red: white, green: white, blue: white, opacity: opacity)
    }

    /// Makes a colour of UIKit's.
    public init(uiColor: UIColor) {
        var (red, green, blue, alpha): (CGFloat, CGFloat, CGFloat, CGFloat) = (0, 0, 0, 1)
        uiColor.getRed(&red, green: &green, blue: &blue, alpha: &alpha)
        self.init(.sRGB, red: red, green: green, blue: blue, opacity: alpha)
    }

    /// Returns the colour, as much more transparent.
    public func opacity(_ opacity: Double) -> Color {
        Color(space, red: components[0], green: components[1], blue: components[2], opacity: components[3] * opacity)
    }

    /// Colour of Core Graphics, for those of sRGB; nil for another space.
    public var cgColor: CGColor? {
        guard space == .sRGB else { return nil }
        return CGColor(srgbRed: components[0], green: components[1], blue: components[2], alpha: components[3])
    }

    /// Black.
    public static let black = Color(white: 0)
    /// White.
    public static let white = Color(white: 1)
    /// Black without opacity.
    public static let clear = Color(white: 0, opacity: 0)
}

/// Picture that a view would show.
public struct Image: Equatable, @unchecked Sendable {
    private let bitmap: CGImage?
    private let name: String?
    private let scale: CGFloat
    private let orientation: Orientation

    /// Way in which a stored picture is turned, by the numbers of this module.
    public enum Orientation: UInt8, CaseIterable, Hashable, Sendable {
        /// As stored.
        case up
        /// Mirrored left to right.
        case upMirrored
        /// By half a turn.
        case down
        /// Mirrored top to bottom.
        case downMirrored
        /// By a quarter, counter-clockwise.
        case left
        /// Mirrored, then turned by a quarter, counter-clockwise.
        case leftMirrored
        /// By a quarter, clockwise.
        case right
        /// Mirrored, then turned by a quarter, clockwise.
        case rightMirrored
    }

    /// Makes a picture of a bitmap that needs no description; `scale` is pixels of a point.
    public init(decorative cgImage: CGImage, scale: CGFloat, orientation: Orientation = .up) {
        bitmap = cgImage
        name = nil
        self.scale = scale
        self.orientation = orientation
    }

    /// Makes a picture of UIKit's; nothing for Core Image's.
    public init(uiImage: UIImage) {
        bitmap = uiImage.cgImage
        name = nil
        scale = uiImage.scale
        orientation =
            switch uiImage.imageOrientation {
            case .up: .up
            case .upMirrored: .upMirrored
            case .down: .down
            case .downMirrored: .downMirrored
            case .left: .left
            case .leftMirrored: .leftMirrored
            case .right: .right
            case .rightMirrored: .rightMirrored
            }
    }

    /// Names a symbol of the system's.
    public init(systemName: String) {
        bitmap = nil
        name = systemName
        scale = 1
        orientation = .up
    }

    /// Whether both show one bitmap, or one symbol, in the same way.
    public static func == (lhs: Image, rhs: Image) -> Bool {
        lhs.bitmap === rhs.bitmap && lhs.name == rhs.name && lhs.scale == rhs.scale && lhs.orientation == rhs.orientation
    }
}

/// Angle.
public struct Angle: Hashable, Comparable, Sendable {
    /// The angle, 2 π to a turn.
    public var radians: Double
    /// The angle, 360 to a turn.
    public var degrees: Double {
        get { radians * 180 / .pi }
        set { radians = newValue * .pi / 180 }
    }

    /// Makes an angle of 0.
    public init() { radians = 0 }
    /// Makes an angle of radians.
    public init(radians: Double) { self.radians = radians }
    /// Makes an angle of degrees.
    public init(degrees: Double) { radians = degrees * .pi / 180 }
    /// Returns an angle of degrees.
    public static func degrees(_ degrees: Double) -> Angle { Angle(degrees: degrees) }
    /// Returns an angle of radians.
    public static func radians(_ radians: Double) -> Angle { Angle(radians: radians) }
    /// No turn.
    public static let zero = Angle()
    /// Whether the first turns less.
    public static func < (lhs: Angle, rhs: Angle) -> Bool { lhs.radians < rhs.radians }
}

/// State of an app's windows.
public enum ScenePhase: Comparable, Sendable {
    /// Not to be seen.
    case background
    /// To be seen, and not to be used.
    case inactive
    /// In use.
    case active
}

/// Text that is looked up for the user's language; kept as it is.
public struct LocalizedStringKey: Equatable, ExpressibleByStringInterpolation, Sendable {
    private let key: String
    /// Makes a key.
    public init(_ value: String) { key = value }
    /// Makes a key of a literal.
    public init(stringLiteral value: String) { key = value }
}

/// Course of a change that a view would show; none is shown.
public struct Animation: Hashable, Sendable {
    private let name: String
    private let duration: Double

    /// The usual course.
    public static let `default` = Animation(name: "default", duration: 0.35)
    /// Slow at both ends.
    public static let easeInOut = Animation(name: "easeInOut", duration: 0.35)
    /// Slow at the beginning.
    public static let easeIn = Animation(name: "easeIn", duration: 0.35)
    /// Slow at the end.
    public static let easeOut = Animation(name: "easeOut", duration: 0.35)
    /// Of one speed.
    public static let linear = Animation(name: "linear", duration: 0.35)
    /// As of a spring.
    public static let spring = Animation(name: "spring", duration: 0.55)
    /// Returns a course that is slow at both ends; seconds.
    public static func easeInOut(duration: TimeInterval) -> Animation { Animation(name: "easeInOut", duration: duration) }
    /// Returns a course that is slow at the beginning; seconds.
    public static func easeIn(duration: TimeInterval) -> Animation { Animation(name: "easeIn", duration: duration) }
    /// Returns a course that is slow at the end; seconds.
    public static func easeOut(duration: TimeInterval) -> Animation { Animation(name: "easeOut", duration: duration) }
    /// Returns a course of one speed; seconds.
    public static func linear(duration: TimeInterval) -> Animation { Animation(name: "linear", duration: duration) }
}

/// Changes what views show along a course: calls `body` at once, as nothing is shown.
public func withAnimation<Result>(_ animation: Animation? = .default, _ body: () throws -> Result) rethrows -> Result { try body() }
