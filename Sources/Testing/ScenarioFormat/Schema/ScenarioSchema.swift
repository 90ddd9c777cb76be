/// The scenario format as a JSON Schema (draft 2020-12), for editors that complete and check it. It is made from the tables that the reader
/// itself goes by; what it cannot say, like the order of times, only the reader refuses.
public enum ScenarioSchema {
    /// The schema, one JSON document.
    public static var json: String {
        var definitions = Definitions()
        let root = definitions.reference(to: Format.file)
        let document = JSONValue.object([
            ("$schema", .string("https://json-schema.org/draft/2020-12/schema")), ("title", .string("rackfocus scenario, format 1")),
            ("$ref", root), ("$defs", .object(definitions.all.map { ($0.name, $0.value) } + [("filledIn", filledIn)])),
        ])
        return document.text() + "\n"
    }

    /// `${name}`, which a matrix fills in.
    private static let filledIn = JSONValue.object([("type", .string("string")), ("pattern", .string("\\$\\{"))])

    /// The tables met so far, in the order of their names' first mention.
    struct Definitions {
        private(set) var all: [(name: String, value: JSONValue)] = []

        mutating func reference(to table: FormatTable) -> JSONValue {
            if !all.contains(where: { $0.name == table.name }) {
                let place = all.count
                all.append((table.name, .object([])))
                all[place].value = definition(of: table)
            }
            return .string("#/$defs/\(table.name)")
        }

        private mutating func definition(of table: FormatTable) -> JSONValue {
            var properties: [(String, JSONValue)] = []
            for key in table.keys {
                guard case .object(let members) = schema(of: key.shape) else { continue }
                properties.append((key.name, .object([("description", .string(key.about))] + members)))
            }
            return .object([
                ("type", .string("object")), ("minProperties", .integer(1)), ("additionalProperties", .bool(false)),
                ("properties", .object(properties)),
            ])
        }

        private mutating func schema(of shape: FormatShape) -> JSONValue {
            switch shape {
            case .text: return .object([("type", .array(["string", "number", "boolean"].map(JSONValue.string)))])
            case .words(let words): return scalar([.object([("enum", .array(words.flatMap(Self.spellings)))])])
            case .bool: return scalar([.object([("type", .string("boolean"))])])
            case .number: return scalar([.object([("type", .string("number"))])])
            case .integer(let range):
                let most: [(String, JSONValue)] = range.upperBound == .max ? [] : [("maximum", .integer(range.upperBound))]
                return scalar([.object([("type", .string("integer")), ("minimum", .integer(range.lowerBound))] + most)])
            case .pattern(let pattern): return scalar([.object([("type", .string("string")), ("pattern", .string("^(\(pattern))$"))])])
            case .numbers(let count):
                return .object([
                    ("type", .string("array")), ("items", schema(of: .number)), ("minItems", .integer(count)), ("maxItems", .integer(count)),
                ])
            case .list(let item): return .object([("type", .string("array")), ("items", schema(of: item))])
            case .table(let table): return .object([("$ref", reference(to: table))])
            case .named(let names, let value), .single(let names, let value):
                let isSingle = if case .single = shape { true } else { false }
                let least: [(String, JSONValue)] = [("minProperties", .integer(1))] + (isSingle ? [("maxProperties", .integer(1))] : [])
                return .object(
                    [
                        ("type", .string("object")), ("propertyNames", .object([("pattern", .string("^(\(names)|.*\\$\\{.*)$"))])),
                        ("additionalProperties", schema(of: value)),
                    ] + least)
            case .either(let shapes): return .object([("anyOf", .array(shapes.map { schema(of: $0) }))])
            }
        }

        private func scalar(_ shapes: [JSONValue]) -> JSONValue {
            .object([("anyOf", .array(shapes + [.object([("$ref", .string("#/$defs/filledIn"))])]))])
        }

        /// YAML reads some words as other things than text.
        private static func spellings(_ word: String) -> [JSONValue] {
            switch word {
            case "true", "false": [.bool(word == "true"), .string(word)]
            case "1": [.integer(1), .string(word)]
            default: [.string(word)]
            }
        }
    }
}
