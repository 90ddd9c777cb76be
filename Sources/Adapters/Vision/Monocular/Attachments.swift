import Foundation

/// Pixels in front of the background that begin at each mask of a picture, as of hands, sticks and legs that colours do not tell from what is behind: they
/// belong to the nearest one (simultaneous flood). What moves and does not look like the background counts as well: a plate seldom knows all of what is
/// behind a thin thing. None where much else stands in front, as before a camera that the plate does not follow.
struct Attachments {
    /// Evidence of the plate from which on a pixel belongs to a mask; the longest way there for the mask's longer side; and the share of the picture that may
    /// stand in front by itself.
    private static let (surely, arm, stray): (Float, Double, Double) = (0.3, 0.5, 0.02)
    /// Evidence of motion from which on a pixel of which the plate says nothing belongs to a mask.
    private static let moves: Float = 0.5

    /// Pixels of each mask, in the order of the flood.
    private var pixels: [[Int]] = []

    /// `foreground` is the plate's evidence for each pixel, -1…1, row after row, `motion` that of motion.
    init(to masks: [SoftMask?], foreground: [Float], motion: SoftMask?, width: Int) {
        guard !masks.isEmpty else { return }
        let height = foreground.count / width
        func isInFront(_ at: Int) -> Bool {
            foreground[at] > Self.surely || foreground[at] >= 0 && (motion?.values[at] ?? 0) > Self.moves
        }
        var (owner, steps) = ([Int](repeating: -1, count: foreground.count), [Int](repeating: 0, count: foreground.count))
        var (front, own, reach) = ([Int](), [Int](), [Int]())
        for (index, mask) in masks.enumerated() {
            let bounds = mask?.bounds ?? .zero
            reach.append(Int(Self.arm * max(bounds.width, bounds.height)))
            own.append(0)
            guard let mask else { continue }
            for at in mask.values.indices where mask.values[at] >= 0.5 && owner[at] < 0 {
                owner[at] = index
                own[index] += 1
                front.append(at)
            }
        }
        pixels = masks.map { _ in [] }
        var next = 0
        while next < front.count {
            let at = front[next]
            next += 1
            guard steps[at] < reach[owner[at]] else { continue }
            let (x, y) = (at % width, at / width)
            for j in max(y - 1, 0)...min(y + 1, height - 1) {
                for i in max(x - 1, 0)...min(x + 1, width - 1) where owner[j * width + i] < 0 && isInFront(j * width + i) {
                    let beside = j * width + i
                    owner[beside] = owner[at]
                    steps[beside] = steps[at] + 1
                    pixels[owner[at]].append(beside)
                    front.append(beside)
                }
            }
        }
        let stray = foreground.indices.count { owner[$0] < 0 && isInFront($0) }
        let isClear = Double(stray) < Self.stray * Double(foreground.count)
        // More than the mask itself is no part of it.
        for index in pixels.indices where !isClear || pixels[index].count > own[index] { pixels[index] = [] }
    }

    /// A mask with the pixels of the one with this number.
    func added(to mask: SoftMask, of index: Int) -> SoftMask {
        var mask = mask
        for at in pixels[index] { mask.values[at] = 1 }
        return mask
    }
}
