import CoreVideo
import Dispatch

/// Weights, 0 to 1, by which clipped pixels are lights rather than white things: one for each coarse pixel (2 × 2 layer pixels), row after row.
///
/// A white top-hat transform (Meyer 1979; Soille, *Morphological Image Analysis*, 4.5) of the brightest red, green or blue of each coarse pixel: what
/// the opening takes away is brighter than what is around it and smaller than its structuring element. The opening is the supremum of those by line
/// segments in four directions (Soille, 4.2), so that whatever is long in one of them stays: a wall, a shirt, the frame of a window. Three lengths of
/// the segments are averaged, so that a light that comes nearer fades instead of switching. Weights rise from 0 to 1 over `contrast`.
struct IsolatedLights {
    let columns: Int
    let rows: Int
    let weights: [Float]

    /// Lengths of the segments as shares of the picture's width, over two coarse pixels that a light has more for lying across their grid.
    static let lengths: [Float] = [0.026, 0.034, 0.044]
    /// Difference to the opening, in shares of white's code, from which a light counts, and from which it counts fully.
    static let contrast: ClosedRange<Float> = 0.12...0.3

    /// Whether any coarse pixel is a light's.
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
            weights = [Float](repeating: 0, count: columns * rows)
            return
        }
        let lengths = Self.lengths.map { Int(($0 * Float(columns) + 2).rounded()) }
        let openings = LineOpenings(peaks, columns: columns, rows: rows, lengths: lengths)
        var weights = [Float](repeating: 0, count: columns * rows)
        for index in weights.indices where peaks[index] >= least {
            for opened in openings.results {
                let above = (Float(peaks[index] - min(opened[index], peaks[index])) / 255 - Self.contrast.lowerBound)
                let part = min(max(above / (Self.contrast.upperBound - Self.contrast.lowerBound), 0), 1)
                weights[index] += part * part * (3 - 2 * part) / Float(lengths.count)
            }
        }
        self.weights = weights
    }
}

/// Openings of a grid by line segments in four directions, of each the supremum; a segment lies inside the grid.
struct LineOpenings {
    /// One for each length, row after row.
    let results: [[UInt8]]

    /// `lengths` in elements, not falling; along the diagonals a segment has fewer, for the same length.
    init(_ values: [UInt8], columns: Int, rows: Int, lengths: [Int]) {
        let margin = lengths.max() ?? 0
        let stride = columns + 2 * margin
        let count = stride * (rows + 2 * margin)
        let grid = Scratch(count)
        for y in 0..<rows {
            values.withUnsafeBufferPointer {
                (grid.values + (y + margin) * stride + margin).update(from: $0.baseAddress! + y * columns, count: columns)
            }
        }
        let steps = [(1, false), (stride, false), (stride + 1, true), (stride - 1, true)]
        let opened = steps.map { _ in lengths.map { _ in Scratch(count) } }
        DispatchQueue.concurrentPerform(iterations: steps.count) { direction in
            let (step, isDiagonal) = steps[direction]
            let (eroded, spare) = (Scratch(count), Scratch(count))
            eroded.values.update(from: grid.values, count: count)
            var done = 1
            for (index, length) in lengths.enumerated() {
                let elements = isDiagonal ? Self.diagonal(length) : length
                Self.widen(eroded, spare, from: done, to: elements, step: step) { $0 < $1 ? $0 : $1 }
                done = elements
                opened[direction][index].values.update(from: eroded.values, count: count)
                Self.widen(opened[direction][index], spare, from: 1, to: elements, step: -step) { $0 > $1 ? $0 : $1 }
            }
        }
        results = lengths.indices.map { length in
            [UInt8](unsafeUninitializedCapacity: columns * rows) { result, count in
                for y in 0..<rows {
                    let at = (y + margin) * stride + margin
                    let lines = opened.map { UnsafePointer($0[length].values + at) }
                    let (a, b, c, d) = (lines[0], lines[1], lines[2], lines[3])
                    for x in 0..<columns { result[y * columns + x] = max(max(a[x], b[x]), max(c[x], d[x])) }
                }
                count = columns * rows
            }
        }
    }

    /// Elements along a diagonal as long as `length` along a row, but for two, which what lies across the grid has more in any direction.
    static func diagonal(_ length: Int) -> Int { min(length, Int((Double(max(length - 2, 0)) / 2.0.squareRoot() + 2).rounded(.up))) }

    /// Grid of bytes, 0 at first.
    private final class Scratch: @unchecked Sendable {
        let values: UnsafeMutablePointer<UInt8>
        let count: Int

        init(_ count: Int) {
            (values, self.count) = (.allocate(capacity: count), count)
            values.initialize(repeating: 0, count: count)
        }

        deinit { values.deallocate() }
    }

    /// From extremes of `done` values, `step` apart, from each on, those of `elements`, by doubling: of two halves that may overlap. Beyond the ends
    /// lies 0, which only the margin reads.
    @inline(__always)
    private static func widen(
        _ grid: Scratch, _ spare: Scratch, from done: Int, to elements: Int, step: Int, _ choose: (UInt8, UInt8) -> UInt8
    ) {
        var done = done
        while done < elements {
            let next = min(done, elements - done)
            let shift = next * step
            let range = max(0, -shift)..<min(grid.count, grid.count - shift)
            let (values, wider) = (grid.values, spare.values)
            for index in range { wider[index] = choose(values[index], values[index + shift]) }
            values.update(from: wider, count: grid.count)
            done += next
        }
    }
}

