import Foundation
import TestSupport
import Testing

@Suite("A rendered script")
struct RenderedScriptTests {
    @Test(
        "leaves the trace that a test of it leaves, and the frames of that",
        arguments: [
            ("switchCamera: trueDepth}\n  - 0.7s: {photo: take", 29), ("record: start}\n  - 0.7s: {record: stop", 30),
            ("session: stop}\n  - 0.6s: {session: start", 24), ("fault: {dropFrames: 3}", 27),
            ("fault: {missDetection: {subject: maya, for: 200ms}}", 30),
        ])
    func sameTrace(verbs: String, frames: Int) throws {
        let scratch = try Scratch()
        let scenario = """
            scenario: A script
            clip: {source: synthetic, size: 96x54, length: 1s}
            subjects:
              maya: {kind: face, box: [0.3, 0.2, 0.16, 0.36], depth: 1.5m}
            timeline:
              - 0.37s: {\(verbs)}

            """
        _ = try scratch.write(scenario, to: "script.yaml")
        let test = try ToolRun(["test", "script.yaml", "-o", "results"], directory: scratch.url)
        #expect(test.exitCode == 0, "\(test.output)")
        let render = try ToolRun(["render", "script.yaml", "-o", "movie.mp4"], directory: scratch.url)
        #expect(render.exitCode == 0 && render.output.hasPrefix("\(frames) frames"), "\(render.output)\(render.errors)")
        let captures = ["photo: take": "photos, of which", "record: start": "recordings, in place of which"]
        for (verb, words) in captures { #expect(render.errors.contains("the trace alone tells of the script's \(words)") == verbs.contains(verb)) }
        func trace(_ path: String) throws -> String { try String(contentsOfFile: scratch(path + "/trace.jsonl"), encoding: .utf8) }
        #expect(try trace("movie.run") == trace("results/script.yaml"))
    }
}
