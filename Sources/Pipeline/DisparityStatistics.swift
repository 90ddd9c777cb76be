import Foundation

/// How the disparities of one map are spread, sampled on a grid of 32 × 18; larger is nearer, the unit is the map's.
public struct DisparityStatistics: Sendable, Equatable, Codable {
    /// 5th percentile.
    public var far: Double
    public var median: Double
    /// 95th percentile.
    public var near: Double

    public init(far: Double, median: Double, near: Double) { (self.far, self.median, self.near) = (far, median, near) }

    /// Whether the map says that some things are nearer than others.
    public var isTelling: Bool { near > far }
}

extension DisparityMap {
    /// Of the values that are numbers; all zero where there is none.
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
