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

    @Test("a shot opens with a script as it does without, and where no disparity is kept as where it is")
    func scripted() throws {
        let (scratch, source) = (try Scratch(), try Self.stage())
        let movie = MovieDescription(width: 640, height: 360, frameDuration: source.description.frameDuration)
        let writer = try MovieFileWriter(path: scratch("drawn.mov"), movie: movie)
        while let frame = try source.nextFrame(), frame.index < 45 { try writer.append(frame.image, at: frame.presentationTime) }
        try writer.finish()
        _ = try scratch.write("timeline:\n  - 1.3s: {tap: {view: [0.9, 0.9]}}\n", to: "tap.yaml")
        func opening(_ name: String, _ words: [String]) throws -> [Substring] {
            let run = try ToolRun(["render", "--video", "drawn.mov", "-o", "\(name)/movie.mp4"] + words, directory: scratch.url)
            #expect(run.exitCode == 0, "\(run.errors)")
            // The first line names the run.
            return try scratch.text("\(name)/movie.run/trace.jsonl").split(separator: "\n")[1...8].map { $0 }
        }
        for name in ["plain", "scripted", "none"] {
            try FileManager.default.createDirectory(at: scratch.url.appending(path: name), withIntermediateDirectories: false)
        }
        let plain = try opening("plain", [])
        #expect(plain[0].contains("\"why\":\"entered\""))
        #expect(try opening("scripted", ["--script", "tap.yaml"]) == plain)
        #expect(try opening("none", ["--keep", "none"]) == plain)
        func bytes(_ name: String) throws -> Data { try Data(contentsOf: scratch.url.appending(path: "\(name)/movie.mp4")) }
        #expect(try bytes("none") == bytes("plain"))
    }

    /// Least change of a face's sharpness that is a step.
    private static let step = 0.03

    private static let clips = ((try? FileManager.default.contentsOfDirectory(atPath: Project.data.path + "/video")) ?? []).sorted()

    @Test(
        "every clip: `render --video` finds what `detect` finds, focus is on its subject, and no face changes its sharpness by .03 from one frame to the next",
        .enabled(if: Project.hasData, "needs ../shared/data"), arguments: clips)
    func footage(name: String) throws {
        let (scratch, path) = (try Scratch(), Project.data.appending(path: "video/\(name)").path)
        _ = try DetectJob(path, options: .init(output: scratch("seen.jsonl"))).run { _ in }
        func found(_ file: String) throws -> Int {
            try DetectionLog(path: scratch(file)).entries.reduce(0) { $0 + $1.detections.count { !$0.isExtrapolated } }
        }
        let run = try RenderedFaces(path, in: scratch)
        let (rendered, wanted) = (try found("movie.run/detections.jsonl"), try found("seen.jsonl"))
        #expect(wanted > 20 && abs(rendered - wanted) * 50 <= wanted, "\(rendered) instead of \(wanted)")
        let steps = run.steps.filter { $0.step >= Self.step }
        #expect(steps.isEmpty, "\(steps)")
        #expect(run.framesBesideSubject.count * 50 <= run.faces.count, "\(run.framesBesideSubject)")
    }

    @Test("one tap on an outline, through `render` of plain video, finds its box", .enabled(if: Project.hasData, "needs ../shared/data"))
    func taps() throws {
        var overlaps: [Double] = []
        for outline in try TappedStill.all() {
            let scratch = try Scratch()
            overlaps.append(try outline.overlap(in: scratch))
        }
        let (mean, share) = (overlaps.reduce(0, +) / Double(overlaps.count), Double(overlaps.count { $0 > 0.5 }) / Double(overlaps.count))
        #expect(mean >= 0.6 && share >= 0.65, "mean \(mean), \(share) above .5: \(overlaps)")
    }
}
