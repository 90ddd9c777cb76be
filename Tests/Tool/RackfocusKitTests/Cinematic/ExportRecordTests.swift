import Foundation
import TestSupport
import Testing

@Suite("The record of an export")
struct ExportRecordTests {
    private func record(_ path: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path))) as? [String: Any])
    }

    @Test("does the export again: the same movie, or another by what is said anew")
    func again() throws {
        let scratch = try Scratch()
        _ = try CinematicTake(in: scratch)
        let first = try ToolRun(
            ["export", "take.mov", "-o", "a.mp4", "--aperture", "2", "--quality", "50", "--to", "6f", "--grain", "match"], directory: scratch.url)
        #expect(first.exitCode == 0, "\(first.errors)")
        let said = try record(scratch("a.export.json"))
        #expect(said["frames"] as? Int == 6 && said["focus"] == nil)
        #expect((said["lens"] as? [String: Any])?["aperture"] as? Double == 2)
        #expect((said["lens"] as? [String: Any])?["grain"] as? String == "match")
        #expect((said["inputs"] as? [String: Int])?.keys.first == "take.mov")
        let before = try Data(contentsOf: URL(fileURLWithPath: scratch("a.mp4")))
        let taken = try ToolRun(["export", "--again", "a.export.json"], directory: scratch.url)
        #expect(taken.exitCode == 73, "\(taken.errors)")
        let same = try ToolRun(["export", "--again", "a.export.json", "--force"], directory: scratch.url)
        #expect(same.exitCode == 0, "\(same.errors)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: scratch("a.mp4"))) == before)
        let other = try ToolRun(["export", "--again", "a.export.json", "-o", "b.mp4", "--bitrate", "1M"], directory: scratch.url)
        #expect(other.exitCode == 0 && other.output.hasPrefix("6 frames in "), "\(other.errors)")
        let words = try #require(try record(scratch("b.export.json"))["arguments"] as? [String])
        #expect(words.contains("--aperture") && words.contains("--bitrate") && !words.contains("--quality"), "\(words)")
        #expect(!words.contains("--force") && !words.contains("--again"), "\(words)")
        let render = try ToolRun(["render", "--again", "a.export.json"], directory: scratch.url)
        #expect(render.exitCode == 64 && render.errors.contains("is of `rackfocus export`"), "\(render.errors)")
    }

    @Test("lies in a folder of stems, which are exported again from it, or as a movie")
    func stems() throws {
        let scratch = try Scratch()
        _ = try CinematicTake(in: scratch)
        let first = try ToolRun(["export", "take.mov", "--stems", "a", "--aperture", "4", "--to", "2f"], directory: scratch.url)
        #expect(first.exitCode == 0, "\(first.errors)")
        let said = try record(scratch("a/export.json"))
        #expect(said["frames"] as? Int == 2 && said["lens"] == nil && (said["output"] as? [String: Any])?["path"] as? String == "a")
        let before = try Data(contentsOf: URL(fileURLWithPath: scratch("a/coc.0002.exr")))
        let same = try ToolRun(["export", "--again", "a/export.json", "--force"], directory: scratch.url)
        #expect(same.exitCode == 0 && same.output == "2 frames in a\n", "\(same.errors)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: scratch("a/coc.0002.exr"))) == before)
        let movie = try ToolRun(["export", "--again", "a/export.json", "-o", "b.mp4"], directory: scratch.url)
        #expect(movie.exitCode == 0 && movie.output == "2 frames in b.mp4\n", "\(movie.errors)")
        let words = try #require(try record(scratch("b.export.json"))["arguments"] as? [String])
        #expect(words.contains("--aperture") && !words.contains("--stems"), "\(words)")
    }

    @Test("lies beside a sequence of pictures, and goes where the movie does not come to be")
    func sequence() throws {
        let scratch = try Scratch()
        _ = try CinematicTake(in: scratch)
        let pictures = try ToolRun(["export", "take.mov", "-o", "out.%04d.png", "--to", "2f"], directory: scratch.url)
        #expect(pictures.exitCode == 0, "\(pictures.errors)")
        #expect(try record(scratch("out.export.json"))["frames"] as? Int == 2)
        try Data().write(to: URL(fileURLWithPath: scratch("b.mp4")))
        let taken = try ToolRun(["export", "take.mov", "-o", "b.mp4"], directory: scratch.url)
        #expect(taken.exitCode == 73, "\(taken.errors)")
        #expect(try !scratch.names.contains { $0.contains("b.export.json") })
    }
}
