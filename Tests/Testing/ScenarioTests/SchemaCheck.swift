import Foundation

@testable import Scenario

/// A small validator: the words of JSON Schema that the format's schema uses, on the tree of a file as an editor's YAML 1.2 sees it.
struct SchemaCheck {
    let root: [String: Any]

    static let hasPython: Bool = {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "-c", "import jsonschema; jsonschema.Draft202012Validator"]
        process.standardError = FileHandle.nullDevice
        do { try process.run() } catch { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    struct NoSchema: Error {}

    init(_ json: String) throws {
        guard let root = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any] else { throw NoSchema() }
        self.root = root
    }

    /// What does not fit, with its path; empty when all does.
    func objections(to node: Node) -> [String] { check(node, against: root, at: "") }

    private func check(_ node: Node, against schema: [String: Any], at path: String) -> [String] {
        var found: [String] = []
        for (word, value) in schema {
            switch (word, node.content) {
            case ("$ref", _):
                let name = (value as? String ?? "").replacing("#/$defs/", with: "")
                guard let definition = (root["$defs"] as? [String: Any])?[name] as? [String: Any] else { return ["no definition of \(name)"] }
                found += check(node, against: definition, at: path)
            case ("anyOf", _):
                let tries = (value as? [[String: Any]] ?? []).map { check(node, against: $0, at: path) }
                if tries.allSatisfy({ !$0.isEmpty }) { found.append("\(path): fits none of \(tries.count)") }
            case ("type", _):
                let types = value as? [String] ?? [value as? String ?? ""]
                if !types.contains(where: { Self.types(of: node).contains($0) }) { found.append("\(path): is no \(types)") }
            case ("enum", .scalar(let text, _)):
                let isKnown = (value as? [Any] ?? []).contains { "\($0)" == text || Self.isTruth($0, text) }
                if !isKnown { found.append("\(path): `\(text)` is not in the list") }
            case ("enum", _): found.append("\(path): is no word")
            case ("pattern", .scalar(let text, _)): if !Self.matches(text, value) { found.append("\(path): `\(text)` does not match \(value)") }
            case ("minimum", .scalar(let text, _)):
                if let number = Double(text), number < value as? Double ?? 0 { found.append("\(path): too small") }
            case ("maximum", .scalar(let text, _)):
                if let number = Double(text), number > value as? Double ?? 0 { found.append("\(path): too large") }
            case ("items", .sequence(let items)):
                for (index, item) in items.enumerated() { found += check(item, against: value as? [String: Any] ?? [:], at: "\(path)[\(index)]") }
            case ("minItems", .sequence(let items)): if items.count < value as? Int ?? 0 { found.append("\(path): too few") }
            case ("maxItems", .sequence(let items)): if items.count > value as? Int ?? 0 { found.append("\(path): too many") }
            case (_, .mapping(let entries)): found += check(entries, word, value, schema, at: path)
            default: break
            }
        }
        return found
    }

    private func check(_ entries: [Node.Entry], _ word: String, _ value: Any, _ schema: [String: Any], at path: String) -> [String] {
        let properties = schema["properties"] as? [String: Any] ?? [:]
        switch word {
        case "minProperties": return entries.count < value as? Int ?? 0 ? ["\(path): has too few keys"] : []
        case "maxProperties": return entries.count > value as? Int ?? 0 ? ["\(path): has too many keys"] : []
        case "propertyNames": return entries.flatMap { check($0.key, against: value as? [String: Any] ?? [:], at: "\(path).\($0.key.raw)") }
        case "properties":
            return entries.flatMap { entry in
                (properties[entry.key.raw] as? [String: Any]).map { check(entry.value, against: $0, at: "\(path).\(entry.key.raw)") } ?? []
            }
        case "additionalProperties":
            let others = entries.filter { properties[$0.key.raw] == nil }
            guard let more = value as? [String: Any] else { return others.map { "\(path): there is no \($0.key.raw)" } }
            return others.flatMap { check($0.value, against: more, at: "\(path).\($0.key.raw)") }
        default: return []
        }
    }

    private static func isTruth(_ value: Any, _ text: String) -> Bool {
        (value as? Bool).map { "\($0)" == text } ?? false
    }

    private static func matches(_ text: String, _ pattern: Any) -> Bool {
        guard let pattern = pattern as? String else { return false }
        return text.range(of: pattern, options: .regularExpression) != nil
    }

    /// By the core schema of YAML 1.2.
    private static func types(of node: Node) -> [String] {
        switch node.content {
        case .mapping: return ["object"]
        case .sequence: return ["array"]
        case .scalar(let text, let isPlain):
            guard isPlain else { return ["string"] }
            if text == "true" || text == "false" { return ["boolean"] }
            if Int(text) != nil { return ["integer", "number"] }
            return Double(text) != nil ? ["number"] : ["string"]
        }
    }
}
