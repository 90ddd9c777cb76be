import CoreMedia
import Focus
import Foundation
import Pipeline
import Testing

@testable import ScenarioFormat

@Suite("List of edits")
struct EditListTests {
    static let text = """
        movie: take.mov
        digest: 9f2c
        edits:
          - 2s: {focus: maya}
          - 48f: {focus: {on: {at: [0.4, 0.5]}, mode: weak, found: {track: [[48, 0.3, 0.4, 0.2, 0.25, 0.5], [49, 0.31, 0.4, 0.2, 0.25, none]]}}}
          - 00:00:03:12: {focus: 2.3m}
          - 3s: {focus: {on: face 2, mode: fixed}}
          - 2s: {move: 2.5s}
          - 2s: {remove: focus}
          - 5s: {aperture: {to: f/1.4, over: 2s, ease: linear}}
          - 0s: {aperture: f/2}
          - automatic
          - reset
        """

    @Test("is written as it is read")
    func roundTrip() throws {
        let list = try EditList.parse(Self.text, path: "take.yaml")
        #expect(list.text.split(separator: "\n").dropFirst().joined(separator: "\n") == Self.text)
        #expect(list.movie == "take.mov" && list.items.count == 10)
        #expect(list.items[0].edit == .focus(.init(.subject("maya")), at: .time(.init(value: 2, timescale: 1))))
        #expect(list.items[1].summary == "48f: {focus: {on: {at: [0.4, 0.5]}, mode: weak}}")
    }

    @Test("keeps names that YAML would take for something else", arguments: ["Ann \"the fox\"", "2", "a: b", "tab\there", "Zoë"])
    func names(name: String) throws {
        var list = EditList()
        list.items = [try EditList.item("2s: {focus: maya}")]
        list.items[0].edit = .focus(.init(.subject(name)), at: .frame(3))
        let again = try EditList.parse(list.text, path: "take.yaml")
        #expect(again.items.map(\.edit) == list.items.map(\.edit))
    }

    @Test(
        "says what is wrong with an edit, and where",
        arguments: [
            ("2s: {focsu: maya}", "unknown verb `focsu`\n2s: {focsu: maya}\n     ^ did you mean `focus`?"),
            ("soon: {focus: maya}", "a time is seconds (2.5s), a frame (60f) or a timecode, not `soon`"),
            ("2s: {focus: {on: {at: [0.4, 50]}}}", "a place lies in the picture"), ("2s: {focus: {on: 2m, mode: weak}}", "nothing is followed"),
            ("2s: {aperture: {to: f/2, over: 1f}}", "^ write seconds"), ("2s: {aperture: 2}", "did you mean `f/2`?"),
            ("2s: {remove: aperture}", "something to remove"),
            ("2s: {focus: maya, move: 3s}", "one thing"),
            ("reste", "did you mean `reset`?"), ("2s: {focus: {on: maya, found: {object: 2}}}", "`found` goes with a place"),
            ("2s: {focus: {on: {at: [0, 0]}, found: {track: [[5, 0, 0, 1, 1, 1], [5, 0, 0, 1, 1, 1]]}}}", "a frame lies between 6"),
        ])
    func faults(text: String, message: String) throws {
        let error = #expect(throws: ScenarioError.self) { try EditList.item(text) }
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
    }
}
