import AVFoundation
import CoreMedia
import CoreVideo
import Foundation
import Metal
import Pipeline
import Synchronization

/// Bounds of an object in a picture, as found or tracked.
public struct CNBoundsPrediction: Sendable {
    /// Bounds, 0…1 of the picture, origin top left; empty where the object is not seen.
    public var normalizedBounds: CGRect
    /// Confidence, 0…1, larger is surer.
    public var confidence: Float

    init(normalizedBounds: CGRect, confidence: Float) { (self.normalizedBounds, self.confidence) = (normalizedBounds, confidence) }
}

/// Tracker of an object that a person points at, over consecutive frames, by the detector of the environment.
///
///     if let found = tracker.findObject(at: point, sourceImage: image),
///         tracker.startTracking(at: time, within: found.normalizedBounds, sourceImage: image, sourceDisparity: disparity)
///     {
///         while let next = …, let seen = tracker.continueTracking(at: next.time, …), !seen.normalizedBounds.isEmpty {}
///         script.addDetectionTrack(tracker.finishDetectionTrack())
///     }
public final class CNObjectTracker: NSObject, @unchecked Sendable {
    private let environment: CaptureEnvironment?
    private let state = Mutex(State())

    private struct State {
        var detector: (any SubjectDetector)?
        /// Number of the tracked object; nil before tracking.
        var object: Int?
        var detections: [CNDetection] = []
        var prior: Float?
        var frames = 0
    }

    /// Whether the environment has a detector.
    public class var isSupported: Bool { CaptureEnvironment.bound?.openDetector != nil }

    /// Makes a tracker; the queue is kept for nothing, as the detector runs at once.
    public init(commandQueue: any MTLCommandQueue) { environment = CaptureEnvironment.bound }

    /// Makes a tracker with the detector of an environment.
    package init(_ environment: CaptureEnvironment) { self.environment = environment }

    /// Finds the object at a point (0…1 of the picture, origin top left); nil where nothing stands out, and without a detector.
    ///
    /// A subject whose box holds the point goes before a thing.
    public func findObject(at point: CGPoint, sourceImage: CVPixelBuffer) -> CNBoundsPrediction? {
        guard let detector = try? environment?.openDetector?(), let frame = Self.frame(sourceImage, 0, at: .zero) else { return nil }
        guard let found = try? Self.found(at: point, in: frame, nil, by: detector) else { return nil }
        return CNBoundsPrediction(normalizedBounds: found.bounds, confidence: Float(found.confidence))
    }

    /// Begins a track with the object in some bounds. False where there is none to follow; else the track has its first detection.
    @discardableResult
    public func startTracking(
        at time: CMTime, within normalizedBounds: CGRect, sourceImage: CVPixelBuffer, sourceDisparity: CVPixelBuffer
    ) -> Bool {
        guard let map = DisparityMap(buffer: sourceDisparity), let frame = Self.frame(sourceImage, 0, at: time),
            let detector = try? environment?.openDetector?()
        else { return false }
        let middle = CGPoint(x: normalizedBounds.midX, y: normalizedBounds.midY)
        guard let found = try? Self.found(at: middle, in: frame, map, by: detector) else { return false }
        state.withLock { state in
            state = State(detector: detector, object: found.objectID, frames: 1)
            Self.note(found, at: time, sourceDisparity, in: &state)
        }
        return true
    }

    /// Follows the object into the next frame. Nil where nothing is tracked; empty bounds where it is not seen.
    @discardableResult
    public func continueTracking(at time: CMTime, sourceImage: CVPixelBuffer, sourceDisparity: CVPixelBuffer) -> CNBoundsPrediction? {
        state.withLock { state in
            guard let detector = state.detector, let object = state.object, let map = DisparityMap(buffer: sourceDisparity),
                let frame = Self.frame(sourceImage, state.frames, at: time)
            else { return nil }
            state.frames += 1
            guard let seen = try? detector.detections(in: frame, disparity: map).first(where: { $0.objectID == object }) else {
                return CNBoundsPrediction(normalizedBounds: .zero, confidence: 0)
            }
            Self.note(seen, at: time, sourceDisparity, in: &state)
            return CNBoundsPrediction(normalizedBounds: seen.bounds, confidence: Float(seen.confidence))
        }
    }

    /// Begins to follow what stands out at a point of a frame, a thing and no subject. Nil where nothing does.
    package func startTracking(at point: CGPoint, in frame: Frame, _ map: DisparityMap) throws -> Detection? {
        guard let detector = try environment?.openDetector?() else { return nil }
        _ = try detector.detections(in: frame, disparity: map)
        guard let thing = try detector.salientObject(at: point, in: frame, disparity: map) else { return nil }
        state.withLock { $0 = State(detector: detector, object: thing.objectID) }
        return map.measured(thing)
    }

    /// Follows the thing into the next frame. Nil where it is not seen, and where none is followed.
    package func continueTracking(in frame: Frame, _ map: DisparityMap) throws -> Detection? {
        let (detector, object) = state.withLock { ($0.detector, $0.object) }
        return try detector?.detections(in: frame, disparity: map).first { $0.objectID == object }.map(map.measured)
    }

    /// Ends the track and returns it, with its disparities smoothed; empty where nothing was tracked.
    @discardableResult
    public func finishDetectionTrack() -> CNDetectionTrack {
        let detections = state.withLock { state in
            defer { state = State() }
            return state.detections
        }
        return CNCustomDetectionTrack(detections: detections, smooth: true)
    }

    /// Drops the track.
    public func resetDetectionTrack() { state.withLock { $0 = State() } }

    private static func note(_ seen: Detection, at time: CMTime, _ disparity: CVPixelBuffer, in state: inout State) {
        let type = CNDetectionType(seen.kind)
        let measured = CNDetection.disparity(in: seen.bounds, sourceDisparity: disparity, detectionType: type, priorDisparity: state.prior)
        state.prior = measured.isFinite ? measured : state.prior
        state.detections.append(
            CNDetection(time: time, detectionType: type, normalizedRect: seen.bounds, focusDisparity: state.prior ?? .nan))
    }

    private static func found(at point: CGPoint, in frame: Frame, _ map: DisparityMap?, by detector: any SubjectDetector) throws -> Detection? {
        let seen = try detector.detections(in: frame, disparity: map)
        if let subject = seen.first(where: { $0.salience == nil && !$0.isExtrapolated && $0.bounds.contains(point) }) { return subject }
        return try detector.salientObject(at: point, in: frame, disparity: map)
    }

    /// Frame for the detector; nil of a picture that it does not take.
    private static func frame(_ image: CVPixelBuffer, _ index: Int, at time: CMTime) -> Frame? {
        guard image.format == kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange else { return nil }
        return Frame(index: index, presentationTime: time, image: image)
    }
}
