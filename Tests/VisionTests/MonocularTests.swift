import CoreVideo
import Foundation
import Pipeline
import Synchronization
import Testing

@testable import Vision

@Suite("Depth guessed from the size of faces")
struct MonocularTests {
    /// Eyes that see what they are told.
    private final class Told: SubjectDetector {
        let seen = Mutex<[Detection]>([])
        func detections(in frame: Frame, disparity: DisparityMap) -> [Detection] { seen.withLock { $0 } }
        func salientObject(at point: CGPoint, in frame: Frame, disparity: DisparityMap) -> Detection? { nil }
    }

    private let frame = Pictures.frame(Pictures.picture(320, 180, luma: { x, y in 60 + (x + y) / 8 }))
    private let nothing = Pictures.map(2, 2) { _, _ in 0 }

    private func face(_ box: CGRect, yaw: Double = 0) -> Detection { Detection(objectID: 1, groupID: 1, kind: .face, bounds: box, yaw: yaw) }

    /// What a face `metres` away covers, seen by a lens of 0.75 picture widths.
    private func box(at metres: Double) -> CGRect {
        let (width, height) = (0.15 * 0.75 / metres, 0.23 * 0.75 / metres * 320 / 180)
        return CGRect(x: 0.5 - width / 2, y: 0.4 - height / 2, width: width, height: height)
    }

    private func disparity(of face: Detection) throws -> Double? {
        let told = Told()
        told.seen.withLock { $0 = [face] }
        let eyes = try MonocularEyes(eyes: told, focalLength: 0.75)
        _ = try eyes.detections(in: frame, disparity: nothing)
        return try eyes.disparity(of: frame).median(in: face.bounds.insetBy(dx: face.bounds.width / 4, dy: face.bounds.height / 4))
    }

    @Test("a face is as far as its width says, a turned one as its height", arguments: [0.6, 1, 2])
    func distance(metres: Double) throws {
        let whole = box(at: metres)
        #expect(abs(try #require(try disparity(of: face(whole))) * metres - 1) < 0.02)
        let turned = whole.insetBy(dx: whole.width / 6, dy: 0)
        #expect(abs(try #require(try disparity(of: face(turned, yaw: 60))) * metres - 1) < 0.02)
    }

    @Test("without faces there is a wall and a floor that comes nearer")
    func empty() throws {
        let eyes = try MonocularEyes(eyes: Told(), focalLength: 0.75)
        _ = try eyes.detections(in: frame, disparity: nothing)
        let map = try eyes.disparity(of: frame)
        let rows = [0.2, 0.6, 0.9].compactMap { map.median(in: Pictures.box(0.1, $0, 0.8, 0.05)) }
        #expect(rows.count == 3 && rows[0] < rows[1] && rows[1] < rows[2])
    }

    /// A network to which red is near; `outputs` of this many values for each place.
    private func model(outputs: Int = 1) throws -> String {
        var tiny = TinyModel()
        tiny.add("depth", stride: 4, weights: Array(repeating: [1, 0, -1], count: outputs), bias: Array(repeating: 3, count: outputs))
        let path = FileManager.default.temporaryDirectory.appending(path: "depth-\(UUID().uuidString).onnx").path
        try tiny.data(width: 256, height: 256).write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test("a depth network says what is nearer, a face how near")
    func network() throws {
        let path = try model()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let halves = Pictures.frame(Pictures.picture(320, 180, luma: { _, _ in 100 }, chroma: { x, _ in x < 160 ? (160, 100) : (100, 160) }))
        func map(_ faces: [Detection]) throws -> (left: Double, right: Double) {
            let told = Told()
            told.seen.withLock { $0 = faces }
            let eyes = try MonocularEyes(eyes: told, focalLength: 0.75, model: path)
            _ = try eyes.detections(in: halves, disparity: nothing)
            let map = try eyes.disparity(of: halves)
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
        defer { try? FileManager.default.removeItem(atPath: path) }
        for (file, words) in [(path, "one value for each place"), ("/nowhere.onnx", "there is no such file"), ("/bin/sh", "this is no model")] {
            #expect { try MonocularEyes(eyes: Told(), model: file) } throws: {
                "\($0)".contains("the depth model \(file): ") && "\($0)".contains(words)
            }
        }
    }

    @Test("a box that trembles does not shake the lens, one that grows is followed")
    func inertia() throws {
        let told = Told()
        let eyes = try MonocularEyes(eyes: told, focalLength: 0.75)
        func step(_ metres: Double) throws -> Double {
            told.seen.withLock { $0 = [face(box(at: metres))] }
            _ = try eyes.detections(in: frame, disparity: nothing)
            return try #require(try eyes.disparity(of: frame).median(in: Pictures.box(0.48, 0.38, 0.04, 0.04)))
        }
        _ = try step(1)
        #expect(abs(try step(0.9) - 1) < 0.03)
        var last = 0.0
        for _ in 0..<30 { last = try step(0.5) }
        #expect(abs(last - 2) < 0.05)
    }
}
