import Focus
import Foundation
import Pipeline

extension EditList {
    static let table = FormatTable(
        "edits",
        [
            FormatKey("movie", .text, "Name of the movie's file."), FormatKey("digest", .text, "SHA-256 of the movie's metadata."),
            FormatKey("edits", .list(.text), "Edits in order."),
        ])
    private static let verbs = FormatTable(
        "edit",
        [
            FormatKey("focus", FocusVerb.shape, "A decision: on whom or what, and how it is held."),
            FormatKey("aperture", ApertureVerb.shape, "The aperture changes, at once or over a time."),
            FormatKey("move", .text, "Moves the user's decision to another time."),
            FormatKey("remove", .words(["focus"]), "Removes the user's decision."),
        ])
    private static let focus = FormatTable(
        "focusEdit",
        [
            FormatKey("on", .either([.text, .table(place)]), "A subject, a place {at: [x, y]}, or a distance like 2.3m."),
            FormatKey("mode", .words(FocusOrder.Mode.self), "How it is held."), FormatKey("found", .table(found), "Finding at the place."),
        ])
    private static let place = FormatTable("editPlace", [FormatKey("at", .numbers(2), "0…1 of the unrotated picture, origin top left.")])
    private static let found = FormatTable(
        "found",
        [
            FormatKey("object", .integer(1...Int.max), "A detected object."), FormatKey("disparity", .number, "A surface."),
            FormatKey("track", .list(.numbers(6)), "Boxes of a thing: frame, x, y, width, height, disparity."),
        ])

    /// Reads a list from a file.
    public static func load(path: String) throws(ScenarioError) -> EditList { try parse(ScenarioFile.text(path), path: path) }

    /// Reads a list; `path` names it in messages.
    public static func parse(_ text: String, path: String) throws(ScenarioError) -> EditList {
        let node = try Node.parse(text, file: path, isShown: text.contains("edits:"))
        let fields = try Fields(node, of: "a list of edits", table)
        var list = EditList()
        list.movie = try fields.read("movie") { node throws(ScenarioError) in try node.text("`movie`") }
        list.digest = try fields.read("digest") { node throws(ScenarioError) in try node.text("`digest`") }
        for item in try fields.required("edits", "a list").list(of: "`edits`") {
            list.items.append(Item(edit: try edit(item), source: item.source, mark: item.mark))
        }
        return list
    }

    /// Reads one edit as it stands in a list, from the words of a command.
    public static func item(_ text: String) throws(ScenarioError) -> Item {
        let node = try Node.parse(text, file: "edit", isShown: true)
        return Item(edit: try edit(node), source: node.source, mark: node.mark)
    }

    /// An edit as an item of a list, with the decimals that a list keeps.
    package static func item(_ edit: FocusEdit) throws(ScenarioError) -> Item { try item(edit.yaml) }

    private static func edit(_ node: Node) throws(ScenarioError) -> FocusEdit {
        guard case .mapping(let entries) = node.content else {
            return try node.choice("an edit, like `2s: {focus: maya}`", [("automatic", FocusEdit.automatic), ("reset", .reset)])
        }
        guard entries.count == 1, let entry = entries.first else {
            throw node.error("an edit is one time and what is done there, like `2s: {focus: maya}`")
        }
        let at = try point(entry.key)
        let fields = try Fields(entry.value, of: "an edit", verbs: verbs)
        guard fields.keys.count == 1, let verb = fields.keys.first, let value = fields[verb.raw] else {
            throw entry.value.error("an edit does one thing; write one line for each")
        }
        switch verb.raw {
        case "focus": return .focus(try focus(value), at: at)
        case "aperture": return .aperture(try pull(value), at: at)
        case "move": return .move(from: at, to: try point(value))
        default: return try value.choice("something to remove", [("focus", FocusEdit.remove(at: at))])
        }
    }

    private static func point(_ node: Node) throws(ScenarioError) -> FootageSpan.Point {
        let text = try node.text("a time")
        guard let point = FootageSpan.Point(text) else { throw node.error("a time is seconds (2.5s), a frame (60f) or a timecode, not `\(text)`") }
        return point
    }

