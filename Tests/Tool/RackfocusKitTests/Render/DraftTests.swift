import Foundation
import TestSupport
import Testing

@Suite("A draft, and a command done again", .enabled(if: Probe.isInstalled, "ffmpeg is not installed"))
struct DraftTests {
    private func footage(_ scratch: Scratch) throws {
        try Probe.make(scratch("in.mkv"), "-f lavfi -i testsrc2=s=1280x720:r=25:d=0.2 -c:v ffv1")
        try Probe.make(scratch("d.mkv"), "-f lavfi -i testsrc=s=320x180:r=25:d=0.2 -pix_fmt gray16le -c:v ffv1")
    }

    @Test("is small, and its analysis serves the movie")
    func preview() throws {
        let scratch = try Scratch()
        try footage(scratch)
        let words = ["render", "--video", "in.mkv", "--disparity", "d.mkv", "-o"]
        let draft = try ToolRun(words + ["draft.mp4", "--preview", "--overlay"], directory: scratch.url)
        #expect(draft.exitCode == 0, "\(draft.errors)")
        let picture = try #require(try Probe.report(scratch("draft.mp4")).video)
        #expect(picture.width == 640 && picture.height == 360)
        let movie = try ToolRun(words + ["movie.mp4"], directory: scratch.url)
        #expect(movie.exitCode == 0 && movie.output.contains("of ./draft.run are used again"), "\(movie.output)\(movie.errors)")
        #expect(try Probe.report(scratch("movie.mp4")).video?.width == 1280)
        // The first line names the run.
        func focus(_ run: String) throws -> [Substring] {
            try String(contentsOfFile: scratch("\(run).run/trace.jsonl"), encoding: .utf8).split(separator: "\n").dropFirst().map { $0 }
        }
        #expect(try focus("draft") == focus("movie"))
        let kept = try ToolRun(words + ["b.mp4", "--preview", "--cinematic", "take.mov"], directory: scratch.url)
        #expect(kept.exitCode == 64 && kept.errors.contains("--preview is a draft"), "\(kept.errors)")
    }

    @Test("gives the same movie, or another by what is said anew")
    func again() throws {
        let scratch = try Scratch()
        try footage(scratch)
        let first = try ToolRun(
            ["render", "--video", "in.mkv", "--disparity", "d.mkv", "-o", "a.mp4", "--aperture", "2", "--quality", "50", "--to", "3f"],
            directory: scratch.url)
        #expect(first.exitCode == 0, "\(first.errors)")
        let before = try Data(contentsOf: URL(fileURLWithPath: scratch("a.mp4")))
        let taken = try ToolRun(["render", "--again", "a.run/render.json"], directory: scratch.url)
        #expect(taken.exitCode == 73, "\(taken.errors)")
        let same = try ToolRun(["render", "--again", "a.run/render.json", "--force"], directory: scratch.url)
        #expect(same.exitCode == 0, "\(same.errors)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: scratch("a.mp4"))) == before)
        // A movie done again can be done again itself, with what was said anew, and without --force.
        let other = try ToolRun(["render", "--again", "a.run/render.json", "-o", "b.mp4", "--bitrate", "1M"], directory: scratch.url)
        #expect(other.exitCode == 0, "\(other.errors)")
        let record = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: scratch("b.run/render.json")))) as? [String: Any]
        let words = record?["arguments"] as? [String]
        #expect(words?.contains("--bitrate") == true && words?.contains("--quality") == false && words?.contains("--force") == false)
        #expect(record?["frames"] as? Int == 3)
        try Probe.make(scratch("d.mkv"), "-f lavfi -i testsrc=s=320x180:r=25:d=0.4 -pix_fmt gray16le -c:v ffv1")
        let changed = try ToolRun(["render", "--again", "b.run/render.json", "--force"], directory: scratch.url)
        #expect(changed.errors.contains("warning: d.mkv has"), "\(changed.errors)")
    }

    @Test("says what is no record, and what changed since", arguments: [("in.mkv", "is no record"), ("none.json", "there is no such file")])
    func refusals(file: String, message: String) throws {
        let scratch = try Scratch()
        try footage(scratch)
        let run = try ToolRun(["render", "--again", file, "-o", "a.mp4"], directory: scratch.url)
        #expect(run.exitCode == 64 && run.errors.contains(message), "\(run.errors)")
    }
}
