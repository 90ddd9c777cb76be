import AVFoundation
import CoreMedia
import Foundation
import Media
import Pipeline
import ScenarioFormat
import Stage
import Vision

extension CameraFeed {
    /// Opens the feed of a scenario's camera: the stage, or the footage it names, which has no ground truth.
    ///
    /// - Parameters:
    ///   - detector: stands in for the clip's own, which then is not opened.
    ///   - pace: whether frames wait for the searches of `detections: vision`.
    ///   - keepsCoding: whether frames of footage bring their `original`, for a movie of the same depth and colours.
    package static func open(
        _ scenario: ScenarioFile, models: VisionModels = VisionModels(), detector given: (any SubjectDetector)? = nil,
        pace: VisionDetector.Pace = .lockStep, timings: Timings? = nil, keepsCoding: Bool = false
    ) throws -> CameraFeed {
        try open(scenario, models: models, detector: given, pace: pace, timings: timings, keepsCoding: keepsCoding, notes: FrameNotes())
    }

    /// The same with `notes` of those who read the footage before.
    static func open(
        _ scenario: ScenarioFile, models: VisionModels, detector given: (any SubjectDetector)?, pace: VisionDetector.Pace = .lockStep,
        timings: Timings?, keepsCoding: Bool = false, notes: FrameNotes
    ) throws -> CameraFeed {
        let clip = scenario.clip
        let pictureDuration = clip.frameDuration ?? clip.constantRate ?? CMTime(value: 1, timescale: 30)
        let reading = FootageReading(keepsCoding: keepsCoding, toneMaps: clip.isToneMapped, span: clip.span)
        func detector() throws -> any SubjectDetector {
            if let given { return given }
            return switch clip.detections {
            case .truth: TruthDetector()
            case .vision:
                // With `mode: post` frames are looked at seconds before they are drawn.
                try VisionDetector(models: models, pace: pace, looksBack: scenario.mode == .post && clip.source.isPlain, timings: timings)
            case .recorded(let path): try RecordedDetector(path: path)
            }
        }
        switch clip.source {
        case .synthetic:
            let stage = try StageSource(world: scenario.world())
            return CameraFeed(source: stage, detector: try detector())
        case .video(let video, let disparity, let range):
            let source = try RecordedDisparitySource(
                video: video, disparity: disparity, coding: .disparity(range ?? 0...1), pictureDuration: pictureDuration, reading: reading)
            return CameraFeed(source: try shortened(source, to: clip, notes), detector: try detector(), upsampler: source.upsampler)
        case .stereo(let left, let right, let baseline, let focalLength):
            let source = try StereoFileSource(left: left, right: right, pictureDuration: pictureDuration, reading: reading, notes: notes.pairs)
            var parameters = StereoDisparityEstimator.Parameters()
            if let baseline, let focalLength {
                parameters = .init(focalLength: focalLength / Double(source.description.width), baseline: baseline)
            }
            return CameraFeed(
                source: try shortened(source, to: clip, notes), detector: try detector(),
                estimator: StereoDisparityEstimator(parameters: parameters), upsampler: JointUpsampler.ofPairs)
        case .calibrated, .packed, .depth, .plain:
            var feed = try measured(
                clip.source, pictureDuration: pictureDuration, detector: detector(), models: models, reading: reading, pairs: notes.pairs)
            feed.source = try shortened(feed.source, to: clip, notes)
            return feed
        }
    }

    /// The part of footage at the rate and as long as the clip says, with its light judged and its cuts found.
    private static func shortened(_ source: any FrameSource, to clip: ScenarioFile.Clip, _ notes: FrameNotes) throws -> any FrameSource {
        let part = clip.span.isWhole ? source : try TrimmedSource(source, clip.span, path: clip.source.soundPath ?? "")
        let source = clip.constantRate.map { ConstantRateSource(part, frameDuration: $0) } ?? part
        func cut(_ source: any FrameSource) -> any FrameSource { clip.length.map { ShortenedSource(source, length: $0) } ?? source }
        return NotedSource(cut(source), judged: cut(ShotSource(MeteredSource(source))), notes: notes)
    }
}

extension ScenarioFile {
    /// The feed of footage whose detections are recorded, so that a test on it is exact; nil for anything else.
    package func recordedFootage() throws -> CameraFeed? {
        guard !clip.source.isSynthetic, case .recorded = clip.detections else { return nil }
        return try CameraFeed.open(self)
    }
}
