import Foundation
import Pipeline
import Synchronization

/// Reports what the stage knows to be there; things show up only once somebody asked for them.
public final class TruthDetector: SubjectDetector {
    private let state = Mutex(State())

    private struct State {
        var asked: [Int] = []
        /// The last frame's truth and what was reported of it.
        var truth: [Detection] = []
        var reported: [Detection] = []
    }

    public init() {}

    public func detections(in frame: Frame, disparity: DisparityMap) throws -> [Detection] {
        let truth = try truth(of: frame)
        return state.withLock { state in
            if truth == state.truth { return state.reported }
            let asked = state.asked
            (state.truth, state.reported) = (truth, truth.filter { $0.kind != .salientObject || asked.contains($0.objectID) })
            return state.reported
        }
    }

    public func salientObject(at point: CGPoint, in frame: Frame, disparity: DisparityMap) throws -> Detection? {
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

/// A frame that no stage made was given to the truth detector.
public struct TruthMissing: Error, CustomStringConvertible {
    public let frame: Int
    public var description: String { "frame \(frame) is footage and has no truth; use `detections: vision` or a sidecar" }
}
