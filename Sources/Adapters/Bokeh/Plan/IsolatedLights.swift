import CoreVideo

/// Weights, 0 to 1, by which clipped pixels are lights rather than white things: one for each coarse pixel (2 × 2 layer pixels), row after row.
///
/// A white top-hat transform (Meyer 1979; Soille, *Morphological Image Analysis*, 4.5) of the brightest red, green or blue of each coarse pixel: what
/// the opening takes away is brighter than what is around it and smaller than its structuring element. The opening is the supremum of those by line
/// segments in four directions (Soille, 4.2), so that whatever is long in one of them stays: a wall, a shirt, the frame of a window; and a line of
/// lettering, whose gaps are closed first (along rows and columns, by segments again). Three lengths of the segments are averaged, so that a light that
/// comes nearer fades instead of switching. Weights rise from 0 to 1 over `contrast`.
struct IsolatedLights {
    let columns: Int
    let rows: Int
    let weights: [Float]
    /// Indices of the coarse pixels that are white, at the knee or brighter, lights or not.
    let whites: [Int]

    /// Lengths of the segments as shares of the picture's width, over two coarse pixels that a light has more for lying across their grid.
    static let lengths: [Float] = [0.032, 0.043, 0.056]
    /// The widest gap between white things that is closed, as a share of the picture's width.
    static let gap: Float = 0.0085
    /// Difference to the opening, in shares of white's code, from which a light counts, and from which it counts fully.
    static let contrast: ClosedRange<Float> = 0.12...0.3

    /// Whether no coarse pixel is a light's.
    var isEmpty: Bool { !weights.contains { $0 > 0 } }

    /// `knee`: linear light, white 1, below which nothing is a light.
    init(_ image: CVPixelBuffer, geometry: LensGeometry, knee: Float) {
        let peaks = BlockPeaks(image, format: geometry.format, side: 2 * geometry.scale, columns: geometry.coarseWidth, rows: geometry.coarseHeight)
        self.init(peaks: peaks.codes, columns: peaks.columns, rows: peaks.rows, knee: geometry.format.encoded(SIMD4(repeating: knee)).x)
    }

    /// `peaks`: codes of the brightest channel, row after row; `knee` is a code, 0 to 1.
    init(peaks: [UInt8], columns: Int, rows: Int, knee: Float) {
        (self.columns, self.rows) = (columns, rows)
        let least = UInt8(min(max(knee * 255, 0), 255))
        guard let brightest = peaks.max(), brightest >= least else {
            (weights, whites) = ([Float](repeating: 0, count: columns * rows), [])
            return
        }
        let lengths = Self.lengths.map { Int(($0 * Float(columns) + 2).rounded()) }
        let whites = peaks.indices.filter { peaks[$0] >= least }
        let closed = Self.closed(peaks, columns: columns, whites, least, gap: Int(Self.gap * Float(columns)))
        let margin = UInt8(Self.contrast.lowerBound * 255)
        var openings = LineOpenings(closed, columns: columns, rows: rows, lengths: lengths, level: brightest - min(margin, brightest))
        var weights = [Float](repeating: 0, count: columns * rows)
        for index in whites {
            let enough = peaks[index] - min(margin, peaks[index])
            guard openings.find(at: index, below: enough) else { continue }
            for opened in openings.results {
                let above = (Float(peaks[index] - min(opened, peaks[index])) / 255 - Self.contrast.lowerBound)
                let part = min(max(above / (Self.contrast.upperBound - Self.contrast.lowerBound), 0), 1)
                weights[index] += part * part * (3 - 2 * part) / Float(lengths.count)
            }
        }
        (self.weights, self.whites) = (weights, whites)
    }

    /// Peaks, at least `least` also between two whites that lie no farther than `gap` apart in a row or a column.
    private static func closed(_ peaks: [UInt8], columns: Int, _ whites: [Int], _ least: UInt8, gap: Int) -> [UInt8] {
        var closed = peaks
        var (before, above) = (-2 - gap, [Int](repeating: -2 - gap, count: columns))
        for index in whites {
            let (x, y) = (index % columns, index / columns)
            if index - before <= gap + 1, before / columns == y { for place in before..<index { closed[place] = max(closed[place], least) } }
            if y - above[x] <= gap + 1 { for row in above[x]..<y { closed[row * columns + x] = max(closed[row * columns + x], least) } }
            (before, above[x]) = (index, y)
        }
        return closed
    }
}
