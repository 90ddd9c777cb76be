import Foundation

/// Upper end of the ground, on which something stands, in each column of plain video, by the colours of both.
///
/// The ground is below and what stands upright above, one boundary a column, as in Badino, Franke and Pfeiffer, "The stixel world", DAGM 2009; found by
/// dynamic programming across the columns.
struct GroundBoundary {
    /// Pixels from a subject up to which colours count for neither, and least pixels whose colours tell anything.
    private static let (beside, fewest): (Float, Int) = (2, 50)
    /// Share of the picture below the horizon that is taken for ground at first, from the lower edge on, and times that the colours are learnt anew.
    private static let (sure, rounds) = (0.33, 2)
    /// Most that a pixel's colour tells, log-odds; what tells for ground where colours do not; share of the pixels of a colour that nobody has.
    private static let (most, prior, rare): (Float, Float, Float) = (2, 0.05, 1e-4)
    /// Rows on each side of the boundary, of which subjects cover less than half where it is seen.
    private static let around = 3
    /// Cost of each row from column to column, and of any leap.
    private static let (step, leap): (Float, Float) = (0.35, 4)
    /// Likeness of the colours of both (Bhattacharyya coefficient) up to which the boundary is certain, and from which on it is none.
    private static let (told, alike) = (0.35, 0.5)
    /// Time between two looks, nanoseconds, and time constant of changes, seconds.
    private static let (interval, smoothing): (Int64, Double) = (100_000_000, 0.4)

    /// Row of each column, pixels; what is above it stands upright. Empty before the first look.
    private(set) var rows: [Double] = []
    /// Certainty of the boundary, 0…1.
    private(set) var certainty = 0.0
    private var looked: Int64?

    /// Columns of a person's feet, and the row below them, pixels.
    struct Stance {
        var columns: Range<Int>
        var row: Int
    }

    /// Takes in a picture in CIE Lab, with the horizon, 0…1 downwards, the pixels that all subjects cover, and the feet that are seen.
    mutating func see(_ tones: Raster, at time: Int64, horizon: Double, subjects: SoftMask, stances: [Stance]) {
        if let looked, time - looked < Self.interval { return }
        let share = looked.map { 1 - exp(-Double(time - $0) * 1e-9 / Self.smoothing) } ?? 1
        looked = time
        let top = Int((horizon * Double(tones.height)).rounded())
        guard let found = Self.boundary(of: tones, below: top, subjects.distance(), stances) else { return certainty -= certainty * share }
        certainty += (found.certainty - certainty) * share
        if rows.isEmpty { rows = found.rows.map(Double.init) }
        for x in rows.indices { rows[x] += (Double(found.rows[x]) - rows[x]) * share }
    }

    private static func boundary(
        of tones: Raster, below top: Int, _ distance: [Float], _ stances: [Stance]
    ) -> (rows: [Int], certainty: Double)? {
        let (width, height) = (tones.width, tones.height)
        guard top >= 2, height - top >= 6 else { return nil }
        let bins = (0..<width * height).map { distance[$0] > beside ? Colours.bin(tones.bytes + 3 * $0) : -1 }
        var rows = [Int](repeating: height - Int(sure * Double(height - top)), count: width)
        var upright = [Int](repeating: top, count: width)
        for _ in 0..<rounds {
            guard let (ground, standing) = colours(bins, width: width, ground: rows, upright: upright, from: 0) else { return nil }
            let odds = zip(ground.shares, standing.shares).map { min(max(log(($0 + rare) / ($1 + rare)), -most), most) + prior }
            rows = path(top: top, width: width, height: height, stances) { bins[$0] < 0 ? 0 : odds[bins[$0]] }
            straighten(&rows, height: height, stances) { bins[$0] >= 0 }
            upright = rows
        }
        let near = max(top - (height - top) / 2, 0)
        guard let (ground, standing) = colours(bins, width: width, ground: rows, upright: rows, from: near) else { return nil }
        return (rows, min(max((alike - ground.likeness(to: standing)) / (alike - told), 0), 1))
    }

