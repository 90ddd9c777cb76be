import Foundation
import Stage

/// `{occlude: {subject: maya, for: 800ms}}`: a board before all that is seen of a subject, at most half a metre nearer.
struct OccludeVerb: WorldVerb, ReadableVerb {
    static let name = "occlude"
    static let about = "A board is held before a subject."
    static let table = FormatTable("occlude", [Format.who, FormatKey("for", .time, "How long.")])
    static let shape = FormatShape.table(table)

    private let subject: String
    /// Nanoseconds.
    private let duration: Int64
    var object: String { subject }

    init(_ entry: VerbEntry, _ reader: inout TimelineReader) throws(ScenarioError) {
        let fields = try Fields(entry.value, of: "occlude", Self.table)
        subject = try reader.subject(try fields.required("subject"))
        duration = try reader.timebase.duration(try fields.required("for", "how long, like 800ms"), "how long to hide it")
        guard duration > 0 else { throw entry.value.error("hiding a subject takes some time") }
    }

    func apply(to world: inout World, at time: Int64) {
        let hidden = world.subjects[world.index(of: subject)]
        let place = hidden.placement(at: time)
        let box = place.box
        let board: CGRect =
            switch hidden.kind {
            case .face, .catHead, .dogHead:
                CGRect(x: box.midX - 1.6 * box.width, y: box.minY - 0.5 * box.height, width: 3.2 * box.width, height: 4 * box.height)
            case .person, .catBody, .dogBody, .prop: box.insetBy(dx: -0.05 * box.width, dy: -0.05 * box.height)
            }
        let depth = max(place.depth - 0.5, place.depth * 0.7)
        var prop = Subject(name: "board before \(subject)", kind: .prop, placement: Motion(Placement(box: board, depth: depth)))
        prop.texture = "board"
        prop.presence = [time..<time + duration]
        world.subjects.append(prop)
    }
}
