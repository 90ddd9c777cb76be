import CoreVideo
import Foundation
import Pipeline
import Stage
import Testing

@testable import Vision

@Suite("What the detector sees on the stage")
struct DetectorTests {
    private func run(_ world: World) throws -> [[Detection]] {
        let (source, detector) = (StageSource(world: world), try VisionDetector())
        var all: [[Detection]] = []
        while let frame = try source.nextFrame() { all.append(try detector.detections(in: frame, disparity: frame.disparity!)) }
        return all
    }

    @Test("a person is there within 0.3 s, the face first, face, body and head in one group")
    func person() throws {
        let seen = try #require(try run(Pictures.world(frames: 10)).last)
        #expect(seen.map(\.kind) == [.face, .humanBody, .humanHead])
        #expect(Set(seen.map(\.groupID)).count == 1 && seen[0].groupID >= 1)
        #expect(Set(seen.map(\.objectID)).count == 3)
        #expect(seen[2].bounds.minY < seen[0].bounds.minY && (0.4...0.7).contains(seen[2].bounds.overlap(with: seen[0].bounds)))
        #expect(seen[0].bounds.overlap(with: Pictures.box(0.3, 0.25, 0.1, 0.2)) > 0.5)
        #expect(seen[0].yaw == 0)
        #expect(abs((seen[0].disparity ?? 0) - 1 / 1.6) < 0.02)
        #expect(seen[1].bounds.contains(CGPoint(x: 0.35, y: 0.4)))
    }

    @Test("an empty stage gives nothing, bright or dark", arguments: [180.0, 3.0])
    func empty(lux: Double) throws {
        var world = Pictures.world(frames: 45, lux: lux)
        world.subjects = []
        #expect(try run(world).allSatisfy(\.isEmpty))
    }

    @Test("who turns away keeps body and head, and gets the face's identity back when turning again")
    func turning() throws {
        let all = try run(Pictures.world(frames: 105, yaw: [(120, 1), (0, 2.3)]))
        let before = try #require(all[28].first { $0.kind == .face })
        #expect(!all[62].contains { $0.kind == .face })
        #expect(all[62].contains { $0.kind == .humanBody && $0.groupID == before.groupID })
        let heads = [28, 62, 104].map { all[$0].filter { $0.kind == .humanHead } }
        #expect(heads.allSatisfy { $0.count == 1 && $0[0].groupID == before.groupID && $0[0].objectID == heads[0][0].objectID })
        #expect(heads[1][0].bounds.overlap(with: heads[0][0].bounds) > 0.6, "\(heads)")
        let after = try #require(all[104].first { $0.kind == .face })
        #expect(after.objectID == before.objectID)
        #expect(after.groupID == before.groupID)
    }

    @Test("without depth, who turns away, moves on and turns again is the same person")
    func movedUnseen() throws {
        var world = Pictures.world(frames: 120, yaw: [(120, 1), (0, 2.4)])
        world.subjects[0].placement.move(to: Placement(box: Pictures.box(0.44, 0.25, 0.1, 0.2), depth: 1.6), start: 1_500_000_000, over: 700_000_000)
        let (source, detector) = (StageSource(world: world), try VisionDetector())
        var faces: [[Detection]] = []
        while let frame = try source.nextFrame() { faces.append(try detector.detections(in: frame, disparity: nil).filter { $0.kind == .face }) }
        let before = try #require(faces[28].first)
        #expect(faces[64].isEmpty)
        let after = try #require(faces[119].first)
        #expect((after.objectID, after.groupID) == (before.objectID, before.groupID))
        #expect(after.bounds.overlap(with: Pictures.box(0.44, 0.25, 0.1, 0.2)) > 0.5)
    }

    @Test("who leaves and comes back is somebody new")
    func leaving() throws {
        var world = Pictures.world(frames: 90)
        world.subjects[0].presence = [0..<1_000_000_000, 2_400_000_000..<9_000_000_000]
        let all = try run(world)
        let first = try #require(all[25].first { $0.kind == .face })
        #expect(all[68].isEmpty)
        let second = try #require(all[89].first { $0.kind == .face })
        #expect(Set(all[89].map(\.objectID)).isDisjoint(with: all[25].map(\.objectID)))
        #expect(second.groupID != first.groupID)
    }

    @Test("through a covered lens nobody is seen, and afterwards the same people are")
    func covered() throws {
        var world = Pictures.world(frames: 60)
        world.covers = [800_000_000..<1_300_000_000]
        let all = try run(world)
        let dark = all[25...37].allSatisfy(\.isEmpty)
        #expect(dark)
        #expect(all[22].map(\.kind) == [.face, .humanBody, .humanHead])
        #expect(all[59].map(\.objectID) == all[22].map(\.objectID))
    }

