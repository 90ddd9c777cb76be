import AVFCapture
import CoreMedia
import Foundation
import Pipeline

/// Names of objects: those that the scenario gave their subjects.
package struct SubjectLabels: Sendable {
    /// Remembered by object ID, for what is not seen at the moment; only ever looked up.
    private var remembered: [Int: String] = [:]
    /// The object that was reported first under each name, in the newest frame that had it; only ever looked up.
    private var newest: [String: (objectID: Int, time: Int64)] = [:]

    private var last: Labelled?

    /// Creates labels that know no object yet.
    package init() {}

    /// Last detections, and their labels.
    private struct Labelled: Sendable {
        var detections: [Detection]
        var truth: [Detection]?
        /// The object that stands for a fixed focus.
        var fixed: Int?
        var labels: [String?]
    }

    /// The label of each detection of a frame, in order.
    package mutating func labels(in record: FrameRecord) -> [String?] {
        let fixed = record.state.isFixed ? record.state.subject : nil
        if let last, last.fixed == fixed, last.detections == record.detections, last.truth == record.frame.truth { return last.labels }
        let labels = record.detections.map { detection in
            let label = label(of: detection, in: record)
            if let label, newest[label]?.time != record.time { newest[label] = (detection.objectID, record.time) }
            return label
        }
        last = Labelled(detections: record.detections, truth: record.frame.truth, fixed: fixed, labels: labels)
        return labels
    }

    /// The object reported last for a subject, which may be gone by now.
    package func objectID(of label: String) -> Int? { newest[label]?.objectID }

    private mutating func label(of detection: Detection, in record: FrameRecord) -> String? {
        // A fixed focus is a distance, whatever subject is there.
        if record.isFixedFocus(detection) { return nil }
        let label = detection.label ?? Self.overlapping(detection, record.frame.truth ?? [])
        if let label { remembered[detection.objectID] = label }
        return label ?? remembered[detection.objectID]
    }

    /// The label an object had when it was last seen.
    package func label(of objectID: Int?) -> String? { objectID.flatMap { remembered[$0] } }

    /// The subject whose true box fits best, of a kind that can be meant, and of which a good part is covered.
    package static func overlapping(_ detection: Detection, _ truth: [Detection]) -> String? {
        var best: (fit: Double, label: String)?
        for candidate in truth where candidate.kind.canBe(detection.kind) {
            guard let label = candidate.label else { continue }
            let common = candidate.bounds.intersection(detection.bounds)
            guard !common.isNull else { continue }
            let (area, a, b) = (common.area, candidate.bounds.area, detection.bounds.area)
            guard area > 0.4 * min(a, b) else { continue }
            let fit = area / (a + b - area)
            if fit > best?.fit ?? 0 { best = (fit, label) }
        }
        return best?.label
    }
}

extension CGRect {
    fileprivate var area: Double { width * height }
}

extension Detection.Kind {
    private enum Family { case human, cat, dog, thing }

    private var family: Family {
        switch self {
        case .face, .humanHead, .humanBody: .human
        case .catHead, .catBody: .cat
        case .dogHead, .dogBody: .dog
        case .salientObject: .thing
        }
    }

    fileprivate func canBe(_ other: Detection.Kind) -> Bool { family == other.family || family == .thing || other.family == .thing }
}
