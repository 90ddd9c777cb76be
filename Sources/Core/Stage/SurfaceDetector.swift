import Foundation
import Pipeline
import Synchronization

/// Truth detector that answers for a point where no subject is, too: with a patch of the surface there, as a salient object.
///
/// The patch stays at its place, is not seen while a subject covers its middle, and gives way to the next one that is asked for.
public final class SurfaceDetector: SubjectDetector {
    /// Size of a patch, 0…1 of the picture: square at 16:9.
    private static let size = CGSize(width: 0.06, height: 0.06 * 16 / 9)
    /// Numbers of patches begin above those of any stage.
    private static let firstID = 1 << 30

    private struct State {
        var patch: Detection?
        var count = 0
    }

    private let truth = TruthDetector()
    private let state = Mutex(State())

    /// Creates a detector that reports no prop and no patch until it is asked for.
    public init() {}

    /// Ground truth of the frame, and the patch where it is seen; throws `TruthMissing` for footage.
    public func detections(in frame: Frame, disparity: DisparityMap?) throws -> [Detection] {
        let found = try truth.detections(in: frame, disparity: disparity)
        guard let patch = state.withLock({ $0.patch }), !Self.isCovered(patch, in: frame) else { return found }
        return found + [patch]
    }

    /// Nearest object whose box contains the point, else a patch of surface about it; throws `TruthMissing` for footage.
    public func salientObject(at point: CGPoint, in frame: Frame, disparity: DisparityMap?) throws -> Detection? {
        if let subject = try truth.salientObject(at: point, in: frame, disparity: disparity) { return subject }
        return state.withLock { state in
            if let patch = state.patch, patch.bounds.contains(point), !Self.isCovered(patch, in: frame) { return patch }
            let origin = CGPoint(x: point.x - Self.size.width / 2, y: point.y - Self.size.height / 2)
            let patch = Detection(
                objectID: Self.firstID + state.count, kind: .salientObject, bounds: CGRect(origin: origin, size: Self.size))
            (state.patch, state.count) = (patch, state.count + 1)
            return patch
        }
    }

    private static func isCovered(_ patch: Detection, in frame: Frame) -> Bool {
        let middle = CGPoint(x: patch.bounds.midX, y: patch.bounds.midY)
        return frame.truth?.contains { $0.bounds.contains(middle) } ?? false
    }
}
