import CoreMedia
import CoreVideo
import Foundation
import FuzzSupport
import Pipeline
import Stage
import TestSupport
import Testing

@testable import Vision

@Suite("Depth estimated from the size of faces")
struct MonocularTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private let picture = Pictures.picture(320, 180, luma: { x, y in 60 + (x + y) / 8 })

    private func frame(_ index: Int = 0, of picture: CVPixelBuffer? = nil) -> Frame { Pictures.frame(picture ?? self.picture, index: index) }

    private func face(_ box: CGRect, yaw: Double = 0, id: Int = 1) -> Detection {
        Detection(objectID: id, groupID: id, kind: .face, bounds: box, yaw: yaw)
    }

    /// Box of a face `metres` away, seen by a lens of 0.75 picture widths.
    private func box(at metres: Double) -> CGRect {
        let (width, height) = (0.15 * 0.75 / metres, 0.23 * 0.75 / metres * 320 / 180)
        return CGRect(x: 0.5 - width / 2, y: 0.4 - height / 2, width: width, height: height)
    }

    private func disparity(_ map: DisparityMap, of face: Detection) throws -> Double {
        try #require(map.median(in: face.bounds.insetBy(dx: face.bounds.width / 4, dy: face.bounds.height / 4)))
    }

    @Test("a face of the first frame is as far as its width says, a turned one as its height", arguments: [0.6, 1, 1.3])
    func distance(metres: Double) throws {
        let whole = face(box(at: metres))
        let turned = face(box(at: metres).insetBy(dx: whole.bounds.width / 6, dy: 0), yaw: 60)
        for face in [whole, turned] {
            let map = try MonocularDepthEstimator(focalLength: 0.75).disparity(of: frame(), detections: [face])
            #expect(abs(try disparity(map, of: face) * metres - 1) < 0.02)
        }
    }

    @Test("who is far away stands out from what is behind, whoever is nearer a little more", arguments: [3.0, 6])
    func wideShot(metres: Double) throws {
        func nearness(_ metres: Double) throws -> Double {
            let face = face(box(at: metres))
            return try disparity(try MonocularDepthEstimator(focalLength: 0.75).disparity(of: frame(), detections: [face]), of: face)
        }
        let own = try nearness(metres)
        #expect(own > 0.47)
        #expect(try nearness(metres / 1.5) > 1.06 * own)
    }

    @Test("a square box, as cascades draw it, tells one distance whichever way the face looks")
    func turning() throws {
        let box = CGRect(x: 0.4, y: 0.3, width: 0.12, height: 0.12 * 320 / 180)
        func nearness(_ yaw: Double) throws -> Double {
            let face = face(box, yaw: yaw)
            return try disparity(try MonocularDepthEstimator(focalLength: 0.75).disparity(of: frame(), detections: [face]), of: face)
        }
        #expect(abs(try nearness(0) - nearness(60)) < 0.01)
    }

    @Test("a person whose face is not seen is as far as the head says")
    func head() throws {
        let face = face(box(at: 1))
        let head = Detection(objectID: 2, groupID: 1, kind: .humanHead, bounds: HeadShape.box(face: face.bounds, roll: 0))
        let map = try MonocularDepthEstimator(focalLength: 0.75).disparity(of: frame(), detections: [head])
        #expect(abs(try disparity(map, of: face) - 1) < 0.02)
    }

    @Test("without faces there is a wall and a floor that comes nearer")
    func empty() throws {
        let map = try MonocularDepthEstimator(focalLength: 0.75).disparity(of: frame(), detections: [])
        let rows = [0.2, 0.6, 0.9].compactMap { map.median(in: Pictures.box(0.1, $0, 0.8, 0.05)) }
        #expect(rows.count == 3 && rows[0] < rows[1] && rows[1] < rows[2])
    }

    /// A network to which red is near; `outputs` of this many values for each place.
    private func model(outputs: Int = 1) throws -> String {
        var tiny = TinyModel()
        tiny.add("depth", stride: 4, weights: Array(repeating: [1, 0, -1], count: outputs), bias: Array(repeating: 3, count: outputs))
        let path = scratch("depth.onnx")
        try tiny.data(width: 256, height: 256).write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test("a depth network says what is nearer, a face how near")
    func network() throws {
        let path = try model()
        let halves = Pictures.picture(320, 180, luma: { _, _ in 100 }, chroma: { x, _ in x < 160 ? (160, 100) : (100, 160) })
        func map(_ faces: [Detection]) throws -> (left: Double, right: Double) {
            let map = try MonocularDepthEstimator(focalLength: 0.75, model: path).disparity(of: frame(of: halves), detections: faces)
            return (try #require(map.median(in: Pictures.box(0.1, 0.3, 0.2, 0.4))), try #require(map.median(in: Pictures.box(0.7, 0.3, 0.2, 0.4))))
        }
        let alone = try map([])
        #expect(alone.right > 5 * alone.left && alone.left > 0)
        let measured = try map([face(box(at: 0.5).offsetBy(dx: 0.3, dy: 0))])
        #expect(abs(measured.right - 2) < 0.1 && measured.left < 0.2)
    }

    @Test("what is no depth network is refused by name")
    func noNetwork() throws {
        let path = try model(outputs: 3)
        for (file, words) in [(path, "one value for each place"), ("/nowhere.onnx", "there is no such file"), ("/bin/sh", "this is no model")] {
            #expect { try MonocularDepthEstimator(model: file) } throws: {
                "\($0)".contains("the depth model \(file): ") && "\($0)".contains(words)
            }
        }
    }

    @Test("a box that trembles does not shake the lens, one that grows is followed")
    func smoothing() throws {
        let estimator = try MonocularDepthEstimator(focalLength: 0.75)
        var index = 0
        func step(_ metres: Double) throws -> Double {
            index += 1
            let map = try estimator.disparity(of: frame(index), detections: [face(box(at: metres))])
            return try #require(map.median(in: Pictures.box(0.48, 0.38, 0.04, 0.04)))
        }
        _ = try step(1)
        #expect(abs(try step(0.9) - 1) < 0.03)
        var last = 0.0
        for _ in 0..<30 { last = try step(0.5) }
        #expect(abs(last - 2) < 0.05)
    }

    @Test("who is found late or lost comes and goes gently, and a new number for the same face changes nothing")
    func presence() throws {
        let estimator = try MonocularDepthEstimator(focalLength: 0.75)
        let place = Pictures.box(0.48, 0.38, 0.04, 0.04)
        let seen: [Int?] = [nil] + Array(repeating: 1, count: 70) + Array(repeating: 2, count: 10) + Array(repeating: nil, count: 70)
        let values = try seen.enumerated().map { index, id in
            let found = id.map { [face(box(at: 1), id: $0)] } ?? []
            return try #require(try estimator.disparity(of: frame(index), detections: found).median(in: place))
        }
        #expect(values[0] < 0.2 && values[150] < 0.2)
        #expect(values[65..<80].allSatisfy { abs($0 - 1) < 0.02 })
        for (before, after) in zip(values, values.dropFirst()) { #expect(abs(after - before) < 0.05) }
    }

    @Test("a person on the stage is found in every frame though the map is made of what was found, and stands before the wall")
    func stage() throws {
        let source = StageSource(world: Pictures.world(frames: 60))
        let (detector, alone) = (try VisionDetector(), try VisionDetector())
        let estimator = try MonocularDepthEstimator()
        var faces = 0
        while let frame = try source.nextFrame() {
            let found = try detector.detections(in: frame, disparity: nil)
            #expect(found.allSatisfy { $0.disparity == nil })
            let map = try estimator.disparity(of: frame, detections: found)
            #expect(try found == alone.detections(in: frame, disparity: nil))
            guard let face = found.first(where: { $0.kind == .face }) else { continue }
            faces += 1
            if frame.index == 59 { #expect(try disparity(map, of: face) > 0.4) }
        }
        #expect(faces > 50)
    }
}
