import CoreVideo
import Foundation
import FuzzSupport
import Pipeline
import TestSupport
import Testing

@testable import Vision

@Suite("YuNet of 2023 is decoded by hand")
struct FaceNetTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// YuNet's twelve outputs: at stride 16 whatever is blue is a face of 48 x 64 about its cell's middle; elsewhere there is none.
    private func model(boxes: Int = 4) throws -> String {
        var tiny = TinyModel()
        let none: [[Float]] = [[0, 0, 0]]
        for stride in [8, 16, 32] {
            tiny.add("cls_\(stride)", stride: stride, weights: stride == 16 ? [[1 / 255, -1 / 255, 0]] : none, bias: [0])
            tiny.add("obj_\(stride)", stride: stride, weights: none, bias: [0.81])
            tiny.add(
                "bbox_\(stride)", stride: stride, weights: Array(repeating: [0, 0, 0], count: boxes),
                bias: Array([0.5, 0.5, log(3), log(4)].prefix(boxes)))
            // Right eye, left eye, nose, corners of the mouth.
            tiny.add("kps_\(stride)", stride: stride, weights: Array(repeating: [0, 0, 0], count: 10), bias: [0, 0, 1, 0, 0.5, 0.5, 0, 1, 1, 1])
        }
        let path = scratch("tiny.onnx")
        try tiny.data(width: 320, height: 192).write(to: URL(fileURLWithPath: path))
        return path
    }

    /// Grey with one blue block whose corner is the corner of cell (5, 3) of stride 16.
    private func picture() throws -> ReducedPicture {
        try ReducedPicture(
            Pictures.picture(
                240, 150, luma: { _, _ in 120 },
                chroma: { x, y in (76..<96).contains(x) && (44..<64).contains(y) ? (240, 110) : (128, 128) }))
    }

    @Test("score, place, size and marks are those of the cell, in a picture whose sides are no multiples of 32")
    func decode() throws {
        let path = try model()
        let hits = try FaceNet(path: path).faces(in: picture())
        let hit = try #require(hits.first)
        #expect(hits.count == 1, "two cells are blue; their boxes are one face")
        #expect(abs(hit.box.width - 48) < 0.1 && abs(hit.box.height - 64) < 0.1)
        #expect(abs(hit.box.midX - 88) < 0.1 && abs(hit.box.midY - 56) < 0.1)
        #expect(hit.score > 0.6 && hit.score <= 0.9 && hit.source == .network)
        #expect(hit.yaw == 0 && hit.roll == 0)
    }

    @Test("outputs of other sizes are refused by name")
    func wrong() throws {
        let path = try model(boxes: 3)
        #expect { try FaceNet(path: path) } throws: { "\($0)".contains("its outputs do not have YuNet's sizes") }
    }
}
