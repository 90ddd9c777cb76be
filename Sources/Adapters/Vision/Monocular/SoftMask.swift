import Foundation

/// Mask of a subject: 0…1 for each pixel of a small picture, row after row.
struct SoftMask {
    let width: Int
    let height: Int
    var values: [Float]

    init(width: Int, height: Int) {
        self.width = width
        self.height = height
        values = [Float](repeating: 0, count: width * height)
    }

    /// Share of the picture that it covers, 0…1.
    var area: Double { Double(values.reduce(0, +)) / Double(max(values.count, 1)) }

    /// Rectangle around the pixels of one half and more; nil when there are none.
    var bounds: CGRect? {
        var (left, right, top, bottom) = (width, -1, height, -1)
        for y in 0..<height {
            for x in 0..<width where values[y * width + x] >= 0.5 {
                (left, right, top, bottom) = (min(left, x), max(right, x), min(top, y), max(bottom, y))
            }
        }
        return right < 0 ? nil : CGRect(x: left, y: top, width: right - left + 1, height: bottom - top + 1)
    }

    /// The mask of a larger picture, between pixels by their distances (bilinear).
    func enlarged(width: Int, height: Int) -> SoftMask {
        func between(_ index: Int, of count: Int, in own: Int) -> (first: Int, second: Int, share: Float) {
            let at = (Double(index) + 0.5) / Double(count) * Double(own) - 0.5
            let first = at.rounded(.down)
            return (max(Int(first), 0), min(Int(first) + 1, own - 1), Float(at - first))
        }
        let columns = (0..<width).map { between($0, of: width, in: self.width) }
        /// A row of its own, stretched.
        func stretched(_ row: Int) -> [Float] {
            columns.map { column in
                let (left, right) = (values[row * self.width + column.first], values[row * self.width + column.second])
                return left + (right - left) * column.share
            }
        }
        var result = SoftMask(width: width, height: height)
        var (upper, lower) = ((row: -1, values: [Float]()), (row: -1, values: [Float]()))
        result.values.withUnsafeMutableBufferPointer { result in
            for y in 0..<height {
                let (first, second, share) = between(y, of: height, in: self.height)
                if lower.row == first { swap(&upper, &lower) }
                if upper.row != first { upper = (first, stretched(first)) }
                if lower.row != second { lower = (second, stretched(second)) }
                let out = result.baseAddress! + y * width
                upper.values.withUnsafeBufferPointer { upper in
                    lower.values.withUnsafeBufferPointer { lower in
                        for x in 0..<width { out[x] = upper[x] + (lower[x] - upper[x]) * share }
                    }
                }
            }
        }
        return result
    }

    /// The mask of a smaller picture: means of what each pixel covers, by whole pixels.
    func reduced(width: Int, height: Int) -> SoftMask {
        var (result, counts) = (SoftMask(width: width, height: height), [Float](repeating: 0, count: width * height))
        for y in 0..<self.height {
            let row = y * height / self.height * width
            for x in 0..<self.width {
                result.values[row + x * width / self.width] += values[y * self.width + x]
                counts[row + x * width / self.width] += 1
            }
        }
        for at in counts.indices { result.values[at] /= max(counts[at], 1) }
        return result
    }

    /// The mask without its outermost pixels: the least of each and its four neighbours, of which there are none beyond the picture.
    func eroded() -> SoftMask {
        var result = self
        for y in 0..<height {
            for x in 0..<width where values[y * width + x] > 0 {
                let at = y * width + x
                if x > 0 { result.values[at] = min(result.values[at], values[at - 1]) }
                if x < width - 1 { result.values[at] = min(result.values[at], values[at + 1]) }
                if y > 0 { result.values[at] = min(result.values[at], values[at - width]) }
                if y < height - 1 { result.values[at] = min(result.values[at], values[at + width]) }
            }
        }
        return result
    }

    /// Goes a share of the way, 0…1, to another mask of its size.
    mutating func approach(_ other: SoftMask, share: Float) {
        for at in values.indices { values[at] += (other.values[at] - values[at]) * share }
    }

