import Foundation

/// One cascade's search of the whole picture, cut into bands of window sizes of about equal cost, one band at a time.
///
/// Each band remembers what it saw last; the hits of all bands together are what the search sees now.
struct Sweep {
    let look: Hit.Look
    /// Searches the half-size picture.
    let coarse: Bool
    let neighbours: Int
    private let step: Double
    private let bands: [ClosedRange<Int>]
    private var seen: [[RawHit]]
    private var next = 0

    /// `sizes` of windows in pixels of the searched picture, each `step` times the one before.
    init(
        _ look: Hit.Look, coarse: Bool, sizes: ClosedRange<Int>, base: Int, step: Double = 1.1, bands count: Int, neighbours: Int,
        largestFirst: Bool = false
    ) {
        self.look = look
        self.coarse = coarse
        self.neighbours = neighbours
        self.step = step
        let bands = Self.bands(sizes: sizes, base: base, step: step, count: count)
        self.bands = largestFirst ? bands.reversed() : bands
        seen = Array(repeating: [], count: bands.count)
    }

    var bandCount: Int { bands.count }

    /// Window sizes of OpenCV's ladder, split so that each band visits about as many windows.
    static func bands(sizes: ClosedRange<Int>, base: Int, step: Double, count: Int) -> [ClosedRange<Int>] {
        var levels: [(size: Int, cost: Double)] = []
        var factor = 1.0
        while true {
            let size = Int((Double(base) * factor).rounded())
            if size > sizes.upperBound { break }
            if size >= sizes.lowerBound { levels.append((size, (factor < 2 ? 0.25 : 1) / (factor * factor))) }
            factor *= step
        }
        let share = levels.reduce(0) { $0 + $1.cost } / Double(max(count, 1))
        var bands: [ClosedRange<Int>] = []
        var (first, sum) = (0, 0.0)
        for (index, level) in levels.enumerated() {
            sum += level.cost
            let isLast = index == levels.count - 1
            if isLast || (sum >= share * Double(bands.count + 1) - level.cost / 2 && bands.count < count - 1) {
                bands.append(levels[first].size...level.size)
                first = index + 1
            }
        }
        return bands
    }

    /// Searches the next band.
    mutating func advance(_ picture: ReducedPicture, with cascade: Cascade) throws(VisionError) {
        guard !bands.isEmpty else { return }
        let raster = coarse ? picture.half : picture.luma
        guard let all = PixelBox(raster.bounds, in: raster) else { return }
        seen[next] = try cascade.scan(raster, part: all, sizes: bands[next], step: step, mirrored: look == .right)
        next = (next + 1) % bands.count
    }

    /// What the whole search sees, grouped.
    func hits() throws(VisionError) -> [Hit] {
        try RawHit.grouped(seen.flatMap { $0 }, neighbours: neighbours, scale: coarse ? 2 : 1).map {
            Hit(look: look, box: $0.box, weight: $0.weight, isNew: true)
        }
    }
}
