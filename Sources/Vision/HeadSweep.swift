import Foundation

/// dlib's search of the whole picture, cut into turns: near heads at once, middle and far ones by tiles, leaning ones between them.
struct HeadSweep {
    struct Turn {
        var region: CGRect
        var scale: Double
        var angle = 0.0
        var levels: Int
    }

    /// A search of the whole picture takes this long at 30 frames a second, seconds.
    private static let period = 0.7

    private var turns: [Turn] = []
    private var next = 0
    private let perFrame: Int

    init(picture: ReducedPicture, frameDuration: Double) {
        let bounds = picture.luma.bounds
        /// Tiles overlap by the largest face that is searched in them.
        func add(width: Double, columns: Int, rows: Int, levels: Int, angle: Double = 0) -> [Turn] {
            let scale = width / picture.width
            let margin = HeadFinder.base * pow(1.2, Double(levels - 1)) / scale / 2
            var tiles: [Turn] = []
            for row in 0..<rows {
                for column in 0..<columns {
                    let cell = CGRect(
                        x: bounds.width * Double(column) / Double(columns), y: bounds.height * Double(row) / Double(rows),
                        width: bounds.width / Double(columns), height: bounds.height / Double(rows))
                    let region = columns * rows == 1 ? cell : cell.insetBy(dx: -margin, dy: -margin).intersection(bounds).integral
                    tiles.append(Turn(region: region, scale: scale, angle: angle, levels: levels))
                }
            }
            return tiles
        }
        let near = add(width: 320, columns: 1, rows: 1, levels: 8)
        let middle = add(width: 640, columns: 2, rows: 1, levels: 4)
        let far = add(width: 1280, columns: 4, rows: 3, levels: 4)
        let leaning = [35.0, -35].flatMap {
            add(width: 320, columns: 1, rows: 1, levels: 6, angle: $0) + add(width: 640, columns: 2, rows: 1, levels: 4, angle: $0)
        }
        turns = near + middle + far + leaning
        let period = SearchTime.seconds(Self.period, frameDuration: frameDuration)
        perFrame = min(max(Int((Double(turns.count) * frameDuration / period).rounded()), 1), turns.count)
    }

    /// This frame's turns.
    mutating func advance() -> [Turn] {
        (0..<perFrame).map { _ in
            defer { next = (next + 1) % turns.count }
            return turns[next]
        }
    }
}

extension HeadFinder {
    /// What a sweep's turns see.
    func faces(in luma: Raster, _ turns: [HeadSweep.Turn]) throws(VisionError) -> [Hit] {
        var hits: [Hit] = []
        for turn in turns {
            hits += try faces(in: luma, region: turn.region, scale: turn.scale, angle: turn.angle, levels: turn.levels, isNew: true)
        }
        return hits
    }
}
