import Testing

@testable import ScenarioFormat

@Suite("A scenario with several mistakes")
struct ManyFaultsTests {
    private let text = """
        scenario: Many
        tagz: [a]
        clip: {source: synthetic, length: 10s}
        view: {size: 10}
        subjects:
          maya: {kind: fase, box: [0.4, 0.2, 0.16, 0.26], depth: 1.4m}
          ben: {kind: face, box: [0.4, 0.2, 0.16, 0.26], depth: 1.4}
        timeline:
          - 1s: {tap: maya, expekt: {focus: ben}}
          - 2s: {tap: mya, expect: {focus: bn, colour: red}}
          - 30s: {tap: ben}
          - 5s: {throws: {set: {zoom: 9}}}
        """

    @Test("is told all of them, from the top, and none that follows from another")
    func all() throws {
        let error = try #require(throws: ScenarioError.self) { try ScenarioFile.parse(text, path: "many.yaml") }
        let places = ([error] + error.others).map { "\($0.location?.line ?? 0)" }
        #expect(places == ["2", "4", "6", "7", "9", "10", "10", "11", "12"], "\(error)")
        #expect(error.message == "unknown key `tagz` in a scenario" && error.suggestion == "did you mean `tags`?")
        #expect(error.description.contains("throws needs `error` (the exception it raises: invalidArgument, generic, range)"))
        #expect(error.description.hasPrefix("many.yaml:2:1: unknown key `tagz` in a scenario\ntagz: [a]\n^ did you mean `tags`?\nmany.yaml:4:"))
    }

    @Test("is told those of the rest where name and clip are missing, or misspelt")
    func noClip() throws {
        let rest =
            "subjects: {maya: {kind: fase, box: [0.4, 0.2, 0.16, 0.26], depth: 1.4m}}\ntimeline:\n  - 1s: {tap: mya}\n  - end: {expect: {focuss: maya}}\n"
        let missing = try #require(throws: ScenarioError.self) { try ScenarioFile.parse(rest, path: "x.yaml") }
        let places = ([missing] + missing.others).map { "\($0.location?.line ?? 0)" }
        #expect(places == ["1", "1", "1", "3", "4"], "\(missing)")
        #expect(missing.description.contains("a scenario needs its name") && missing.description.contains("a scenario needs `clip`"))

        let misspelt = try #require(throws: ScenarioError.self) {
            try ScenarioFile.parse("scenario: x\nclib: {source: synthetic, length: 1s}\n" + rest, path: "x.yaml")
        }
        #expect(misspelt.message.hasPrefix("unknown key `clib`") && misspelt.others.count == 3, "\(misspelt)")
    }
}
