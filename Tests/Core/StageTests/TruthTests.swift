import CoreMedia
import CoreVideo
import Foundation
import Pipeline
import Testing

@testable import Stage

@Suite("The stage's truth") struct TruthTests {
    @Test("a person is a face and a body of one group, faces first, then by ID") func order() throws {
        let world = smallWorld {
            $0.subjects = [
                subject("mug", .prop, CGRect(x: 0.05, y: 0.7, width: 0.06, height: 0.1), depth: 0.9),
                subject("maya", .face, CGRect(x: 0.3, y: 0.2, width: 0.1, height: 0.2), depth: 1.4),
                subject("leo", .person, CGRect(x: 0.7, y: 0.2, width: 0.15, height: 0.75), depth: 3),
            ]
        }
        let truth = try truths(of: world)[0]
        #expect(truth.map(\.kind) == [.face, .face, .salientObject, .humanBody, .humanBody])
        #expect(truth.map(\.objectID) == [2, 4, 1, 3, 5])
        #expect(truth.map(\.groupID) == [1, 2, -1, 1, 2])
        #expect(truth[0].label == "maya" && truth[0].disparity == 1 / 1.4 && truth[0].yaw == 0)
        #expect(truth[0].bounds == CGRect(x: 0.3, y: 0.2, width: 0.1, height: 0.2))
    }

    @Test("animals have body and head in one group; a head alone stands alone") func animals() throws {
        let box = CGRect(x: 0.5, y: 0.4, width: 0.2, height: 0.5)
        func kinds(_ kind: Subject.Kind, yaw: Double = 0) throws -> [Detection.Kind] {
            let world = smallWorld {
                $0.subjects = [subject("x", kind, box, depth: 2)]
                $0.subjects[0].yaw = Motion(yaw)
            }
            return try truths(of: world)[0].map(\.kind)
        }
        #expect(try kinds(.catBody) == [.catBody, .catHead])
        #expect(try kinds(.catBody, yaw: 150) == [.catBody])
        #expect(try kinds(.dogBody) == [.dogBody, .dogHead])
        #expect(try kinds(.catHead) == [.catHead])
        #expect(try kinds(.dogHead, yaw: 180) == [])
        let head = Figure.animalHead(in: box, aspect: 16.0 / 9)
        #expect(head.minX > box.minX && head.maxX < box.maxX && head.maxY < box.midY)
        #expect(abs(head.minY - box.minY) < 1e-6)
    }

    @Test("a return within half a second keeps the IDs, a later one gets new ones", arguments: [(0.4, true), (0.7, false)])
    func identity(gap: Double, keeps: Bool) throws {
        let world = smallWorld {
            $0.frameCount = 60
            $0.subjects[0].presence = [0..<seconds(0.5), seconds(0.5 + gap)..<seconds(9)]
        }
        let all = try truths(of: world)
        let (before, after) = (all[0], all[59])
        #expect((before.map(\.objectID) == after.map(\.objectID)) == keeps)
        #expect(all[20].isEmpty)
        #expect(Set(before.map(\.objectID)).isDisjoint(with: after.map(\.objectID)) == !keeps)
    }

    @Test("out of the picture or hidden, nobody is reported") func visibility() throws {
        func faces(x: Double, hidden: Bool = false) throws -> Int {
            let world = smallWorld {
                $0.subjects = [subject("maya", .face, CGRect(x: x, y: 0.2, width: 0.1, height: 0.2), depth: 2)]
                if hidden { $0.subjects.append(subject("book", .prop, CGRect(x: x, y: 0.15, width: 0.1, height: 0.3), depth: 1)) }
            }
            return try truths(of: world)[0].count { $0.kind == .face }
        }
        #expect(try faces(x: 0.5) == 1)
        #expect(try faces(x: 0.95) == 1, "half of it is inside")
        #expect(try faces(x: 0.97) == 0)
        #expect(try faces(x: 1.2) == 0)
        #expect(try faces(x: 0.5, hidden: true) == 0)
    }

    @Test("confidence falls when half of a face is hidden") func confidence() throws {
        let open = smallWorld()
        let half = smallWorld { $0.subjects.append(subject("book", .prop, CGRect(x: 0.4, y: 0.2, width: 0.08, height: 0.3), depth: 1)) }
        let (a, b) = (try truths(of: open)[0][0], try truths(of: half)[0][0])
        #expect(a.confidence > 0.95 && b.confidence < 0.8 && b.confidence > 0.5)
    }

    @Test("a face looks away past a hundred degrees", arguments: [(0.0, true), (-99, true), (101, false), (-180, false), (350, true)])
    func yaw(degrees: Double, isSeen: Bool) throws {
        let world = smallWorld { $0.subjects[0].yaw = Motion(degrees) }
        let faces = try truths(of: world)[0].count { $0.kind == .face }
        #expect((faces == 1) == isSeen)
    }

    @Test("a pan to the right moves everything left by the pinhole's tangent") func pan() throws {
        let world = smallWorld { $0.camera.pan = Motion(10) }
        let bounds = try truths(of: world)[0][0].bounds
        #expect(abs(bounds.minX - (0.4 - 26.0 / 36 * tan(10 * Double.pi / 180))) < 1e-9)
        #expect(bounds.minY == 0.2)
    }

    @Test("painting changes nothing about the truth") func painted() throws {
        let world = smallWorld {
            $0.frameCount = 2
            $0.camera.shake = Motion(0.02)
        }
        let source = StageSource(world: world)
        #expect(try [source.nextFrame()?.truth ?? [], source.nextFrame()?.truth ?? []] == truths(of: world))
    }

    @Test("the truth detector keeps things to itself until asked, then follows them") func salient() throws {
        let world = smallWorld {
            $0.subjects.append(subject("mug", .prop, CGRect(x: 0.1, y: 0.6, width: 0.1, height: 0.2), depth: 0.9))
            $0.subjects[1].presence = [0..<seconds(0.2), seconds(0.9)..<seconds(2)]
        }
        let source = StageSource(world: world, rendersPixels: false)
        let detector = TruthDetector()
        let frame = try #require(try source.nextFrame())
        let map = try #require(frame.disparity)
        #expect(try detector.detections(in: frame, disparity: map).map(\.label) == ["maya", "maya"])
        #expect(try detector.salientObject(at: CGPoint(x: 0.9, y: 0.1), in: frame, disparity: map) == nil)
        let face = try detector.salientObject(at: CGPoint(x: 0.45, y: 0.3), in: frame, disparity: map)
        #expect(face?.kind == .face)
        let mug = try #require(try detector.salientObject(at: CGPoint(x: 0.15, y: 0.7), in: frame, disparity: map))
        #expect(mug.kind == .salientObject && mug.label == "mug")
        #expect(try detector.detections(in: frame, disparity: map).contains(mug))
        var last = frame
        while let next = try source.nextFrame() { last = next }
        #expect(try detector.detections(in: last, disparity: map).allSatisfy { $0.label == "maya" }, "lost is lost: the mug came back as another")
        #expect(throws: TruthMissing.self) {
            _ = try detector.detections(in: Frame(index: 3, presentationTime: .zero, image: frame.image), disparity: map)
        }
    }
}
