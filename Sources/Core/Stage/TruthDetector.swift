import Foundation
import Pipeline
import Synchronization

/// Detector that reports the stage's ground truth; props appear only once they have been asked for.
public final class TruthDetector: SubjectDetector {
    private let state = Mutex(State())

    private struct State {
        var asked: [Int] = []
        /// Ground truth of the last frame, and the part of it that was reported.
        var truth: [Detection] = []
        var reported: [Detection] = []
    }

    /// Creates a detector that reports no prop until it is asked for.
    public init() {}

    /// Ground truth of the frame without props never asked for; throws `TruthMissing` for footage.
    public func detections(in frame: Frame, disparity: DisparityMap?) throws -> [Detection] {
        let truth = try truth(of: frame)
        return state.withLock { state in
            if truth == state.truth { return state.reported }
            let asked = state.asked
            (state.truth, state.reported) = (truth, truth.filter { $0.kind != .salientObject || asked.contains($0.objectID) })
            return state.reported
        }
    }

    /// Nearest object whose box contains the point (of equals the smallest); throws `TruthMissing` for footage.
    ///
    /// A prop found so is among the detections from then on.
    public func salientObject(at point: CGPoint, in frame: Frame, disparity: DisparityMap?) throws -> Detection? {
        let hits = try truth(of: frame).filter { $0.bounds.contains(point) }
        let nearest = hits.min { a, b in
            let (nearA, nearB) = (-(a.disparity ?? 0), -(b.disparity ?? 0))
            if nearA != nearB { return nearA < nearB }
            let (areaA, areaB) = (a.bounds.width * a.bounds.height, b.bounds.width * b.bounds.height)
            return areaA != areaB ? areaA < areaB : a.objectID < b.objectID
        }
        guard let nearest else { return nil }
        if nearest.kind == .salientObject {
            state.withLock { state in
                guard !state.asked.contains(nearest.objectID) else { return }
                state.asked.append(nearest.objectID)
                (state.truth, state.reported) = ([], [])
            }
        }
        return nearest
    }

    private func truth(of frame: Frame) throws(TruthMissing) -> [Detection] {
        guard let truth = frame.truth else { throw TruthMissing(frame: frame.index) }
        return truth
    }
}

/// Error of a truth detector that was given footage.
public struct TruthMissing: Error, CustomStringConvertible {
    /// Index of the frame without truth.
    public let frame: Int
    /// Message that names the other detectors.
    public var description: String { "frame \(frame) is footage and has no truth; use `detections: vision` or a sidecar" }
}
