import CoreVideo
import Foundation
import Pipeline

/// Matte of a subject by its depth: what lies as near as the subject and is connected with it. `OneComponent8` at the size of the disparity map.
///
/// A pixel belongs to the subject by its distance in disparity from it: wholly up to half of `tolerance`, less and less up to all of it. It counts where
/// pixels of the subject lead to it from the core of the subject's box, within the reach of a body. There is no colour in it: hair and whatever is
/// finer than the map is not cut out.
public struct SubjectMatte {
    private let map: DisparityMap
    private let disparity: Double
    private let tolerance: Double

    /// Half the depth of a person with outstretched arms, metres, and the least share of disparity.
    private static let (halfDepth, share) = (0.45, 0.08)
    /// Share of disparity where the unit is unknown.
    private static let unknownShare = 0.18
    /// Part of the box, about its centre, in which the subject begins, and the membership from which pixels lead on.
    private static let (core, connection): (Double, Float) = (0.6, 0.25)

    /// Creates the matte of what lies at a disparity, in the map's unit.
    public init(of map: DisparityMap, disparity: Double) {
        (self.map, self.disparity) = (map, disparity)
        // Depth ±h at distance z is disparity ±h/z².
        tolerance = map.isMetric ? max(Self.halfDepth * disparity * disparity, Self.share * disparity) : Self.unknownShare * disparity
    }

    /// Matte of nothing, for a map.
    public static func empty(for map: DisparityMap) -> CVPixelBuffer { SubjectMatte(of: map, disparity: 0).matte { _ in false } }

    /// Matte of everything that lies there.
    public var plane: CVPixelBuffer { matte { _ in true } }

    /// Matte of the subject in a box, 0…1 of the picture.
    public func subject(of kind: Detection.Kind, in bounds: CGRect) -> CVPixelBuffer {
        let reach = Self.reach(of: kind, in: bounds)
        let (columns, rows) = (range(reach.minX, reach.maxX, of: map.width), range(reach.minY, reach.maxY, of: map.height))
        guard let columns, let rows else { return matte { _ in false } }
        let middle = bounds.insetBy(dx: (1 - Self.core) / 2 * bounds.width, dy: (1 - Self.core) / 2 * bounds.height)
        var (open, seeds) = ([Bool](repeating: false, count: columns.count * rows.count), [Int]())
        for (j, y) in rows.enumerated() {
            for (i, x) in columns.enumerated() where membership(map.row(y)[x]) >= Self.connection {
                open[j * columns.count + i] = true
                let place = CGPoint(x: (Double(x) + 0.5) / Double(map.width), y: (Double(y) + 0.5) / Double(map.height))
                if middle.contains(place) { seeds.append(j * columns.count + i) }
            }
        }
        let members = Set(ConnectedCells.flood(from: seeds, through: &open, columns: columns.count))
        return matte { place in
            guard columns.contains(place.x), rows.contains(place.y) else { return false }
            return members.contains((place.y - rows.lowerBound) * columns.count + place.x - columns.lowerBound)
        }
    }

    /// Part of the picture that a subject of this kind can reach: below a head there is a body with its arms.
    private static func reach(of kind: Detection.Kind, in bounds: CGRect) -> CGRect {
        switch kind {
        case .face, .humanHead, .catHead, .dogHead:
            let top = bounds.minY - 0.7 * bounds.height
            return CGRect(x: bounds.midX - 3.2 * bounds.width, y: top, width: 6.4 * bounds.width, height: max(1 - top, bounds.height))
        case .humanBody, .catBody, .dogBody, .salientObject: return bounds.insetBy(dx: -0.25 * bounds.width, dy: -0.25 * bounds.height)
        }
    }

    private func range(_ low: Double, _ high: Double, of count: Int) -> Range<Int>? {
        let (first, end) = (Int(max(low, 0) * Double(count)), Int((min(high, 1) * Double(count)).rounded(.up)))
        return first < end ? first..<end : nil
    }

    /// 0…1.
    private func membership(_ value: Float) -> Float {
        let distance = abs(Double(value) - disparity) / max(tolerance, .leastNormalMagnitude)
        return Float(min(max(2 - 2 * distance, 0), 1))
    }

    private func matte(_ isIncluded: ((x: Int, y: Int)) -> Bool) -> CVPixelBuffer {
        let matte = CVPixelBuffer(width: map.width, height: map.height, pixelFormat: kCVPixelFormatType_OneComponent8)
        for y in 0..<map.height {
            let (from, to) = (map.row(y), matte.plane(0).row(y, as: UInt8.self))
            for x in 0..<map.width { to[x] = isIncluded((x, y)) ? UInt8((255 * membership(from[x])).rounded()) : 0 }
        }
        return matte
    }
}
