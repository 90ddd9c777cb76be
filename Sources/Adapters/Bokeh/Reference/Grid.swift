/// A picture of anything.
struct Grid<Element> {
    let width: Int
    let height: Int
    private var elements: [Element]

    init(width: Int, height: Int, _ element: (_ x: Int, _ y: Int) -> Element) {
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

extension Grid where Element: SIMD, Element.Scalar == Float {
    /// Bilinear value at pixel (x, y) of a picture `scale` times as fine.
    func upsampled(_ x: Int, _ y: Int, scale: Int) -> Element {
        let (atX, atY) = ((Float(x) + 0.5) / Float(scale) - 0.5, (Float(y) + 0.5) / Float(scale) - 0.5)
        let (left, top) = (Int(atX.rounded(.down)), Int(atY.rounded(.down)))
        let (partX, partY) = (atX - Float(left), atY - Float(top))
        let upper = clamped(left, top) * (1 - partX) + clamped(left + 1, top) * partX
        let lower = clamped(left, top + 1) * (1 - partX) + clamped(left + 1, top + 1) * partX
        return upper * (1 - partY) + lower * partY
    }

    /// Sum over the pixels of a square of `scale` × `scale`, as far as they lie inside.
    func sum(_ x: Int, _ y: Int, scale: Int) -> Element {
        var sum = Element.zero
        for row in y * scale..<min((y + 1) * scale, height) { for column in x * scale..<min((x + 1) * scale, width) { sum += self[column, row] } }
        return sum
    }
}
