import AVFCapture
import CameraApp

/// `{throws: {set: {aperture: f/0.5}, error: range}}`: a call that breaks Apple's contract, must raise this exception and change nothing.
struct ThrowsVerb: PlayedVerb, ReadableVerb {
    static let name = "throws"
    static let about = "A call that must raise and change nothing."
    static let table = FormatTable(
        "throws",
        [
            FormatKey("set", .table(setTable), "Setting something."), FormatKey("api", .table(apiTable), "A focus call."),
            FormatKey("session", .words(["commit"]), "commitConfiguration without a begin."),
            FormatKey("error", .words(errors.map(\.name)), "The exception it raises."),
        ])
    static let setTable = FormatTable("setRaising", SetVerb.table.keys.filter { $0.name != "stabilization" })
    static let apiTable = APICall.table.adding(
        "apiRaising", [FormatKey("locked", .bool, "Whether the app holds the device's lock; it does by itself.")])
    static let shape = FormatShape.table(table)

    private static let errors: [(name: String, value: String)] = [
        ("invalidArgument", "NSInvalidArgumentException"), ("generic", "NSGenericException"), ("range", "NSRangeException"),
    ]

    /// Call that raises.
    private enum Call: Sendable {
        /// A simulated f-number, in range or not.
        case aperture(Double)
        case zoom(Double)
        /// A focus call; without the device's lock when `isLocked` is false.
        case api(APICall, isLocked: Bool)
        /// `commitConfiguration` without a `beginConfiguration`.
        case commit
    }

    private let call: Call
    /// Name of the exception.
    let object: String

    init(_ entry: VerbEntry, _ reader: inout TimelineReader) throws(ScenarioError) {
        let fields = try Fields(entry.value, of: "throws", Self.table)
        let names = Self.errors.map(\.name).joined(separator: ", ")
        object = try fields.required("error", "the exception it raises: \(names)").choice("an exception", Self.errors)
        let given = ["set", "api", "session"].filter { fields[$0] != nil }
        guard let name = given.first, given.count == 1, let value = fields[name] else {
            throw entry.value.error("`throws` tries one thing: set, api or session")
        }
        switch name {
        case "set": call = try Self.set(value)
        case "api": call = try Self.api(value, reader)
        default: call = try value.choice("a step of the session that can raise", [("commit", .commit)])
        }
    }

    private static func set(_ node: Node) throws(ScenarioError) -> Call {
        let set = try Fields(node, of: "set", setTable)
        guard set.keys.count == 1 else { throw node.error("`throws` sets one thing: aperture or zoom") }
        if let aperture = set["aperture"] { return .aperture(try aperture.fNumber("the aperture")) }
        return .zoom(try set.required("zoom").number("the zoom factor"))
    }

    private static func api(_ node: Node, _ reader: TimelineReader) throws(ScenarioError) -> Call {
        let fields = try Fields(node, of: "api", apiTable)
        let isLocked = try fields.read("locked") { node throws(ScenarioError) in try node.bool("locked") } ?? true
        let call = try APICall(node, reader, apiTable)
        if case .trackSubject = call.target {
            throw node.error("what raises needs no subject", suggestion: "give an object ID, like `trackingFocus: 1`")
        }
        return .api(call, isLocked: isLocked)
    }

    func play(on app: ScriptedApp) throws {
        let (session, input) = (try app.session(), try app.input())
        let violations = CaptureEnvironment.violations {
            switch call {
            case .aperture(let fNumber): input.simulatedAperture = Float(fNumber)
            case .zoom(let factor): input.device.whileLocked { $0.videoZoomFactor = CGFloat(factor) }
            case .api(let call, isLocked: true): input.device.whileLocked(call.make)
            case .api(let call, isLocked: false): call.make(of: input.device)
            case .commit: session.commitConfiguration()
            }
        }
        let raised = violations.map(\.name.rawValue)
        guard raised != [object] else { return }
        throw PlayFailure("expected \(object), but \(raised.isEmpty ? "nothing" : raised.joined(separator: ", ")) was raised")
    }
}
