/// Size in pixels or threads.
public struct MTLSize: Sendable, Equatable {
    /// Size in x.
    public var width: Int
    /// Size in y.
    public var height: Int
    /// Size in z.
    public var depth: Int
    /// Makes a size of its sides.
    public init(width: Int, height: Int, depth: Int) { (self.width, self.height, self.depth) = (width, height, depth) }
    /// Makes an empty size.
    public init() { self.init(width: 0, height: 0, depth: 0) }
}

/// Place in pixels.
public struct MTLOrigin: Sendable, Equatable {
    /// Place in x.
    public var x: Int
    /// Place in y.
    public var y: Int
    /// Place in z.
    public var z: Int
    /// Makes a place of its coordinates.
    public init(x: Int, y: Int, z: Int) { (self.x, self.y, self.z) = (x, y, z) }
    /// Makes the place 0.
    public init() { self.init(x: 0, y: 0, z: 0) }
}

/// Box of pixels.
public struct MTLRegion: Sendable, Equatable {
    /// First pixel.
    public var origin: MTLOrigin
    /// Size in pixels.
    public var size: MTLSize
    /// Makes a box of its first pixel and size.
    public init(origin: MTLOrigin, size: MTLSize) { (self.origin, self.size) = (origin, size) }
    /// Makes an empty box.
    public init() { self.init(origin: MTLOrigin(), size: MTLSize()) }
}

/// Makes a size.
public func MTLSizeMake(_ width: Int, _ height: Int, _ depth: Int) -> MTLSize { MTLSize(width: width, height: height, depth: depth) }
/// Makes a place.
public func MTLOriginMake(_ x: Int, _ y: Int, _ z: Int) -> MTLOrigin { MTLOrigin(x: x, y: y, z: z) }
/// Makes a box of one plane.
public func MTLRegionMake2D(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> MTLRegion {
    MTLRegion(origin: MTLOriginMake(x, y, 0), size: MTLSizeMake(width, height, 1))
}

/// Colour that a texture is cleared to.
public struct MTLClearColor: Sendable, Equatable {
    /// Red, 0…1.
    public var red: Double
    /// Green, 0…1.
    public var green: Double
    /// Blue, 0…1.
    public var blue: Double
    /// Opacity, 0…1.
    public var alpha: Double
    /// Makes a colour of its components.
    public init(red: Double, green: Double, blue: Double, alpha: Double) { (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha) }
    /// Makes transparent black.
    public init() { self.init(red: 0, green: 0, blue: 0, alpha: 0) }
}

/// Makes a colour.
public func MTLClearColorMake(_ red: Double, _ green: Double, _ blue: Double, _ alpha: Double) -> MTLClearColor {
    MTLClearColor(red: red, green: green, blue: blue, alpha: alpha)
}

/// Part of a drawing's target, in pixels, with its depth range.
public struct MTLViewport: Sendable, Equatable {
    /// Left edge.
    public var originX: Double
    /// Top edge.
    public var originY: Double
    /// Width.
    public var width: Double
    /// Height.
    public var height: Double
    /// Depth of what is nearest.
    public var znear: Double
    /// Depth of what is farthest.
    public var zfar: Double
    /// Makes a part of its edges.
    public init(originX: Double, originY: Double, width: Double, height: Double, znear: Double, zfar: Double) {
        (self.originX, self.originY, self.width, self.height, self.znear, self.zfar) = (originX, originY, width, height, znear, zfar)
    }
}

/// Format of a pixel; those that camera code names, with Apple's values.
public enum MTLPixelFormat: UInt, Sendable {
    case invalid = 0
    case a8Unorm = 1
    case r8Unorm = 10
    case r8Unorm_srgb = 11
    case r8Uint = 13
    case r16Unorm = 20
    case r16Uint = 23
    case r16Float = 25
    case rg8Unorm = 30
    case rg8Unorm_srgb = 31
    case r32Uint = 53
    case r32Float = 55
    case rg16Unorm = 60
    case rg16Float = 65
    case rgba8Unorm = 70
    case rgba8Unorm_srgb = 71
    case bgra8Unorm = 80
    case bgra8Unorm_srgb = 81
    case rgb10a2Unorm = 90
    case bgr10a2Unorm = 94
    case rg32Float = 105
    case rgba16Unorm = 110
    case rgba16Float = 115
    case rgba32Float = 125
    case depth32Float = 252
    case stencil8 = 253
    case bgra10_xr = 552
    case bgr10_xr = 554
}
