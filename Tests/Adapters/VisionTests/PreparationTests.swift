import CoreVideo
import Foundation
import Pipeline
import Stage
import Testing
import Vision

@Suite("Work on a frame ahead of its turn")
struct PreparationTests {
    /// Answers for all frames, `ahead` of which are prepared before the first is asked for; none where it is nil.
    private func answers<Answer>(
        _ frames: [Frame], ahead: Int?, prepare: (Frame) throws -> Void, _ answer: (Frame) throws -> Answer
    ) throws -> [Answer] {
        for frame in frames.prefix(ahead ?? 0) { try prepare(frame) }
        return try frames.indices.map { index in
            if let ahead, index + ahead < frames.count { try prepare(frames[index + ahead]) }
            return try answer(frames[index])
        }
    }

    private func values(_ map: DisparityMap) -> [Float] { (0..<map.height).flatMap { y in (0..<map.width).map { map.row(y)[$0] } } }

    @Test("a detector sees the same, across a covered lens and a cut", arguments: [1, 3])
    func detector(ahead: Int) throws {
        let source = StageSource(world: Pictures.world(frames: 14))
        var frames: [Frame] = []
        while var frame = try source.nextFrame() {
            frame.shot = frame.index / 9
            if frame.index == 4 { frame.image = Pictures.picture(frame.image.size.width, frame.image.size.height, luma: { _, _ in 16 }) }
            frames.append(frame)
        }
        func seen(ahead: Int?) throws -> [[Detection]] {
            let detector = try VisionDetector(looksBack: true)
            return try answers(frames, ahead: ahead, prepare: detector.prepare) { try detector.detections(in: $0, disparity: $0.disparity) }
        }
        let plain = try seen(ahead: nil)
        #expect(try seen(ahead: ahead) == plain && !plain[8].isEmpty && plain[4].isEmpty)
    }

    @Test("a pair is as far away, across a covered eye and a cut", arguments: [1, 3])
    func stereo(ahead: Int) throws {
        let frames = (0..<8).map { index in
            let blank = index == 2 || index == 6
            var frame = Pictures.frame(
                Pictures.picture(160, 90, luma: { Pictures.speckle($0 + index, $1) }),
                right: Pictures.picture(160, 90, luma: { blank ? 16 : Pictures.speckle($0 + index + 5 + index % 3, $1) }), index: index)
            frame.shot = index / 5
            return frame
        }
        func maps(ahead: Int?) throws -> [[Float]] {
            let estimator = StereoDisparityEstimator()
            return try answers(frames, ahead: ahead, prepare: estimator.prepare) { values(try estimator.disparity(of: $0)) }
        }
        let plain = try maps(ahead: nil)
        #expect(try maps(ahead: ahead) == plain && plain[2] == plain[1] && plain[3] != plain[1])
    }

    @Test("a plain video's depth is the same, across a cut", arguments: [1, 3])
    func monocular(ahead: Int) throws {
        let frames = (0..<7).map { index in
            var frame = Pictures.frame(Pictures.picture(320, 180, luma: { Pictures.speckle(($0 + 3 * index) / 4, $1 / 4) }), index: index)
            frame.shot = index / 4
            return frame
        }
        func maps(ahead: Int?) throws -> [[Float]] {
            let estimator = try MonocularDepthEstimator()
            return try answers(frames, ahead: ahead, prepare: estimator.prepare) { frame in
                let box = CGRect(x: 0.4 + 0.01 * Double(frame.index), y: 0.2, width: 0.1, height: 0.2)
                let face = Detection(objectID: 1, groupID: 1, kind: .face, bounds: box, yaw: 0)
                return values(try estimator.disparity(of: frame, detections: [face]))
            }
        }
        let plain = try maps(ahead: nil)
        #expect(try maps(ahead: ahead) == plain && plain[3] != plain[4])
    }
}
