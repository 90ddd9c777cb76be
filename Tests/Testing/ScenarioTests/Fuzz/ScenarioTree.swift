@testable import ScenarioFormat

/// A scenario's text as a tree that can be changed and written again.
enum ScenarioTree {
    case text(String)
    case list([ScenarioTree])
    case map([Entry])
    /// Text that is written as it is, whatever it is in YAML.
    case plain(String)

    struct Entry {
        var key: String
        var value: ScenarioTree
    }

    init(_ node: Node) {
        switch node.content {
        case .scalar(let text, _): self = .text(text)
        case .sequence(let items): self = .list(items.map(ScenarioTree.init))
        case .mapping(let entries): self = .map(entries.map { Entry(key: $0.key.raw, value: ScenarioTree($0.value)) })
        }
    }

    init(_ entries: KeyValuePairs<String, ScenarioTree>) { self = .map(entries.map { Entry(key: $0.key, value: $0.value) }) }

    /// Flow YAML with every word in quotes.
    var yaml: String {
        switch self {
        case .plain(let text): text
        case .text(let text): Self.quoted(text)
        case .list(let items): "[\(items.map(\.yaml).joined(separator: ", "))]"
        case .map(let entries): "{\(entries.map { "\(Self.quoted($0.key)): \($0.value.yaml)" }.joined(separator: ", "))}"
        }
    }

    private static func quoted(_ text: String) -> String {
        guard text.utf8.contains(where: "\"\\\n".utf8.contains) else { return "\"\(text)\"" }
        return "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n"))\""
    }

    subscript(key: String) -> ScenarioTree? {
        get {
            guard case .map(let entries) = self else { return nil }
            return entries.first { $0.key == key }?.value
        }
        set {
            guard case .map(var entries) = self else { return }
            entries.removeAll { $0.key == key }
            if let newValue { entries.append(Entry(key: key, value: newValue)) }
            self = .map(entries)
        }
    }

    var items: [ScenarioTree] { if case .list(let items) = self { items } else { [] } }
    var keys: [String] { if case .map(let entries) = self { entries.map(\.key) } else { [] } }

    /// The tree and all within it.
    var parts: [ScenarioTree] {
        switch self {
        case .text, .plain: [self]
        case .list(let items): [self] + items.flatMap(\.parts)
        case .map(let entries): [self] + entries.flatMap(\.value.parts)
        }
    }

    /// Every text in the tree, keys left out, through `change`.
    mutating func changeTexts(_ change: (inout String) -> Void) {
        switch self {
        case .text(var text):
            change(&text)
            self = .text(text)
        case .plain: break
        case .list(var items):
            for index in items.indices { items[index].changeTexts(change) }
            self = .list(items)
        case .map(var entries):
            for index in entries.indices { entries[index].value.changeTexts(change) }
            self = .map(entries)
        }
    }

    /// Count of the texts.
    var textCount: Int {
        switch self {
        case .text: 1
        case .plain: 0
        case .list(let items): items.reduce(0) { $0 + $1.textCount }
        case .map(let entries): entries.reduce(0) { $0 + $1.value.textCount }
        }
    }
}