    @Test("cats have heads and, where depth tells them from the floor, bodies: two groups of two")
    func cats() throws {
        var world = Pictures.world(frames: 40)
        let places = [(Pictures.box(0.1, 0.45, 0.3, 0.4), 1.2), (Pictures.box(0.62, 0.5, 0.2, 0.27), 2.2)]
        world.subjects = zip(["tom", "felix"], places).map { name, place in
            Subject(name: name, kind: .catBody, placement: Motion(Placement(box: place.0, depth: place.1)))
        }
        let seen = try #require(try run(world).last)
        #expect(seen.count == 4 && Set(seen.map(\.groupID)).count == 2)
        for (box, _) in places {
            let body = try #require(seen.first { $0.kind == .catBody && $0.bounds.overlap(with: box) > 0.6 }, "\(seen)")
            let head = try #require(seen.first { $0.kind == .catHead && $0.groupID == body.groupID })
            #expect(head.bounds.midX < body.bounds.midX && head.bounds.midY < body.bounds.midY)
        }
    }

    @Test("the same frames give the same detections")
    func determinism() throws {
        let source = StageSource(world: Pictures.world(frames: 24, lux: 10))
        let (first, second) = (try VisionDetector(), try VisionDetector())
        while let frame = try source.nextFrame() {
            let seen = try first.detections(in: frame, disparity: frame.disparity!)
            #expect(try second.detections(in: frame, disparity: frame.disparity!) == seen)
        }
    }

    @Test("at free pace a search may last for frames: what it finds is where things are by then, under one number")
    func free() throws {
        var world = Pictures.world(frames: 60)
        world.subjects[0].placement.move(to: Placement(box: Pictures.box(0.5, 0.3, 0.1, 0.2), depth: 1.6), start: 0, over: 2_000_000_000)
        let (source, detector) = (StageSource(world: world), try VisionDetector(pace: .free))
        while let frame = try source.nextFrame() {
            let faces = try detector.detections(in: frame, disparity: frame.disparity!).filter { $0.kind == .face }
            if frame.index % 5 == 4 { detector.waitForSearch() }
            guard frame.index >= 25 else { continue }
            let truth = try #require(frame.truth?.first { $0.kind == .face }).bounds
            #expect(faces.map(\.objectID) == [1])
            #expect((faces.first?.bounds.overlap(with: truth) ?? 0) > 0.5, "frame \(frame.index)")
        }
    }

    @Test("at free pace, too, nothing is left to chance but when a search is done")
    func freeDeterminism() throws {
        let source = StageSource(world: Pictures.world(frames: 20))
        let (first, second) = (try VisionDetector(pace: .free), try VisionDetector(pace: .free))
        while let frame = try source.nextFrame() {
            let seen = try [first, second].map { try $0.detections(in: frame, disparity: frame.disparity!) }
            for detector in [first, second] { detector.waitForSearch() }
            #expect(seen[0] == seen[1] && (frame.index < 15 || !seen[0].isEmpty))
        }
    }

    @Test("of frames that come late only every third is searched")
    func late() throws {
        for (lateness, searches) in [(-60.0, 20), (60.0, 7)] {
            let timings = Timings()
            let (source, detector) = (StageSource(world: Pictures.world(frames: 20)), try VisionDetector(pace: .free, timings: timings))
            while var frame = try source.nextFrame() {
                frame.dueDate = Date(timeIntervalSinceNow: -lateness)
                _ = try detector.detections(in: frame, disparity: frame.disparity!)
                detector.waitForSearch()
            }
            #expect(timings.report.first { $0.name == "  search" }?.count == searches)
        }
    }

    @Test("a face that stands still does not tremble")
    func stillness() throws {
        let faces = try run(Pictures.world(frames: 45, lux: 20)).compactMap { $0.first { $0.kind == .face }?.bounds }
        #expect(faces.count > 30)
        let settled = faces.dropFirst(15)
        let steps = zip(settled, settled.dropFirst()).map { abs($0.midX - $1.midX) + abs($0.width - $1.width) }
        #expect(steps.reduce(0, +) / Double(steps.count) < 0.001)
    }

    @Test("a missing cascade names the file and the package")
    func missing() {
        #expect {
            try VisionDetector(cascades: "/nowhere")
        } throws: { error in
            guard let error = error as? VisionError else { return false }
            return error.code == .file && error.description.contains("/nowhere/haarcascade_frontalface_alt2.xml")
                && error.description.contains("opencv-data")
        }
    }

    @Test("a picture that is not 420v is refused")
    func format() throws {
        let picture = CVPixelBuffer(width: 64, height: 36, pixelFormat: kCVPixelFormatType_32BGRA)
        let detector = try VisionDetector()
        #expect(throws: VisionError.self) { try detector.detections(in: Pictures.frame(picture), disparity: Pictures.map(8, 8) { _, _ in 1 }) }
    }
}

@Suite("How long a search lasts")
struct SearchTimeTests {
    @Test("the longer frames last, the more of their time is left for it; faster ones than 30 a second are searched no more slowly")
    func seconds() {
        let times = [1.0 / 60, 1.0 / 30, 1.0 / 24, 1.0 / 12, 1].map { SearchTime.seconds(0.3, frameDuration: $0) }
        #expect(times[0] == times[1] && abs(times[1] - 0.3) < 1e-9)
        #expect(times[2] < times[1] && times[3] < times[2] && times[3] < 0.15 && times[4] > 0.1)
    }
}
