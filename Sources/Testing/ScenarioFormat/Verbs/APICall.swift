import Foundation
import Pipeline

/// Call of the camera's focus API, as an app makes it.
package struct APICall: Sendable, Equatable {
    /// Function called, with its target.
    package enum Target: Sendable, Equatable {
        /// Tracking focus on the object of a subject that was reported last, even if that is long ago.
        case trackSubject(String)
        case trackObject(Int)
        /// Tracking focus at a point, 0…1 of the unrotated picture; may lie outside.
        case trackPoint(CGPoint)
        /// Fixed focus at the distance seen at a point.
        case fixPoint(CGPoint)
    }

    /// Function called.
    package var target: Target
    /// Focus mode asked for.
    package var mode: FocusMode

    static let table = FormatTable(
        "api",
        [
            FormatKey("trackingFocus", .either([.subject, .integer(-1...Int.max)]), "Follow a subject, or an object by its number."),
            FormatKey("trackingFocusAt", .numbers(2), "Follow what is at a point of metadata space."),
            FormatKey("fixedFocusAt", .numbers(2), "Hold the distance at a point of metadata space."), Format.mode,
        ])
    private static let functions = ["trackingFocus", "trackingFocusAt", "fixedFocusAt"]

    /// Reads `{trackingFocus: maya, mode: strong}`; a number is an object ID, a point is metadata space and may lie outside.
    init(_ node: Node, _ reader: TimelineReader, _ table: FormatTable = Self.table) throws(ScenarioError) {
        let fields = try Fields(node, of: "api", table)
        let given = Self.functions.filter { fields[$0] != nil }
        guard let name = given.first, given.count == 1, let value = fields[name] else {
            throw node.error("`api` makes one call: trackingFocus, trackingFocusAt or fixedFocusAt")
        }
        mode = try fields.required("mode", "weak or strong").choice("a focus mode", FocusMode.names)
        switch name {
        case "trackingFocus":
            if let id = Int(value.raw) { target = .trackObject(id) } else { target = .trackSubject(try reader.subject(value)) }
        case "trackingFocusAt": target = .trackPoint(try value.point("the point, in metadata space,"))
        default: target = .fixPoint(try value.point("the point, in metadata space,"))
        }
    }

    /// Function, target and mode in words.
    var summary: String {
        func pair(_ point: CGPoint) -> String { "[\(String(plain: point.x)), \(String(plain: point.y))]" }
        return switch target {
        case .trackSubject(let name): "trackingFocus \(name) \(mode.name)"
        case .trackObject(let id): "trackingFocus \(id) \(mode.name)"
        case .trackPoint(let point): "trackingFocusAt \(pair(point)) \(mode.name)"
        case .fixPoint(let point): "fixedFocusAt \(pair(point)) \(mode.name)"
        }
    }
}
