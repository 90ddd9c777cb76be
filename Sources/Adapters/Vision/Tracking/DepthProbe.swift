import Foundation
import Pipeline

/// Asks one frame's disparity map about places.
struct DepthProbe {
    let map: DisparityMap
    let picture: ReducedPicture
    /// Percentile range of this frame's disparity: 95th less 5th percentile, in the map's unit; 0 for a flat map.
    let range: Double
    private let far: Double

    init(_ map: DisparityMap, picture: ReducedPicture) {
        self.map = map
        self.picture = picture
        var values: [Float] = []
        values.reserveCapacity(32 * 18)
        for j in 0..<18 {
            let row = map.row((2 * j + 1) * map.height / 36)
            for i in 0..<32 {
                let value = row[(2 * i + 1) * map.width / 64]
                values.append(value.isFinite ? value : 0)
            }
        }
        values.sort()
        far = Double(values[values.count * 5 / 100])
        range = Double(values[values.count * 95 / 100]) - far
    }

    /// Median disparity of a region in reduced pixels; nil when it misses the picture.
    func median(_ region: CGRect) -> Double? { map.median(in: picture.normalized(region)) }

    /// Largest difference of two disparities of one object, in the map's unit.
    func tolerance(at disparity: Double) -> Double { max(0.1 * range, 0.12 * abs(disparity)) }

    func agrees(_ a: Double?, _ b: Double?) -> Bool {
        guard let a, let b else { return true }
        return abs(a - b) <= tolerance(at: max(a, b))
    }

    /// Pixels of a window whose disparity is near `disparity`: their mean x, their share of the window (0…1) and their mean; nil when there are none.
    func gathering(in window: CGRect, at disparity: Double) -> (x: Double, share: Double, mean: Double)? {
        let (columns, rows) = (32, 16)
        let area = picture.normalized(window)
        let reach = tolerance(at: disparity)
        var (count, x, sum) = (0, 0, 0.0)
        for j in 0..<rows {
            let y = Int((area.minY + (Double(j) + 0.5) / Double(rows) * area.height) * Double(map.height))
            guard y >= 0, y < map.height else { continue }
            let row = map.row(y)
            for i in 0..<columns {
                let column = Int((area.minX + (Double(i) + 0.5) / Double(columns) * area.width) * Double(map.width))
                guard column >= 0, column < map.width, abs(Double(row[column]) - disparity) <= reach else { continue }
                count += 1
                x += i
                sum += Double(row[column])
            }
        }
        guard count > 0 else { return nil }
        let centre = window.minX + (Double(x) / Double(count) + 0.5) / Double(columns) * window.width
        return (centre, Double(count) / Double(columns * rows), sum / Double(count))
    }

    /// 0…1: how much of a region is covered by something nearer than `disparity`.
    func coverage(of region: CGRect, at disparity: Double) -> Double {
        let limit = disparity + tolerance(at: disparity)
        var (nearer, all) = (0, 0)
        let area = picture.normalized(region)
        for j in 0..<12 {
            let y = Int((area.minY + (Double(j) + 0.5) / 12 * area.height) * Double(map.height))
            guard y >= 0, y < map.height else { continue }
            let row = map.row(y)
            for i in 0..<16 {
                let x = Int((area.minX + (Double(i) + 0.5) / 16 * area.width) * Double(map.width))
                guard x >= 0, x < map.width else { continue }
                all += 1
                if Double(row[x]) > limit { nearer += 1 }
            }
        }
        return all > 0 ? Double(nearer) / Double(all) : 0
    }

    /// Whether a head stands before something: a good part of what is left, right of and above it is farther. True where the map is flat and cannot tell.
    func standsOut(_ head: CGRect) -> Bool {
        guard range > 0, let disparity = median(head.scaled(0.5)) else { return true }
        let limit = disparity - 0.5 * tolerance(at: disparity)
        var (farther, all) = (0, 0)
        for i in 0..<24 {
            // A horseshoe one head away: up the left side, over the top, down the right side.
            let t = Double(i) / 23
            let x = head.midX + head.width * (t < 0.33 ? -1.1 : (t > 0.67 ? 1.1 : (t - 0.5) * 6.4))
            let y = head.midY - head.height * (t < 0.33 ? 0.3 + t * 2 : (t > 0.67 ? 0.3 + (1 - t) * 2 : 1.1))
            let place = picture.normalized(CGRect(x: x, y: y, width: 0, height: 0)).origin
            guard place.x >= 0, place.y >= 0, place.x < 1, place.y < 1 else { continue }
            all += 1
            if Double(map.row(Int(place.y * Double(map.height)))[Int(place.x * Double(map.width))]) < limit { farther += 1 }
        }
        return all == 0 || farther * 3 > all
    }

    /// Whether a box is of what is seen beside something nearer, which reaches into it: the wall at somebody's neck and shoulder looks like a profile.
    func isBackdrop(_ box: CGRect) -> Bool {
        guard range > 0, let disparity = median(box.scaled(0.5)) else { return false }
        return coverage(of: box, at: disparity) > 0.2
    }

    /// Whether something nearer is in front of a region that was at `disparity`.
    func isCovered(_ region: CGRect, of disparity: Double?) -> Bool {
        guard let disparity, let measured = median(region) else { return false }
        return measured > disparity + tolerance(at: measured)
    }

    /// Whether a disparity stands out from the far end of the scene, so that staying at it means something.
    func isTelling(_ disparity: Double?) -> Bool {
        guard let disparity else { return false }
        return range > 0 && disparity - far > 2 * tolerance(at: disparity)
    }
}
