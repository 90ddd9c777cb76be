import AVFCapture
import CoreMedia
import Focus
import Foundation
import Pipeline
import ScenarioFormat

/// Writes `trace.jsonl`: a header, then one line per event and per frame that changes anything.
///
/// Integers only: times in nanoseconds; disparities, boxes, view points and degrees in 1/65536; f-numbers in 1/100.
/// Keys come in a fixed order and nothing depends on the time of day, so the same run gives the same bytes.
public struct TraceWriter: Sendable {
    /// Changes when the same inputs may give another trace.
    public static let engineVersion = "1"

    /// Bytes of the trace so far, UTF-8.
    public private(set) var bytes: [UInt8] = []
    /// Line of the last frame, and its record when nothing was decided in it.
    private var state = JSONLine()
    private var next = JSONLine()
    private var quiet: Look?
    /// The objects written last, for those that have not changed.
    private var objects: [(seen: Detection, label: String?, line: JSONLine)] = []
    private let viewSize: CGSize

    /// Begins the trace of a scenario with its header.
    public init(_ scenario: ScenarioFile) {
        viewSize = scenario.view.size
        var header = JSONLine()
        header.add("format", 1)
        header.add("scenario", scenario.name)
        header.add("seed", Int(clamping: scenario.clip.seed))
        header.add("engine", Self.engineVersion)
        header.add("inputs", "sha256:\(scenario.digest)")
        header.add("detections", scenario.clip.detections.name)
        if scenario.mode == .post { header.add("mode", plain: scenario.mode.rawValue) }
        header.write(to: &bytes)
    }

    /// Hands out the bytes so far, for a file that grows while the run lasts, and forgets them.
    package mutating func take() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    /// Records a step of the script.
    package mutating func append(_ action: ScriptedAction) {
        var line = JSONLine()
        line.add("t", Int(action.time))
        line.add("event", action.summary)
        switch action.outcome {
        case .touched(let phase, let point):
            line.add("touch", phase.rawValue)
            line.add("at", [point.x / viewSize.width, point.y / viewSize.height])
        case .apertureSet(let fNumber): line.add("aperture", Self.hundredths(fNumber))
        case .focusOrdered, .called: break
        case .failed(let reason): line.add("failed", reason)
        }
        line.add("line", action.location.line)
        line.write(to: &bytes)
    }

    /// Records a call without effect, or one that would have raised.
    package mutating func append(_ remark: RunRemark, at time: Int64) {
        var line = JSONLine()
        line.add("t", Int(time))
        switch remark {
        case .diagnostic(let text): line.add("diagnostic", text)
        case .raised(let text): line.add("raised", text)
        case .event(let key, let value): line.add(key, plain: value)
        }
        line.write(to: &bytes)
    }

    /// Records the outcome of an expectation.
    package mutating func append(_ check: CheckResult) {
        var line = JSONLine()
        line.add("t", Int(check.time))
        line.add("expect", check.failure == nil)
        line.add("line", check.location.line)
        line.write(to: &bytes)
    }

    /// Writes the frame when its line differs from the one before.
    package mutating func append(_ record: FrameRecord, labels: [String?], known: SubjectLabels) {
        let isQuiet = record.decisions.isEmpty && record.withheld.isEmpty
        if isQuiet, quiet?.isOf(record) ?? false { return }
        quiet = isQuiet ? Look(record) : nil
        next.clear()
        write(record, labels: labels, known: known)
        guard next != state else { return }
        swap(&state, &next)
        next.clear()
        next.add("t", Int(record.time))
        next.add("frame", record.frame.index)
        next.add(members: state)
        next.write(to: &bytes)
    }

    private mutating func write(_ record: FrameRecord, labels: [String?], known: SubjectLabels) {
        let state = record.state
        next.add("focus", state.focusDisparity)
        next.add("subject", state.subject)
        next.add("label", known.label(of: state.subject))
        next.add("mode", plain: state.mode.name)
        if let point = state.fixedPoint { next.add("fixed", [point.x, point.y]) } else { next.add("fixed", false) }
        if let rack = state.rack {
            next.add("rack") { line in
                line.add("start", Int(rack.start))
                line.add("duration", Int(rack.duration))
                line.add("from", rack.from)
                line.add("to", rack.to)
            }
        } else {
            next.add("rack", false)
        }
        next.add("aperture", record.fNumber.map(Self.hundredths))
        next.add("status", record.notEnoughLight ? ["notEnoughLight"] : [])
        if record.frame.degradation != .none { next.add("degradation", plain: record.frame.degradation.name) }
        next.add("decisions", each: record.decisions) { Self.write($1, known, to: &$0) }
        if !record.withheld.isEmpty { next.add("withheld", each: record.withheld) { Self.write($1, known, to: &$0) } }
        note(record.detections, labels)
        next.add("objects", lines: objects.lazy.map(\.line))
    }

    private mutating func note(_ detections: [Detection], _ labels: [String?]) {
        if objects.count > detections.count { objects.removeLast(objects.count - detections.count) }
        for (index, (seen, label)) in zip(detections, labels).enumerated() {
            if index < objects.count, objects[index].seen == seen, objects[index].label == label { continue }
            if index == objects.count { objects.append((seen, label, JSONLine())) }
            (objects[index].seen, objects[index].label) = (seen, label)
            objects[index].line.clear()
            Self.write(seen, label, to: &objects[index].line)
        }
    }

    static func write(_ decision: FocusDecision, _ known: SubjectLabels, to line: inout JSONLine) {
        line.add("t", Int(decision.time))
        line.add("why", plain: decision.why.rawValue)
        line.add("subject", decision.subject)
        line.add("label", known.label(of: decision.subject))
        line.add("mode", plain: decision.mode.name)
        line.add("user", decision.isUserDecision)
        line.add("fixed", decision.isFixed)
        line.add("disparity", decision.disparity)
    }

    private static func write(_ decision: WithheldDecision, _ known: SubjectLabels, to line: inout JSONLine) {
        line.add("t", Int(decision.time))
        line.add("why", plain: decision.why.rawValue)
        line.add("because", plain: decision.because.rawValue)
        line.add("subject", decision.subject)
        line.add("label", known.label(of: decision.subject))
        line.add("disparity", decision.disparity)
    }

    private static func write(_ detection: Detection, _ label: String?, to line: inout JSONLine) {
        line.add("id", detection.objectID)
        line.add("group", detection.groupID)
        line.add("kind", plain: detection.kind.rawValue)
        line.add("label", label)
        line.add("box", detection.bounds)
        line.add("yaw", detection.yaw)
        // A level head is the rule.
        if let roll = detection.roll, roll != 0 { line.add("roll", roll) }
        line.add("disparity", detection.disparity)
    }

    private static func hundredths(_ fNumber: Double) -> Int { Int((fNumber * 100).rounded()) }
}

/// Key of a frame's line in the trace, as far as it is cheap to compare.
private struct Look: Sendable {
    private let fNumber: Double?
    private let notEnoughLight: Bool
    private let degradation: Degradation
    private let state: FocusState
    private let detections: [Detection]
    private let truth: [Detection]?

    init(_ record: FrameRecord) {
        (fNumber, notEnoughLight, state, detections) = (record.fNumber, record.notEnoughLight, record.state, record.detections)
        truth = record.frame.truth
        degradation = record.frame.degradation
    }

    func isOf(_ record: FrameRecord) -> Bool {
        fNumber == record.fNumber && notEnoughLight == record.notEnoughLight && state == record.state && detections == record.detections
            && truth == record.frame.truth && degradation == record.frame.degradation
    }
}
