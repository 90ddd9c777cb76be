import AVFoundation
import CoreMedia
import Foundation
import Media
import Pipeline
import Scenario
import Stage
import Vision

extension CameraFeed {
    /// What a camera sees in this scenario: the stage, or the footage it names, which has no truth to detect from.
    static func open(_ scenario: ScenarioFile) throws -> CameraFeed {
        let clip = scenario.clip
        let pictureDuration = clip.frameDuration ?? CMTime(value: 1, timescale: 30)
        switch clip.source {
        case .synthetic:
            let stage = try StageSource(world: scenario.world())
            let detector: any SubjectDetector = clip.detections == .truth ? TruthDetector() : try VisionDetector()
            return CameraFeed(source: stage, detector: detector)
        case .video(let video, let disparity, let range):
            let source = try DisparityFileSource(
                video: video, disparity: disparity, coding: .disparity(range ?? 0...1), pictureDuration: pictureDuration)
            return CameraFeed(source: shortened(source, to: clip), detector: try VisionDetector())
        case .stereo(let left, let right, let baseline, let focalLength):
            let source = try StereoFileSource(left: left, right: right, pictureDuration: pictureDuration)
            var parameters = StereoDisparityEstimator.Parameters()
            if let baseline, let focalLength {
                parameters = .init(focalLength: focalLength / Double(source.description.width), baseline: baseline)
            }
            return CameraFeed(
                source: shortened(source, to: clip), detector: try VisionDetector(), estimator: StereoDisparityEstimator(parameters: parameters))
        case .calibrated, .packed, .depth, .plain:
            var feed = try measured(clip.source, pictureDuration: pictureDuration, detector: VisionDetector())
            feed.source = shortened(feed.source, to: clip)
            return feed
        }
    }

    /// Footage as long as the clip says, with its light judged.
    private static func shortened(_ source: any FrameSource, to clip: ScenarioFile.Clip) -> any FrameSource {
        let source = MeteredSource(source)
        return clip.length.map { ShortenedSource(source, frames: Int($0 / source.description.frameDuration.nanoseconds)) } ?? source
    }
}
