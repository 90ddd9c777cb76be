/// A JSON document whose members keep their order.
indirect enum JSONValue {
    case string(String)
    case integer(Int)
    case bool(Bool)
    case array([JSONValue])
    case object([(String, JSONValue)])

    /// Indented by two spaces a level; what holds nothing nested stays on its line.
    func text(_ indent: String = "") -> String {
        let inner = indent + "  "
        switch self {
        case .string(let text): return Self.quoted(text)
        case .integer(let number): return String(number)
        case .bool(let value): return value ? "true" : "false"
        case .array(let items) where items.allSatisfy(\.isFlat): return "[\(items.map { $0.text() }.joined(separator: ", "))]"
        case .array(let items): return "[\n\(items.map { inner + $0.text(inner) }.joined(separator: ",\n"))\n\(indent)]"
        case .object(let members) where members.allSatisfy(\.1.isFlat) && members.count < 3:
            return "{\(members.map { "\(Self.quoted($0.0)): \($0.1.text())" }.joined(separator: ", "))}"
        case .object(let members):
            return "{\n\(members.map { "\(inner)\(Self.quoted($0.0)): \($0.1.text(inner))" }.joined(separator: ",\n"))\n\(indent)}"
        }
    }

    private var isFlat: Bool {
        switch self {
        case .string, .integer, .bool: true
        case .array(let items): items.allSatisfy(\.isFlat)
        case .object: false
        }
    }

    private static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n") + "\""
    }
}
