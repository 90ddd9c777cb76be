import Foundation

/// Prior of a subject's outline, before the colours are looked at, for the pixels of a part of the picture.
struct SubjectPrior {
    /// The part of the picture that it is about.
    let box: PixelBox
    /// Log-odds (natural logarithms) of the subject for each pixel of the box, row after row.
    var odds: [Float]
    /// Certain labels; `probablyObject` and `probablyBackground` elsewhere.
    var labels: [CutLabel]
    /// Whether each pixel is background by its looks, so that what no edge parts from it is background, too.
    private(set) var isBackground: [Bool]

    /// Nothing known of a part of the picture.
    init(box: PixelBox) {
        self.box = box
        odds = [Float](repeating: 0, count: box.width * box.height)
        labels = [CutLabel](repeating: .probablyBackground, count: box.width * box.height)
        isBackground = [Bool](repeating: false, count: box.width * box.height)
    }

    /// Adds what speaks for each pixel of the picture, as `odds(index in the box, index in the picture)`.
    mutating func add(width: Int, _ more: (Int, Int) -> Float) {
        box.forEachPixel(width: width) { at, place in odds[at] += more(at, place) }
    }

    /// Sets labels as `label` says of the pixels of the picture, of those that are `old` where it is given.
    mutating func mark(width: Int, where old: CutLabel? = nil, _ label: (Int) -> CutLabel?) {
        box.forEachPixel(width: width) { at, place in
            if old == nil || labels[at] == old, let label = label(place) { labels[at] = label }
        }
    }

    /// Makes background, for certain, of what looks like it, as `looks` says of the pixels of the picture, where it is not the subject for certain.
    mutating func exclude(width: Int, where looks: (Int) -> Bool) {
        box.forEachPixel(width: width) { at, place in
            guard labels[at] != .object, looks(place) else { return }
            labels[at] = .background
            isBackground[at] = true
        }
    }

    /// Resolves the labels that are not certain by the sign of the odds.
    mutating func resolveLabels() {
        for at in labels.indices where labels[at] == .probablyBackground || labels[at] == .probablyObject {
            labels[at] = odds[at] > 0 ? .probablyObject : .probablyBackground
        }
    }
}

extension PixelBox {
    /// Calls `body` with the index of each pixel in the box, row after row, and in a picture of this width.
    @inline(__always)
    fileprivate func forEachPixel(width: Int, _ body: (Int, Int) -> Void) {
        for row in 0..<height {
            for column in 0..<self.width { body(row * self.width + column, (y + row) * width + x + column) }
        }
    }
}
