import AVFCapture
import Foundation
import Pipeline
import RunReport
import ScenarioFormat

/// Checks of object IDs: one of a kind in a callback, never given to another kind, never reused once the subject was gone.
struct IdentityWatch: Sendable {
    /// Absence after which a subject returns under a new ID, ns.
    private static let absence: Int64 = 500_000_000
    /// Kind that each object ID was first given to; only ever looked up.
    private var kinds: [Int: Detection.Kind] = [:]
    /// IDs of each subject, those it has lost, and the time of the first frame without it; only ever looked up.
    private var numbers: [String: [Int]] = [:]
    private var retired: Set<Int> = []
    private var absentSince: [String: Int64] = [:]
    private var last: (time: Int64, detections: [Detection], truth: [Detection]?)?
    /// Whether no fault swaps identities.
    private let isHonest: Bool

    init(_ scenario: ScenarioFile) {
        isHonest = !scenario.faults.contains { if case .swapIDs = $0 { true } else { false } }
    }

    /// Forgets the frame before a restart of the session; IDs already given stay known.
    mutating func restart() { last = nil }

    mutating func observe(_ record: FrameRecord) -> [String] {
        var broken: [String] = []
        if record.frame.truth != last?.truth { observeTruth(record) }
        if record.detections != last?.detections {
            for (index, detection) in record.detections.enumerated() {
                if record.detections[..<index].contains(where: { $0.objectID == detection.objectID }) {
                    broken.append("object \(detection.objectID) is reported twice in one callback")
                }
                let kind = kinds[detection.objectID] ?? detection.kind
                kinds[detection.objectID] = kind
                if kind != detection.kind { broken.append("object \(detection.objectID) was a \(kind.rawValue) and is a \(detection.kind.rawValue)") }
                guard isHonest, let label = detection.label else { continue }
                if retired.contains(detection.objectID) {
                    broken.append("\(label) was gone and is object \(detection.objectID) again, not a new one")
                }
                if !(numbers[label]?.contains(detection.objectID) ?? false) { numbers[label, default: []].append(detection.objectID) }
            }
        }
        last = (record.time, record.detections, record.frame.truth)
        return broken
    }

    /// Drops the object IDs of a subject that was away for more than a moment: from the first to the last of the frames without it. What was there when a
    /// frame was dropped nobody knows.
    private mutating func observeTruth(_ record: FrameRecord) {
        let now = record.frame.truth ?? []
        for gone in last?.truth ?? [] where !now.contains(where: { $0.label == gone.label }) {
            if let label = gone.label { absentSince[label] = record.time }
        }
        for seen in now {
            guard let label = seen.label, let since = absentSince.removeValue(forKey: label) else { continue }
            guard let last, last.time - since > Self.absence else { continue }
            retired.formUnion(numbers.removeValue(forKey: label) ?? [])
        }
    }
}
