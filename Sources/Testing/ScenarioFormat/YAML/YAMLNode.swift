/// A place in a text; line and column count from 1, columns in Unicode scalars.
struct Mark: Sendable, Equatable {
    var line = 1
    var column = 1
}

/// One step of a YAML text.
struct YAMLEvent {
    enum Kind: Equatable {
        case streamStart, streamEnd, documentStart(hasDirectives: Bool), documentEnd
        case scalar(String, isPlain: Bool)
        case sequenceStart, sequenceEnd, mappingStart, mappingEnd, alias
    }

    let kind: Kind
    let mark: Mark
    let anchor: String?
    let tag: String?

    init(_ kind: Kind, at mark: Mark, anchor: String? = nil, tag: String? = nil) {
        self.kind = kind
        self.mark = mark
        self.anchor = anchor
        self.tag = tag
    }
}

/// Node of a scenario file: raw text, list or mapping, with its place. Nothing is typed yet.
struct Node: Sendable {
    indirect enum Content: Sendable {
        case scalar(String, isPlain: Bool)
        case sequence([Node])
        case mapping([Entry])
    }

    struct Entry: Sendable {
        var key: Node
        var value: Node
    }

    let source: SourceText
    let mark: Mark
    let content: Content

    var location: FileLocation { source.location(mark) }

    func error(_ message: String, suggestion: String? = nil) -> ScenarioError { source.error(at: mark, message, suggestion: suggestion) }

    /// Reads a whole text.
    static func parse(_ text: String, file: String, scope: FileScope? = nil, isShown: Bool = false) throws(ScenarioError) -> Node {
        let source = SourceText(file: file, text: text, scope: scope, isShown: isShown)
        do throws(YAMLProblem) {
            var builder = NodeBuilder(source: source, events: try YAMLEvents(text))
            return try builder.document()
        } catch {
            throw source.error(at: error.mark(in: source), error.message, suggestion: error.suggestion)
        }
    }
}

/// Builds the tree and refuses the parts of YAML a scenario does not use.
private struct NodeBuilder: ~Copyable {
    let source: SourceText
    var events: YAMLEvents
    static let deepest = 24

    init(source: SourceText, events: consuming YAMLEvents) {
        self.source = source
        self.events = events
    }

    mutating func document() throws(YAMLProblem) -> Node {
        _ = try events.next()
        let start = try events.next()
        guard case .documentStart(let hasDirectives) = start.kind else {
            throw YAMLProblem("the file is empty", at: Mark(), suggestion: "start with `scenario: its name`")
        }
        if hasDirectives { throw YAMLProblem("a scenario has no % directives", at: start.mark, suggestion: "leave the line out") }
        let root = try node(try events.next(), depth: 0)
        _ = try events.next()
        let next = try events.next()
        guard next.kind == .streamEnd else {
            throw YAMLProblem("a second document starts here; a scenario is one document", at: next.mark, suggestion: "leave `---` out")
        }
        return root
    }

    mutating func node(_ event: YAMLEvent, depth: Int) throws(YAMLProblem) -> Node {
        if event.kind == .alias {
            throw YAMLProblem("aliases (`*\(event.anchor ?? "")`) are not part of a scenario", at: event.mark, suggestion: "write the value out")
        }
        if let anchor = event.anchor {
            throw YAMLProblem("anchors (`&\(anchor)`) are not part of a scenario", at: event.mark, suggestion: "write the value out")
        }
        if let tag = event.tag {
            throw YAMLProblem("tags (`\(tag)`) are not part of a scenario", at: event.mark, suggestion: "write the value alone")
        }
        guard depth < Self.deepest else { throw YAMLProblem("this is nested more than \(Self.deepest) levels deep", at: event.mark) }
        switch event.kind {
        case .scalar(let text, let isPlain): return Node(source: source, mark: event.mark, content: .scalar(text, isPlain: isPlain))
        case .sequenceStart:
            var items: [Node] = []
            while true {
                let next = try events.next()
                if next.kind == .sequenceEnd { return Node(source: source, mark: event.mark, content: .sequence(items)) }
                items.append(try node(next, depth: depth + 1))
            }
        default:
            var entries: [Node.Entry] = []
            while true {
                let next = try events.next()
                if next.kind == .mappingEnd { return Node(source: source, mark: event.mark, content: .mapping(entries)) }
                let key = try node(next, depth: depth + 1)
                guard case .scalar = key.content else { throw YAMLProblem("a key is a word, not a list or a mapping", at: key.mark) }
                entries.append(Node.Entry(key: key, value: try node(try events.next(), depth: depth + 1)))
            }
        }
    }
}
