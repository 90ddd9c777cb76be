import CoreVideo
import Foundation
import Pipeline
import Testing

@testable import Vision

@Suite("Bodies and things in the frames before they are seen")
struct LookBackTests {
    private static let tuning = VisionTuning()
    private let scene: SceneTracker

    init() throws {
        scene = try SceneTracker(
            folder: "/usr/share/opencv4/haarcascades", models: VisionModels(), tuning: Self.tuning, pace: .lockStep, looksBack: true, timings: nil)
    }

    /// Place of a dog in a frame: it comes in from the right, five pixels a frame.
    private func place(_ frame: Int) -> CGRect { CGRect(x: 320 - 5 * Double(frame), y: 60, width: 80, height: 60) }

    /// A picture of speckle with the dog, in other colours, unless it is somewhere else.
    private func picture(_ frame: Int, isThere: Bool = true) throws -> ReducedPicture {
        let dog = place(frame)
        func isInside(_ x: Int, _ y: Int) -> Bool { isThere && dog.contains(CGPoint(x: Double(x) + 0.5, y: Double(y) + 0.5)) }
        return try ReducedPicture(
            Pictures.picture(
                320, 180, luma: { x, y in isInside(x, y) ? Pictures.speckle(x + 5 * frame, y + 91) : Pictures.speckle(x, y) },
                chroma: { x, y in isInside(x, y) ? (90, 200) : (128, 128) }))
    }

    private func dog(_ box: CGRect, in picture: ReducedPicture) throws -> BodyTrack {
        var dog = BodyTrack(Sighting(kind: .dog, box: box, score: 0.9), at: 0, Self.tuning.bodies)
        dog.objectID = 7
        dog.colours = try BodyTracker.colours(of: box, in: picture)
        return dog
    }

    private func moment(
        _ frame: Int, _ picture: ReducedPicture, _ bodies: [(objectID: Int, box: CGRect, isSeen: Bool)] = []
    ) -> SceneTracker.Past.Moment {
        SceneTracker.Past.Moment(
            time: Int64(frame) * 40_000_000, picture: picture, objects: bodies.map(\.objectID), reported: [], bodies: bodies)
    }

    private func pixels(_ detection: Detection) -> CGRect {
        let box = detection.bounds
        return CGRect(x: box.minX * 320, y: box.minY * 180, width: box.width * 320, height: box.height * 180)
    }

    @Test("who came in before the network looked is followed back to the side, and not beyond")
    func followed() throws {
        var past = SceneTracker.Past()
        for frame in 0..<30 { past.append(moment(frame, try picture(frame, isThere: frame >= 8))) }
        let now = try picture(30)
        let earlier = try scene.earlierDetections(of: try dog(place(30), in: now), in: now, through: past)
        #expect(earlier.count >= 18 && earlier.count <= 22, "\(earlier.count)")
        for (index, found) in earlier.enumerated() {
            let frame = 29 - index
            #expect(found.time == Int64(frame) * 40_000_000 && found.detections.map(\.objectID) == [7])
            let shown = place(frame).intersection(CGRect(x: 0, y: 0, width: 320, height: 180))
            #expect(pixels(found.detections[0]).overlap(shown) > 0.8, "frame \(frame)")
        }
    }

    @Test("who was known there stays who it was")
    func known() throws {
        var past = SceneTracker.Past()
        for frame in 20..<30 { past.append(moment(frame, try picture(frame), frame < 25 ? [(3, place(frame), true)] : [])) }
        let now = try picture(30)
        #expect(try scene.earlierDetections(of: try dog(place(30), in: now), in: now, through: past).count == 5)
    }

    @Test("between two sightings a body goes straight from one to the other, as far as it was in sight")
    func interpolated() throws {
        var past = SceneTracker.Past()
        // Flow took it for standing still.
        for frame in 20...24 { past.append(moment(frame, try picture(frame), [(7, place(20), frame == 20)])) }
        past.append(moment(25, try picture(25), [(3, place(25), true)]))
        let now = try picture(26)
        let found = scene.interpolatedDetections(of: try dog(place(26), in: now), seenAt: 26 * 40_000_000, through: past)
        #expect(found.map(\.time) == (21...24).map { Int64($0) * 40_000_000 })
        for (frame, earlier) in zip(21...24, found) {
            #expect(earlier.detections.map(\.objectID) == [7])
            #expect(abs(pixels(earlier.detections[0]).minX - place(frame).minX) < 0.01, "frame \(frame)")
        }
    }

    @Test("what stands out by itself is followed back to where something else was detected, and no farther than it is in the picture")
    func thing() throws {
        func thing(in picture: ReducedPicture) -> Detection {
            Detection(objectID: 9, groupID: 9, kind: .salientObject, bounds: picture.normalized(place(30)), salience: 0.8)
        }
        let now = try picture(30)
        var past = SceneTracker.Past()
        for frame in 0..<30 { past.append(moment(frame, try picture(frame, isThere: frame >= 8))) }
        let earlier = try scene.earlierDetections(ofThing: thing(in: now), in: now, through: past)
        #expect(earlier.count >= 18 && earlier.count <= 22, "\(earlier.count)")
        for (index, found) in earlier.enumerated() {
            let frame = 29 - index
            #expect(found.time == Int64(frame) * 40_000_000 && found.detections.map(\.objectID) == [9])
            #expect(pixels(found.detections[0]).overlap(place(frame)) > 0.8, "frame \(frame)")
        }
        past = SceneTracker.Past()
        for frame in 20..<30 { past.append(moment(frame, try picture(frame), frame < 25 ? [(3, place(frame), true)] : [])) }
        #expect(try scene.earlierDetections(ofThing: thing(in: now), in: now, through: past).count == 5)
    }
}
