import Foundation

/// Appearance model of a place in the picture: a small grey template and a histogram of its colours.
struct Appearance {
    static let width = 20
    static let height = 28
    /// Cells that the patch may shift in `search`.
    static let reach = 6

    private(set) var patch: Raster
    /// Cb in 16 bins, then Cr in 16 bins, each adding up to 1.
    private(set) var colours: [Double]

    init(of region: CGRect, in picture: ReducedPicture) throws(VisionError) {
        patch = try picture.luma.sample(region, width: Self.width, height: Self.height)
        colours = try Self.colours(of: region, in: picture)
    }

    static func colours(of region: CGRect, in picture: ReducedPicture) throws(VisionError) -> [Double] {
        let region = CGRect(x: region.minX / 2, y: region.minY / 2, width: region.width / 2, height: region.height / 2)
        let tint = try picture.chroma.sample(region.scaled(0.7), width: 16, height: 16)
        var bins = [Double](repeating: 0, count: 32)
        for i in 0..<256 {
            for channel in 0..<2 {
                // Triangular bins: a small change of colour moves a little weight.
                let place = min(max((Double(tint.bytes[2 * i + channel]) - 64) / 8 - 0.5, 0), 14.999)
                let bin = Int(place)
                bins[16 * channel + bin] += (1 - place + Double(bin)) / 256
                bins[16 * channel + bin + 1] += (place - Double(bin)) / 256
            }
        }
        return bins
    }

    /// 0…1: how much two colour distributions have in common (Bhattacharyya).
    func colourLikeness(_ other: [Double]) -> Double {
        var sum = 0.0
        for i in 0..<32 { sum += (colours[i] * other[i]).squareRoot() }
        return sum / 2
    }

    /// The shift of `region` (fractions of its size) where the patch fits best, and how well (-1…1).
    func search(around region: CGRect, in picture: ReducedPicture) throws(VisionError) -> (dx: Double, dy: Double, score: Double) {
        let (w, h, r) = (Self.width, Self.height, Self.reach)
        let wide = region.scaled(Double(w + 2 * r) / Double(w), Double(h + 2 * r) / Double(h))
        let area = try picture.luma.sample(wide, width: w + 2 * r, height: h + 2 * r)
        let best = try area.bestMatch(of: patch)
        return (Double(best.x - r) / Double(w), Double(best.y - r) / Double(h), best.score)
    }

    /// Moves `share` of the way to what `region` looks like now; `keepsColours` where nothing but they tell whether that is still the same.
    mutating func learn(_ region: CGRect, in picture: ReducedPicture, share: Double, keepsColours: Bool = false) throws(VisionError) {
        let fresh = try Appearance(of: region, in: picture)
        let mixed = Raster(width: Self.width, height: Self.height)
        for i in 0..<mixed.count {
            mixed.bytes[i] = UInt8((Double(patch.bytes[i]) * (1 - share) + Double(fresh.patch.bytes[i]) * share).rounded())
        }
        patch = mixed
        guard !keepsColours else { return }
        for i in 0..<32 { colours[i] += (fresh.colours[i] - colours[i]) * share }
    }
}
