/// `{throws: {set: {aperture: f/0.5}, error: range}}`: a call that breaks Apple's contract, must raise this exception and change nothing.
struct ThrowsVerb: PlayedVerb, ReadableVerb {
    static let name = "throws"
    static let about = "A call that must raise and change nothing."
    static let table = FormatTable(
        "throws",
        [
            FormatKey("set", .table(setTable), "Setting something."), FormatKey("api", .table(apiTable), "A focus call."),
            FormatKey("session", .words(["start"]), "startRunning between a begin and its commit."),
            FormatKey("error", .words(errors.map(\.name)), "The exception it raises."),
        ])
    static let setTable = FormatTable("setRaising", SetVerb.table.keys.filter { $0.name != "stabilization" })
    static let apiTable = APICall.table.adding(
        "apiRaising", [FormatKey("locked", .bool, "Whether the app holds the device's lock; it does by itself.")])
    static let shape = FormatShape.table(table)

    private static let errors: [(name: String, value: String)] = [
        ("invalidArgument", "NSInvalidArgumentException"), ("generic", "NSGenericException"), ("range", "NSRangeException"),
    ]

    private let call: AppCommand.Violation
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
        default: call = try value.choice("a step of the session that can raise", [("start", .start)])
        }
    }

    private static func set(_ node: Node) throws(ScenarioError) -> AppCommand.Violation {
        let set = try Fields(node, of: "set", setTable)
        guard set.keys.count == 1 else { throw node.error("`throws` sets one thing: aperture or zoom") }
        if let aperture = set["aperture"] { return .aperture(try aperture.fNumber("the aperture")) }
        return .zoom(try set.required("zoom").number("the zoom factor"))
    }

    private static func api(_ node: Node, _ reader: TimelineReader) throws(ScenarioError) -> AppCommand.Violation {
        let fields = try Fields(node, of: "api", apiTable)
        let isLocked = try fields.read("locked") { node throws(ScenarioError) in try node.bool("locked") } ?? true
        let call = try APICall(node, reader, apiTable)
        if case .trackSubject = call.target {
            throw node.error("what raises needs no subject", suggestion: "give an object ID, like `trackingFocus: 1`")
        }
        return .api(call, isLocked: isLocked)
    }

    var command: AppCommand { .violate(call, raising: object) }
}
