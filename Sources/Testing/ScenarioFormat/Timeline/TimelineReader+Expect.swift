import Foundation
import Pipeline

extension TimelineReader {
    /// Refuses a `hold` or `never` that has nothing but its times.
    func requireChecks(_ fields: Fields, besides times: [String], verb: String) throws(ScenarioError) {
        guard fields.keys.allSatisfy({ times.contains($0.raw) }) else { return }
        throw fields.node.error("`\(verb)` looks at nothing here", suggestion: "add `focus: …` or another field of `expect`")
    }

    /// Reads the fields that every expectation has.
    func checks(_ fields: Fields) throws(ScenarioError) -> Expectation {
        var expected = Expectation()
        expected.focus = try fields.read("focus", focus)
        expected.mode = try fields.read("mode") { node throws(ScenarioError) in try node.choice("a focus mode", FocusMode.names) }
        expected.fixed = try fields.read("fixed") { node throws(ScenarioError) in try node.bool("fixed") }
        expected.racking = try fields.read("racking") { node throws(ScenarioError) in try node.bool("racking") }
        expected.settled = try fields.read("settled") { node throws(ScenarioError) in try node.bool("settled") }
        expected.distance = try fields.read("distance", distance)
        expected.aperture = try fields.read("aperture") { node throws(ScenarioError) in try node.fNumber("the aperture") }
        expected.notEnoughLight = try fields.read("status", status)
        expected.disparity = try fields.read("disparity", disparity)
        expected.objects = try fields.read("objects", objects)
        expected.rects = try fields.read("rect", rects) ?? []
        expected.why = try fields.read("why") { node throws(ScenarioError) in try node.choice("a reason", FocusDecision.Why.self) }
        expected.recording = try fields.read("recording", recording)
        expected.droppedFrames = try fields.read("droppedFrames") { node throws(ScenarioError) in
            try node.integer("the number of frames", in: 0...1_000_000)
        }
        expected.camera = try fields.read("camera") { node throws(ScenarioError) in try node.choice("a camera", Expectation.Camera.self) }
        return expected
    }

    private func recording(_ node: Node) throws(ScenarioError) -> Expectation.Recording {
        let states: [(name: String, value: Expectation.Recording)] = [
            ("true", .on), ("false", .off), ("paused", .paused), ("diskFull", .failed("diskFull")), ("interrupted", .failed("interrupted")),
            ("disconnected", .failed("disconnected")), ("reset", .failed("reset")), ("changed", .failed("changed")),
        ]
        return try node.choice("a state of the recording", states)
    }

    private func objects(_ node: Node) throws(ScenarioError) -> Expectation.Objects {
        guard node.isSequence else { return .count(try node.integer("the number of objects", in: 0...1000)) }
        var names: [String] = []
        for item in try node.list(of: "objects") { names.append(try subject(item)) }
        return .names(names.sorted())
    }

    private func rects(_ node: Node) throws(ScenarioError) -> [Expectation.Rect] {
        var rects: [Expectation.Rect] = []
        for entry in try node.entries(of: "rect") {
            let style = try entry.value.choice("a style of a box", Expectation.Rect.Style.self)
            rects.append(Expectation.Rect(subject: try subject(entry.key), style: style))
        }
        guard !rects.isEmpty else { throw node.error("`rect` names no subject", suggestion: "write {maya: dashed}") }
        return rects
    }

    private func focus(_ node: Node) throws(ScenarioError) -> Expectation.Focus {
        if node.raw == "none" { return .none }
        guard node.isMapping else { return .subject(try subject(node)) }
        let fields = try Fields(node, of: "focus", Format.focus)
        let kinds = Detection.Kind.allCases.map { ($0 == .salientObject ? "salient" : $0.rawValue, $0) }
        let kind = try fields.read("kind") { node throws(ScenarioError) in try node.choice("a kind of object", kinds) }
        let near = try fields.read("near") { node throws(ScenarioError) in
            let place = try touchPoint(node)
            switch place {
            case .subject, .meta, .pixels: return place
            default: throw node.error("`near` is a subject or a place in the picture", suggestion: "use {meta: [x, y]} or {px: [x, y]}")
            }
        }
        guard kind != nil || near != nil else { throw node.error("`focus` is a subject's name, none, or {kind, near}") }
        return .object(kind: kind, near: near)
    }

    /// `0.7`, `0.7 ±5%` or `0.7 ±0.02`, in 1/m or in the footage's own measure; without a tolerance 5 %.
    private func disparity(_ node: Node) throws(ScenarioError) -> Expectation.Near {
        let parts = try node.text("the disparity").replacing("+-", with: "±").split(separator: "±", omittingEmptySubsequences: false)
        func part(_ text: Substring) -> Node {
            Node(source: node.source, mark: node.mark, content: .scalar(text.trimmingCharacters(in: .whitespaces), isPlain: true))
        }
        let value = try part(parts[0]).number("the disparity")
        guard parts.count <= 2 else { throw node.error("the disparity is written like 0.7 ±5%, not `\(node.raw)`") }
        guard parts.count == 2 else { return Expectation.Near(value: value, tolerance: abs(value) * 0.05) }
        let tolerance = try parts[1].hasSuffix("%") ? part(parts[1]).fraction("the tolerance") * abs(value) : part(parts[1]).number("the tolerance")
        return Expectation.Near(value: value, tolerance: tolerance)
    }

    /// `0.7m`, `0.7m ±5%` or `0.7m ±4cm`; without a tolerance 5 %.
    private func distance(_ node: Node) throws(ScenarioError) -> Expectation.Near {
        guard scenario.clip.isMetric else {
            throw node.error(
                "this footage has no metres", suggestion: "give its source a `range`, or a `baseline` and a `focalLength`, to make it metric")
        }
        let parts = try node.text("the distance").replacing("+-", with: "±").split(separator: "±", omittingEmptySubsequences: false)
        func part(_ text: Substring) -> Node {
            Node(source: node.source, mark: node.mark, content: .scalar(text.trimmingCharacters(in: .whitespaces), isPlain: true))
        }
        let value = try part(parts[0]).metres("the distance")
        guard parts.count > 1 else { return Expectation.Near(value: value, tolerance: value * 0.05) }
        guard parts.count == 2 else { throw node.error("the distance is written like 0.7m ±5%, not `\(node.raw)`") }
        let isPercent = parts[1].hasSuffix("%")
        let tolerance = try isPercent ? part(parts[1]).fraction("the tolerance") * value : part(parts[1]).metres("the tolerance")
        return Expectation.Near(value: value, tolerance: tolerance)
    }

    private func status(_ node: Node) throws(ScenarioError) -> Bool {
        var isDark = false
        for item in try node.list(of: "status") {
            isDark = try item.choice("a status", [("notEnoughLight", true)])
        }
        return isDark
    }
}
