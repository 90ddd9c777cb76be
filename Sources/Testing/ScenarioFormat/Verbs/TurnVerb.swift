import Stage

/// `{turn: {subject: maya, to: away, over: 400ms}}`: rotation of a head to a yaw.
package struct TurnVerb: WorldVerb, ReadableVerb {
    package static let name = "turn"
    static let about = "A subject turns."
    static let table = FormatTable("turn", [Format.who, FormatKey("to", .heading, "camera, away or an angle.")] + Passage.keys)
    static let shape = FormatShape.table(table)

    private let subject: String
    /// Degrees, as `Subject.yaw`.
    private let yaw: Double
    private let passage: Passage
    package let object: String

    /// Creates a turn to a yaw in degrees.
    package init(_ subject: String, to yaw: Double, _ passage: Passage) {
        self.subject = subject
        self.yaw = yaw
        self.passage = passage
        object = "\(subject) \(String(plain: yaw))deg"
    }

    init(_ entry: VerbEntry, _ reader: inout TimelineReader) throws(ScenarioError) {
        let fields = try Fields(entry.value, of: "turn", Self.table)
        subject = try reader.subject(try fields.required("subject"))
        let to = try fields.required("to", "camera, away or an angle")
        yaw = try to.heading("where to turn")
        passage = try Passage(fields, reader)
        object = "\(subject) \(to.raw)"
    }

    package func apply(to world: inout World, at time: Int64) {
        world.subjects[world.index(of: subject)].yaw.move(to: yaw, start: time, over: passage.duration, ease: passage.ease)
    }
}
