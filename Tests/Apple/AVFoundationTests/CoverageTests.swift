import Foundation
import TestSupport
import Testing

/// Reads the page of what is there, and what the sources declare in public.
@Suite("The coverage page")
struct CoverageTests {
    private static let sources = Checkout.root.appending(path: "Sources/Apple")

    private struct Row {
        let status: String
        /// With their types.
        let symbols: [String]
        let remark: String
    }

    private static func rows() throws -> [Row] {
        var type: String?
        var rows: [Row] = []
        let page = try String(contentsOf: sources.appendingPathComponent("AVFoundation/Coverage.md"), encoding: .utf8)
        for line in page.split(separator: "\n") {
            if line.hasPrefix("#") { type = line.split(separator: "`").dropFirst().first.map(String.init) }
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 5, ["done", "partial", "absent"].contains(cells[1]) else { continue }
            let names = cells[2].split(separator: "`").map(String.init).filter { !$0.allSatisfy(\.isWhitespace) }
            let symbols = names.map { name in
                let isWhole = name.contains(".") || name.hasPrefix("AV") || name.hasPrefix("NS") || name == "DispatchSerialQueue"
                return isWhole ? name : type.map { "\($0).\(name)" } ?? name
            }
            rows.append(Row(status: cells[1], symbols: symbols, remark: cells[3]))
        }
        return rows
    }

    private static let modifiers: Set<Substring> = [
        "public", "open", "package", "private", "fileprivate", "static", "class", "final", "override", "convenience", "required", "nonisolated",
        "indirect", "mutating", "weak",
    ]
    private static let types: Set<Substring> = ["class", "struct", "enum", "protocol", "extension"]
    private static let members: Set<Substring> = ["func", "var", "let", "case", "init", "typealias", "subscript"]

    /// Declaration of a line: its indent in steps of four, its modifiers, its kind and its name.
    private static func declaration(in line: Substring) -> (indent: Int, modifiers: [Substring], kind: Substring, name: String)? {
        let text = line.drop { $0 == " " }
        let words = text.split(separator: " ", maxSplits: 8)
        // `class func` and `class var` have a modifier where others have a kind.
        let start = words.indices.first { index in
            let next = words.indices.contains(index + 1) ? words[index + 1] : ""
            let isModifier = modifiers.contains(words[index]) && !(words[index] == "class" && !members.contains(next) && !modifiers.contains(next))
            return !isModifier && !words[index].hasPrefix("@")
        }
        guard let start else { return nil }
        let kind = words[start].prefix { $0.isLetter }
        guard types.contains(kind) || members.contains(kind) else { return nil }
        if kind == "init" || kind == "subscript" { return (indent(of: line), Array(words[..<start]), kind, String(kind)) }
        guard words.indices.contains(start + 1) else { return nil }
        let name = words[start + 1].filter { $0 != "`" }.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
        return (indent(of: line), Array(words[..<start]), kind, String(name))
    }

    private static func indent(of line: Substring) -> Int { line.prefix { $0 == " " }.count / 4 }

    /// `Type.member` and top-level names; the sources are indented by four.
    private static func declared() throws -> Set<String> {
        var found: Set<String> = []
        let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
        for case let file as URL in files! where file.pathExtension == "swift" {
            var scopes: [(indent: Int, name: String, kind: Substring)] = []
            for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                guard let (indent, modifiers, kind, name) = declaration(in: line) else { continue }
                scopes.removeAll { $0.indent >= indent }
                guard scopes.count == indent else { continue }
                let isPublic =
                    modifiers.contains("public") || modifiers.contains("open") || scopes.last?.kind == "protocol"
                    || (kind == "case" && scopes.last?.kind == "enum")
                if isPublic { found.insert((scopes.map(\.name) + [name]).joined(separator: ".")) }
                if types.contains(kind) { scopes.append((indent, name, kind)) }
            }
        }
        return found
    }

    @Test("names as done or partial what is declared, and as absent what is not")
    func truth() throws {
        let (rows, declared) = (try Self.rows(), try Self.declared())
        #expect(rows.count > 50 && declared.count > 400)
        for row in rows {
            for symbol in row.symbols {
                #expect(declared.contains(symbol) == (row.status != "absent"), "\(symbol) is \(row.status)")
            }
        }
    }

    @Test("says why of everything that is not done, and names nothing twice")
    func reasons() throws {
        let rows = try Self.rows()
        for row in rows where row.status != "done" { #expect(!row.remark.isEmpty, "\(row.symbols)") }
        let twice = Dictionary(grouping: rows.flatMap(\.symbols), by: { $0 }).filter { $0.value.count > 1 }.keys
        #expect(twice.isEmpty)
    }
}
