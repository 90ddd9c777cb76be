import Foundation
import Stage
import Testing

@testable import Scenario

/// The format's own example, which lies beside a checkout and not in it.
private let example = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("shared/reference/example-scenario.yaml")
private let isThere = FileManager.default.fileExists(atPath: example.path)

@Suite("The reference's example")
struct ReferenceTests {
    @Test("is refused at its first section that is not read yet", .enabled(if: isThere, "needs ../shared/reference/example-scenario.yaml"))
    func refused() throws {
        let error = #expect(throws: ScenarioError.self) { try ScenarioFile.load(path: example.path) }
        #expect(error?.message == "the key `session` is unknown to this version, though the format has it")
        #expect(error?.sourceLine.hasPrefix("session:") == true)
    }

    @Test("reads once what is not read yet is left out", .enabled(if: isThere, "needs ../shared/reference/example-scenario.yaml"))
    func reads() throws {
        let later = ["session:", "record:", "throws:", "never:", "hold:", "goldens:", "  trace:", "  frames:"]
        let lines = try String(contentsOf: example, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
        let text = lines.filter { line in !later.contains { line.contains($0) } }.joined(separator: "\n")
        let scenario = try ScenarioFile.parse(text.replacing(", droppedFrames: 0", with: ""), path: "example.yaml")
        #expect(scenario.subjects.map(\.name) == ["maya", "cat", "mug"])
        #expect(scenario.clip.frameCount == 480)
        #expect(scenario.timeline.count == 22)
        #expect(try scenario.world().subjects[1].presence == [3_000_000_000..<Int64.max])
    }
}
