/// Known issue: a failure that fails no run, until it is gone.
public struct KnownIssue: Sendable, Equatable {
    /// Name of the issue.
    public var id: String
    /// Reason for which it is known, in words.
    public var why: String
    /// Text that the failure's message contains.
    public var message: String
    /// Whether it happens in some runs only.
    public var isSometimes: Bool
    /// Place in the scenario file, for messages.
    public var location: FileLocation

    init(_ node: Node) throws(ScenarioError) {
        let fields = try Fields(node, of: "an issue", Format.issue)
        id = try fields.required("id").text("the issue's id")
        why = try fields.required("why", "one sentence").text("the issue's why")
        message = try fields.required("message", "a part of the failure's message").text("the failure's message")
        isSometimes = try fields.read("sometimes") { node throws(ScenarioError) in try node.bool("sometimes") } ?? false
        location = node.location
    }
}
