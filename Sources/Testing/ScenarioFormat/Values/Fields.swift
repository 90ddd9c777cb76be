import Pipeline
import Support

/// The keys of one mapping, checked: each known, none twice, each with a value.
struct Fields {
    let node: Node
    private let what: String
    private let entries: [Node.Entry]

    /// `what` the mapping describes, for messages (`clip`, `a subject`).
    init(_ node: Node, of what: String, _ table: FormatTable) throws(ScenarioError) {
        var faults = Faults()
        try self.init(node, of: what, table, &faults)
        if let error = faults.error { throw error }
    }

    /// Leaves the keys that are at fault to `faults`; throws where there are none to be read.
    init(_ node: Node, of what: String, _ table: FormatTable, _ faults: inout Faults) throws(ScenarioError) {
        entries = try node.entries(of: what)
        self.node = node
        self.what = what
        check(table, word: "key", &faults)
        checkValues(&faults)
    }

    /// The verbs of one event.
    init(_ node: Node, of what: String, verbs: FormatTable) throws(ScenarioError) {
        entries = try node.entries(of: what)
        self.node = node
        self.what = what
        guard !entries.isEmpty else { throw node.error("nothing happens here", suggestion: "write a verb, like {tap: maya}") }
        var faults = Faults()
        check(verbs, word: "verb", &faults)
        checkValues(&faults)
        if let error = faults.error { throw error }
    }

    /// An empty value is reported at its key: YAML sees it only where the next token starts, often a line below.
    private func checkValues(_ faults: inout Faults) {
        for entry in entries {
            guard case .scalar("", true) = entry.value.content else { continue }
            faults.add(
                entry.key.error(
                    "`\(entry.key.raw)` has no value", suggestion: "give it one, in quotes if it starts with #, or leave the key out"))
        }
    }

    private func check(_ table: FormatTable, word: String, _ faults: inout Faults) {
        let known = table.names
        for key in keys where !known.contains(key.raw) {
            if table.later.contains(key.raw) {
                faults.add(
                    key.error("the \(word) `\(key.raw)` is unknown to this version, though the format has it", suggestion: "leave it out"))
                continue
            }
            let place = word == "verb" ? "" : " in \(what)"
            faults.add(
                key.error(
                    "unknown \(word) `\(key.raw)`\(place)",
                    suggestion: Suggestion.didYouMean(key.raw, among: known) ?? "known are \(known.joined(separator: ", "))"))
        }
    }

    subscript(_ key: String) -> Node? { entries.first { $0.key.raw == key }?.value }

    var keys: [Node] { entries.map(\.key) }

    func required(_ key: String, _ why: String = "") throws(ScenarioError) -> Node {
        guard let value = self[key] else { throw node.error("\(what) needs `\(key)`" + (why.isEmpty ? "" : " (\(why))")) }
        return value
    }

    /// Reads `key` when it is there and has a value.
    func read<Value>(_ key: String, _ read: (Node) throws(ScenarioError) -> Value) throws(ScenarioError) -> Value? {
        guard let node = self[key] else { return nil }
        if case .scalar("", true) = node.content { return nil }
        return try read(node)
    }
}

extension Node {
    /// The raw text of a scalar, empty otherwise.
    var raw: String { if case .scalar(let text, _) = content { text } else { "" } }

    var isMapping: Bool { if case .mapping = content { true } else { false } }
    var isSequence: Bool { if case .sequence = content { true } else { false } }

    /// The entries of a mapping, no key twice.
    func entries(of what: String) throws(ScenarioError) -> [Entry] {
        guard case .mapping(let entries) = content else {
            throw error("\(what) is a mapping, `{key: value}`" + (raw.isEmpty ? "" : ", not `\(raw)`"))
        }
        var seen: [String: Mark] = [:]
        for entry in entries {
            if let first = seen[entry.key.raw] {
                throw entry.key.error("`\(entry.key.raw)` is given twice, first on line \(first.line)", suggestion: "keep one")
            }
            seen[entry.key.raw] = entry.key.mark
        }
        return entries
    }

    func list(of what: String) throws(ScenarioError) -> [Node] {
        guard case .sequence(let items) = content else {
            throw error("\(what) is a list, `[…]`" + (raw.isEmpty ? "" : ", not `\(raw)`"))
        }
        return items
    }

    /// A text that is not empty, of `most` characters where that is given.
    func text(_ what: String, atMost most: Int? = nil) throws(ScenarioError) -> String {
        guard case .scalar(let text, _) = content else { throw error("\(what) is one word or text, not a list or a mapping") }
        guard !text.isEmpty else { throw error("\(what) has no value", suggestion: "write it here") }
        if let most, text.utf8.count > most, text.count > most { throw error("\(what) has at most \(most) characters, not \(text.count)") }
        return text
    }

    /// One of a closed list of words.
    func choice<Value>(_ what: String, _ values: [(name: String, value: Value)]) throws(ScenarioError) -> Value {
        let names = values.map(\.name)
        let remedy = names.count == 1 ? "write `\(names[0])`" : "write one of \(names.joined(separator: ", "))"
        guard !isMapping, !isSequence else { throw error("\(what) is one word, not a list or a mapping", suggestion: remedy) }
        let word = try text(what)
        if let found = values.first(where: { $0.name == word }) { return found.value }
        throw error("`\(word)` is not \(what)", suggestion: Suggestion.didYouMean(word, among: names) ?? remedy)
    }

    func choice<Value: CaseIterable & RawRepresentable>(_ what: String, _: Value.Type) throws(ScenarioError) -> Value where Value.RawValue == String {
        try choice(what, Value.allCases.map { ($0.rawValue, $0) })
    }

    func bool(_ what: String) throws(ScenarioError) -> Bool {
        switch try text(what) {
        case "true": return true
        case "false": return false
        case let word: throw error("\(what) is true or false, not `\(word)`")
        }
    }
}
