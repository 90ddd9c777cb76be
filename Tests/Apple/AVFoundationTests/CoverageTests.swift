import Foundation
import TestSupport
import Testing

/// Reads the pages of what is there, and what the sources declare in public.
@Suite("A coverage page")
struct CoverageTests {
    private static let sources = Checkout.root.appending(path: "Sources/Apple")

    /// Page of a module of its own, and the folders beside the module's that declare symbols of it.
    struct Page: Sendable, CustomTestStringConvertible {
        let module: String
        var folders: [String] = []
        var testDescription: String { module }
    }

    /// Every module with a page but AVFoundation, whose page is held more strictly.
    private static let neighbours: [Page] = {
        let elsewhere = [
            "OSLog": ["os"], "AVFAudio": ["AVFCapture/Sound"], "CoreFoundation": ["CoreVideo"], "ImageIO": ["CoreVideo/Image"],
            "AudioToolbox": ["CoreMedia"],
        ]
        let modules = (try? FileManager.default.contentsOfDirectory(atPath: sources.path)) ?? []
        return modules.sorted().filter { module in
            module != "AVFoundation" && FileManager.default.fileExists(atPath: sources.appending(path: "\(module)/Coverage.md").path)
        }.map { Page(module: $0, folders: elsewhere[$0] ?? []) }
    }()

    private struct Row {
        let status: String
        /// With their types.
        let symbols: [String]
        let remark: String
    }

    /// Rows of AVFoundation's page, whose members bear the type of the heading.
    private static func rows(of module: String = "AVFoundation") throws -> [Row] {
        var type: String?
        var rows: [Row] = []
        let page = try String(contentsOf: sources.appending(path: "\(module)/Coverage.md"), encoding: .utf8)
        for line in page.split(separator: "\n") {
            if line.hasPrefix("#") { type = line.split(separator: "`").dropFirst().first.map(String.init) }
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 5, ["done", "partial", "absent"].contains(cells[1]) else { continue }
            let names = cells[2].split(separator: "`").map(String.init).filter { !$0.allSatisfy(\.isWhitespace) }
            let symbols = names.map { name in
                let isWhole =
                    type == nil || name.contains(".") || ["AV", "CI", "NS"].contains { name.hasPrefix($0) } || name == "DispatchSerialQueue"
                return isWhole ? name : type.map { "\($0).\(name)" } ?? name
            }
            rows.append(Row(status: cells[1], symbols: symbols, remark: cells[3]))
        }
        return rows
    }

    private static let modifiers: Set<Substring> = [
        "public", "open", "package", "private", "fileprivate", "static", "class", "final", "override", "convenience", "required", "nonisolated",
        "nonisolated(unsafe)", "internal(set)",
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
        // Members of a role that nothing of is for clients are those of the class that has it.
        let isOfRole = kind == "extension" && words[start + 1].hasPrefix("_") && words.contains("Self:")
        let word = isOfRole ? words[words.firstIndex(of: "Self:")! + 1] : words[start + 1]
        let name = word.filter { $0 != "`" }.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
        return (indent(of: line), Array(words[..<start]), kind, String(name))
    }

    private static func indent(of line: Substring) -> Int { line.prefix { $0 == " " }.count / 4 }

    /// `Type.member` and top-level names, functions also with their first label; the sources are indented by four.
    private static func declared(in folder: String = "") throws -> Set<String> {
        var found: Set<String> = []
        let files = FileManager.default.enumerator(at: sources.appending(path: folder), includingPropertiesForKeys: nil)
        for case let file as URL in files! where file.pathExtension == "swift" {
            var scopes: [(indent: Int, name: String, kind: Substring)] = []
            let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            for (number, line) in lines.enumerated() {
                guard let (indent, modifiers, kind, name) = declaration(in: line) else { continue }
                scopes.removeAll { $0.indent >= indent }
                guard scopes.count == indent else { continue }
                let isPublic =
                    modifiers.contains("public") || modifiers.contains("open") || scopes.last?.kind == "protocol"
                    || (kind == "case" && scopes.last?.kind == "enum")
                let full = (scopes.map(\.name) + [name]).joined(separator: ".")
                if isPublic { found.insert(full) }
                if isPublic, kind == "func" || kind == "init", let label = firstLabel(in: lines[number...].prefix(2)) {
                    found.insert("\(full)(\(label)")
                }
                if types.contains(kind) { scopes.append((indent, name, kind)) }
            }
        }
        return found
    }

    /// First label of a function that begins in the first of these lines; nil without parameters.
    private static func firstLabel(in lines: some Sequence<Substring>) -> String? {
        let text = lines.map { $0.trimmingCharacters(in: .whitespaces) }.joined()
        guard let open = text.firstIndex(of: "(") else { return nil }
        let label = text[text.index(after: open)...].prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        return label.isEmpty ? nil : String(label)
    }

    @Test("of a neighbour names as done or partial what its module declares, as absent what it does not, and why", arguments: neighbours)
    func truthOfNeighbours(_ page: Page) throws {
        let rows = try Self.rows(of: page.module)
        let declared = try ([page.module] + page.folders).map { try Self.declared(in: $0) }.reduce(Set()) { $0.union($1) }
        #expect(!rows.isEmpty)
        for row in rows {
            if row.status != "done" { #expect(!row.remark.isEmpty, "\(row.symbols)") }
            for symbol in row.symbols {
                // `receive(on:)` by its name and first label.
                let name = symbol.split(separator: ":").first.map(String.init) ?? symbol
                let isThere = declared.contains { $0 == name || $0.hasSuffix(".\(name)") }
                #expect(isThere == (row.status != "absent"), "\(symbol) is \(row.status)")
            }
        }
        let twice = Dictionary(grouping: rows.flatMap(\.symbols), by: { $0 }).filter { $0.value.count > 1 }.keys
        #expect(twice.isEmpty)
    }

    @Test("of every product's module is there")
    func pages() {
        let modules = Set(Self.neighbours.map(\.module))
        #expect(
            modules.isSuperset(of: [
                "Combine", "OSLog", "Photos", "UniformTypeIdentifiers", "QuartzCore", "simd", "AVFAudio", "ImageIO", "UIKit", "CoreLocation",
                "CoreMotion", "MobileCoreServices", "Accelerate", "AudioToolbox", "Cinematic", "CoreFoundation", "CoreImage", "Metal", "SwiftUI",
                "VideoToolbox",
            ]))
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
