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
/// `StereoDisparityEstimator` measures disparity from a rectified pair, `DisparityRefiner` makes what was measured fit for a lens;
/// `PictureCanvas` draws on pictures.
public final class VisionDetector: SubjectDetector, Degradable {
    /// Whether a frame waits for its searches.
    public enum Pace: Sendable {
        /// It does: the same frames give the same detections, bit for bit, on any machine.
        case lockStep
        /// It never does: a search goes on beside the frames, on another core, and what it finds is carried to the frame in which it is done; while
        /// frames are late (`Frame.dueDate`) few are searched. What is found when depends on the machine; made for the wall clock.
        case free
    }

    /// Longest time that a detection of `takeEarlier()` lies back, nanoseconds.
    public static let longestLookBack = SceneTracker.Past.length

    private let scene: Mutex<SceneTracker>
    private let searches: LockStepSearch?

    /// `cascades` is the folder of Debian's `opencv-data`. Throws `VisionError` when a file is missing.
    ///
    /// - Parameters:
    ///   - looksBack: whether a face, body or thing that is confirmed some frames after it appeared is followed back to where it appeared, and bodies are
    ///     put right between two sightings, for `takeEarlier()`. Keeps the reduced pictures of the last 1.8 s; only in lock step.
    ///   - timings: where the time of each part is booked, indented.
    public init(
        cascades: String = "/usr/share/opencv4/haarcascades", models: VisionModels = VisionModels(), tuning: VisionTuning = VisionTuning(),
        pace: Pace = .lockStep, looksBack: Bool = false, timings: Timings? = nil
    ) throws {
        let tracker = try SceneTracker(folder: cascades, models: models, tuning: tuning, pace: pace, looksBack: looksBack, timings: timings)
        searches = pace == .lockStep ? tracker.searches : nil
        scene = Mutex(tracker)
    }

    /// Begins the searches of a frame, in lock step and without networks.
    public func prepare(_ frame: Frame) throws { try searches?.prepare(frame) }

    /// Waits for the background search at free pace; the next frame takes in what it found.
    package func waitForSearch() { scene.withLock { $0.waitForSearch() } }

    /// Detections that belong to earlier frames, of whom it confirmed since the last call: each is given once, and empty unless it looks back.
    public func takeEarlier() -> [EarlierDetections] { scene.withLock { $0.takeEarlier() } }

    /// Searches less often at free pace, from `Degradation.detectionRate` on.
    public func degrade(to step: Degradation) { scene.withLock { $0.isSparing = step >= .detectionRate } }

    /// Detections of a frame under numbers that stay; `disparity` is a recorded or measured map, nil without one. Throws `VisionError`.
    public func detections(in frame: Frame, disparity: DisparityMap?) throws -> [Detection] {
        let seen = try scene.withLock { try $0.step(frame, disparity: disparity ?? .flat) }
        return disparity == nil ? seen.map(\.withoutDisparity) : seen
    }

    /// Object around a point (0…1, top left), segmented and then tracked; nil when nothing stands out. Throws `VisionError`.
    public func salientObject(at point: CGPoint, in frame: Frame, disparity: DisparityMap?) throws -> Detection? {
        let found = try scene.withLock { try $0.addObject(at: point, frame: frame, disparity: disparity ?? .flat) }
        return disparity == nil ? found?.withoutDisparity : found
    }
}

extension DisparityMap {
    /// Everything equally far away, which says nothing of distance.
    package static let flat = DisparityMap([0, 0, 0, 0], width: 2, height: 2)
}

extension Detection {
    fileprivate var withoutDisparity: Detection {
        var copy = self
        copy.disparity = nil
        return copy
    }
}
