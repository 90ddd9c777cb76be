import Foundation

/// The ground of plain video: disparity that grows evenly from the horizon downwards, through the feet of the people who stand on it.
struct GroundPlane {
    /// Feet of somebody who stands, 0…1 downwards, with the disparity, 1/m, and the face.
    struct Foothold {
        var y: Double
        var disparity: Double
        var face: CGRect
        /// 0…1.
        var weight: Double
    }

    /// Of everything at the horizon and above it, and at the picture's lower edge where nobody says better, 1/m.
    static let (far, near) = (0.04, 1.0)
    /// The horizon where nobody says better, and where it may be, 0…1 downwards.
    private static let (middle, horizons) = (0.45, 0.08...0.6)
    /// Disparity of the lower edge before people whose feet are not seen, as a share of the nearest one's.
    private static let before = 0.35
    /// Time constant of changes, seconds.
    private static let smoothing = 0.5

    /// 0…1 downwards.
    private(set) var horizon = Self.middle
    /// 1/m for the picture's height.
    private(set) var slope = 0.0
    /// Horizon that edges of this shot point to, 0…1 downwards.
    private var lines: Double?
    private var isKnown = false

    /// Disparity at a height, 0…1 downwards.
    func disparity(at y: Double) -> Double { Self.far + slope * max(0, y - horizon) }

    /// Takes in where edges of a picture meet, 0…1 downwards; nil where they do not.
    mutating func see(horizon: Double?) {
        guard let horizon else { return }
        lines = lines.map { $0 + (horizon - $0) * 0.2 } ?? horizon
    }

    /// Goes on by `elapsed` seconds, nil for the first picture of a shot. `nearest` is the disparity of the nearest person.
    mutating func step(_ feet: [Foothold], nearest: Double?, elapsed: Double?) {
        let weight = feet.reduce(0) { $0 + $1.weight }
        var level = lines ?? Self.middle
        var rise = (nearest.map { $0 * Self.before } ?? Self.near) / (1 - level)
        if weight > 0.05 {
            // Cameras are held at the height of eyes: so is the horizon.
            let eyes = feet.reduce(0) { $0 + $1.weight * $1.face.midY } / weight
            let highest = feet.map(\.y).min() ?? 1
            level = min(max(min(lines ?? eyes, highest - 0.15), Self.horizons.lowerBound), Self.horizons.upperBound)
            var (product, square) = (0.0, 0.0)
            for foot in feet {
                product += foot.weight * (foot.disparity - Self.far) * (foot.y - level)
                square += foot.weight * (foot.y - level) * (foot.y - level)
            }
            rise = max(product / max(square, 1e-6), 0.05)
        }
        let share = isKnown ? 1 - exp(-(elapsed ?? 0) / Self.smoothing) : 1
        isKnown = true
        horizon += (level - horizon) * share
        slope += (rise - slope) * share
    }
}
