import Foundation
import TestSupport
import Testing

@testable import ScenarioFormat

@Suite("What the scenarios cover")
struct ScenarioTableTests {
    @Test("every scenario named in the table is there, and every scenario is named")
    func table() throws {
        let text = try String(contentsOfFile: "\(Checkout.scenarios)/README.md", encoding: .utf8)
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("| ") }
        let named = rows.flatMap { $0.matches(of: /`([a-z0-9-]+)`/).map { String($0.1) } }
        let there = Checkout.scenarioFiles.map { String($0.dropLast(5)) }
        #expect(Set(named).subtracting(there).sorted() == [], "named and not there")
        #expect(Set(there).subtracting(named).sorted() == [], "there and not named")
    }

    @Test("every verb, fault, place and field of an expectation is in use")
    func verbs() throws {
        var used: Set<String> = []
        for file in Checkout.scenarioFiles where file != "demo.yaml" {
            let text = try String(contentsOfFile: "\(Checkout.scenarios)/\(file)", encoding: .utf8)
            try collect(Node.parse(text, file: file), into: &used)
        }
        let tables = [Verbs.table, FaultVerb.table, Format.point, ExpectVerb.table, SetVerb.table, APICall.table, TouchVerb.table]
        for table in tables {
            #expect(table.names.filter { !used.contains($0) } == [], "\(table.name)")
        }
    }

    @Test("the page has each verb, in the words of the schema")
    func page() throws {
        let text = try String(contentsOfFile: "\(Checkout.scenarios)/README.md", encoding: .utf8)
        let lines = text.split(separator: "\n").filter { $0.hasPrefix("- `") }.map(String.init)
        #expect(lines == Verbs.all.map { "- `\($0.name)`: \($0.about)" })
        #expect(Set(Verbs.table.names).count == Verbs.all.count, "a key means one verb")
    }

    private func collect(_ node: Node, into keys: inout Set<String>) throws {
        switch node.content {
        case .scalar: break
        case .sequence(let items): for item in items { try collect(item, into: &keys) }
        case .mapping(let entries):
            for entry in entries {
                keys.insert(entry.key.raw)
                try collect(entry.value, into: &keys)
            }
        }
    }
}
