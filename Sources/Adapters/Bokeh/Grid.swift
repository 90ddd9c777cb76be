/// A picture of anything.
struct Grid<Element> {
    let width: Int
    let height: Int
    private var elements: [Element]

    init(width: Int, height: Int, _ element: (Int, Int) -> Element) {
        self.width = width
        self.height = height
        elements = (0..<width * height).map { element($0 % width, $0 / width) }
    }

    subscript(x: Int, y: Int) -> Element {
        get { elements[y * width + x] }
        set { elements[y * width + x] = newValue }
    }

    /// The element at the nearest place inside.
    func clamped(_ x: Int, _ y: Int) -> Element { self[min(max(x, 0), width - 1), min(max(y, 0), height - 1)] }
}

extension Grid<SIMD4<Float>> {
    /// Zero where not `isKept`.
    func masked(_ isKept: (Int, Int) -> Bool) -> Self { Self(width: width, height: height) { isKept($0, $1) ? self[$0, $1] : .zero } }

    /// The value at pixel (x, y) of the picture; where there may be lights, the steeper one at their rims.
    func finished(_ x: Int, _ y: Int, scale: Int, hasHighlights: Bool) -> SIMD4<Float> {
        let plain = upsampled(x, y, scale: scale)
        guard hasHighlights else { return plain }
        // The layer pixels that the four by two pixels around are made from.
        let (left, top) = (x / 4 * 4 / scale - 1, Int(((Float(y / 2 * 2) + 0.5) / Float(scale) - 0.5).rounded(.down)))
        let values = (top..<top + (scale == 2 ? 3 : 2)).flatMap { y in (left..<left + (scale == 2 ? 4 : 3)).map { clamped($0, y).y } }
        let (low, high) = (values.min() ?? 0, values.max() ?? 0)
        let steep = min(max(10 * (high - low) - 1, 0), 1)
        return steep > 0 ? plain * (1 - steep) + cubic(x, y, scale: scale) * steep : plain
    }

    /// As `upsampled`, by a cubic after Catmull and Rom that stays within the four values around.
    func cubic(_ x: Int, _ y: Int, scale: Int) -> SIMD4<Float> {
        let (atX, atY) = ((Float(x) + 0.5) / Float(scale) - 0.5, (Float(y) + 0.5) / Float(scale) - 0.5)
        let (left, top) = (Int(atX.rounded(.down)), Int(atY.rounded(.down)))
        func weights(_ part: Float) -> [Float] {
            let (square, cube) = (part * part, part * part * part)
            return [square - (cube + part) / 2, 1 + 1.5 * cube - 2.5 * square, 2 * square + part / 2 - 1.5 * cube, (cube - square) / 2]
        }
        let (across, down) = (weights(atX - Float(left)), weights(atY - Float(top)))
        var sum = SIMD4<Float>.zero
        for row in 0..<4 {
            for column in 0..<4 { sum += clamped(left + column - 1, top + row - 1) * (across[column] * down[row]) }
        }
        let around = [clamped(left, top), clamped(left + 1, top), clamped(left, top + 1), clamped(left + 1, top + 1)]
        return sum.clamped(
            lowerBound: around.dropFirst().reduce(around[0], pointwiseMin), upperBound: around.dropFirst().reduce(around[0], pointwiseMax))
    }

    /// Bilinear value at pixel (x, y) of a picture `scale` times as fine.
    func upsampled(_ x: Int, _ y: Int, scale: Int) -> SIMD4<Float> {
        let atX = (Float(x) + 0.5) / Float(scale) - 0.5
        let atY = (Float(y) + 0.5) / Float(scale) - 0.5
        let (left, top) = (Int(atX.rounded(.down)), Int(atY.rounded(.down)))
        let (partX, partY) = (atX - Float(left), atY - Float(top))
        let upper = clamped(left, top) * (1 - partX) + clamped(left + 1, top) * partX
        let lower = clamped(left, top + 1) * (1 - partX) + clamped(left + 1, top + 1) * partX
        return upper * (1 - partY) + lower * partY
    }
}