    /// Takes the greater value of itself and another mask of its size at each pixel.
    mutating func raise(to other: SoftMask) {
        for at in values.indices { values[at] = max(values[at], other.values[at]) }
    }

    /// Takes the lesser value of itself and another mask of its size at each pixel.
    mutating func lower(to other: SoftMask) {
        for at in values.indices { values[at] = min(values[at], other.values[at]) }
    }

    /// Sets a part to 1.
    mutating func fill(_ box: PixelBox) {
        for y in box.y..<box.y + box.height { for x in box.x..<box.x + box.width { values[y * width + x] = 1 } }
    }

    /// Share of its own area that lies within another, 0…1.
    func share(within other: SoftMask) -> Double { share { other.values[$0] >= 0.5 } }

    /// Share of its own area that lies within a rectangle of pixels, 0…1.
    func share(within box: CGRect) -> Double { share { box.contains(CGPoint(x: Double($0 % width) + 0.5, y: Double($0 / width) + 0.5)) } }

    private func share(_ isInside: (Int) -> Bool) -> Double {
        var (common, own) = (0, 0)
        for at in values.indices where values[at] >= 0.5 {
            own += 1
            common += isInside(at) ? 1 : 0
        }
        return Double(common) / Double(max(own, 1))
    }

    /// Mean of values of the picture's pixels, those of one half and more; 0 where there are none.
    func mean(of others: [Float]) -> Float {
        var (sum, count) = (Float(0), Float(0))
        for at in values.indices where values[at] >= 0.5 {
            sum += others[at]
            count += 1
        }
        return sum / max(count, 1)
    }

    /// Share of the smaller one's area that both cover, 0…1.
    func overlap(with other: SoftMask) -> Double { max(share(within: other), other.share(within: self)) }

    /// Distance in pixels from the nearest pixel of one half and more, within 8 % (chamfer; Borgefors, "Distance transformations in digital images",
    /// CVGIP 1986).
    func distance() -> [Float] {
        let (diagonal, last) = (Float(2).squareRoot(), width - 1)
        var result = values.map { $0 >= 0.5 ? Float(0) : 1e6 }
        result.withUnsafeMutableBufferPointer { result in
            let first = result.baseAddress!
            /// Passes over a row after the one before it.
            func relax(_ row: UnsafeMutablePointer<Float>, after before: UnsafeMutablePointer<Float>) {
                for x in 0...last { row[x] = min(row[x], before[x] + 1) }
                for x in stride(from: 1, through: last, by: 1) { row[x] = min(row[x], before[x &- 1] + diagonal) }
                for x in stride(from: 0, to: last, by: 1) { row[x] = min(row[x], before[x &+ 1] + diagonal) }
            }
            for y in 0..<height {
                let row = first + y * width
                if y > 0 { relax(row, after: row - width) }
                for x in stride(from: 1, through: last, by: 1) { row[x] = min(row[x], row[x &- 1] + 1) }
            }
            for y in (0..<height).reversed() {
                let row = first + y * width
                if y < height - 1 { relax(row, after: row + width) }
                for x in stride(from: last - 1, through: 0, by: -1) { row[x] = min(row[x], row[x &+ 1] + 1) }
            }
        }
        return result
    }

    /// Distance in pixels from the nearest pixel of one half and less: how deep each lies inside.
    func depth() -> [Float] {
        var beyond = self
        for at in values.indices { beyond.values[at] = 1 - values[at] }
        return beyond.distance()
    }

    /// Masks of the connected parts (4 neighbours) of one half and more that cover at least `least` pixels, in reading order.
    func components(least: Int) -> [SoftMask] {
        var open = values.map { $0 >= 0.5 }
        var parts: [SoftMask] = []
        for start in open.indices where open[start] {
            let members = ConnectedCells.flood(from: [start], through: &open, columns: width)
            guard members.count >= least else { continue }
            var part = SoftMask(width: width, height: height)
            for at in members { part.values[at] = 1 }
            parts.append(part)
        }
        return parts
    }
}
