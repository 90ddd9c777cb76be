import AVFoundation
import CoreMedia
import Focus
import Foundation
import Pipeline

/// Writes `trace.jsonl`: a header, then one line per event and per frame that changes anything.
///
/// Integers only: times in nanoseconds; disparities, boxes, view points and degrees in 1/65536; f-numbers in 1/100.
/// Keys come in a fixed order and nothing depends on the time of day, so the same run gives the same bytes.
public struct TraceWriter: Sendable {
    /// Changes when the same inputs may give another trace.
    public static let engineVersion = "1"

    public private(set) var text: String
    private var lastFrame = ""
    private let viewSize: CGSize

    public init(_ scenario: ScenarioFile) {
        viewSize = scenario.view.size
        var header = JSONLine()
        header.add("format", 1)
        header.add("scenario", scenario.name)
        header.add("seed", Int(clamping: scenario.clip.seed))
        header.add("engine", Self.engineVersion)
        header.add("inputs", "sha256:\(scenario.digest)")
        header.add("detections", scenario.clip.detections.name)
        text = header.text + "\n"
    }

    mutating func append(_ action: ScriptedAction) {
        var line = JSONLine()
        line.add("t", Int(action.time))
        line.add("event", action.summary)
        switch action.outcome {
        case .touched(let phase, let point):
            line.add("touch", phase.rawValue)
            line.add("at", [point.x / viewSize.width, point.y / viewSize.height])
        case .apertureSet(let fNumber): line.add("aperture", Self.hundredths(fNumber))
        case .marked, .called: break
        case .failed(let reason): line.add("failed", reason)
        }
        line.add("line", action.location.line)
        text += line.text + "\n"
    }

    /// What the graph says of a call without effect, or of one that would have raised.
    mutating func append(_ key: String, _ text: String, at time: Int64) {
        var line = JSONLine()
        line.add("t", Int(time))
        line.add(key, text)
        self.text += line.text + "\n"
    }

    mutating func append(_ check: CheckResult) {
        var line = JSONLine()
        line.add("t", Int(check.time))
        line.add("expect", check.failure == nil)
        line.add("line", check.location.line)
        text += line.text + "\n"
    }

    /// Writes the frame when its story differs from the one before.
    mutating func append(_ record: FrameRecord, labels: [String?], known: SubjectLabels) {
        let state = record.state
        var story = JSONLine()
        story.add("focus", state.focusDisparity)
        story.add("subject", state.subject)
        story.add("label", known.label(of: state.subject))
        story.add("mode", state.mode.name)
        if let point = state.fixedPoint { story.add("fixed", [point.x, point.y]) } else { story.add("fixed", false) }
        if let rack = state.rack {
            var line = JSONLine()
            line.add("start", Int(rack.start))
            line.add("duration", Int(rack.duration))
            line.add("from", rack.from)
            line.add("to", rack.to)
            story.add(raw: "rack", line.text)
        } else {
            story.add("rack", false)
        }
        story.add("aperture", record.fNumber.map(Self.hundredths))
        story.add(raw: "status", record.notEnoughLight ? "[\"notEnoughLight\"]" : "[]")
        story.add(raw: "decisions", "[\(record.decisions.map { Self.decision($0, known) }.joined(separator: ","))]")
        if !record.withheld.isEmpty {
            story.add(raw: "withheld", "[\(record.withheld.map { Self.withheld($0, known) }.joined(separator: ","))]")
        }
        story.add(raw: "objects", "[\(zip(record.detections, labels).map(Self.object).joined(separator: ","))]")
        guard story.text != lastFrame else { return }
        lastFrame = story.text
        var line = JSONLine()
        line.add("t", Int(record.time))
        line.add("frame", record.frame.index)
        text += line.text.dropLast() + "," + story.text.dropFirst() + "\n"
    }

    static func decision(_ decision: FocusDecision, _ known: SubjectLabels) -> String {
        var line = JSONLine()
        line.add("t", Int(decision.time))
        line.add("why", decision.why.rawValue)
        line.add("subject", decision.subject)
        line.add("label", known.label(of: decision.subject))
        line.add("mode", decision.mode.name)
        line.add("user", decision.isUserDecision)
        line.add("fixed", decision.isFixed)
        line.add("disparity", decision.disparity)
        return line.text
    }

    private static func withheld(_ decision: WithheldDecision, _ known: SubjectLabels) -> String {
        var line = JSONLine()
        line.add("t", Int(decision.time))
        line.add("why", decision.why.rawValue)
        line.add("because", decision.because.rawValue)
        line.add("subject", decision.subject)
        line.add("label", known.label(of: decision.subject))
        line.add("disparity", decision.disparity)
        return line.text
    }

    private static func object(_ detection: Detection, _ label: String?) -> String {
        var line = JSONLine()
        line.add("id", detection.objectID)
        line.add("group", detection.groupID)
        line.add("kind", detection.kind.rawValue)
        line.add("label", label)
        line.add("box", [detection.bounds.minX, detection.bounds.minY, detection.bounds.width, detection.bounds.height])
        line.add("yaw", detection.yaw)
        line.add("disparity", detection.disparity)
        return line.text
    }

    private static func hundredths(_ fNumber: Double) -> Int { Int((fNumber * 100).rounded()) }
}

/// One JSON object on one line, keys in the order they are added; fractions become integers in 1/65536.
struct JSONLine {
    private var members: [String] = []

    var text: String { "{\(members.joined(separator: ","))}" }

    mutating func add(raw key: String, _ json: String) { members.append("\"\(key)\":\(json)") }
    mutating func add(_ key: String, _ value: Int?) { add(raw: key, value.map { String($0) } ?? "null") }
    mutating func add(_ key: String, _ value: Bool) { add(raw: key, value ? "true" : "false") }
    mutating func add(_ key: String, _ value: String?) { add(raw: key, value.map(Self.quoted) ?? "null") }
    mutating func add(_ key: String, _ value: Double?) { add(raw: key, Self.fixed(value)) }
    mutating func add(_ key: String, _ values: [Double]) { add(raw: key, "[\(values.map { Self.fixed($0) }.joined(separator: ","))]") }

    private static func fixed(_ value: Double?) -> String {
        guard let value, value.isFinite, abs(value) < 1e12 else { return "null" }
        return String(Int((value * 65536).rounded()))
    }

    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case _ where scalar.value < 32:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
