import Foundation
import Stage

extension TimelineReader {
    /// A verb that changes the synthetic world, and what it is about.
    func worldVerb(_ verb: Node, _ value: Node) throws(ScenarioError) -> (WorldVerb, String) {
        switch verb.raw {
        case "enter": return try walk(value, "enter", side: "from")
        case "exit": return try walk(value, "exit", side: "to")
        case "move": return try move(value)
        case "turn":
            let fields = try Fields(value, of: "turn", Format.turn)
            let name = try subject(try fields.required("subject"))
            let to = try fields.required("to", "camera, away or an angle")
            return (.turn(name, to: try to.heading("where to turn"), try passage(fields)), "\(name) \(to.raw)")
        case "light":
            guard value.isMapping else { return (.light(to: try value.lux("light"), .init()), value.raw) }
            let fields = try Fields(value, of: "light", Format.lightChange)
            let to = try fields.required("to", "like 3lx")
            return (.light(to: try to.lux("light"), try passage(fields)), to.raw)
        case "cover":
            let fields = try Fields(value, of: "cover", Format.cover)
            let duration = try timebase.duration(try fields.required("for", "how long, like 800ms"), "how long to cover the lens")
            guard duration > 0 else { throw value.error("covering the lens takes some time") }
            return (.cover(for: duration), "")
        case "occlude":
            let fields = try Fields(value, of: "occlude", Format.occlude)
            let name = try subject(try fields.required("subject"))
            let duration = try timebase.duration(try fields.required("for", "how long, like 800ms"), "how long to hide it")
            guard duration > 0 else { throw value.error("hiding a subject takes some time") }
            return (.occlude(name, for: duration), name)
        default: return try camera(value)
        }
    }

    private func passage(_ fields: Fields) throws(ScenarioError) -> WorldVerb.Passage {
        let duration = try fields.read("over") { node throws(ScenarioError) in try timebase.duration(node, "`over`") }
        let ease = try fields.read("ease") { node throws(ScenarioError) in try node.choice("an ease", Ease.self) }
        if duration == nil, let ease = fields["ease"] { throw ease.error("`ease` needs `over`: what happens at once has no course") }
        return WorldVerb.Passage(duration: duration ?? 0, ease: ease ?? .inOut)
    }

    private func walk(_ value: Node, _ verb: String, side key: String) throws(ScenarioError) -> (WorldVerb, String) {
        guard value.isMapping else {
            let name = try subject(value)
            return (verb == "enter" ? .enter(name, from: nil, .init()) : .exit(name, to: nil, .init()), name)
        }
        let fields = try Fields(value, of: verb, verb == "enter" ? Format.enter : Format.exit)
        let name = try subject(try fields.required("subject"))
        let passage = try passage(fields)
        let side = try fields.read(key) { node throws(ScenarioError) in try node.choice("a side of the picture", WorldVerb.Side.self) }
        if (side == nil) != (passage.duration == 0) {
            throw value.error("walking takes a side and a time: `{subject: \(name), \(key): left, over: 2s}`")
        }
        return (verb == "enter" ? .enter(name, from: side, passage) : .exit(name, to: side, passage), name)
    }

    private func move(_ value: Node) throws(ScenarioError) -> (WorldVerb, String) {
        let fields = try Fields(value, of: "move", Format.move)
        let name = try subject(try fields.required("subject"))
        let depth = try fields.read("depth") { node throws(ScenarioError) in try node.metres("the depth") }
        let passage = try passage(fields)
        guard let to = fields["to"] else {
            guard depth != nil else { throw value.error("`move` needs `to`, `depth` or both") }
            return (.move(name, to: .stay, depth: depth, passage), name)
        }
        let isMiddle = try to.list(of: "where to move").count == 2
        let target: WorldVerb.Target = isMiddle ? .middle(try to.point("where to move")) : .box(try to.box("where to move"))
        return (.move(name, to: target, depth: depth, passage), name)
    }

    private func camera(_ value: Node) throws(ScenarioError) -> (WorldVerb, String) {
        let fields = try Fields(value, of: "camera", Format.camera)
        let pan = try fields.read("pan") { node throws(ScenarioError) in try node.degrees("the pan") }
        let shake = try fields.read("shake") { node throws(ScenarioError) in try node.fraction("the shake, of the picture's width,") }
        guard pan != nil || shake != nil else { throw value.error("`camera` needs `pan`, `shake` or both") }
        return (.camera(pan: pan, shake: shake, try passage(fields)), "")
    }
}
