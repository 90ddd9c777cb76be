import Foundation

/// dlib's search of the whole picture, cut into slices of about equal cost: the largest heads at once, smaller ones size by size, the smallest by tiles.
/// Leaning heads are sought where they are large.
struct HeadSweep {
    struct Slice {
        var region: CGRect
        var scale: Double
        var angle = 0.0
        var levels: Int
    }

    /// A search of the whole picture takes this long at 30 frames a second, seconds.
    private static let period = 0.7

    private let slices: [Slice]
    private var next = 0
    private let perFrame: Int

    init(picture: ReducedPicture, frameDuration: Double) {
        let bounds = picture.luma.bounds
        var slices: [Slice] = []
        /// Heads of `levels` sizes in the picture made `width` wide and then `smaller` times a step smaller; tiles overlap by a head.
        func add(width: Double, smaller: Int = 0, columns: Int = 1, rows: Int = 1, levels: Int = 1, angle: Double = 0) {
            let scale = width / picture.width / pow(HeadFinder.step, Double(smaller))
            let margin = columns * rows == 1 ? 0 : HeadFinder.base / scale / 2
            for row in 0..<rows {
                for column in 0..<columns {
                    let cell = CGRect(
                        x: bounds.width * Double(column) / Double(columns), y: bounds.height * Double(row) / Double(rows),
                        width: bounds.width / Double(columns), height: bounds.height / Double(rows))
                    let region = cell.insetBy(dx: -margin, dy: -margin).intersection(bounds).integral
                    slices.append(Slice(region: region, scale: scale, angle: angle, levels: levels))
                }
            }
        }
        add(width: 320, levels: 8)
        add(width: 640)
        add(width: 640, smaller: 1, levels: 3)
        add(width: 1280, smaller: 3, columns: 2)
        add(width: 1280, smaller: 2, columns: 2)
        add(width: 1280, smaller: 1, columns: 3)
        add(width: 1280, columns: 2, rows: 2)
        for angle in [35.0, -35] {
            add(width: 320, levels: 6, angle: angle)
            add(width: 640, angle: angle)
            add(width: 640, smaller: 1, levels: 3, angle: angle)
        }
        self.slices = slices
        let period = SearchTime.seconds(Self.period, frameDuration: frameDuration)
        perFrame = min(max(Int((Double(slices.count) * frameDuration / period).rounded()), 1), slices.count)
    }

    /// Slices of this frame; with `isWhole` all there are.
    mutating func advance(isWhole: Bool) -> [Slice] {
        (0..<(isWhole ? slices.count : perFrame)).map { _ in
            defer { next = (next + 1) % slices.count }
            return slices[next]
        }
    }
}

extension HeadFinder {
    /// Faces that some slices of a sweep see.
    func faces(in luma: Raster, _ slices: [HeadSweep.Slice]) throws(VisionError) -> [Hit] {
        var hits: [Hit] = []
        for slice in slices {
            hits += try faces(in: luma, region: slice.region, scale: slice.scale, angle: slice.angle, levels: slice.levels, isNew: true)
        }
        return hits
    }
}
