import Foundation
import Pipeline
import Synchronization

/// Finds faces, the people they belong to, cat heads and tapped objects in the pixels, and keeps their identity.
///
/// It is dlib's face detector and OpenCV's trained cascades on a reduced picture, searched a slice per frame, with optical flow, looks
/// and depth carrying what was found from frame to frame. Faces under about 1/30 of the picture's width go unseen that way; the networks of
/// `VisionModels` see smaller ones, and people and animals from all sides.
///
///     let detector = try VisionDetector()
///     while let frame = try source.nextFrame() {
///         for detection in try detector.detections(in: frame, disparity: map) { … }
///     }
///
/// `StereoDisparityEstimator` measures disparity from a rectified pair; `PictureCanvas` draws on pictures.
public final class VisionDetector: SubjectDetector {
    private let scene: Mutex<SceneTracker>

    /// `cascades` is the folder of Debian's `opencv-data`. Throws `VisionError` when a file is missing.
    ///
    /// - Parameter timings: where the time of each part is booked, indented.
    public init(
        cascades: String = "/usr/share/opencv4/haarcascades", models: VisionModels = VisionModels(), tuning: VisionTuning = VisionTuning(),
        timings: Timings? = nil
    ) throws {
        scene = Mutex(try SceneTracker(folder: cascades, models: models, tuning: tuning, timings: timings))
    }

    public func detections(in frame: Frame, disparity: DisparityMap) throws -> [Detection] {
        try scene.withLock { try $0.step(frame, disparity: disparity) }
    }

    public func salientObject(at point: CGPoint, in frame: Frame, disparity: DisparityMap) throws -> Detection? {
        try scene.withLock { try $0.addObject(at: point, frame: frame, disparity: disparity) }
    }
}
