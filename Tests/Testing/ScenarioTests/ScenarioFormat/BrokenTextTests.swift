import Foundation
import Testing

@testable import ScenarioFormat

@Suite("Broken text")
struct BrokenTextTests {
    /// Every way of cutting the text is read or refused at a place that exists.
    @Test("a file cut off anywhere is refused in words, or read")
    func truncated() {
        let bytes = Array(everything.utf8)
        for end in stride(from: 0, to: bytes.count, by: 5) { check(String(decoding: bytes[..<end], as: UTF8.self)) }
    }

    @Test("a file with one character lost or replaced is refused in words, or read", arguments: ["", "{", "9", ":", "-"])
    func damaged(by replacement: String) {
        let characters = Array(everything)
        for index in stride(from: 1, to: characters.count, by: 11) {
            check(String(characters[..<index]) + replacement + String(characters[(index + 1)...]))
        }
    }

    @Test("an error in a file with carriage returns shows its line")
    func carriageReturns() {
        let error = #expect(throws: ScenarioError.self) { try ScenarioFile.parse("# Windows\r\nscenario: A\r\nlihgt: 5lx\r\n", path: "w.yaml") }
        #expect(error?.location?.line == 3 && error?.sourceLine == "lihgt: 5lx")
    }

    private func check(_ text: String) {
        do throws(ScenarioError) { _ = try ScenarioFile.parse(text, path: "broken.yaml") } catch {
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            guard let location = error.location else {
                Issue.record("no place: \(error)")
                return
            }
            #expect((1...max(lines.count, 1)).contains(location.line) && location.column >= 1 && !error.message.isEmpty, "\(error)")
            #expect(!error.message.contains("not readable as YAML"), "an untranslated message of libyaml: \(error)")
        }
    }
}
