/// Fault for which a text cannot be read as YAML, in plain words.
struct YAMLProblem: Error {
    let message: String
    let suggestion: String?
    private let place: Mark

    init(_ message: String, at mark: Mark, suggestion: String? = nil) {
        self.message = message
        self.suggestion = suggestion
        self.place = mark
    }

    /// libyaml's own complaint, translated.
    init(context: String, problem: String, mark: Mark) {
        let (message, suggestion) = Self.plain(context: context, problem: problem)
        self.init(message, at: mark, suggestion: suggestion)
    }

    /// The place, moved to the last line of the text when libyaml points beyond it.
    func mark(in source: SourceText) -> Mark {
        guard place.line > source.lines.count || (place.line == source.lines.count && source.lines.last?.isEmpty == true) else { return place }
        let last = source.lines.lastIndex { !$0.isEmpty } ?? 0
        return Mark(line: last + 1, column: source.lines[last].unicodeScalars.count + 1)
    }

    /// libyaml blames the token after the mistake, often on the next line, so most messages name the line above too.
    private static func plain(context: String, problem: String) -> (String, String?) {
        let above = "here or on the line above"
        switch (context, problem) {
        case ("while parsing a flow mapping", _): return ("a `}` or a comma is missing, \(above)", "close the brace that is open")
        case ("while parsing a flow sequence", _): return ("a `]` or a comma is missing, \(above)", "close the bracket that is open")
        case ("while parsing a block mapping", _): return ("this does not line up with the keys above it, or the line above is not finished", nil)
        case ("while parsing a block collection", _): return ("this does not line up with the `-` above it, or the line above is not finished", nil)
        case ("while scanning a simple key", _): return ("a `:` is missing after the key, \(above)", nil)
        case ("while scanning a quoted scalar", "found unexpected end of stream"): return ("a closing quote is missing, \(above)", nil)
        case ("while scanning a quoted scalar", _), ("while parsing a quoted scalar", _):
            return ("this quoted text is broken", "use single quotes, or no quotes at all")
        case (_, "mapping values are not allowed in this context"):
            return ("a `:` is not expected here; the line above may not be finished, or a value with `: ` in it wants quotes", nil)
        case (_, "block sequence entries are not allowed in this context"):
            return ("a `-` is not expected here; put the list on its own lines below the key", nil)
        case (_, "mapping keys are not allowed in this context"): return ("a key is not expected here, or the line above is not finished", nil)
        case (_, "found character that cannot start any token"):
            return ("this character cannot start a value", "indent with spaces, not with tabs; put quotes around @ ` and %")
        case (_, "control characters are not allowed"): return ("there is a control character in the text", "delete it")
        case (_, "found undefined tag handle"), ("while scanning a tag", _):
            return ("tags (`!…`) are not part of a scenario", "write the value alone")
        case ("while scanning an anchor", _), ("while scanning an alias", _): return ("anchors and aliases are not part of a scenario", nil)
        case ("while scanning a block scalar", _): return ("the text block below `|` is not indented with spaces", nil)
        case (_, "found a tab character that violates indentation"): return ("a tab indents this line", "indent with spaces")
        case ("while scanning a plain scalar", _): return ("this text wants quotes around it", nil)
        case ("while scanning a directive", _), ("while scanning a %YAML directive", _), ("while scanning a %TAG directive", _),
            ("while parsing a %TAG directive", _), (_, "found incompatible YAML document"), (_, "found duplicate %YAML directive"),
            (_, "found duplicate %TAG directive"):
            return ("a scenario has no % directives", "leave the line out")
        case ("while parsing a node", _), (_, "did not find expected node content"):
            return ("a value is missing, \(above)", nil)
        case (_, "did not find expected <document start>"): return ("the text goes on after its end, or the line above is not finished", nil)
        default: return ("this is not readable as YAML: \(problem)", nil)
        }
    }
}
