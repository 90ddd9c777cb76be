import Foundation

/// Percentiles of one disparity map, sampled on a grid of 32 × 18; larger is nearer, the unit is the map's.
public struct DisparityStatistics: Sendable, Equatable, Codable {
    /// 5th percentile, 1/m: the far end of the scene.
    public var far: Double
    /// 50th percentile, 1/m.
    public var median: Double
    /// 95th percentile, 1/m: the near end of the scene.
    public var near: Double

    /// Creates statistics from three percentiles, ascending.
    public init(far: Double, median: Double, near: Double) { (self.far, self.median, self.near) = (far, median, near) }

    /// Whether the map separates near from far: `near` is greater than `far`.
    public var isTelling: Bool { near > far }
}

extension DisparityMap {
    /// Percentiles of the finite values; all zero where there is none.
    public var statistics: DisparityStatistics {
        var values: [Float] = []
        values.reserveCapacity(32 * 18)
        for j in 0..<18 {
            let row = row((2 * j + 1) * height / 36)
            for i in 0..<32 {
                let value = row[(2 * i + 1) * width / 64]
                if value.isFinite { values.append(value) }
            }
        }
        guard !values.isEmpty else { return DisparityStatistics(far: 0, median: 0, near: 0) }
        values.sort()
        return DisparityStatistics(
            far: Double(values[values.count * 5 / 100]), median: Double(values[values.count / 2]), near: Double(values[values.count * 95 / 100]))
    }
}
