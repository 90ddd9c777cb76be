import Foundation

/// Acceleration along the phone's axes, in units of gravity (9.81 m/s²): x to the right of the screen, y to its top, z out of it.
public struct CMAcceleration: Sendable {
    /// To the right of the screen.
    public var x: Double
    /// To the top of the screen.
    public var y: Double
    /// Out of the screen.
    public var z: Double
    /// Makes an acceleration of its parts.
    public init(x: Double, y: Double, z: Double) { (self.x, self.y, self.z) = (x, y, z) }
    /// Makes none.
    public init() { self.init(x: 0, y: 0, z: 0) }
}

/// Turning about the phone's axes, rad/s, by the rule of the right hand.
public struct CMRotationRate: Sendable {
    /// About the axis to the right of the screen.
    public var x: Double
    /// About the axis to the top of the screen.
    public var y: Double
    /// About the axis out of the screen.
    public var z: Double
    /// Makes a rate of its parts.
    public init(x: Double, y: Double, z: Double) { (self.x, self.y, self.z) = (x, y, z) }
    /// Makes none.
    public init() { self.init(x: 0, y: 0, z: 0) }
}

/// Unit quaternion that turns vectors of the phone's axes into those of the reference.
public struct CMQuaternion: Sendable {
    /// Vector part, x.
    public var x: Double
    /// Vector part, y.
    public var y: Double
    /// Vector part, z.
    public var z: Double
    /// Scalar part.
    public var w: Double
    /// Makes a quaternion of its parts.
    public init(x: Double, y: Double, z: Double, w: Double) { (self.x, self.y, self.z, self.w) = (x, y, z, w) }
    /// Makes zero, as C does.
    public init() { self.init(x: 0, y: 0, z: 0, w: 0) }

    /// No turn.
    static let identity = CMQuaternion(x: 0, y: 0, z: 0, w: 1)
    /// The turn back.
    var inverse: CMQuaternion { CMQuaternion(x: -x, y: -y, z: -z, w: w) }

    /// The right turn first, the left one after it.
    static func * (left: CMQuaternion, right: CMQuaternion) -> CMQuaternion {
        CMQuaternion(
            x: left.w * right.x + left.x * right.w + left.y * right.z - left.z * right.y,
            y: left.w * right.y - left.x * right.z + left.y * right.w + left.z * right.x,
            z: left.w * right.z + left.x * right.y - left.y * right.x + left.z * right.w,
            w: left.w * right.w - left.x * right.x - left.y * right.y - left.z * right.z)
    }

    /// Turn by an angle about one of the axes: 0 is x, 1 y, 2 z.
    static func about(_ axis: Int, by angle: Double) -> CMQuaternion {
        let part = sin(angle / 2)
        return CMQuaternion(x: axis == 0 ? part : 0, y: axis == 1 ? part : 0, z: axis == 2 ? part : 0, w: cos(angle / 2))
    }
}

/// Matrix that turns vectors of the reference into those of the phone's axes: `m` with its row and column.
public struct CMRotationMatrix: Sendable {
    /// First row, first column.
    public var m11 = 0.0
    /// First row, second column.
    public var m12 = 0.0
    /// First row, third column.
    public var m13 = 0.0
    /// Second row, first column.
    public var m21 = 0.0
    /// Second row, second column.
    public var m22 = 0.0
    /// Second row, third column.
    public var m23 = 0.0
    /// Third row, first column.
    public var m31 = 0.0
    /// Third row, second column.
    public var m32 = 0.0
    /// Third row, third column.
    public var m33 = 0.0
    /// Makes zero, as C does.
    public init() {}
}

/// Reference of an attitude, whose z axis points up.
public struct CMAttitudeReferenceFrame: OptionSet, Sendable {
    /// Bit of each reference.
    public let rawValue: UInt
    /// Makes a set of its bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// With an x axis that points anywhere.
    public static let xArbitraryZVertical = CMAttitudeReferenceFrame(rawValue: 1 << 0)
    /// The same, held true by the compass.
    public static let xArbitraryCorrectedZVertical = CMAttitudeReferenceFrame(rawValue: 1 << 1)
    /// With an x axis to magnetic north.
    public static let xMagneticNorthZVertical = CMAttitudeReferenceFrame(rawValue: 1 << 2)
    /// With an x axis to true north.
    public static let xTrueNorthZVertical = CMAttitudeReferenceFrame(rawValue: 1 << 3)
}
