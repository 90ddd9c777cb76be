import Foundation
import Pipeline

/// A disparity map at the size of the salient finder, with its ground plane found.
struct DepthGrid {
    let width: Int
    let height: Int
    let values: [Float]
    /// 5th to 95th percentile.
    let spread: Double
    /// Disparity of the ground at a pixel: a + b·x + c·y; nil when no floor that rises towards the camera is seen.
    let ground: (a: Double, b: Double, c: Double)?

    init(_ map: DisparityMap, width: Int, height: Int) {
        self.width = width
        self.height = height
        var values = [Float](repeating: 0, count: width * height)
        for y in 0..<height {
            let row = map.row(min((2 * y + 1) * map.height / (2 * height), map.height - 1))
            for x in 0..<width { values[y * width + x] = row[min((2 * x + 1) * map.width / (2 * width), map.width - 1)] }
        }
        let sorted = values.sorted()
        spread = Double(sorted[sorted.count * 95 / 100] - sorted[sorted.count * 5 / 100])
        self.values = values
        ground = Self.ground(values, width: width, height: height, spread: spread)
    }

    /// The plane through most of the lower half, refined by leaving out what does not fit; nil when too little fits.
    private static func ground(_ values: [Float], width: Int, height: Int, spread: Double) -> (a: Double, b: Double, c: Double)? {
        guard spread > 0 else { return nil }
        var plane: (a: Double, b: Double, c: Double)?
        var reach = spread
        for _ in 0..<8 {
            var sums = PlaneSums()
            for y in stride(from: height / 2, to: height, by: 2) {
                for x in stride(from: 0, to: width, by: 2) {
                    let value = Double(values[y * width + x])
                    if let plane, abs(value - (plane.a + plane.b * Double(x) + plane.c * Double(y))) > reach { continue }
                    sums.add(Double(x), Double(y), value)
                }
            }
            guard sums.count * 4 * 4 > Double(width * height) * 0.5, let fit = sums.solve() else { return nil }
            plane = fit
            reach = max(reach * 0.6, spread * 0.04)
        }
        guard let plane, plane.c * Double(height) > 0.25 * spread else { return nil }
        return plane
    }

    private func isGround(_ x: Int, _ y: Int) -> Bool {
        guard let ground else { return false }
        return abs(Double(values[y * width + x]) - (ground.a + ground.b * Double(x) + ground.c * Double(y))) < 0.05 * spread
    }

    /// 255 where disparity is within `tolerance` (of the spread, and half of it of the value) of the seed's, without the ground unless the seed is on it.
    func component(_ x: Int, _ y: Int, tolerance: Double) -> Raster {
        let mask = Raster(width: width, height: height)
        var around: [Float] = []
        for j in max(0, y - 2)...min(height - 1, y + 2) { for i in max(0, x - 2)...min(width - 1, x + 2) { around.append(values[j * width + i]) } }
        around.sort()
        let seed = Double(around[around.count / 2])
        let reach = max(tolerance * spread, 0.5 * tolerance * abs(seed))
        let cutsGround = !isGround(x, y)
        for j in 0..<height {
            for i in 0..<width where abs(Double(values[j * width + i]) - seed) <= reach && !(cutsGround && isGround(i, j)) {
                mask.bytes[j * width + i] = 255
            }
        }
        return mask
    }
}

/// Sums for a least-squares plane.
private struct PlaneSums {
    var (count, x, y, v, xx, xy, yy, xv, yv) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)

    mutating func add(_ px: Double, _ py: Double, _ value: Double) {
        count += 1
        x += px
        y += py
        v += value
        xx += px * px
        xy += px * py
        yy += py * py
        xv += px * value
        yv += py * value
    }

    func solve() -> (a: Double, b: Double, c: Double)? {
        guard count > 8 else { return nil }
        let (mx, my, mv) = (x / count, y / count, v / count)
        let (cxx, cxy, cyy) = (xx / count - mx * mx, xy / count - mx * my, yy / count - my * my)
        let (cxv, cyv) = (xv / count - mx * mv, yv / count - my * mv)
        let determinant = cxx * cyy - cxy * cxy
        guard determinant > 1e-9 else { return nil }
        let b = (cxv * cyy - cyv * cxy) / determinant
        let c = (cyv * cxx - cxv * cxy) / determinant
        return (mv - b * mx - c * my, b, c)
    }
}
