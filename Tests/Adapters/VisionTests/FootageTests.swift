import CoreMedia
import CoreVideo
import Foundation
import Media
import Pipeline
import TestSupport
import Testing

@testable import Vision

@Suite("What the detector sees in real footage", .enabled(if: Pictures.hasShared, "needs ../shared/data"))
struct RealFootageTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    static let face = Pictures.shared + "/models/face_detection_yunet_2022mar.onnx"
    static let object = Pictures.shared + "/models/yolo-fastest-1.1.weights"

    private func run(_ name: String, _ models: VisionModels, frames: Int = .max) throws -> [[Detection]] {
        let source = try VideoFileSource(path: "\(Pictures.shared)/video/\(name)")
        let detector = try VisionDetector(models: models)
        let flat = Pictures.map(2, 2) { _, _ in 0 }
        var all: [[Detection]] = []
        while all.count < frames, let frame = try source.nextFrame() { all.append(try detector.detections(in: frame, disparity: flat)) }
        return all
    }

    /// Left, front, right of each frame of the head-turn clip.
    private static let turns = Array(repeating: -1, count: 7) + [0, 0, 0, 0] + Array(repeating: 1, count: 6) + [0, 0, 0, 0, 0, -1]

    @Test(
        "a turning head is followed to the frame, one identity all through",
        arguments: [(VisionModels(face: face), 1), (VisionModels(), 2)])
    func yaw(models: VisionModels, late: Int) throws {
        let seen = try run("intel_head-pose-face-detection-female.gif", models)
        let faces = seen.map { $0.first { $0.kind == .face } }
        #expect(faces.compactMap { $0 }.count >= 22)
        #expect(Set(faces.compactMap { $0?.objectID }).count == 1)
        for (index, face) in faces.enumerated() {
            guard let yaw = face?.yaw else { continue }
            let side = abs(yaw) < 20 ? 0 : (yaw < 0 ? -1 : 1)
            #expect(Self.turns[max(0, index - late)...min(index + 1, 22)].contains(side), "frame \(index + 1): \(yaw)")
        }
    }

    @Test("the wall beside the necks of people seen from behind by a depth camera is no face")
    func besideNecks() throws {
        let folder = "\(Pictures.shared)/rgbd"
        let picture = try PictureFile.read("\(folder)/five_people_rgb.png", as: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        let measured = try PictureFile.readDepth("\(folder)/five_people_depth_mm_u16.png", metresPerCode: 0.001)
        let (detector, refiner) = (try VisionDetector(), DisparityRefiner(purpose: .boxes))
        for index in 0..<60 {
            let depth = try refiner.refine(measured, of: picture)
            let faces = try detector.detections(in: Pictures.frame(picture, index: index), disparity: depth).filter { $0.kind == .face }
            #expect(faces.allSatisfy { ($0.disparity ?? 0) > 0.3 }, "the wall is at 0.2 1/m, whoever shows a profile at 0.45: \(faces)")
        }
    }

    @Test("heads that lean to 65 degrees are seen upright and leaning")
    func roll() throws {
        let seen = try run("intel_head-pose-face-detection-female-and-male.gif", VisionModels(face: Self.face))
        #expect(seen.allSatisfy { $0.filter { $0.kind == .face }.count == 2 })
        let rolls = seen.flatMap { $0 }.compactMap(\.roll).map { min($0, 360 - $0) }
        #expect((rolls.map(abs).max() ?? 0) > 45 && rolls.contains { abs($0) < 8 })
    }

    @Test("faces of 12 to 15 pixels are found without networks")
    func far() throws {
        let seen = try run("intel_face-demographics-walking.gif", VisionModels(), frames: 10)
        #expect(try #require(seen.last).filter { $0.kind == .face }.count == 2)
    }

    @Test("a hand around a cup is no head")
    func cup() throws {
        let seen = try run("04_coffee.mp4", VisionModels(face: Self.face, object: Self.object), frames: 40)
        #expect(seen.allSatisfy { !$0.contains { $0.kind == .face || $0.kind == .humanHead } })
    }

    @Test("two children keep their numbers, their groups and their faces through full occlusion")
    func bedroom() throws {
        let seen = try run("bedroom.mp4", VisionModels(face: Self.face, object: Self.object))
        let bodies = seen.flatMap { $0 }.filter { $0.kind == .humanBody }
        #expect(Set(bodies.map(\.objectID)).count == 2)
        let last = try #require(seen.last)
        func faces(_ frame: [Detection]) -> Set<Int> { Set(frame.filter { $0.kind == .face }.map(\.objectID)) }
        #expect(faces(seen[0]).count == 2 && faces(last) == faces(seen[0]))
        let first = seen[0].filter { $0.kind == .humanBody }.map(\.objectID)
        #expect(Set(last.filter { $0.kind == .humanBody }.map(\.objectID)) == Set(first))
        for face in last where face.kind == .face {
            #expect(
                last.contains {
                    $0.kind == .humanBody && $0.groupID == face.groupID && $0.bounds.contains(CGPoint(x: face.bounds.midX, y: face.bounds.midY))
                })
        }
    }

    @Test("a woman and her dog, which leaves and returns: three bodies, one face, no knee and no dog's face among them")
    func walk() throws {
        let seen = try run("01_dog.mp4", VisionModels(face: Self.face, object: Self.object))
        func numbers(_ kinds: Detection.Kind...) -> Set<Int> { Set(seen.joined().filter { kinds.contains($0.kind) }.map(\.objectID)) }
        #expect(numbers(.humanBody, .dogBody, .catBody).count == 3)
        #expect(numbers(.face).count == 1 && numbers(.humanHead).count == 1)
        for frame in seen {
            for head in frame where head.kind == .dogHead { #expect(frame.contains { $0.kind == .dogBody && $0.groupID == head.groupID }) }
        }
    }

    @Test("both object models see the dog and the cats as what they are", arguments: ["yolo-fastest-1.1.weights", "FastestDet.onnx"])
    func animals(model: String) throws {
        func kinds(_ picture: String) throws -> Set<Detection.Kind> {
            let image = try PictureFile.read("\(Pictures.shared)/stills/\(picture)", as: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
            let detector = try VisionDetector(models: VisionModels(object: "\(Pictures.shared)/models/\(model)"))
            return Set(try detector.detections(in: Pictures.frame(image), disparity: Pictures.map(2, 2) { _, _ in 0 }).map(\.kind))
        }
        #expect(try kinds("darknet_dog.jpg").contains(.dogBody))
        #expect(try kinds("chelsea.png").contains(.catBody))
        #expect(try kinds("darknet_person.jpg").contains(.humanBody))
    }

    @Test("a model of another kind is refused by name")
    func wrongModel() {
        for models in [VisionModels(face: Pictures.shared + "/models/FastestDet.onnx"), VisionModels(object: Self.face)] {
            #expect {
                try VisionDetector(models: models)
            } throws: {
                ($0 as? VisionError)?.code == .file && "\($0)".contains("this is a model, but ")
            }
        }
    }

    @Test("weights that are cut short are no model", arguments: [1000, 700_000])
    func cutShort(bytes: Int) throws {
        let weights = scratch.url.appending(path: "cut.weights")
        try Data(contentsOf: URL(fileURLWithPath: Self.object)).prefix(bytes).write(to: weights)
        let cfg = Self.object.replacingOccurrences(of: ".weights", with: ".cfg")
        try FileManager.default.copyItem(atPath: cfg, toPath: scratch("cut.cfg"))
        #expect {
            try VisionDetector(models: VisionModels(object: weights.path))
        } throws: {
            ($0 as? VisionError)?.code == .file && "\($0)".contains("ends before its last weight")
        }
    }
}
