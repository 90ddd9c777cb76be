import Foundation
import Pipeline

/// `{focus: {on: maya, over: 1.5s}}`: focus as a director orders it, whatever was in focus before.
struct FocusVerb: PlayedVerb, ReadableVerb {
    static let name = "focus"
    static let about = "Focus as ordered: on whom or what, how it is held, and exactly when and on which curve it gets there."
    static let place = FormatTable(
        "focusPlace",
        [
            FormatKey("at", .numbers(2), "What is seen there, 0…1 of the unrotated picture, origin top left."),
            FormatKey("px", .numbers(2), "The same in picture pixels."),
        ])
    static let table = FormatTable(
        "focusOrder",
        [
            FormatKey("on", .either([.subject, .table(place), .metres]), "A subject, a place {at: [x, y]}, or a distance like 2.3m."),
            FormatKey("mode", .words(FocusOrder.Mode.self), "How it is held; strong for what can be followed, else fixed."),
            FormatKey("over", .time, "Length of the rack; without, the time to its landing, else by its distance."),
            FormatKey("ease", .words(Ease.self), "Its curve; that of automatic racks without."),
            FormatKey("landing", .instant, "When it has arrived, in place of when it begins."),
        ])
    static let shape = FormatShape.either([.subject, .metres, .table(table)])

    let object: String
    let delay: Int64
    private let target: AppCommand.FocusPlace
    private let mode: FocusOrder.Mode?
    private let course: RackCourse

    init(_ entry: VerbEntry, _ reader: inout TimelineReader) throws(ScenarioError) {
        guard entry.value.isMapping else {
            (target, object) = try Self.target(entry.value, reader)
            (delay, mode, course) = (0, nil, RackCourse(begin: entry.time))
            return
        }
        let fields = try Fields(entry.value, of: "focus", Self.table)
        let name: String
        (target, name) = try Self.target(try fields.required("on", "a subject, {at: [x, y]} or a distance like 2.3m"), reader)
        mode = try fields.read("mode") { node throws(ScenarioError) in try node.choice("a way to hold focus", FocusOrder.Mode.self) }
        if case .distance = target, let mode, mode != .fixed, let node = fields["mode"] {
            throw node.error("nothing is followed at a distance, so not `\(mode.rawValue)`", suggestion: "leave `mode` out: a distance is fixed")
        }
        let over = try fields.read("over") { node throws(ScenarioError) in try reader.timebase.duration(node, "`over`") }
        let ease = try fields.read("ease") { node throws(ScenarioError) in try node.choice("an ease", Ease.self) }
        let landing = try fields.read("landing") { node throws(ScenarioError) in try Self.landing(node, after: over, entry, reader) }
        // An order that lands begins `over` before; without a length, at once.
        delay = landing.map { max(0, $0 - (over ?? $0) - entry.time) } ?? 0
        course = RackCourse(begin: entry.time + delay, over: over, landing: landing, ease: ease)
        object = [name, mode?.rawValue, landing.map { "landing at \(TimelineClock.seconds($0))" }].compactMap { $0 }.joined(separator: " ")
    }

    private static func landing(_ node: Node, after over: Int64?, _ entry: VerbEntry, _ reader: TimelineReader) throws(ScenarioError) -> Int64 {
        let landing = try reader.clock.moment(node)
        guard landing > entry.time, landing != TimelineClock.end else {
            throw node.error("focus lands at \(TimelineClock.name(of: landing)), not after its order at \(TimelineClock.seconds(entry.time))")
        }
        if let length = reader.scenario.clip.length, landing >= length {
            throw node.error("\(TimelineClock.seconds(landing)) is not in the clip, which ends at \(TimelineClock.seconds(length))")
        }
        if let over, landing - over < entry.time {
            let begin = TimelineClock.seconds(landing - over)
            let longest = TimelineClock.seconds(landing - entry.time)
            throw node.error(
                "a rack that lands at \(TimelineClock.seconds(landing)) over \(TimelineClock.seconds(over)) begins at \(begin), before its order",
                suggestion: landing < over ? "let it take \(longest) at most" : "give the order at \(begin) or before")
        }
        return landing
    }

    private static func target(_ node: Node, _ reader: TimelineReader) throws(ScenarioError) -> (AppCommand.FocusPlace, String) {
        if node.isSequence { throw node.error("a point is written {at: [x, y]}, 0…1 of the picture, or {px: [x, y]}") }
        guard node.isMapping else {
            if let first = node.raw.first, first.isNumber || first == "." {
                guard reader.scenario.clip.isMetric else {
                    throw node.error(
                        "the depth of this footage is not in metres, so `\(node.raw)` is nowhere", suggestion: "give a place: {at: [x, y]}")
                }
                return (.distance(try node.metres("the distance in focus")), node.raw)
            }
            return (.subject(try reader.subject(node, orPlace: "{at: [x, y]}")), node.raw)
        }
        let fields = try Fields(node, of: "a place to focus on", place)
        guard fields.keys.count == 1, let key = fields.keys.first, let value = fields[key.raw] else {
            throw node.error("a place to focus on is {at: [x, y]} or {px: [x, y]}")
        }
        let name = "[\(try value.list(of: "a point").map(\.raw).joined(separator: ", "))]"
        guard key.raw == "at" else {
            guard case .pixels(let pixel) = try reader.touchPoint(node) else { throw node.error("a pixel is {px: [x, y]}") }
            return (.pixel(pixel), name)
        }
        return (.point(try reader.inside(value, 1, 1, "a point of the picture")), name)
    }

    var command: AppCommand { .order(target, mode: mode, course: course) }
}
