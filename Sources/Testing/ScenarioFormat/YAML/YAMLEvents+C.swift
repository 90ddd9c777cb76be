internal import CYAML

/// C boundary to libyaml: its event stream over one text, as Swift values.
struct YAMLEvents: ~Copyable {
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let bytes: UnsafeMutableBufferPointer<UInt8>

    init(_ text: String) throws(YAMLProblem) {
        parser = .allocate(capacity: 1)
        let utf8 = Array(text.utf8)
        bytes = .allocate(capacity: utf8.count + 1)
        _ = bytes.initialize(from: utf8 + [0])
        guard yaml_parser_initialize(parser) == 1 else { throw YAMLProblem(context: "", problem: "out of memory", mark: Mark()) }
        yaml_parser_set_input_string(parser, bytes.baseAddress, utf8.count)
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
        bytes.deallocate()
    }

    /// The next event; after the end of the stream, the end again.
    mutating func next() throws(YAMLProblem) -> YAMLEvent {
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) == 1 else { throw problem() }
        defer { yaml_event_delete(&event) }
        let (mark, data) = (Mark(event.start_mark), event.data)
        switch event.type {
        case YAML_SCALAR_EVENT:
            let (scalar, count) = (data.scalar, data.scalar.length)
            let text = String(decoding: UnsafeBufferPointer(start: scalar.value, count: count), as: UTF8.self)
            let isPlain = scalar.style == YAML_PLAIN_SCALAR_STYLE
            return YAMLEvent(.scalar(text, isPlain: isPlain), at: mark, anchor: string(scalar.anchor), tag: string(scalar.tag))
        case YAML_SEQUENCE_START_EVENT:
            return YAMLEvent(.sequenceStart, at: mark, anchor: string(data.sequence_start.anchor), tag: string(data.sequence_start.tag))
        case YAML_MAPPING_START_EVENT:
            return YAMLEvent(.mappingStart, at: mark, anchor: string(data.mapping_start.anchor), tag: string(data.mapping_start.tag))
        case YAML_ALIAS_EVENT: return YAMLEvent(.alias, at: mark, anchor: string(data.alias.anchor))
        case YAML_SEQUENCE_END_EVENT: return YAMLEvent(.sequenceEnd, at: mark)
        case YAML_MAPPING_END_EVENT: return YAMLEvent(.mappingEnd, at: mark)
        case YAML_DOCUMENT_START_EVENT:
            let start = data.document_start
            let hasDirectives = start.version_directive != nil || start.tag_directives.start != start.tag_directives.end
            return YAMLEvent(.documentStart(hasDirectives: hasDirectives), at: mark)
        case YAML_DOCUMENT_END_EVENT: return YAMLEvent(.documentEnd, at: mark)
        case YAML_STREAM_START_EVENT: return YAMLEvent(.streamStart, at: mark)
        default: return YAMLEvent(.streamEnd, at: mark)
        }
    }

    private func problem() -> YAMLProblem {
        let parser = parser.pointee
        if parser.error == YAML_READER_ERROR {
            let consumed = bytes.prefix(Int(parser.problem_offset))
            let line = consumed.count { $0 == UInt8(ascii: "\n") }
            let start = consumed.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
            let column = String(decoding: consumed[start...], as: UTF8.self).unicodeScalars.count
            return YAMLProblem(context: "", problem: text(parser.problem), mark: Mark(line: line + 1, column: column + 1))
        }
        return YAMLProblem(context: text(parser.context), problem: text(parser.problem), mark: Mark(parser.problem_mark))
    }

    private func string(_ bytes: UnsafeMutablePointer<yaml_char_t>?) -> String? { bytes.map { String(cString: $0) } }
    private func text(_ characters: UnsafePointer<CChar>?) -> String { characters.map { String(cString: $0) } ?? "" }
}

extension Mark {
    fileprivate init(_ mark: yaml_mark_t) { self.init(line: Int(mark.line) + 1, column: Int(mark.column) + 1) }
}
