import Foundation
import Pipeline

extension APICall {
    var summary: String {
        func pair(_ point: CGPoint) -> String { "[\(String(plain: point.x)), \(String(plain: point.y))]" }
        return switch kind {
        case .trackSubject(let name): "trackingFocus \(name) \(mode.name)"
        case .trackObject(let id): "trackingFocus \(id) \(mode.name)"
        case .trackPoint(let point): "trackingFocusAt \(pair(point)) \(mode.name)"
        case .fixPoint(let point): "fixedFocusAt \(pair(point)) \(mode.name)"
        }
    }
}

/// Readers of calls to the focus API, of calls that raise, and of faults.
extension TimelineReader {
    private static let calls = ["trackingFocus", "trackingFocusAt", "fixedFocusAt"]

    /// `{trackingFocus: maya, mode: strong}`; a number is an object ID, a point is metadata space and may lie outside.
    func apiCall(_ node: Node, _ table: FormatTable = Format.api) throws(ScenarioError) -> APICall {
        let fields = try Fields(node, of: "api", table)
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
        let fields = try Fields(node, of: "throws", Format.raising)
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
            let set = try Fields(value, of: "set", Format.setRaising)
            guard set.keys.count == 1 else { throw value.error("`throws` sets one thing: aperture or zoom") }
            if let aperture = set["aperture"] { return (.aperture(try aperture.fNumber("the aperture")), error) }
            return (.zoom(try set.required("zoom").number("the zoom factor")), error)
        case "api":
            let isLocked =
                try Fields(value, of: "api", Format.apiRaising)
                .read("locked") { node throws(ScenarioError) in try node.bool("locked") } ?? true
            let call = try apiCall(value, Format.apiRaising)
            if case .trackSubject = call.kind {
                throw value.error("what raises needs no subject", suggestion: "give an object ID, like `trackingFocus: 1`")
            }
            return (.api(call, isLocked: isLocked), error)
        default:
            return (try value.choice("a step of the session that can raise", [("commit", RaisingCall.commit)]), error)
        }
    }

    /// `{aperture: f/2.8}`, `{zoom: 1.5}` or `{stabilization: cinematic}`.
    func set(_ node: Node) throws(ScenarioError) -> (TimelineEvent.Action, String) {
        let fields = try Fields(node, of: "set", Format.set)
        guard let key = fields.keys.first, fields.keys.count == 1, let value = fields[key.raw] else {
            throw node.error("`set` changes one thing: aperture, zoom or stabilization", suggestion: "write one event for each")
        }
        let about = "\(key.raw) \(value.raw)"
        switch key.raw {
        case "aperture": return (.setAperture(try scenario.aperture(value)), about)
        case "zoom": return (.camera(.zoom(try value.number("the zoom factor"))), about)
        default:
            return (.camera(.stabilization(try value.choice("a way to stabilize", CameraCall.Stabilization.self))), about)
        }
    }

    /// `record: start`, `photo: take`, `session: stop`.
    func cameraCall(_ verb: Node, _ value: Node) throws(ScenarioError) -> (CameraCall, String) {
        let needed: ScenarioFile.Output? = verb.raw == "record" ? .movie : verb.raw == "photo" ? .photo : nil
        if let needed, scenario.hasSession, !scenario.outputs.contains(needed) {
            throw verb.error("the session has no `\(needed.rawValue)` output", suggestion: "add it to `session: {outputs: […]}`")
        }
        switch verb.raw {
        case "switchCamera":
            guard isWorld else { throw verb.error("footage comes from one camera") }
            return (.switchCamera(try scenario.device.camera(value)), value.raw)
        case "record": return (.record(try value.choice("a step of a recording", CameraCall.Recording.self)), value.raw)
        case "session": return (.session(try value.choice("a step of the session", CameraCall.Session.self)), value.raw)
        default: return (try value.choice("what to do with a photo", [("take", CameraCall.photo)]), value.raw)
        }
    }
}
