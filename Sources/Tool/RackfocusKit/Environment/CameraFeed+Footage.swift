import AVFoundation
import CoreMedia
import Media
import Pipeline
import ScenarioFormat
import Vision

extension CameraFeed {
    /// Footage whose disparity has to be brought to the picture, completed or guessed first.
    static func measured(
        _ source: ClipSource, pictureDuration: CMTime, detector: any SubjectDetector, models: VisionModels, reading: FootageReading,
        pairs: PairNotes
    ) throws -> CameraFeed {
        switch source {
        case .calibrated(let left, let right, let path):
            let calibration = try StereoCalibration(contentsOf: path)
            return CameraFeed(
                source: try StereoFileSource(left: left, right: right, pictureDuration: pictureDuration, reading: reading, notes: pairs),
                detector: detector,
                estimator: StereoDisparityEstimator(calibration: calibration), upsampler: JointUpsampler.ofPairs)
        case .packed(let path, let layout):
            let packed = try PackedStereoFileSource(
                path: path, layout: layout == .topHalf ? .topHalf : .leftHalf, pictureDuration: pictureDuration, reading: reading)
            return CameraFeed(
                source: packed, detector: detector, estimator: StereoDisparityEstimator(),
                upsampler: JointUpsampler.ofPairs)
        case .depth(let video, let depth):
            let recorded = try RecordedDisparitySource(
                video: video, disparity: depth, coding: .depth(metresPerCode: 0.001), pictureDuration: pictureDuration,
                reading: reading)
            return CameraFeed(source: recorded, detector: detector, upsampler: recorded.upsampler)
        case .plain(let path):
            switch MovieDisparity(of: path) {
            case .cinematic:
                return CameraFeed(source: try CinematicFileSource(path: path, reading: reading), detector: detector)
            case .phone:
                let recorded = try RecordedDisparitySource(video: path, disparity: path, pictureDuration: pictureDuration, reading: reading)
                return CameraFeed(source: recorded, detector: detector, upsampler: recorded.upsampler)
            case nil: break
            }
            let video = try VideoFileSource(path: path, pictureDuration: pictureDuration, reading: reading)
            let estimator = try MonocularDepthEstimator(focalLength: CameraProfile.plainFocalLength / 36, model: models.depth)
            return CameraFeed(source: video, detector: detector, monocular: estimator)
        case .synthetic, .video, .stereo: preconditionFailure("is opened without help")
        }
    }
}
