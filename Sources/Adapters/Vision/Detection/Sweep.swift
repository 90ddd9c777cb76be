import Foundation

/// One cascade's search of the whole picture.
struct Sweep {
    let look: Hit.Look
    let version: SearchPicture
    let neighbours: Int
    let levels: [Level]
    private let step: Double

    /// Windows of one size, and what they cost, of the same measure for all sweeps.
    struct Level {
        var size: Int
        var cost: Double
    }

    /// Windows of one size whose upper edges lie in a part of all rows there are for them, 0…1.
    struct Piece {
        var size: Int
        var rows: Range<Double>
    }

    /// `sizes` of windows in pixels of the searched picture, each `step` times the one before.
    init(_ look: Hit.Look, in version: SearchPicture, sizes: ClosedRange<Int>, base: Int, step: Double = 1.1, neighbours: Int) {
        self.look = look
        self.version = version
        self.neighbours = neighbours
        self.step = step
        let area = 1 / (version.scale.factor * version.scale.factor)
        levels = Self.levels(sizes: sizes, base: base, step: step, share: area * (look.isProfile ? 4.0 / 3 : 1))
    }

    /// Window sizes of OpenCV's ladder. A picture is reduced and summed up for each, and of the smaller windows every second is left out both ways.
    private static func levels(sizes: ClosedRange<Int>, base: Int, step: Double, share: Double) -> [Level] {
        let summing = 0.12
        var levels: [Level] = []
        var factor = 1.0
        while true {
            let size = Int((Double(base) * factor).rounded())
            if size > sizes.upperBound { return levels }
            if size >= sizes.lowerBound { levels.append(Level(size: size, cost: share * ((factor < 2 ? 0.25 : 1) + summing) / (factor * factor))) }
            factor *= step
        }
    }

    func scan(_ piece: Piece, of picture: ReducedPicture, with cascade: Cascade) throws(VisionError) -> [RawHit] {
        let (width, height) = version.size(of: picture)
        let places = Double(height - piece.size)
        let top = Int(piece.rows.lowerBound * places)
        let bottom = piece.rows.upperBound < 1 ? Int(piece.rows.upperBound * places) + piece.size - 1 : height
        let rect = CGRect(x: 0, y: top, width: width, height: max(bottom - top, piece.size))
        return try cascade.scan(version, rect, of: picture, sizes: piece.size...piece.size, step: step, mirrored: look == .right)
    }
}

extension Hit.Look {
    fileprivate var isProfile: Bool { self == .left || self == .right }
}
