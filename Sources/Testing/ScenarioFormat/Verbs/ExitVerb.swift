import Stage

/// `{exit: cat}` or `{exit: {subject: cat, to: left, over: 2s}}`: a subject departs, at once or by walking out of the picture.
struct ExitVerb: WorldVerb, ReadableVerb {
    static let name = "exit"
    static let about = "A subject leaves."
    static let table = FormatTable("exit", [Format.who, FormatKey("to", .words(Side.self), "The side it walks out at.")] + Passage.keys)
    static let shape = FormatShape.either([.subject, .table(table)])

    let walk: Walk
    var object: String { walk.subject }
    var arrival: Arrival? { Arrival(subject: walk.subject, isEntry: false, delay: walk.passage.duration) }

    init(_ entry: VerbEntry, _ reader: inout TimelineReader) throws(ScenarioError) {
        walk = try Walk(entry.value, of: Self.name, Self.table, side: "to", reader)
    }

    func apply(to world: inout World, at time: Int64) {
        guard let side = walk.side else { return }
        let index = world.index(of: walk.subject)
        let away = side.outside(world.subjects[index].placement(at: time))
        world.subjects[index].placement.move(to: away, start: time, over: walk.passage.duration, ease: walk.passage.ease)
    }
}
