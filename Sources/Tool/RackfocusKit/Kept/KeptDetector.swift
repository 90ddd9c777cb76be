import CoreMedia
import Foundation
import Pipeline
import Synchronization

/// Detector that replays an earlier run, and notes whether it is asked what was asked then: an object found at a point is among the detections from
/// then on, so that other questions would have had other answers.
final class KeptDetector: SubjectDetector {
    private let log: DetectionLog
    private let detector: RecordedDetector
    private let asked = Mutex<[Question]>([])

    private struct Question: Equatable {
        var time: Int64
        var point: CGPoint
    }

    init(_ log: DetectionLog, path: String) { (self.log, detector) = (log, RecordedDetector(log, path: path)) }

    /// Whether the questions of a run over all frames were those of the recorded one.
    var hasAgreed: Bool {
        asked.withLock { $0 } == log.entries.flatMap { entry in entry.taps.map { Question(time: entry.time, point: $0.point) } }
    }

    func detections(in frame: Frame, disparity: DisparityMap?) throws -> [Detection] { try detector.detections(in: frame, disparity: disparity) }

    func salientObject(at point: CGPoint, in frame: Frame, disparity: DisparityMap?) throws -> Detection? {
        asked.withLock { $0.append(Question(time: frame.presentationTime.nanoseconds, point: point)) }
        return try detector.salientObject(at: point, in: frame, disparity: disparity)
    }
}