    private static func focus(_ node: Node) throws(ScenarioError) -> FocusEdit.Focus {
        guard node.isMapping else { return FocusEdit.Focus(try target(node)) }
        let fields = try Fields(node, of: "focus", focus)
        let on = try fields.required("on", "a subject, {at: [x, y]} or a distance like 2.3m")
        let target = try target(on)
        let mode = try fields.read("mode") { node throws(ScenarioError) in try node.choice("a way to hold focus", FocusOrder.Mode.self) }
        if case .distance = target, let mode, mode != .fixed, let node = fields["mode"] {
            throw node.error("nothing is followed at a distance, so not `\(mode.rawValue)`", suggestion: "leave `mode` out: a distance is fixed")
        }
        let found = try fields.read("found") { node throws(ScenarioError) in try Self.found(node) }
        if found != nil, case .point = target {} else if let node = fields["found"] { throw node.error("`found` goes with a place, {at: [x, y]}") }
        return FocusEdit.Focus(target, mode: mode, found: found)
    }

    private static func target(_ node: Node) throws(ScenarioError) -> FocusEdit.Target {
        guard !node.isMapping else {
            let fields = try Fields(node, of: "a place", place)
            let value = try fields.required("at", "[x, y]")
            let point = try value.point("a place")
            guard (0...1).contains(point.x), (0...1).contains(point.y) else {
                throw value.error("a place lies in the picture, between 0 and 1 each way", suggestion: "divide pixels by the picture's size")
            }
            return .point(point)
        }
        let text = try node.text("a subject", atMost: Limits.name)
        if let quantity = Quantity(text), !quantity.unit.isEmpty { return .distance(try node.metres("the distance in focus")) }
        return .subject(text)
    }

    private static func found(_ node: Node) throws(ScenarioError) -> FocusEdit.Found {
        let fields = try Fields(node, of: "what was found", found)
        guard fields.keys.count == 1 else { throw node.error("what was found is an object, a disparity or a track") }
        if let value = fields["object"] { return .object(try value.integer("an object", in: 1...Int.max)) }
        if let value = fields["disparity"] {
            let disparity = try value.number("a disparity")
            guard disparity >= 0 else { throw value.error("a disparity is never negative") }
            return .surface(disparity)
        }
        let rows = try fields.required("track").list(of: "a track")
        var boxes: [FocusEdit.TrackedBox] = []
        for row in rows { boxes.append(try box(row, after: boxes.last?.frame ?? -1)) }
        guard !boxes.isEmpty else { throw node.error("a track has a box at least") }
        return .track(boxes)
    }

    private static func box(_ row: Node, after last: Int) throws(ScenarioError) -> FocusEdit.TrackedBox {
        let items = try row.list(of: "a box of a track")
        guard items.count == 6 else { throw row.error("a box of a track is [frame, x, y, width, height, disparity], not \(items.count) values") }
        let frame = try items[0].integer("a frame", in: last + 1...100_000_000)
        let numbers = Node(source: row.source, mark: row.mark, content: .sequence(Array(items[1...4])))
        let disparity = items[5].raw == "none" ? nil : try items[5].number("a disparity")
        guard disparity ?? 0 >= 0 else { throw items[5].error("a disparity is never negative") }
        return FocusEdit.TrackedBox(frame: frame, bounds: try numbers.box("a box"), disparity: disparity)
    }

    private static func pull(_ node: Node) throws(ScenarioError) -> FocusEdit.AperturePull {
        guard node.isMapping else { return FocusEdit.AperturePull(to: try node.fNumber("an aperture")) }
        let fields = try Fields(node, of: "aperture", ApertureVerb.table)
        var pull = FocusEdit.AperturePull(to: try fields.required("to", "like f/1.4").fNumber("an aperture"))
        if let over = try fields.read("over", { node throws(ScenarioError) in try Timebase.ofSeconds.duration(node, "`over`") }) {
            pull.over = over
        }
        if let ease = try fields.read("ease", { node throws(ScenarioError) in try node.choice("an ease", Ease.self) }) { pull.ease = ease }
        return pull
    }
}
