/// Openings of a grid by line segments in four directions, of each the supremum, at single elements; a segment lies inside the grid.
struct LineOpenings {
    private let values: [UInt8]
    private let columns: Int
    private let rows: Int
    /// Directions of the segments, and how many elements one has for each length.
    private let directions: [(dx: Int, dy: Int, elements: [Int])]
    /// Least value from an element on against a direction and along it, by the distance.
    private var before: [UInt8]
    private var after: [UInt8]
    /// Openings at the element asked for last, one for each length.
    private(set) var results: [UInt8]
    /// Elements in runs of `level` and above along a row, as long as the longest segment: no opening there is lower.
    private let isInRun: [Bool]
    private let level: UInt8

    /// `lengths` in elements, not falling; along the diagonals a segment has fewer, for the same length. Long runs of `level` along rows cost nothing.
    init(_ values: [UInt8], columns: Int, rows: Int, lengths: [Int], level: UInt8 = .max) {
        (self.values, self.columns, self.rows, self.level) = (values, columns, rows, level)
        isInRun = Self.runs(of: level, in: values, columns: columns, longest: lengths.max() ?? 0)
        let diagonals = lengths.map(Self.diagonal)
        directions = [(1, 0, lengths), (0, 1, lengths), (1, 1, diagonals), (-1, 1, diagonals)]
        results = [UInt8](repeating: 0, count: lengths.count)
        before = [UInt8](repeating: 0, count: lengths.max() ?? 0)
        after = before
    }

    /// Elements along a diagonal as long as `length` along a row, but for two, which what lies across the grid has more in any direction.
    static func diagonal(_ length: Int) -> Int { min(length, Int((Double(max(length - 2, 0)) / 2.0.squareRoot() + 2).rounded(.up))) }

    /// Finds the openings at an element. False as soon as all of them are `enough` or more, which leaves `results` too low.
    mutating func find(at index: Int, below enough: UInt8) -> Bool {
        if enough <= level, isInRun[index] { return false }
        let (x, y) = (index % columns, index / columns)
        for length in results.indices { results[length] = 0 }
        for (dx, dy, elements) in directions {
            Self.fill(&before, values, columns, rows, x, y, -dx, -dy, elements.last ?? 0)
            Self.fill(&after, values, columns, rows, x, y, dx, dy, elements.last ?? 0)
            for (length, count) in elements.enumerated() {
                var most = results[length]
                for ahead in 0..<count { most = max(most, min(before[ahead], after[count - 1 - ahead])) }
                results[length] = most
            }
            // An opening by a longer segment is nowhere higher.
            if let least = results.last, least >= enough { return false }
        }
        return true
    }

    private static func runs(of level: UInt8, in values: [UInt8], columns: Int, longest: Int) -> [Bool] {
        var isInRun = [Bool](repeating: false, count: values.count)
        for row in stride(from: 0, to: values.count, by: columns) {
            var begin = row
            for end in row...row + columns where end == row + columns || values[end] < level {
                if end - begin >= longest { for place in begin..<end { isInRun[place] = true } }
                begin = end + 1
            }
        }
        return isInRun
    }

    private static func fill(
        _ line: inout [UInt8], _ values: [UInt8], _ columns: Int, _ rows: Int, _ x: Int, _ y: Int, _ dx: Int, _ dy: Int, _ count: Int
    ) {
        // Beyond the grid lies 0.
        let across = dx == 0 ? count : dx > 0 ? columns - x : x + 1, along = dy == 0 ? count : dy > 0 ? rows - y : y + 1
        let inside = min(count, across, along)
        var (least, place) = (UInt8.max, y * columns + x)
        for step in 0..<inside {
            least = min(least, values[place])
            line[step] = least
            place += dy * columns + dx
        }
        for step in inside..<count { line[step] = 0 }
    }
}
