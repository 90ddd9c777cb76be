import CoreVideo
import Foundation
import Pipeline
import Testing

@testable import Vision

@Suite("Bodies keep their identity")
struct BodyTrackerTests {
    /// A picture in which a box is of one colour each, on grey.
    private func picture(_ boxes: [(box: CGRect, cb: Int, cr: Int)]) throws -> ReducedPicture {
        let inside = { (x: Int, y: Int) in boxes.last { $0.box.contains(CGPoint(x: x, y: y)) } }
        return try ReducedPicture(
            Pictures.picture(
                320, 180, luma: { x, y in inside(x, y) == nil ? 120 : 90 + (x / 4 + y / 4) % 8 * 8 },
                chroma: { x, y in inside(x, y).map { ($0.cb, $0.cr) } ?? (128, 128) }))
    }

    private struct Scene {
        var tracker = BodyTracker(tuning: VisionTuning())
        let flow: Flow
        var identities = Identities()
        var frame: Int64 = 0

        init() throws { flow = try Flow() }

        /// One look of the network, 0.12 s after the last.
        mutating func look(_ picture: ReducedPicture, _ sightings: [Sighting]) throws -> [Detection] {
            try flow.push(picture.luma)
            try tracker.predict(with: flow, in: picture)
            let depth = DepthProbe(Pictures.map(8, 8) { _, _ in 0 }, picture: picture)
            try tracker.step(sightings, picture: picture, depth: depth, time: frame * 120_000_000, identities: &identities)
            frame += 1
            return tracker.report(picture)
        }
    }

    private func person(_ x: Double, score: Double = 0.9) -> Sighting {
        Sighting(kind: .person, box: CGRect(x: x, y: 40, width: 50, height: 120), score: score)
    }

    @Test("who is hidden for two seconds inside the picture comes out under the same number; the one in front keeps its own")
    func occlusion() throws {
        var scene = try Scene()
        let (red, blue) = ((90, 200), (200, 90))
        func step(_ front: Double, _ back: Double?) throws -> [Detection] {
            let still = CGRect(x: 130, y: 40, width: 50, height: 120)
            let moving = CGRect(x: front, y: 40, width: 50, height: 120)
            let shown = try picture([(still, blue.0, blue.1), (moving, red.0, red.1)])
            return try scene.look(shown, [person(front)] + (back.map { [person($0)] } ?? []))
        }
        var seen = try step(30, 130)
        #expect(seen.count == 2 && Set(seen.map(\.groupID)).count == 2)
        let (front, back) = (seen[0].objectID, seen[1].objectID)
        for x in stride(from: 45.0, through: 120, by: 15) { seen = try step(x, 130) }
        for _ in 0..<17 { seen = try step(130, nil) }
        #expect(seen.map(\.objectID) == [front])
        for x in stride(from: 150.0, through: 240, by: 15) { seen = try step(x, x > 170 ? 130 : nil) }
        #expect(seen.first { $0.bounds.midX > 0.7 }?.objectID == front)
        #expect(seen.first { $0.bounds.midX < 0.6 }?.objectID == back)
    }