/// Codes, 0 to 255, of the brightest red, green or blue in each square of a picture; beyond the picture's edges its last squares go on.
struct BlockPeaks {
    let columns: Int
    let rows: Int
    let codes: [UInt8]

    /// `side`: of a square, pixels, a multiple of 4.
    init(_ image: CVPixelBuffer, format: PictureFormat, side: Int, columns: Int, rows: Int) {
        (self.columns, self.rows) = (columns, rows)
        let (width, height) = image.size
        let (first, last) = (image.plane(0), image.plane(format.isPlanar ? 1 : 0))
        var codes = [UInt8](repeating: 0, count: columns * rows)
        codes.withUnsafeMutableBufferPointer { codes in
            nonisolated(unsafe) let codes = codes
            DispatchQueue.concurrentPerform(iterations: rows) { row in
                let lines = min(row * side, height - 2)..<min((row + 1) * side, height)
                let target = codes.baseAddress! + row * columns
                switch format.layout {
                case .planar: Self.planar(first, last, UInt8.self, shift: 0, format, width, lines, side, target, columns)
                case .deep: Self.planar(first, last, UInt16.self, shift: 8, format, width, lines, side, target, columns)
                case .packed: Self.packed(first, UInt8.self, width, lines, side, target, columns)
                case .wide: Self.packed(first, UInt16.self, width, lines, side, target, columns)
                }
            }
        }
        self.codes = codes
    }

    private static func planar<Sample: FixedWidthInteger>(
        _ lumaPlane: CVBuffer.Plane, _ chromaPlane: CVBuffer.Plane, _: Sample.Type, shift: Int, _ format: PictureFormat, _ width: Int,
        _ lines: Range<Int>, _ side: Int, _ target: UnsafeMutablePointer<UInt8>, _ columns: Int
    ) {
        // Luma's greatest, and chroma's greatest and least, of each column of the lines; then of each square's columns.
        let scratch = UnsafeMutablePointer<Sample>.allocate(capacity: 3 * width)
        defer { scratch.deallocate() }
        let (luma, high, low) = (scratch, scratch + width, scratch + 2 * width)
        luma.initialize(repeating: 0, count: 2 * width)
        low.initialize(repeating: .max, count: width)
        for y in lines {
            let row = lumaPlane.row(y, as: Sample.self)
            for x in 0..<width { luma[x] = max(luma[x], row[x]) }
        }
        for y in lines.lowerBound / 2..<(lines.upperBound + 1) / 2 {
            let row = chromaPlane.row(y, as: Sample.self)
            for x in 0..<width {
                high[x] = max(high[x], row[x])
                low[x] = min(low[x], row[x])
            }
        }
        let unit = 255 / (format.lumaRange * (shift == 8 ? 64 : 1))
        let black = format.black * (shift == 8 ? 64 : 1), grey = format.grey * (shift == 8 ? 64 : 1)
        let chromaUnit = 255 / (format.chromaRange * (shift == 8 ? 64 : 1))
        let (blue, red) = (2 * (1 - format.blue) * chromaUnit, 2 * (1 - format.red) * chromaUnit)
        let (blueInGreen, redInGreen) = (blue * format.blue / (1 - format.red - format.blue), red * format.red / (1 - format.red - format.blue))
        for column in 0..<columns {
            let from = min(column * side, width - 2), to = min((column + 1) * side, width)
            var (most, cbHigh, crHigh, cbLow, crLow) = (Sample.zero, Sample.zero, Sample.zero, Sample.max, Sample.max)
            for x in from..<to { most = max(most, luma[x]) }
            for x in stride(from: from, to: to, by: 2) {
                (cbHigh, crHigh) = (max(cbHigh, high[x]), max(crHigh, high[x + 1]))
                (cbLow, crLow) = (min(cbLow, low[x]), min(crLow, low[x + 1]))
            }
            let offset = max(
                (Float(cbHigh) - grey) * blue, (Float(crHigh) - grey) * red,
                (grey - Float(cbLow)) * blueInGreen + (grey - Float(crLow)) * redInGreen)
            target[column] = UInt8(min(max((Float(most) - black) * unit + offset, 0), 255))
        }
    }

    private static func packed<Sample: FixedWidthInteger>(
        _ plane: CVBuffer.Plane, _: Sample.Type, _ width: Int, _ lines: Range<Int>, _ side: Int, _ target: UnsafeMutablePointer<UInt8>, _ columns: Int
    ) {
        for column in 0..<columns { target[column] = 0 }
        for y in lines {
            let row = plane.row(y, as: Sample.self)
            for column in 0..<columns {
                var most = Sample(target[column]) << Sample(Sample.bitWidth - 8)
                for x in min(column * side, width - 2)..<min((column + 1) * side, width) {
                    most = max(most, max(row[4 * x], max(row[4 * x + 1], row[4 * x + 2])))
                }
                target[column] = UInt8(truncatingIfNeeded: most >> Sample(Sample.bitWidth - 8))
            }
        }
    }
}
