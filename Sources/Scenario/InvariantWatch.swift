import AVFoundation
import Focus
import Foundation
import Pipeline

/// Watches in every run what no scenario has to say: rules of focus that always hold.
struct InvariantWatch: Sendable {
    private let dwell: Int64
    private var previous: FrameRecord?
    private var lastAutomatic: Int64?

    init(_ scenario: ScenarioFile) { dwell = scenario.tuning.dwell }

    /// What the frame breaks, in words.
    mutating func observe(_ record: FrameRecord) -> [String] {
        defer { previous = record }
        var broken = identities(record)
        broken += decisions(record)
        guard let before = previous?.state else { return broken }
        let (now, isDecided) = (record.state, !record.decisions.isEmpty)
        if before.isFixed, now.isFixed, !isDecided, before.rack == nil, before.focusDisparity != now.focusDisparity {
            broken.append("a fixed focus moved from \(before.focusDisparity) to \(now.focusDisparity) 1/m")
        }
        if before.subject != now.subject, !isDecided { broken.append("the subject changed without a decision") }
        if before.mode == .strong, !before.isFixed, before.subject != now.subject, let subject = before.subject,
            record.detections.contains(where: { $0.objectID == subject }), !record.decisions.contains(where: \.isUserDecision),
            record.decisions.last?.why != .groupMember
        {
            broken.append("strong focus left object \(subject), which is present")
        }
        return broken
    }

    private mutating func identities(_ record: FrameRecord) -> [String] {
        var broken: [String] = []
        for (index, detection) in record.detections.enumerated()
        where record.detections[..<index].contains(where: { $0.objectID == detection.objectID }) {
            broken.append("object \(detection.objectID) is reported twice in one callback")
        }
        if let subject = record.state.subject, record.state.mode == .none { broken.append("object \(subject) is in focus with mode none") }
        return broken
    }

    private mutating func decisions(_ record: FrameRecord) -> [String] {
        var broken: [String] = []
        for decision in record.decisions {
            if decision.isUserDecision || decision.why == .groupMember {
                continue
            }
            if let last = lastAutomatic, decision.time - last < dwell {
                broken.append("two automatic switches \(TimelineClock.seconds(decision.time - last)) apart, less than the dwell")
            }
            lastAutomatic = decision.time
        }
        return broken
    }
}
