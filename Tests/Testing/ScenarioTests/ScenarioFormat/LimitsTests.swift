import Foundation
import TestSupport
import Testing

@testable import RunReport
@testable import ScenarioFormat
@testable import ScenarioResults

@Suite("Numbers of a scenario and their limits")
struct LimitsTests {
    private func text(_ timeline: String, _ sections: String = "") -> String {
        """
        scenario: L
        clip: {source: synthetic, size: 160x90, length: 2s}
        subjects: {maya: {kind: face, box: [0.3, 0.3, 0.1, 0.2], depth: 1m}}
        \(sections)
        timeline:
          - 1s: {mark: here}
          - \(timeline)
        """
    }

    @Test(
        "times that no scenario has are refused in words",
        arguments: [
            "end: {never: {focus: none, until: end}}", "end: {never: {focus: none, since: end}}", "end: {expect: {focus: none, within: 1s}}",
            "here+86399s: {tap: maya}", "86399s: {mark: far}", "1s: {hold: {focus: none, until: here}}",
        ])
    func times(event: String) {
        #expect(throws: ScenarioError.self) { try ScenarioFile.parse(text(event), path: "l.yaml") }
    }

    @Test(
        "any time has its words",
        arguments: [(Int64.max, "9223372036.855 s"), (.min, "-9223372036.855 s"), (-1, "0.000 s"), (1_499_999, "0.001 s")])
    func words(time: Int64, words: String) { #expect(TimelineClock.seconds(time) == words) }

    @Test(
        "light, distances, angles and plain numbers have limits",
        arguments: [
            "light: 100000000000000000lx", "light: 1000001lx", "tuning: {hysteresis: 99999999999999999999}",
            "tuning: {rackPerDisparity: 0.0000000001}", "environment: {wallDepth: 99999999999m}", "device: {focalLength: 0.0001mm}",
        ])
    func limits(section: String) {
        let error = #expect(throws: ScenarioError.self) { try ScenarioFile.parse(text("1s: {tap: maya}", section), path: "l.yaml") }
        #expect(error?.message.contains("lies between") == true || error?.message.contains("at least") == true, "\(error?.message ?? "")")
    }

    @Test("a trace of any numbers is compared or refused")
    func traces() throws {
        let least = "{\"t\":-9223372036854775808,\"focus\":-9223372036854775808,\"rack\":false}\n"
        let most = "{\"t\":9223372036854775807,\"focus\":9223372036854775807,\"rack\":false}\n"
        #expect(try TraceComparison(least, named: "a", with: most, named: "b").text.contains("1/m apart"))
        let windows = least.replacing("\n", with: "\r\n") + most
        #expect(try TraceComparison(windows, named: "a", with: least + most, named: "b").text.hasSuffix("focus is the same"))
        #expect(throws: TraceComparison.BadTrace.self) { try TraceComparison(most + least, named: "a", with: most, named: "b") }
    }

    @Test("20,000 equal values of a matrix each have a directory, in little time")
    func slugs() throws {
        let scratch = try Scratch()
        let values = Array(repeating: "10lx", count: 20_000).joined(separator: ", ")
        let text = "scenario: M\nmatrix: {lux: [\(values)]}\nclip: {source: synthetic, size: 160x90, length: 1s}\nlight: \"${lux}\"\n"
        let items = try TestPlan(paths: [scratch.write(text, to: "matrix.yaml")]).items
        #expect(Set(items.map(\.slug)).count == 20_000)
        #expect(items[1].slug.hasSuffix("~2") && items[19_999].slug.hasSuffix("~20000"))
    }

    @Test("more subjects than a crowd are refused")
    func crowd() {
        let many = (0...1000).map { "  s\($0): {kind: face, box: [0.3, 0.3, 0.1, 0.2], depth: 1m}" }.joined(separator: "\n")
        let text = "scenario: C\nclip: {source: synthetic, size: 160x90, length: 1s}\nsubjects:\n\(many)\n"
        let error = #expect(throws: ScenarioError.self) { try ScenarioFile.parse(text, path: "c.yaml") }
        #expect(error?.message == "1001 subjects are too many; 1000 are the most")
    }
}
