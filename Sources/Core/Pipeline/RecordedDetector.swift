import CoreMedia
import Foundation
import Synchronization

/// Replays detections from a sidecar: the same frames, the same detections, bit for bit.
public final class RecordedDetector: SubjectDetector {
    private let path: String
    private let state = Mutex(State())

    private struct State {
        var entries: [DetectionLog.Entry] = []
        /// Index of the entry at each time; only ever looked up.
        var places: [Int64: Int] = [:]
    }

    /// Reads a sidecar; throws `DetectionLogError`.
    public convenience init(path: String) throws(DetectionLogError) { self.init(try DetectionLog(path: path), path: path) }

    /// Replays a log, whose times increase; `path` names it in errors.
    public init(_ log: DetectionLog, path: String) {
        self.path = path
        append(log.entries)
    }

    /// Adds entries, later than all before, to be replayed from now on.
    package func append(_ entries: [DetectionLog.Entry]) {
        state.withLock { state in
            for entry in entries {
                state.places[entry.time] = state.entries.count
                state.entries.append(entry)
            }
        }
    }

    /// Detections recorded at the frame's presentation time; throws `DetectionLogError` where there is no such frame.
    public func detections(in frame: Frame, disparity: DisparityMap?) throws -> [Detection] { try entry(of: frame).detections }

    /// Object recorded for a query within 0.001 of the point; else the smallest recorded salient object that contains it.
    public func salientObject(at point: CGPoint, in frame: Frame, disparity: DisparityMap?) throws -> Detection? {
        let entry = try entry(of: frame)
        if let tap = entry.taps.first(where: { abs($0.point.x - point.x) < 0.001 && abs($0.point.y - point.y) < 0.001 }) { return tap.found }
        let hits = entry.detections.filter { $0.kind == .salientObject && $0.salience == nil && $0.bounds.contains(point) }
        return hits.min { ($0.bounds.width * $0.bounds.height, $0.objectID) < ($1.bounds.width * $1.bounds.height, $1.objectID) }
    }

    private func entry(of frame: Frame) throws(DetectionLogError) -> DetectionLog.Entry {
        let time = frame.presentationTime.nanoseconds
        let (found, last) = state.withLock { state in (state.places[time].map { state.entries[$0] }, state.entries.last?.time ?? 0) }
        guard let found else {
            let reason =
                time > last
                ? "ends at \(Double(last) / 1e9) s, but the clip goes on: record the whole of it"
                : "has no frame at \(Double(time) / 1e9) s: it is of another clip or another frame rate"
            throw DetectionLogError(path: path, reason: reason)
        }
        return found
    }
}