    /// Colours below the ground's rows, and above those of what is upright, `from` downwards; nil where there are too few.
    private static func colours(
        _ bins: [Int], width: Int, ground: [Int], upright: [Int], from first: Int
    ) -> (ground: Colours, upright: Colours)? {
        var (below, above) = (Colours(), Colours())
        for at in first * width..<bins.count where bins[at] >= 0 {
            if at / width >= ground[at % width] { below.add(bins[at]) } else if at / width < upright[at % width] { above.add(bins[at]) }
        }
        guard min(below.count, above.count) >= fewest else { return nil }
        return (below.smoothed(), above.smoothed())
    }

    /// Boundary of greatest odds: those of ground below it, against them above, and against leaps from column to column.
    private static func path(top: Int, width: Int, height: Int, _ stances: [Stance], _ odds: (Int) -> Float) -> [Int] {
        let count = height - top + 1
        var from: [[Int]] = []
        var best = [Float](repeating: 0, count: count)
        for x in 0..<width {
            if x > 0 {
                var origins = Array(0..<count)
                for row in 1..<count where best[row - 1] - step > best[row] { (best[row], origins[row]) = (best[row - 1] - step, origins[row - 1]) }
                for row in (0..<count - 1).reversed() where best[row + 1] - step > best[row] {
                    (best[row], origins[row]) = (best[row + 1] - step, origins[row + 1])
                }
                let peak = best.indices.max { best[$0] < best[$1] }!
                for row in 0..<count where best[peak] - leap > best[row] { (best[row], origins[row]) = (best[peak] - leap, origins[peak]) }
                from.append(origins)
            }
            var sum: Float = 0
            for row in (0..<count).reversed() {
                if row < count - 1 { sum += 2 * odds((top + row) * width + x) }
                best[row] += sum
            }
            for stance in stances where stance.columns.contains(x) {
                for row in max(stance.row - top + 1, 1)..<count { best[row] = -.greatestFiniteMagnitude / 2 }
            }
        }
        var row = best.indices.max { best[$0] < best[$1] }!
        var rows = [Int](repeating: top + row, count: width)
        for x in (0..<width - 1).reversed() {
            row = from[x][row]
            rows[x] = top + row
        }
        return rows
    }

    /// Leads the boundary behind subjects straight on from where it is seen on both sides, as kerbs and the feet of walls run.
    private static func straighten(_ rows: inout [Int], height: Int, _ stances: [Stance], isSeen: (Int) -> Bool) {
        let width = rows.count
        let seen = rows.indices.filter { x in
            (max(rows[x] - around, 0)..<min(rows[x] + around, height)).count { !isSeen($0 * width + x) } < around
        }
        for (left, right) in zip(seen, seen.dropFirst()) where right > left + 1 {
            for x in left + 1..<right {
                let row = rows[left] + (rows[right] - rows[left]) * (x - left) / (right - left)
                rows[x] = stances.reduce(row) { $1.columns.contains(x) ? min($0, $1.row - 1) : $0 }
            }
        }
    }

    /// Histogram of colours in CIE Lab.
    private struct Colours {
        private static let (lightness, colour) = (16, 12)

        private(set) var shares = [Float](repeating: 0, count: lightness * colour * colour)
        private(set) var count = 0

        /// Bin of a pixel: steps of 16 in lightness, and of 6 in colour, in whose middle third all but the most vivid lie.
        static func bin(_ pixel: UnsafePointer<UInt8>) -> Int {
            func step(_ value: UInt8) -> Int { min(max((Int(value) - 92) / 6, 0), colour - 1) }
            return (Int(pixel[0]) / 16 * colour + step(pixel[1])) * colour + step(pixel[2])
        }

        mutating func add(_ bin: Int) {
            shares[bin] += 1
            count += 1
        }

        /// Shares of all pixels, spread to the bins beside each.
        func smoothed() -> Colours {
            var result = self
            for (stride, size) in [(1, Self.colour), (Self.colour, Self.colour), (Self.colour * Self.colour, Self.lightness)] {
                let old = result.shares
                for at in old.indices {
                    let place = at / stride % size
                    result.shares[at] = 0.5 * old[at] + 0.25 * ((place > 0 ? old[at - stride] : 0) + (place < size - 1 ? old[at + stride] : 0))
                }
            }
            for at in result.shares.indices { result.shares[at] /= Float(count) }
            return result
        }

        /// Bhattacharyya coefficient, 0…1.
        func likeness(to other: Colours) -> Double { Double(zip(shares, other.shares).reduce(0) { $0 + ($1.0 * $1.1).squareRoot() }) }
    }
}
