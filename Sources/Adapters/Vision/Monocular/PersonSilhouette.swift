import Foundation

/// Outline of a person by the face: head with hair, neck, shoulders, arms and, below them, ever less surely, trunk and legs.
///
/// Proportions of a grown-up who stands or sits, in widths and heights of the face (Drillis and Contini 1966); the head leans, the trunk hangs.
struct PersonSilhouette {
    /// Pixels of the small picture.
    private let face: CGRect
    /// Sine and cosine of the roll, clockwise.
    private let lean: (sine: Double, cosine: Double)
    /// Lower end of a detected body; nil where none was.
    private let bottom: Double?
    /// Width of the face as if it looked into the camera.
    private let unit: Double
    /// Middle of the head, behind a face that is turned.
    private let middle: CGPoint
    /// Between the shoulders.
    private let shoulders: CGPoint
    /// Lower end of the face.
    private let chin: CGPoint

    /// Half the width of neck, shoulders, arms, hips and feet in face widths, by the height below the shoulders in face heights.
    private static let trunk = (below: [-0.3, 0, 0.45, 2.2, 3.2, 7.4], half: [0.38, 0.5, 1.5, 1.65, 1.25, 0.9])
    /// Log-odds in the middle of it, by the same height: legs are anywhere.
    private static let certainty = (below: [0.5, 1.5, 4, 7.4], odds: [3.9, 2.6, 1.3, 0.9])
    /// Log-odds in the middle of the head.
    private static let head = 3.9
    /// Face heights from the middle of the face to the feet, and below the last that is taken for an invented body.
    private static let (feet, invented) = (7.6, 3.7)

    /// Face widths from the middle of a profile to that of its head.
    private static let behind = 0.3

    /// `face`, `turn` to the picture's right from -1 (left profile) to 1, `roll` in degrees clockwise, and the body where one was found, in pixels of a
    /// picture `height` high.
    init(face: CGRect, turn: Double, roll: Double, body: CGRect?, height: Int) {
        self.face = face
        let angle = roll * .pi / 180
        lean = (sin(angle), cos(angle))
        unit = (face.width + 0.75 * face.height) / 2
        let behind = Self.behind * turn * face.width
        middle = CGPoint(x: face.midX - lean.cosine * behind, y: face.midY - lean.sine * behind)
        chin = CGPoint(x: middle.x - 0.5 * lean.sine * face.height, y: middle.y + 0.5 * lean.cosine * face.height)
        shoulders = CGPoint(x: chin.x - 0.2 * lean.sine * face.height, y: chin.y + 0.25 * face.height)
        let seen = body.map(\.maxY) ?? 0
        bottom = seen > face.midY + Self.invented * face.height && seen < 0.98 * Double(height) ? seen : nil
    }

    /// Everything that it may reach.
    var reach: CGRect {
        CGRect(
            x: face.midX - 3.7 * unit, y: face.minY - 1.6 * face.height, width: 7.4 * unit,
            height: (bottom ?? face.midY + 9 * face.height) - face.minY + 2 * face.height)
    }

    /// Log-odds of the person at a place: of head or trunk, whichever is surer.
    func odds(_ x: Double, _ y: Double) -> Double {
        let (dx, dy) = (x - middle.x - 0.12 * lean.sine * face.height, y - middle.y + 0.12 * lean.cosine * face.height)
        let across = (dx * lean.cosine + dy * lean.sine) / (0.76 * face.width), down = (dy * lean.cosine - dx * lean.sine) / (0.85 * face.height)
        let head = (across * across + down * down).squareRoot()
        // Heads are round, trunks and what is beside them are not.
        var (rho, inside) = (head, head < 1 ? Self.head * (1 - head * head * head * head) : 0)
        let below = (y - shoulders.y) / face.height
        if below > -0.35 {
            let trunk = abs(x - shoulders.x) / (unit * Self.interpolated(below, Self.trunk.below, Self.trunk.half))
            rho = min(rho, trunk)
            if trunk < 1 { inside = max(inside, Self.interpolated(below, Self.certainty.below, Self.certainty.odds) * (1 - trunk * trunk)) }
        }
        let end = bottom.map { $0 + 0.3 * face.height } ?? face.midY + Self.feet * face.height
        let beyond = min(max((y - end) / face.height * 3, 0), 5)
        return inside - min(max((rho - 1) * 2.2, 0), 5) - beyond
    }

    /// Whether a place is on the face or the hair above it: an ellipse as wide as the face's box, from its lower edge to a fifth of its height above it.
    func isHead(_ x: Double, _ y: Double) -> Bool { isOnFace(x, y, width: 1, height: 1.2, rise: 0.1) }

    /// Sets to 1 what is on the face or the hair above it, in values of a picture's pixels, row after row.
    func markHead(in values: inout [Float], of raster: Raster) {
        let reach = 0.7 * max(face.width, face.height)
        guard let box = PixelBox(CGRect(x: face.midX - reach, y: face.midY - reach, width: 2 * reach, height: 2 * reach), in: raster) else { return }
        for y in box.y..<box.y + box.height {
            for x in box.x..<box.x + box.width where isHead(Double(x) + 0.5, Double(y) + 0.5) { values[y * raster.width + x] = 1 }
        }
    }

    /// Whether a place is within an ellipse of these sizes in those of the face, its middle above that of the face by `rise` face heights.
    private func isOnFace(_ x: Double, _ y: Double, width: Double, height: Double, rise: Double = 0) -> Bool {
        let (dx, dy) = (x - face.midX, y - face.midY)
        let across = (dx * lean.cosine + dy * lean.sine) / (0.5 * width * face.width)
        let down = (dy * lean.cosine - dx * lean.sine + rise * face.height) / (0.5 * height * face.height)
        return across * across + down * down < 1
    }

    /// Whether a place surely belongs to the person: the middle of face, neck and chest.
    func isCore(_ x: Double, _ y: Double) -> Bool {
        if isOnFace(x, y, width: 0.8, height: 0.9) { return true }
        let below = (y - shoulders.y) / face.height
        if below > -0.4, below < 0.3 { return abs(x - (chin.x + shoulders.x) / 2) < 0.18 * unit }
        return below >= 0.3 && below < 1.6 && abs(x - shoulders.x) < 0.45 * unit
    }

    /// Log-odds and what is certain, `others` being in front of the person or beside.
    func prior(in raster: Raster, others: [PersonSilhouette]) -> SubjectPrior? {
        guard let box = PixelBox(reach, in: raster) else { return nil }
        var prior = SubjectPrior(box: box)
        for j in 0..<box.height {
            for i in 0..<box.width {
                let (x, y) = (Double(box.x + i) + 0.5, Double(box.y + j) + 0.5)
                let at = j * box.width + i
                prior.odds[at] = Float(odds(x, y))
                if isCore(x, y) {
                    prior.labels[at] = .object
                } else if others.contains(where: { $0.isCore(x, y) }) {
                    prior.labels[at] = .background
                }
            }
        }
        return prior
    }

    /// Piecewise linear interpolation, constant beyond both ends.
    private static func interpolated(_ at: Double, _ places: [Double], _ values: [Double]) -> Double {
        guard let next = places.firstIndex(where: { $0 > at }) else { return values[values.count - 1] }
        guard next > 0 else { return values[0] }
        let part = (at - places[next - 1]) / (places[next] - places[next - 1])
        return values[next - 1] + (values[next] - values[next - 1]) * part
    }
}
