import CoreMedia
import CoreVideo
import Foundation
import Pipeline
import Synchronization

/// Disparity of plain video: people as far away as the sizes of their faces say, before a wall and a floor, or before what a depth network
/// takes the rest for.
public final class MonocularDepthEstimator: MonocularEstimator {
    /// Of the map in pixels, of the wall and of the floor at the picture's lower edge in 1/m.
    private static let (mapWidth, wall, floor) = (320, 0.12, 0.6)

    private let state: Mutex<State>

    private struct State {
        var people: PersonList
        var network: RelativeDepth?
        var shot: Int?
    }

    /// `focalLength` in picture widths; 26/36 is a phone's main camera. `model` is the path of a depth network; throws `VisionError` when the
    /// file is none.
    public init(focalLength: Double = 26.0 / 36, model: String? = nil) throws {
        state = Mutex(State(people: PersonList(focalLength: focalLength), network: try model.map { try RelativeDepth(model: $0) }))
    }

    /// Relative disparity of a frame from its own detections; a map at most 320 wide, nearer is larger. Throws `VisionError`.
    public func disparity(of frame: Frame, detections: [Detection]) throws -> DisparityMap {
        let size = frame.image.size
        let width = min(Self.mapWidth, size.width)
        let height = max(1, Int((Double(size.height) * Double(width) / Double(size.width)).rounded()))
        let guide = try Raster(lumaOf: frame.image, width: width, height: height)
        return try state.withLock { state in
            if frame.shot != state.shot {
                state.people.forget()
                state.network?.forget()
                state.shot = frame.shot
            }
            state.people.step(detections, at: frame.presentationTime.nanoseconds, aspect: Double(size.height) / Double(size.width))
            let people = state.people.farthestFirst
            let known = people.map { (place: $0.face, disparity: $0.disparity) }
            let seen = try state.network?.values(of: frame.image, along: guide, known: known)
            return DisparityMap(seen ?? Self.planes(people, along: guide), width: width, height: height)
        }
    }

    /// A wall, a floor, and people as flat figures.
    private static func planes(_ people: [PersonList.Person], along guide: Raster) -> [Float] {
        let (width, height) = (guide.width, guide.height)
        var (values, trust) = ([Float](repeating: 0, count: width * height), [Float](repeating: 1, count: width * height))
        for y in 0..<height {
            let down = (Double(y) + 0.5) / Double(height)
            let plane = Float(wall + (floor - wall) * max(0, down - 0.5) * 2)
            for x in 0..<width { values[y * width + x] = plane }
            for person in people {
                for x in 0..<width {
                    // Sure inside, open at the rim, where the picture's edges decide.
                    let distance = person.distance(toX: (Double(x) + 0.5) / Double(width), y: down)
                    guard distance < 1.15 else { continue }
                    let at = y * width + x
                    if distance < 0.8 { values[at] += (Float(person.disparity) - values[at]) * Float(person.presence) }
                    trust[at] = distance < 0.8 ? 1 : 0
                }
            }
        }
        if trust.contains(0) { completeDepth(&values, trust: trust, along: guide) }
        return values
    }
}

extension PersonList.Person {
    /// Distance of a place (0…1) from the middle of the head or of the body, whichever is less: 1 at their outlines.
    fileprivate func distance(toX x: Double, y: Double) -> Double {
        func parts(_ shape: CGRect) -> (Double, Double) { ((x - shape.midX) / (shape.width / 2), (y - shape.midY) / (shape.height / 2)) }
        let (head, torso) = (parts(face.scaled(1.3)), parts(body))
        return min((head.0 * head.0 + head.1 * head.1).squareRoot(), max(abs(torso.0), abs(torso.1)))
    }
}
