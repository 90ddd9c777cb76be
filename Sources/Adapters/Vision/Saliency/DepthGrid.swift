import Foundation
import Pipeline

/// A disparity map at the size of the salient finder, with its ground plane found.
struct DepthGrid {
    let width: Int
    let height: Int
    let values: [Float]
    /// 5th percentile.
    let far: Double
    /// 5th to 95th percentile.
    let range: Double
    /// Disparity of the ground at a pixel: a + b·x + c·y; nil when no floor that rises towards the camera is seen.
    let ground: (a: Double, b: Double, c: Double)?

    init(_ map: DisparityMap, width: Int, height: Int) {
        self.width = width
        self.height = height
        var values = [Float](repeating: 0, count: width * height)
        for y in 0..<height {
            let row = map.row(min((2 * y + 1) * map.height / (2 * height), map.height - 1))
            for x in 0..<width {
                let value = row[min((2 * x + 1) * map.width / (2 * width), map.width - 1)]
                values[y * width + x] = value.isFinite ? min(max(value, 0), 1000) : 0
            }
        }
        let sorted = values.sorted()
        far = Double(sorted[sorted.count * 5 / 100])
        range = Double(sorted[sorted.count * 95 / 100]) - far
        self.values = values
        ground = Self.ground(values, width: width, height: height, range: range)
    }

    /// Of planes through three points of the lower part that rise towards the camera, the one most pixels lie on; nil when those are few.
    private static func ground(_ values: [Float], width: Int, height: Int, range: Double) -> (a: Double, b: Double, c: Double)? {
        guard range > 0 else { return nil }
        let top = height * 2 / 5
        var draws = Draws()
        var (best, most) = ((a: 0.0, b: 0.0, c: 0.0), 0)
        for _ in 0..<300 {
            let points = (0..<3).map { _ in
                let (x, y) = (draws.next(below: width), top + draws.next(below: height - top))
                return SIMD3(Double(x), Double(y), Double(values[y * width + x]))
            }
            let (u, v) = (points[1] - points[0], points[2] - points[0])
            let area = u.x * v.y - v.x * u.y
            guard abs(area) > 0.02 * Double(width * height) else { continue }
            let (b, c) = ((u.z * v.y - v.z * u.y) / area, (u.x * v.z - v.x * u.z) / area)
            guard c * Double(height) > 0.25 * range, abs(b) * Double(width) < 0.5 * c * Double(height) else { continue }
            let plane = (a: points[0].z - b * points[0].x - c * points[0].y, b: b, c: c)
            var count = 0
            for y in stride(from: top, to: height, by: 2) {
                let start = plane.a + c * Double(y)
                for x in stride(from: 0, to: width, by: 2) where abs(Double(values[y * width + x]) - start - b * Double(x)) < 0.03 * range {
                    count += 1
                }
            }
            if count > most {
                best = plane
                most = count
            }
        }
        return Double(4 * most) > 0.12 * Double(width * (height - top)) ? best : nil
    }

    private func isGround(_ x: Int, _ y: Int) -> Bool {
        guard let ground else { return false }
        return abs(Double(values[y * width + x]) - (ground.a + ground.b * Double(x) + ground.c * Double(y))) < 0.05 * range
    }

    /// 0 for the far end and the ground, 255 for the near end.
    func nearness() -> Raster {
        let result = Raster(width: width, height: height)
        for y in 0..<height {
            for x in 0..<width where range > 0 && !isGround(x, y) {
                result.bytes[y * width + x] = UInt8(min(max(255 * (Double(values[y * width + x]) - far) / range, 0), 255))
            }
        }
        return result
    }

    /// 255 where disparity is within `tolerance` (of the range, and half of it of the value) of the seed's, without the ground unless the seed is on it.
    func component(_ x: Int, _ y: Int, tolerance: Double) -> Raster {
        let mask = Raster(width: width, height: height)
        var around: [Float] = []
        for j in max(0, y - 2)...min(height - 1, y + 2) { for i in max(0, x - 2)...min(width - 1, x + 2) { around.append(values[j * width + i]) } }
        around.sort()
        let seed = Double(around[around.count / 2])
        let reach = max(tolerance * range, 0.5 * tolerance * abs(seed))
        let cutsGround = !isGround(x, y)
        for j in 0..<height {
            for i in 0..<width where abs(Double(values[j * width + i]) - seed) <= reach && !(cutsGround && isGround(i, j)) {
                mask.bytes[j * width + i] = 255
            }
        }
        return mask
    }
}

/// The same numbers every time: what is seen in a picture must not depend on chance.
private struct Draws {
    private var state: UInt32 = 1

    mutating func next(below limit: Int) -> Int {
        state = state &* 1_664_525 &+ 1_013_904_223
        return Int(state >> 8) % limit
    }
}
