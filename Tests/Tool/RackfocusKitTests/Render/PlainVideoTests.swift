import AVFoundation
import CoreVideo
import Foundation
import Media
import Pipeline
import RackfocusKit
import ScenarioFormat
import Stage
import TestSupport
import Testing
import Vision

@testable import RackfocusKit

@Suite("Plain video through the lens, with the real detectors")
struct PlainVideoTests {
    /// The stage's pictures and nothing else of it.
    private final class Pixels: FrameSource {
        private let stage: StageSource
        var description: SourceDescription { stage.description }

        init(_ stage: StageSource) { self.stage = stage }

        func nextFrame() throws -> Frame? {
            try stage.nextFrame().map { Frame(index: $0.index, presentationTime: $0.presentationTime, image: $0.image) }
        }
    }

    private static func stage() throws -> Pixels {
        let text = """
            scenario: One person before a wall
            clip: {source: synthetic, size: 640x360, fps: 30, length: 2s, seed: 3}
            light: 800lx
            subjects:
              maya: {kind: face, box: [0.3, 0.25, 0.1, 0.2], depth: 1.6m}
            """
        return Pixels(try StageSource(world: ScenarioFile.parse(text, path: "stage.yaml").world()))
    }

    @Test("a face of the stage is found as if nothing were rendered, and its sharpness does not pump")
    func painted() throws {
        let (alone, source) = (try VisionDetector(), try Self.stage())
        var expected: [[CGRect]] = []
        while let frame = try source.nextFrame() {
            expected.append(try alone.detections(in: frame, disparity: nil).filter { $0.kind == .face }.map(\.bounds))
        }
        let run = PlainVideoRun()
        let estimator = try MonocularDepthEstimator(focalLength: CameraProfile.plainFocalLength / 36)
        try run.run(CameraFeed(source: try Self.stage(), detector: try VisionDetector(), monocular: estimator))
        #expect(run.faces.map { $0.map(\.bounds) } == expected)
        #expect(expected.count { !$0.isEmpty } > 50)
        let (step, frame) = run.greatestStep
        #expect(step < 0.04, "at frame \(frame): \(run.excerpt(around: frame))")
    }

    @Test(
        "every clip with faces: `render --video` finds what `detect` finds, and no face pumps",
        .enabled(if: Project.hasData, "needs ../shared/data"),
        arguments: [
            "headmale.gif", "intel_face-demographics-walking.gif", "intel_head-pose-face-detection-female.gif",
            "intel_head-pose-face-detection-female-and-male.gif", "hamilton.mp4",
        ])
    func footage(name: String) throws {
        let (scratch, path) = (try Scratch(), Project.data.appending(path: "video/\(name)").path)
        _ = try DetectJob(path, options: .init(output: scratch("seen.jsonl"))).run { _ in }
        let expected = try DetectionLog(path: scratch("seen.jsonl")).entries.map { $0.detections.count { $0.kind == .face } }
        let run = PlainVideoRun()
        try run.run(CameraFeed.open(ScenarioFile.parse("{}", path: "plain.mp4", ReadingOptions(source: .plain(path)))))
        let (found, wanted) = (run.faces.reduce(0) { $0 + $1.count }, expected.reduce(0, +))
        #expect(wanted > 20 && abs(found - wanted) * 50 <= wanted, "\(found) instead of \(wanted) faces")
        let (step, frame) = run.greatestStep
        #expect(step < 0.04, "at frame \(frame): \(run.excerpt(around: frame))")
    }
}
