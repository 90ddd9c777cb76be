import Foundation
import FuzzSupport
import Media
import Pipeline
import ScenarioFormat
import Support
import TestSupport
import Testing

@testable import RackfocusKit

@Suite("Cinematic movies and lists of edits, changed by chance") struct EditFuzzTests {
    @Test("movies are inspected, edited and recovered, or refused")
    func movies() throws {
        let scratch = try Scratch()
        let take = try CinematicTake(in: scratch)
        try EmbeddedEdits.write("edits:\n  - 1s: {aperture: f/4}\n", to: take.path)
        let phone = try PhoneMovie(in: scratch)
        let mutator = BoxMutator(try [take.path, phone.path].map { try Data(contentsOf: URL(fileURLWithPath: $0)) })
        let file = try KeptInput(scratch.url.appending(path: "odd.mov"))
        try FuzzRun("cinematic-edit", count: 40)({ mutator(&$0) }) { input, seed in
            try file.write(input)
            do {
                _ = MovieDisparity(of: file.path)
                let edited = try EditedMovie(file.path)
                try Self.show(edited)
                _ = try ContactSheet(edited)
            } catch is MediaError {} catch is ScenarioError {} catch is InputError {}
            do { _ = try MovieRecovery.recover(file.path, to: scratch("whole.mov"), replacingExisting: true) } catch is MediaError {}
        }
    }

    @Test("lists are read and applied, or refused with their place")
    func lists() throws {
        let scratch = try Scratch()
        let movie = try CinematicTake(in: scratch).path
        let lists = [
            """
            movie: take.mov
            edits:
              - 1s: {focus: maya}
              - 00:00:00:10: {focus: {on: tom, mode: weak}}
              - 30f: {focus: {on: {at: [0.4, 0.5]}, mode: strong, found: {track: [[30, 0.1, 0.1, 0.2, 0.2, 0.5], [31, 0.1, 0.1, 0.2, 0.2, none]]}}}
              - 0.5s: {focus: 2.3m}
            """,
            """
            edits:
              - 0.4s: {move: 0.6s}
              - 0.6s: {remove: focus}
              - 0s: {aperture: {to: f/1.4, over: 1s, ease: inOut}}
              - automatic
              - reset
              - 5f: {focus: {on: {at: [0.7, 0.4]}, mode: fixed, found: {disparity: 0.25}}}
            """,
        ]
        let mutator = TextMutator(lists)
        let file = try KeptInput(scratch.url.appending(path: "odd.yaml"))
        try FuzzRun("edit-list", count: 300)({ mutator(&$0) }) { input, seed in
            try file.write(input)
            do {
                let edited = try EditedMovie(movie, .file(file.path))
                try Self.show(edited)
                let again = try EditList.parse(edited.edits.text, path: "again.yaml")
                #expect(again.items.map(\.edit) == edited.edits.items.map(\.edit) || again.items.count == edited.edits.items.count, "seed \(seed)")
            } catch is MediaError {} catch is ScenarioError {} catch is InputError {}
        }
    }

    /// Makes all that `inspect` prints and draws.
    private static func show(_ edited: EditedMovie) throws {
        let report = try CinematicReport(edited)
        _ = (report.text, try report.json, edited.focusPlot)
    }
}
