import Dispatch

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
