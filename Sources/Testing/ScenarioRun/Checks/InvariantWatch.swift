import AVFCapture
import Focus
import Foundation
import Pipeline
import RunReport
import ScenarioFormat

/// Checks of the rules of focus that hold in every run, whatever the scenario says.
struct InvariantWatch: Sendable {
    private let dwell: Int64
    /// Whether focus may be on its way to what comes next while it still holds what it leaves.
    private let mayRackEarly: Bool
    private var previous: Glance?
    private var shot: Int?
    /// Time from the start of a shot in which focus has no racks, and the end of the current one, ns; nil outside footage.
    private let opening: Int64
    private var openingEnd: Int64?
    private var lastAutomatic: Int64?
    /// Time at which the order that focus is under lands, ns; that of the decision without one.
    private var landing = Int64.min
    private let lightHold: Int64
    /// Time of the last change of the scene status.
    private var lastStatus: Int64?
    private var rack: RackWatch
    private var identity: IdentityWatch
    private var metadata: MetadataWatch

    /// Part of a frame that the next one is compared with.
    private struct Glance: Sendable {
        var index: Int
        var time: Int64
        var state: FocusState
        var notEnoughLight: Bool
    }

    init(_ scenario: ScenarioFile) {
        dwell = scenario.tuning.dwell
        opening = scenario.tuning.opening
        rack = RackWatch(scenario.tuning, mayPassOver: scenario.mode == .post)
        identity = IdentityWatch(scenario)
        metadata = MetadataWatch(scenario)
        mayRackEarly = scenario.mode == .post
        lightHold = min(scenario.tuning.lowLightEnterHold, scenario.tuning.lowLightLeaveHold)
    }

    /// Restarts with the session, and with it the focus engine and the light monitor; identities go on.
    mutating func restart() {
        (previous, lastAutomatic, lastStatus) = (nil, nil, nil)
        identity.restart()
        metadata.restart()
    }

    /// Broken rules of the frame, in words; the second argument are the objects delivered to the app for the frame before, nil if unknown.
    mutating func observe(_ record: FrameRecord, reported: [AVMetadataObject]? = nil) -> [String] {
        if record.frame.shot != shot {
            restart()
            shot = record.frame.shot
            openingEnd = shot == nil ? nil : record.time + opening
        }
        let isOpening = openingEnd.map { record.time <= $0 } ?? false
        if isOpening { lastAutomatic = nil }
        defer { previous = Glance(index: record.frame.index, time: record.time, state: record.state, notEnoughLight: record.notEnoughLight) }
        var broken = identity.observe(record)
        broken += metadata.observe(record, reported: reported)
        broken += rack.observe(record, isNext: previous?.index == record.frame.index - 1 && !isOpening)
        if let subject = record.state.subject, record.state.mode == .none { broken.append("object \(subject) is in focus with mode none") }
        broken += decisions(record)
        broken += status(record)
        if let order = record.decisions.last { landing = order.course?.landing ?? order.time }
        guard let previous else { return broken }
        let before = previous.state
        let (now, isDecided) = (record.state, !record.decisions.isEmpty)
        if before.isFixed, now.isFixed, !isDecided, before.rack == nil, before.focusDisparity != now.focusDisparity,
            !(mayRackEarly && (now.rack != nil || previous.time < landing))
        {
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

    /// The status changes no faster than its hysteresis lets it.
    private mutating func status(_ record: FrameRecord) -> [String] {
        guard let previous, previous.notEnoughLight != record.notEnoughLight else { return [] }
        defer { lastStatus = record.time }
        guard let last = lastStatus, record.time - last < lightHold else { return [] }
        return ["the status changed twice in \(TimelineClock.seconds(record.time - last)), less than its hold"]
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