    @Test("who leaves by the side and comes back is somebody new")
    func leaving() throws {
        var scene = try Scene()
        func step(_ x: Double) throws -> [Detection] {
            let box = CGRect(x: x, y: 40, width: 50, height: 120)
            let visible = box.intersection(CGRect(x: 0, y: 0, width: 320, height: 180))
            let seen = visible.width >= 20 ? [Sighting(kind: .dog, box: visible, score: 0.8)] : []
            return try scene.look(try picture([(box, 90, 200)]), seen)
        }
        let first = try step(240)
        #expect(first.map(\.kind) == [.dogBody])
        for x in stride(from: 250.0, through: 330, by: 10) { _ = try step(x) }
        for _ in 0..<5 { #expect(try step(340).isEmpty) }
        var back: [Detection] = []
        for x in stride(from: 320.0, through: 240, by: -10) { back = try step(x) }
        #expect(back.count == 1 && back[0].objectID != first[0].objectID)
    }

    @Test("one animal that now passes for a cat is still the dog it was")
    func votes() throws {
        var scene = try Scene()
        let shown = try picture([(CGRect(x: 100, y: 40, width: 60, height: 100), 90, 200)])
        func animal(_ kind: Sighting.Kind, _ score: Double) -> Sighting {
            Sighting(kind: kind, box: CGRect(x: 100, y: 40, width: 60, height: 100), score: score)
        }
        for _ in 0..<4 { _ = try scene.look(shown, [animal(.dog, 0.8), animal(.cat, 0.4)]) }
        let seen = try scene.look(shown, [animal(.cat, 0.6)])
        #expect(seen.map(\.kind) == [.dogBody] && seen[0].objectID == 1)
    }

    @Test("the head of a dog is where it walks to, or on top of one that sits, in the group of its body", arguments: [1.0, -1])
    func heads(way: Double) throws {
        var scene = try Scene()
        func step(_ x: Double, _ size: CGSize) throws -> ReducedPicture {
            let box = CGRect(x: x, y: 60, width: size.width, height: size.height)
            let shown = Pictures.picture(320, 180) { px, py in
                box.contains(CGPoint(x: px, y: py)) ? Pictures.speckle((px - Int(x)) / 6, py / 6) : 120
            }
            let picture = try ReducedPicture(shown)
            _ = try scene.look(picture, [Sighting(kind: .dog, box: box, score: 0.8)])
            return picture
        }
        let wide = CGSize(width: 90, height: 60)
        var now = try step(110, wide)
        #expect(scene.tracker.tracks[0].head(in: now) == nil)
        for frame in 1...10 { now = try step(110 + way * 4 * Double(frame), wide) }
        let dog = scene.tracker.tracks[0]
        let head = try #require(dog.head(in: now))
        #expect(dog.box.intersection(head).area > 0.5 * head.area && head.midY < dog.box.midY, "\(head) of \(dog.box)")
        #expect(way > 0 ? head.minX > dog.box.midX : head.maxX < dog.box.midX)
        scene.tracker.edit(0) { $0.headID = 7 }
        let shown = try picture([(dog.box, 90, 200)])
        let seen = scene.tracker.reportHeads(shown) { _ in false }
        #expect(seen.map(\.kind) == [.dogHead] && seen[0].groupID == dog.groupID && seen[0].objectID == 7)
        #expect(scene.tracker.reportHeads(shown) { $0 == 7 }.isEmpty)
        var sitting = try Scene()
        let tall = CGRect(x: 100, y: 40, width: 60, height: 110)
        now = try picture([(tall, 90, 200)])
        _ = try sitting.look(now, [Sighting(kind: .dog, box: tall, score: 0.8)])
        let top = try #require(sitting.tracker.tracks[0].head(in: now))
        #expect(abs(top.midX - tall.midX) < 6 && top.minY == tall.minY && top.maxY < tall.midY)
    }

    @Test("the head of a person of whom no face was seen is on top of the body, in its group; where the picture cuts it off there is none")
    func personHead() throws {
        var scene = try Scene()
        let shown = try picture([(CGRect(x: 100, y: 40, width: 50, height: 120), 90, 200)])
        let seen = try scene.look(shown, [person(100), Sighting(kind: .person, box: CGRect(x: 220, y: 0, width: 60, height: 150), score: 0.9)])
        let heads = scene.tracker.tracks.map { $0.head(in: shown) }
        let head = try #require(heads[0])
        #expect(heads[1] == nil && head.minY == 40 && head.midX == 125 && (15.0...22).contains(head.width) && (20.0...30).contains(head.height))
        for index in 0..<2 { scene.tracker.edit(index) { $0.headID = 7 + index } }
        let reported = scene.tracker.reportHeads(shown) { _ in false }
        #expect(reported.map(\.kind) == [.humanHead] && reported[0].groupID == seen[0].groupID && reported[0].objectID == 7)
    }

    @Test("a body wider than high, as an arm is that reaches into the picture, has no head unless one was seen")
    func armWithoutHead() throws {
        var scene = try Scene()
        let arm = CGRect(x: 150, y: 60, width: 120, height: 80)
        let shown = try picture([(arm, 90, 200)])
        _ = try scene.look(shown, [Sighting(kind: .person, box: arm, score: 0.9)])
        #expect(scene.tracker.tracks.map { $0.head(in: shown) } == [nil])
    }

    @Test("who runs before a wall that flow sees stand still is carried along, and stops where the network says so")
    func slip() throws {
        var scene = try Scene()
        // Nothing but a wall: flow finds no motion at all.
        let wall = try ReducedPicture(Pictures.picture(320, 180) { x, y in Pictures.speckle(x / 6, y / 6) })
        func look(_ x: Double) throws -> Double {
            for _ in 0..<3 {
                try scene.flow.push(wall.luma)
                try scene.tracker.predict(with: scene.flow, in: wall)
            }
            let now = try #require(scene.tracker.tracks.first).box.midX
            _ = try scene.look(wall, [person(x)])
            return now
        }
        _ = try scene.look(wall, [person(60)])
        for x in stride(from: 75.0, through: 165, by: 15) { _ = try look(x) }
        let running = try look(180)
        #expect(running > 165 + 25 + 5, "\(running) shortly before it is seen at 205; without slip the box would stand behind 190")
        for _ in 0..<8 { _ = try look(180) }
        #expect(abs(try look(180) - 205) < 4)
    }

    @Test("an unsure box starts nothing, but goes on what is there")
    func unsure() throws {
        var scene = try Scene()
        let shown = try picture([(CGRect(x: 100, y: 40, width: 50, height: 120), 90, 200)])
        #expect(try scene.look(shown, [person(100, score: 0.3)]).isEmpty)
        #expect(scene.tracker.tracks.isEmpty)
        let first = try scene.look(shown, [person(100, score: 0.7)])
        let second = try scene.look(shown, [person(100, score: 0.3)])
        #expect(first.count == 1 && second.map(\.objectID) == first.map(\.objectID))
    }
}

@Suite("Where a head looks, by eyes and nose")
struct HeadPoseTests {
    /// Eyes 40 apart, the nose `offset` eye distances aside, all turned by `roll` degrees clockwise.
    private func pose(_ offset: Double, roll: Double = 0, eyes: Double = 40) -> HeadPose {
        let (s, c) = (sin(roll * .pi / 180), cos(roll * .pi / 180))
        func turned(_ x: Double, _ y: Double) -> [Double] { [100 + c * x - s * y, 100 + s * x + c * y] }
        return HeadPose(marks: turned(-eyes / 2, 0) + turned(eyes / 2, 0) + turned(offset * eyes, 20) + [0, 0, 0, 0], faceWidth: 100)
    }

    @Test("the nose's side is the side it looks to; leaning changes nothing", arguments: [-65.0, -20, 0, 30, 65])
    func side(roll: Double) {
        #expect(abs(pose(0, roll: roll).yaw) < 1e-6)
        #expect(abs(pose(0, roll: roll).roll - roll) < 1e-6)
        #expect(abs(pose(-0.35, roll: roll).yaw + 40) < 1e-6 && abs(pose(0.55, roll: roll).yaw - 50) < 1e-6)
        #expect(pose(-0.9, roll: roll).yaw < -70)
    }

    @Test("eyes that close up are a profile")
    func profile() { #expect(pose(-0.4, eyes: 28).yaw < -50 && pose(0.1, eyes: 28).yaw < 15) }
}
