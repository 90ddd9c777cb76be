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
        for y in 0..<box.height {
            for x in 0..<box.width { odds[y * box.width + x] += more(y * box.width + x, (box.y + y) * width + box.x + x) }
        }
    }

    /// Sets labels as `label` says of the pixels of the picture, of those that are `old` where it is given.
    mutating func mark(width: Int, where old: CutLabel? = nil, _ label: (Int) -> CutLabel?) {
        for y in 0..<box.height {
            for x in 0..<box.width where old == nil || labels[y * box.width + x] == old {
                if let label = label((box.y + y) * width + box.x + x) { labels[y * box.width + x] = label }
            }
        }
    }

    /// Makes background, for certain, of what looks like it, as `looks` says of the pixels of the picture, where it is not the subject for certain.
    mutating func exclude(width: Int, where looks: (Int) -> Bool) {
        for y in 0..<box.height {
            for x in 0..<box.width where labels[y * box.width + x] != .object && looks((box.y + y) * width + box.x + x) {
                labels[y * box.width + x] = .background
                isBackground[y * box.width + x] = true
            }
        }
    }

    /// Resolves the labels that are not certain by the sign of the odds.
    mutating func resolveLabels() {
        for at in labels.indices where labels[at] == .probablyBackground || labels[at] == .probablyObject {
            labels[at] = odds[at] > 0 ? .probablyObject : .probablyBackground
        }
    }
}
