internal import COpenCV
import Foundation
import Pipeline

/// Finds the person that what stands out by itself is a part of, as the shirt of somebody seen from behind: who stands or walks upright, by histograms of
/// oriented gradients (Dalal and Triggs, CVPR 2005) with OpenCV's own training; between two looks carried along the flow.
///
/// Things that move against the camera are left alone: their motion tells their outline.
struct FigureFinder {
    /// Time between two looks, and for which somebody stays who is not found again, nanoseconds.
    private static let (interval, memory): (Int64, Int64) = (250_000_000, 1_000_000_000)
    /// Least margin: .48 is the most about things that are nobody, and .8 in whole pictures without anybody upright, in 70 frames of six clips.
    private static let margin = 1.0
    /// Rows of the picture that is searched: nobody is found whose height is less than a quarter of it.
    private static let rows = 360
    /// Evidence of motion from which on a thing moves.
    private static let moves: Float = 0.3
    /// Height of the figure in heights of the face, whose width is three quarters of its height, and of the middle of the face below the crown.
    private static let (height, crown) = (8.3, 0.7)

    /// Group of the thing, box of the person, 0…1 of the picture, and time of the last find, nanoseconds.
    private var figure: (groupID: Int, box: CGRect, time: Int64)?
    private var looked: Int64?

    /// The detections, with head and body of who was found about the thing that stands out among them, in its group.
    mutating func added(to detections: [Detection], in picture: ScenePicture) throws(VisionError) -> [Detection] {
        if let flow = picture.flow, let known = figure { figure?.box = flow.carried(known.box) }
        guard let thing = detections.first(where: { $0.kind == .salientObject && $0.salience != nil }) else {
            figure = nil
            return detections
        }
        if looked.map({ picture.time - $0 >= Self.interval }) ?? true, !Self.moves(thing, in: picture) {
            looked = picture.time
            if let box = try Self.figure(around: thing.bounds.center, in: picture.guide) { figure = (thing.groupID, box, picture.time) }
        }
        guard let figure, figure.groupID == thing.groupID, picture.time - figure.time <= Self.memory, figure.box.contains(thing.bounds.center) else {
            return detections
        }
        return detections + Self.detections(of: figure.box, like: thing, in: picture)
    }

    private static func moves(_ thing: Detection, in picture: ScenePicture) -> Bool {
        guard let motion = picture.motion, let box = PixelBox(picture.luma.pixels(thing.bounds), in: picture.luma) else { return false }
        let rows = box.y..<box.y + box.height
        let sum = rows.reduce(Float(0)) { $0 + motion.values[$1 * motion.width + box.x..<$1 * motion.width + box.x + box.width].reduce(0, +) }
        return sum > moves * Float(box.width * box.height)
    }

    private static func figure(around point: CGPoint, in guide: Raster) throws(VisionError) -> CGRect? {
        let scale = min(Double(rows) / Double(guide.height), 1)
        let grey = scale < 1 ? Raster(width: Int(Double(guide.width) * scale), height: rows) : guide
        if scale < 1 { try grey.fill(reducing: guide.image) }
        let middle = CGPoint(x: point.x * Double(grey.width), y: point.y * Double(grey.height))
        // The largest window is half as wide as high, and has its rim beside the person.
        let reach = 0.375 * Double(grey.height)
        guard let part = PixelBox(CGRect(x: middle.x - reach, y: 0, width: 2 * reach, height: Double(grey.height)), in: grey) else { return nil }
        var image = grey.image(of: part)
        var (found, margin) = (rf_rect(), 0.0)
        try openCV("looking for upright people", rf_upright_figure(&image, middle.x - Double(part.x), middle.y - Double(part.y), &found, &margin))
        guard margin >= Self.margin else { return nil }
        return CGRect(
            x: (found.x + Double(part.x)) / Double(grey.width), y: (found.y + Double(part.y)) / Double(grey.height),
            width: found.width / Double(grey.width), height: found.height / Double(grey.height))
    }

    private static func detections(of box: CGRect, like thing: Detection, in picture: ScenePicture) -> [Detection] {
        let size = box.height / height
        let width = 0.75 * size * Double(picture.luma.height) / Double(picture.luma.width)
        let face = CGRect(x: box.midX - width / 2, y: box.minY + (crown - 0.5) * size, width: width, height: size)
        return [(Detection.Kind.humanHead, HeadShape.box(face: face, roll: 0)), (.humanBody, box)].map { kind, bounds in
            Detection(objectID: thing.objectID, groupID: thing.groupID, kind: kind, bounds: bounds)
        }
    }
}
