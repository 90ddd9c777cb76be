import Foundation
import Stage

/// Value of `enter` and `exit`: a subject, and the side at which it walks in or out.
struct Walk: Sendable, Equatable {
    let subject: String
    /// Nil: it arrives or departs at once.
    let side: Side?
    let passage: Passage

    /// Reads a name, or a mapping with the side under a key.
    init(_ node: Node, of verb: String, _ table: FormatTable, side key: String, _ reader: TimelineReader) throws(ScenarioError) {
        guard node.isMapping else {
            subject = try reader.subject(node)
            side = nil
            passage = Passage()
            return
        }
        let fields = try Fields(node, of: verb, table)
        subject = try reader.subject(try fields.required("subject"))
        passage = try Passage(fields, reader)
        side = try fields.read(key) { node throws(ScenarioError) in try node.choice("a side of the picture", Side.self) }
        if (side == nil) != (passage.duration == 0) {
            throw node.error("walking takes a side and a time: `{subject: \(subject), \(key): left, over: 2s}`")
        }
    }
}

/// Side of the picture at which a subject walks in or out.
enum Side: String, Sendable, CaseIterable {
    case left, right

    /// The same place, just outside the picture.
    func outside(_ placement: Placement) -> Placement {
        var box = placement.box
        box.origin.x = self == .left ? -box.width - 0.02 : 1.02
        return Placement(box: box, depth: placement.depth)
    }
}
