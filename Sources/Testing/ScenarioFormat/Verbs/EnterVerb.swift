import Stage

/// `{enter: cat}` or `{enter: {subject: cat, from: left, over: 2s}}`: a subject arrives, at once or by walking in from outside the picture.
struct EnterVerb: WorldVerb, ReadableVerb {
    static let name = "enter"
    static let about = "A subject comes in, at once or from a side."
    static let table = FormatTable("enter", [Format.who, FormatKey("from", .words(Side.self), "The side it walks in from.")] + Passage.keys)
    static let shape = FormatShape.either([.subject, .table(table)])

    let walk: Walk
    var object: String { walk.subject }
    var arrival: Arrival? { Arrival(subject: walk.subject, isEntry: true, delay: 0) }

    init(_ entry: VerbEntry, _ reader: inout TimelineReader) throws(ScenarioError) {
        walk = try Walk(entry.value, of: Self.name, Self.table, side: "from", reader)
    }

    func apply(to world: inout World, at time: Int64) {
        guard let side = walk.side else { return }
        let index = world.index(of: walk.subject)
        let home = world.subjects[index].placement(at: time)
        world.subjects[index].placement.move(to: side.outside(home), start: time, over: 0)
        world.subjects[index].placement.move(to: home, start: time, over: walk.passage.duration, ease: walk.passage.ease)
    }
}
