import Foundation
import Pipeline

extension APICall {
    var summary: String {
        func pair(_ point: CGPoint) -> String { "[\(Node.plain(point.x)), \(Node.plain(point.y))]" }
        return switch kind {
        case .trackSubject(let name): "trackingFocus \(name) \(mode.name)"
        case .trackObject(let id): "trackingFocus \(id) \(mode.name)"
        case .trackPoint(let point): "trackingFocusAt \(pair(point)) \(mode.name)"
        case .fixPoint(let point): "fixedFocusAt \(pair(point)) \(mode.name)"
        }
    }
}

/// Calls past the fingers, calls that raise, and faults.
extension TimelineReader {
    private static let calls = ["trackingFocus", "trackingFocusAt", "fixedFocusAt"]

    /// `{trackingFocus: maya, mode: strong}`; a number is an object ID, a point is metadata space and may lie outside.
    func apiCall(_ node: Node, besides other: [String] = []) throws(ScenarioError) -> APICall {
        let fields = try Fields(node, of: "api", known: Self.calls + ["mode"] + other)
        let given = Self.calls.filter { fields[$0] != nil }
        guard let name = given.first, given.count == 1, let value = fields[name] else {
            throw node.error("`api` makes one call: trackingFocus, trackingFocusAt or fixedFocusAt")
        }
        let modes: [(name: String, value: FocusMode)] = [("weak", .weak), ("strong", .strong), ("none", .none)]
        let mode = try fields.required("mode", "weak or strong").choice("a focus mode", modes)
        switch name {
        case "trackingFocus":
            if let id = Int(value.raw) { return APICall(kind: .trackObject(id), mode: mode) }
            return APICall(kind: .trackSubject(try subject(value)), mode: mode)
        case "trackingFocusAt": return APICall(kind: .trackPoint(try value.point("the point, in metadata space,")), mode: mode)
        default: return APICall(kind: .fixPoint(try value.point("the point, in metadata space,")), mode: mode)
        }
    }

    /// `{set: {aperture: f/2.0}, error: range}`; the error is the exception's short name.
    func raisingCall(_ node: Node) throws(ScenarioError) -> (RaisingCall, error: String) {
        let fields = try Fields(node, of: "throws", known: ["set", "api", "session", "error"])
        let errors = [
            ("invalidArgument", "NSInvalidArgumentException"), ("generic", "NSGenericException"), ("range", "NSRangeException"),
        ]
        let error = try fields.required("error", "the exception it raises").choice("an exception", errors)
        let given = ["set", "api", "session"].filter { fields[$0] != nil }
        guard let name = given.first, given.count == 1, let value = fields[name] else {
            throw node.error("`throws` tries one thing: set, api or session")
        }
        switch name {
        case "set":
            let set = try Fields(value, of: "set", known: ["aperture", "zoom"], later: ["stabilization"])
            guard set.keys.count == 1 else { throw value.error("`throws` sets one thing: aperture or zoom") }
            if let aperture = set["aperture"] { return (.aperture(try aperture.fNumber("the aperture")), error) }
            return (.zoom(try set.required("zoom").number("the zoom factor")), error)
        case "api":
            let isLocked =
                try Fields(value, of: "api", known: Self.calls + ["mode", "locked"])
                .read("locked") { node throws(ScenarioError) in try node.bool("locked") } ?? true
            let call = try apiCall(value, besides: ["locked"])
            if case .trackSubject = call.kind {
                throw value.error("what raises needs no subject", suggestion: "give an object ID, like `trackingFocus: 1`")
            }
            return (.api(call, isLocked: isLocked), error)
        default:
            return (try value.choice("a step of the session that can raise", [("commit", RaisingCall.commit)]), error)
        }
    }

    func fault(_ node: Node, at time: Int64) throws(ScenarioError) -> (Fault, String) {
        let fields = try Fields(
            node, of: "fault", known: ["missDetection", "swapIds", "dropFrames"],
            later: ["lateMetadata", "interrupt", "runtimeError", "disconnect", "diskFull", "pressure", "deny"])
        guard let key = fields.keys.first, fields.keys.count == 1, let value = fields[key.raw] else {
            throw node.error("a fault is one of missDetection, swapIds, dropFrames")
        }
        switch key.raw {
        case "missDetection":
            let miss = try Fields(value, of: "missDetection", known: ["subject", "for"])
            let name = try subject(try miss.required("subject"))
            let length = try timebase.duration(try miss.required("for", "how long, like 300ms"), "how long to miss it")
            return (.missDetection(name, until: time + length), "missDetection \(name)")
        case "swapIds":
            let names = try value.list(of: "swapIds")
            guard names.count == 2 else { throw value.error("`swapIds` swaps two subjects: [maya, ben]") }
            let (one, other) = (try subject(names[0]), try subject(names[1]))
            guard one != other else { throw value.error("`swapIds` swaps two different subjects") }
            return (.swapIDs(one, other), "swapIds \(one) \(other)")
        default: return (.dropFrames(try value.integer("the number of frames lost", in: 1...10_000)), "dropFrames \(value.raw)")
        }
    }
}
