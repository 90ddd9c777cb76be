import Foundation
import TestSupport
import Testing

@testable import Scenario

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
        for table in [Format.verbs, Format.fault, Format.point, Format.expect, Format.set, Format.api, Format.touchStep] {
            #expect(table.names.filter { !used.contains($0) } == [], "\(table.name)")
        }
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
