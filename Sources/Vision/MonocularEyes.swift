import CoreMedia
import CoreVideo
import Foundation
import Pipeline
import Synchronization

/// Depth for plain video, guessed: a face is about as wide as any other, so its size tells its distance; the rest is a floor and a wall, or
/// what a depth network takes it for.
///
/// It is both eyes and ruler, because the ruler reads what the eyes have found: give the same one to a feed as detector and as estimator.
public final class MonocularEyes: SubjectDetector, DisparityEstimator {
    /// Width of a face and height of one, metres; the width shrinks as a head turns, the height does not.
    private static let (faceWidth, faceHeight) = (0.15, 0.23)
    private static let (mapWidth, wall, floor) = (320, 0.12, 0.6)
    /// Share of the last distance kept, so that a box that trembles does not shake the lens.
    private static let inertia = 0.85

    private let eyes: any SubjectDetector
    /// In picture widths.
    private let focalLength: Double
    private let people: Mutex<[Person]>
    private let network: Mutex<RelativeDepth?>

    /// One face and what belongs to it, as of the last frame.
    private struct Person {
        var objectID: Int
        var face: CGRect
        var body: CGRect
        var disparity: Double
    }

    /// `focalLength` in picture widths; 26/36 is a phone's main camera. `model` is the path of a depth network; throws `VisionError` when the
    /// file is none.
    public init(eyes: any SubjectDetector, focalLength: Double = 26.0 / 36, model: String? = nil) throws {
        self.eyes = eyes
        self.focalLength = focalLength
        people = Mutex([])
        network = Mutex(try model.map { try RelativeDepth(model: $0) })
    }

    public func detections(in frame: Frame, disparity: DisparityMap) throws -> [Detection] {
        let found = try eyes.detections(in: frame, disparity: disparity)
        let size = frame.image.size
        let aspect = Double(size.height) / Double(size.width)
        people.withLock { people in
            people = found.filter { $0.kind == .face && $0.bounds.width > 0 && $0.bounds.height > 0 }.map { face in
                let (across, down) = (face.bounds.width / Self.faceWidth, face.bounds.height * aspect / Self.faceHeight)
                let fresh = (abs(face.yaw ?? 0) > 30 ? down : across) / focalLength
                let old = people.first { $0.objectID == face.objectID }?.disparity ?? fresh
                let body = found.first { $0.kind == .humanBody && $0.groupID == face.groupID && face.groupID > 0 }?.bounds
                return Person(
                    objectID: face.objectID, face: face.bounds, body: body ?? Self.body(under: face.bounds, aspect: aspect),
                    disparity: old * Self.inertia + fresh * (1 - Self.inertia))
            }
        }
        return found
    }

    public func salientObject(at point: CGPoint, in frame: Frame, disparity: DisparityMap) throws -> Detection? {
        try eyes.salientObject(at: point, in: frame, disparity: disparity)
    }

    public func disparity(of frame: Frame) throws -> DisparityMap {
        let size = frame.image.size
        let width = min(Self.mapWidth, size.width)
        let height = max(1, Int((Double(size.height) * Double(width) / Double(size.width)).rounded()))
        let guide = try Raster(lumaOf: frame.image, width: width, height: height)
        let people = self.people.withLock { $0 }.sorted { $0.disparity < $1.disparity }
        let known = people.map { (place: $0.face, disparity: $0.disparity) }
        let seen = try network.withLock { try $0?.values(of: frame.image, along: guide, known: known) }
        return DisparityMap(try seen ?? planes(people, along: guide), width: width, height: height)
    }

    /// A wall, a floor, and people as flat figures.
    private func planes(_ people: [Person], along guide: Raster) throws -> [Float] {
        let (width, height) = (guide.width, guide.height)
        var (values, trust) = ([Float](repeating: 0, count: width * height), [Float](repeating: 0, count: width * height))
        for y in 0..<height {
            let down = (Double(y) + 0.5) / Double(height)
            let plane = Float(Self.wall + (Self.floor - Self.wall) * max(0, down - 0.5) * 2)
            for x in 0..<width { (values[y * width + x], trust[y * width + x]) = (plane, 1) }
            for person in people {
                // Sure inside, open at the rim, where the picture's edges decide.
                for (shape, isRound) in [(person.body, false), (person.face.scaled(1.3), true)] {
                    for x in 0..<width {
                        let (u, v) = ((Double(x) + 0.5) / Double(width) - shape.midX, down - shape.midY)
                        let (a, b) = (u / (shape.width / 2), v / (shape.height / 2))
                        let distance = isRound ? (a * a + b * b).squareRoot() : max(abs(a), abs(b))
                        let at = y * width + x
                        if distance < 0.8 { (values[at], trust[at]) = (Float(person.disparity), 1) } else if distance < 1.15 { trust[at] = 0 }
                    }
                }
            }
        }
        if trust.contains(0) { try completeDepth(&values, trust: trust, along: guide) }
        return values
    }

    /// Shoulders three faces wide, from the chin to the picture's end.
    private static func body(under face: CGRect, aspect: Double) -> CGRect {
        CGRect(x: face.midX - 1.5 * face.width, y: face.maxY, width: 3 * face.width, height: max(1 - face.maxY, face.height))
    }
}
