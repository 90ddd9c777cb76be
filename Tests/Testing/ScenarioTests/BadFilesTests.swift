import Foundation
import Testing

@testable import Scenario

@Suite("Bad scenario files")
struct BadFilesTests {
    /// Every file of `Bad/` starts with the error it must give, behind `#| `.
    static let files: [URL] = {
        let folder = Bundle.module.resourceURL?.appendingPathComponent("Bad")
        let found = folder.flatMap { FileManager.default.enumerator(at: $0, includingPropertiesForKeys: nil) }?.compactMap { $0 as? URL }
        return (found ?? []).sorted { $0.lastPathComponent < $1.lastPathComponent }
    }()

    @Test("the corpus is there")
    func corpus() {
        #expect(Self.files.count >= 90)
    }

    @Test("each gives its one exact message", arguments: files)
    func message(file: URL) throws {
        let text = try String(contentsOf: file, encoding: .utf8)
        let expected = text.split(separator: "\n", omittingEmptySubsequences: false).filter { $0.hasPrefix("#| ") }.map { $0.dropFirst(3) }
        let error = try #require(throws: ScenarioError.self) { try ScenarioFile.parseAll(text, path: file.lastPathComponent) }
        #expect(error.description == expected.joined(separator: "\n"))
    }

    @Test("a file that is not there is named")
    func missing() {
        let error = #expect(throws: ScenarioError.self) { try ScenarioFile.load(path: "/no/such.yaml") }
        #expect(error?.description == "/no/such.yaml: there is no such file")
    }
}
