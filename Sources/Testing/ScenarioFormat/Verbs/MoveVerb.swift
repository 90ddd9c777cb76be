import Foundation
import Stage

/// `{move: {subject: cat, to: [0.4, 0.5], depth: 1m, over: 2s}}`.
package struct MoveVerb: WorldVerb, ReadableVerb {
    package static let name = "move"
    static let about = "A subject moves."
    static let table = FormatTable(
        "move",
        [
            Format.who, FormatKey("to", .either([.numbers(4), .numbers(2)]), "A box, or its middle: then its size follows its depth."),
            FormatKey("depth", .metres, "Its new distance."),
        ] + Passage.keys)
    static let shape = FormatShape.table(table)

    /// Target of a move: an exact box, or its middle with the size that belongs to its depth.
    package enum Target: Sendable, Equatable {
        case box(CGRect)
        case middle(CGPoint)
        case stay
    }

    private let subject: String
    private let target: Target
    /// New distance, metres; nil keeps it.
    private let depth: Double?
    private let passage: Passage
    package var object: String { subject }

    /// Creates a move; `depth` in metres, nil keeps the distance.
    package init(_ subject: String, to target: Target, depth: Double?, _ passage: Passage) {
        self.subject = subject
        self.target = target
        self.depth = depth
        self.passage = passage
    }

    init(_ entry: VerbEntry, _ reader: inout TimelineReader) throws(ScenarioError) {
        let fields = try Fields(entry.value, of: "move", Self.table)
        subject = try reader.subject(try fields.required("subject"))
        depth = try fields.read("depth") { node throws(ScenarioError) in try node.metres("the depth") }
        passage = try Passage(fields, reader)
        guard let to = fields["to"] else {
            guard depth != nil else { throw entry.value.error("`move` needs `to`, `depth` or both") }
            target = .stay
            return
        }
        let isMiddle = try to.list(of: "where to move").count == 2
        target = isMiddle ? .middle(try to.point("where to move")) : .box(try to.box("where to move"))
    }

    package func apply(to world: inout World, at time: Int64) {
        let index = world.index(of: subject)
        let goal = goal(from: world.subjects[index].placement(at: time))
        world.subjects[index].placement.move(to: goal, start: time, over: passage.duration, ease: passage.ease)
    }

    /// A box that is not given keeps its middle or moves it, and its size follows the depth.
    private func goal(from start: Placement) -> Placement {
        let depth = depth ?? start.depth
        let scale = start.depth / depth
        let (width, height) = (start.box.width * scale, start.box.height * scale)
        let middle: CGPoint
        switch target {
        case .box(let box): return Placement(box: box, depth: depth)
        case .middle(let point): middle = point
        case .stay: middle = CGPoint(x: start.box.midX, y: start.box.midY)
        }
        return Placement(box: CGRect(x: middle.x - width / 2, y: middle.y - height / 2, width: width, height: height), depth: depth)
    }
}
