import CoreVideo
import Foundation
import Media
import Pipeline
import ScenarioFormat
import TestSupport

@testable import RackfocusKit

/// Plain footage through `render`, without loss, read again: how sharp each face of each frame is.
///
/// The sharpness of a face is the sum of the luma's differences between neighbours within the ellipse that its box encloses, in the movie as a share of
/// that in the footage: 1 where nothing was blurred. The corners of a box show what is behind.
struct RenderedFaces {
    struct Face {
        var id: Int
        var sharpness: Double
    }

    private struct Line: Decodable {
        var frame: Int?
        var focus: Int?
        var subject: Int?
        /// `false`, or an object.
        var rack: Rack?
        var objects: [Object]?

        struct Object: Decodable {
            var id: Int
            var disparity: Int?
        }

        /// Whether focus, at rest, is .05 1/m and more from the disparity of its subject.
        var isBesideSubject: Bool {
            guard let focus, rack?.isOn == false, let seen = objects?.first(where: { $0.id == subject })?.disparity else { return false }
            return abs(seen - focus) * 20 > 65536
        }

        struct Rack: Decodable {
            var isOn = true
            init(from decoder: any Decoder) throws { if let flag = try? decoder.singleValueContainer().decode(Bool.self) { isOn = flag } }
        }
    }

    /// Faces of each frame.
    let faces: [[Face]]
    /// Numbers of the frames whose focus is beside its subject.
    let framesBesideSubject: [Int]
    /// Frames whose focus stands as in the frame before, on the same subject, without a rack: what moves focus changes faces because it is meant to.
    private let isAtRest: [Bool]

    /// Renders `path` into a folder of `scratch`.
    init(_ path: String, in scratch: Scratch) throws {
        var options = RenderOptions(output: scratch("movie.mkv"))
        (options.delivery.codec, options.keptBytes) = (.ffv1, 0)
        _ = try RenderJob(scenario: nil, footage: .plain(path), options: options).run { _ in }
        let log = try DetectionLog(path: scratch("movie.run/detections.jsonl"))
        let lines = try String(contentsOfFile: scratch("movie.run/trace.jsonl"), encoding: .utf8).split(separator: "\n")
        let states = try lines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
        framesBesideSubject = states.filter(\.isBesideSubject).compactMap(\.frame)
        var stateOfFrame: [Int: Line] = [:]
        for state in states { if let frame = state.frame { stateOfFrame[frame] = state } }
        let (before, after) = (try VideoFileSource(path: path), try VideoFileSource(path: options.output))
        var (faces, isAtRest) = ([[Face]](), [Bool]())
        while let old = try before.nextFrame(), let new = try after.nextFrame() {
            let seen = log.entries.first { $0.frame == old.index }?.detections.filter { $0.kind == .face } ?? []
            faces.append(
                seen.compactMap { face in
                    let whole = old.image.detail(in: face.bounds, .ellipse)
                    return whole > 0 ? Face(id: face.objectID, sharpness: new.image.detail(in: face.bounds, .ellipse) / whole) : nil
                })
            let (now, last) = (stateOfFrame[old.index], stateOfFrame[old.index - 1])
            let focus = abs((now?.focus ?? 0) - (last?.focus ?? 0))
            isAtRest.append(
                now != nil && last != nil && now?.subject == last?.subject && now?.rack?.isOn != true && last?.rack?.isOn != true
                    && focus < Self.stillFocus)
        }
        (self.faces, self.isAtRest) = (faces, isAtRest)
    }

    /// Change of focus below which it stands, 1/65536 of 1/m: a hundredth of 1/m.
    private static let stillFocus = 655

    /// Changes of faces from one frame to the next, greatest first, where focus stands.
    var steps: [(step: Double, frame: Int, id: Int)] {
        var found: [(step: Double, frame: Int, id: Int)] = []
        for frame in faces.indices.dropFirst() where isAtRest[frame] {
            for face in faces[frame] {
                guard let old = faces[frame - 1].first(where: { $0.id == face.id }) else { continue }
                found.append((abs(face.sharpness - old.sharpness), frame, face.id))
            }
        }
        return found.sorted { $0.step > $1.step }
    }
}
