import Cinematic
import Foundation
import Media
import Pipeline
import TestSupport
import Testing

@testable import RackfocusKit

@Suite("Edits in the movie's own file")
struct EmbeddedEditsTests {
    @Test("lie behind its media, are applied, and change nothing that was recorded")
    func embed() throws {
        let scratch = try Scratch()
        let take = try CinematicTake(in: scratch)
        let recorded = try Data(contentsOf: URL(fileURLWithPath: take.path))
        #expect(try ToolRun(["edit", take.path, "30f: {focus: maya}"]).exitCode == 0)
        #expect(try scratch.names.contains("take.mov.edits.yaml"))
        let run = try ToolRun(["edit", take.path, "0s: {aperture: f/1.4}", "--embed"])
        #expect(run.exitCode == 0, "\(run.errors)")
        #expect(try !scratch.names.contains("take.mov.edits.yaml"))
        let file = try Data(contentsOf: URL(fileURLWithPath: take.path))
        #expect(file.prefix(recorded.count) == recorded && file.count > recorded.count)
        let inspected = try ToolRun(["inspect", take.path])
        #expect(inspected.output.contains("1  30f: {focus: maya}\n  2  0s: {aperture: f/1.4}") && inspected.output.contains("f/1.4 at"))
        #expect(try ToolRun(["inspect", take.path, "--as-recorded"]).output.contains("f/2 at"))
        let export = try ToolRun(["export", take.path, "-o", scratch("out.mp4")])
        #expect(export.exitCode == 0 && export.output.hasPrefix("40 frames"), "\(export.errors)")
        #expect(try ToolRun(["edit", take.path, "--undo", "1", "--embed"]).exitCode == 0)
        #expect(try ToolRun(["inspect", take.path]).output.contains("f/2 at"))
        let both = try ToolRun(["edit", take.path, "--embed", "--edits", scratch("list.yaml")])
        #expect(both.exitCode == 64 && both.errors.contains("kept in one place"), "\(both.errors)")
    }

    @Test("survive a writer that was killed, at every byte: those before count, and later ones are put in their place")
    func cut() throws {
        let scratch = try Scratch()
        let take = try CinematicTake(in: scratch)
        try EmbeddedEdits.write("one", to: take.path)
        let one = try Data(contentsOf: URL(fileURLWithPath: take.path))
        try EmbeddedEdits.write("two", to: take.path)
        let two = try Data(contentsOf: URL(fileURLWithPath: take.path))
        #expect(try EmbeddedEdits.read(take.path) == "two")
        for length in one.count..<two.count {
            try two.prefix(length).write(to: URL(fileURLWithPath: take.path))
            #expect(try EmbeddedEdits.read(take.path) == "one", "\(length - one.count) bytes")
            #expect(try CNScript.open(take.path).times.count == 40)
        }
        // Eight bytes and more of the box are known for ours.
        try two.prefix(one.count + 30).write(to: URL(fileURLWithPath: take.path))
        try EmbeddedEdits.write("three", to: take.path)
        #expect(try EmbeddedEdits.read(take.path) == "three")
        let source = try CinematicFileSource(path: take.path)
        var count = 0
        while try source.next() != nil { count += 1 }
        #expect(count == 40)
    }

    @Test("are refused in what is no movie of boxes")
    func refusals() throws {
        let scratch = try Scratch()
        let error = #expect(throws: MediaError.self) { try EmbeddedEdits.write("x", to: scratch.write("hello", to: "a.txt")) }
        #expect(error?.reason.contains("leave --embed out") == true)
    }
}
