import CoreVideo

/// Fixed-point coding of a disparity map in 16 bits: disparity = `offset` + `scale` × code.
///
/// The coding that `init(of:)` chooses has a power of two for its scale, so that each code is exactly one `Float`, and a map that was coded once codes to
/// the same again.
public struct DisparityCoding: Sendable, Equatable {
    /// Disparity of one step, > 0: 1/m where the map is metric.
    public var scale: Double
    /// Disparity of code 0.
    public var offset: Double
    /// Whether the values are known to be 1/m.
    public var isMetric: Bool

    /// Creates a coding.
    public init(scale: Double, offset: Double = 0, isMetric: Bool) {
        self.scale = scale
        self.offset = offset
        self.isMetric = isMetric
    }

    /// Finest scale: less than any measurement of disparity is exact to.
    private static let finest = 0x1p-24

    /// Chooses the finest coding that holds every value of a map.
    public init(of map: DisparityMap) {
        var most: Float = 0
        for y in 0..<map.height {
            let row = map.row(y)
            for x in 0..<map.width where row[x] > most && row[x].isFinite { most = row[x] }
        }
        var scale = Self.finest
        while Double(most) > scale * Double(UInt16.max) { scale *= 2 }
        self.init(scale: scale, isMetric: map.isMetric)
    }

    /// Code nearest to a disparity; the ends of the range for what lies outside, 0 for what is no number.
    public func code(_ disparity: Float) -> UInt16 {
        let steps = ((Double(disparity) - offset) / scale).rounded()
        return steps >= Double(UInt16.max) ? .max : steps > 0 ? UInt16(steps) : 0
    }

    /// Disparity of a code.
    public func disparity(_ code: UInt16) -> Float { Float(offset + scale * Double(code)) }

    /// The map as it is read back: each value the nearest that has a code.
    public func coded(_ map: DisparityMap) -> DisparityMap {
        let result = CVPixelBuffer(width: map.width, height: map.height, pixelFormat: kCVPixelFormatType_DisparityFloat32)
        for y in 0..<map.height {
            let (from, to) = (map.row(y), result.plane(0).row(y, as: Float.self))
            for x in 0..<map.width { to[x] = disparity(code(from[x])) }
        }
        return DisparityMap(buffer: result, isMetric: isMetric)
    }
}
