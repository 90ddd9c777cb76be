import Foundation
import Pipeline
import Support

extension TimelineReader {
    /// A place: `maya`, `{on: maya, offset: [0.5, 0.8]}`, `{view: [x, y]}`, `{pt: …}`, `{meta: …}`, `{px: …}`.
    func touchPoint(_ node: Node, _ table: FormatTable = Format.point) throws(ScenarioError) -> TouchPoint {
        if node.isSequence {
            throw node.error("a point needs its space: view, pt, meta or px", suggestion: "did you mean `{view: […]}`?")
        }
        guard node.isMapping else { return .subject(try subject(node), offset: CGPoint(x: 0.5, y: 0.5)) }
        let fields = try Fields(node, of: "a place", table)
        let spaces = ["on", "view", "pt", "meta", "px"].filter { fields[$0] != nil }
        guard let space = spaces.first, spaces.count == 1, let value = fields[space] else {
            throw node.error("a place is given in one space: on (a subject), view, pt, meta or px")
        }
        if let offset = fields["offset"], space != "on" { throw offset.error("`offset` goes with `on`, not with `\(space)`") }
        if space == "on" {
            let middle = CGPoint(x: 0.5, y: 0.5)
            let offset = try fields.read("offset") { node throws(ScenarioError) in try inside(node, 1, 1, "the offset, of the box,") } ?? middle
            return .subject(try subject(value), offset: offset)
        }
        let size = scenario.view.size
        switch space {
        case "view": return .view(try inside(value, 1, 1, "a point of the view"))
        case "pt": return .points(try inside(value, size.width, size.height, "a point of the view"))
        case "meta": return .meta(try inside(value, 1, 1, "a point of the picture"))
        default:
            let limit = scenario.clip.dimensions.map { (Double($0.width), Double($0.height)) } ?? (65_536, 65_536)
            return .pixels(try inside(value, limit.0, limit.1, "a pixel of the picture"))
        }
    }

    /// A point between [0, 0] and [width, height].
    func inside(_ node: Node, _ width: Double, _ height: Double, _ what: String) throws(ScenarioError) -> CGPoint {
        let point = try node.point(what)
        guard (0...width).contains(point.x), (0...height).contains(point.y) else {
            throw node.error(
                "\(what) lies between [0, 0] and [\(String(plain: width)), \(String(plain: height))], not at [\(String(plain: point.x)), \(String(plain: point.y))]"
            )
        }
        return point
    }

    /// The name of a declared subject; `place` is what to write for footage, which has none.
    func subject(_ node: Node, orPlace place: String = "{view: [x, y]} or {meta: [x, y]}") throws(ScenarioError) -> String {
        let name = try node.text("a subject's name")
        guard isWorld else {
            throw node.error("footage has no subjects by name, so not `\(name)`", suggestion: "give a place: \(place)")
        }
        let names = scenario.subjects.map(\.name)
        guard names.contains(name) else {
            let known = names.isEmpty ? "declare it under `subjects`" : "declared are \(names.joined(separator: ", "))"
            throw node.error("there is no subject `\(name)`", suggestion: Suggestion.didYouMean(name, among: names) ?? known)
        }
        return name
    }
}
