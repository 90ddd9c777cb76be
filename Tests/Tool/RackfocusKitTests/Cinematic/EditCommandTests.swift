import AVFoundation
import Cinematic
import CoreMedia
import Foundation
import Media
import Optics
import Pipeline
import TestSupport
import Testing

@testable import RackfocusKit

@Suite("rackfocus edit")
struct EditCommandTests {
    @Test("moves focus from one person to another, early, and export and inspect follow")
    func moves() throws {
        let scratch = try Scratch()
        let take = try CinematicTake(in: scratch)
        let media = try Data(contentsOf: URL(fileURLWithPath: take.path))
        let run = try ToolRun(["edit", take.path, "30f: {focus: maya}", "0s: {aperture: f/1.4}"])
        #expect(run.exitCode == 0 && run.output.hasPrefix("edits\n  1  30f: {focus: maya}\n  2  0s: {aperture: f/1.4}"), "\(run.errors)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: take.path)) == media)
        let frames = try EditedMovie(take.path).script.allFrames
        let focus = frames.map(\.sample.focus)
        #expect(focus[30].subject == focus[0].subject && focus[29].subject == take.records[29].state.subject)
        #expect(focus[28].rack != nil && abs(focus[31].focusDisparity - 1 / 1.5) < 0.01)
        #expect(frames.allSatisfy { $0.sample.lens.fNumber == 1.4 })
        let inspected = try ToolRun(["inspect", take.path])
        #expect(inspected.output.contains("maya  strong  user       ordered") && inspected.output.contains("f/1.4 at"), "\(inspected.output)")
        let recorded = try ToolRun(["inspect", take.path, "--as-recorded"])
        #expect(!recorded.output.contains("ordered") && recorded.output.contains("f/2 at"))
        for (name, more) in [("edited.mp4", []), ("recorded.mp4", ["--as-recorded"])] {
            let run = try ToolRun(["export", take.path, "-o", scratch(name), "--quality", "100"] + more)
            #expect(run.exitCode == 0, "\(run.errors)")
        }
        let (edited, plain) = (try VideoFileSource(path: scratch("edited.mp4")), try VideoFileSource(path: scratch("recorded.mp4")))
        var least = Double.infinity
        while let one = try edited.nextFrame(), let other = try plain.nextFrame() {
            least = min(least, CinematicRoundTripTests.psnr(one.image, other.image))
        }
        #expect(least < 40, "\(least) dB")
    }

    @Test("lists no rack between two decisions on one distance")
    func resting() throws {
        let scratch = try Scratch()
        let take = try CinematicTake(in: scratch)
        let run = try ToolRun(["edit", take.path, "30f: {focus: {on: tom, mode: fixed}}"])
        let racks = run.output.components(separatedBy: "racks\n").last?.split(separator: "\n")
        #expect(run.exitCode == 0 && racks == ["  00:00:00;00 to 00:00:00;15  1.50 m to 4.00 m"], "\(run.output)\(run.errors)")
    }

    @Test("counts timecodes from that of the first frame, as inspect and export do", .enabled(if: Probe.isInstalled, "ffmpeg is not installed"))
    func timecode() throws {
        let scratch = try Scratch()
        let take = try CinematicTake(in: scratch)
        let path = scratch("timecode.mov")
        try Probe.make(path, "-i \(take.path) -map 0 -c copy -timecode 01:00:00:12")
        let run = try ToolRun(["edit", path, "01:00:00:27: {focus: maya}"])
        #expect(run.exitCode == 0 && run.output.contains("  01:00:00:27  maya  strong  user       ordered"), "\(run.errors)\(run.output)")
        #expect(try EditedMovie(path).script.allFrames[15].sample.decisions.map(\.why) == [.ordered])
        let inspected = try ToolRun(["inspect", path])
        #expect(inspected.output.contains("01:00:00:12 to 01:00:01:21  40 frames") && inspected.output.contains("  timecode "), "\(inspected.output)")
        let early = try ToolRun(["edit", path, "00:00:00:15: {focus: maya}"])
        #expect(early.exitCode == 2, "\(early.output)")
        #expect(early.errors.contains("00:00:00:15 is outside of the movie, which begins at 01:00:00:12 and is 1.335 s long"), "\(early.errors)")
        let stems = ["export", path, "--stems", scratch("stems"), "--to", "01:00:01:00", "--from"]
        let part = try ToolRun(stems + ["01:00:00:27"])
        #expect(part.exitCode == 0 && part.output.hasPrefix("3 frames"), "\(part.errors)\(part.output)")
        #expect(try String(contentsOfFile: scratch("stems/lens.0001.json"), encoding: .utf8).contains(#""timecode" : "01:00:00:27""#))
        let none = try ToolRun(stems + ["00:00:00:15", "--force"])
        let reason = "has no frame of timecode 00:00:00:15 at 29.970 frames/s: its first frame has 01:00:00:12"
        #expect(none.exitCode == 66 && none.errors.contains(reason), "\(none.errors)")
    }

    @Test("takes back edits, goes back to the recording, and repeats a list")
    func undo() throws {
        let scratch = try Scratch()
        let take = try CinematicTake(in: scratch)
        func samples() throws -> [CinematicSample] { try EditedMovie(take.path).script.allFrames.map(\.sample) }
        let recorded = try samples()
        for words in [["automatic"], ["reset"]] { #expect(try ToolRun(["edit", take.path] + words).exitCode == 0) }
        #expect(try samples() == recorded)
        #expect(try ToolRun(["edit", take.path, "--undo", "1"]).exitCode == 0)
        #expect(try !samples().contains { $0.decisions.contains(where: \.isUserDecision) })
        let list = try ToolRun(["edit", take.path, "--yaml"])
        try list.output.write(toFile: scratch("list.yaml"), atomically: true, encoding: .utf8)
        #expect(list.output.hasSuffix("edits:\n  - automatic\n"))
        let again = try ToolRun(["edit", take.path, "--edits", scratch("other.yaml"), "--apply", scratch("list.yaml")])
        #expect(again.exitCode == 0 && again.output.hasPrefix("edits\n  1  automatic\n"), "\(again.errors)")
        func refusal(undoing count: Int) throws -> String {
            let run = try ToolRun(["edit", take.path, "--undo", "\(count)"])
            #expect(run.exitCode == 66)
            return run.errors
        }
        let tooMany = "rackfocus: \(take.path).edits.yaml: has 1 edit, so that 2 cannot be taken back; --undo 1 takes back all\n"
        #expect(try refusal(undoing: 2) == tooMany)
        try FileManager.default.removeItem(atPath: take.path + ".edits.yaml")
        #expect(try refusal(undoing: 1) == "rackfocus: \(take.path): has no edits that could be taken back\n")
    }

    @Test("looks for what is at a place: a person, a thing that it tracks, a surface, and keeps what it found")
    func places() throws {
        let scratch = try Scratch()
        let take = try CinematicTake(in: scratch)
        let run = try ToolRun([
            "edit", take.path, "35f: {focus: {on: {at: [0.25, 0.4]}}}", "5f: {focus: {on: {at: [0.7, 0.4]}, mode: fixed}}", "--face-model", "none",
            "--object-model", "none", "--yaml",
        ])
        #expect(
            run.exitCode == 0 && run.output.contains("found: {object: ") && run.output.contains("found: {disparity: 0.25"),
            "\(run.errors)\(run.output)")
        let focus = try EditedMovie(take.path).script.allFrames.map(\.sample.focus)
        #expect(abs(focus[8].focusDisparity - 0.25) < 0.02 && focus[8].fixedPoint == CGPoint(x: 0.7, y: 0.4))
        #expect(abs(focus[38].focusDisparity - 1 / 1.5) < 0.02)
    }

    @Test("refuses unknown subjects by those there are, times outside, and lists of another movie, and changes nothing then")
    func refusals() throws {
        let scratch = try Scratch()
        let take = try CinematicTake(in: scratch)
        let cases: [(String, Int32, String)] = [
            ("10f: {focus: mya}", 2, "there is no `mya` in this movie; there are maya, tom"),
            ("99s: {focus: tom}", 2, "99.0s is outside of the movie"),
            ("11f: {remove: focus}", 2, "those there are: 0.167 s, 0.500 s"), ("11f: {foucs: tom}", 2, "did you mean `focus`?"),
        ]
        for (edit, code, reason) in cases {
            let run = try ToolRun(["edit", take.path, "5f: {focus: tom}", edit])
            #expect(run.exitCode == code && run.errors.contains(reason), "\(run.errors)")
        }
        #expect(try !scratch.names.contains("take.mov.edits.yaml"))
        #expect(try ToolRun(["edit", take.path, "5f: {focus: tom}"]).exitCode == 0)
        let other = try CinematicTake(CinematicTake.text.replacingOccurrences(of: "0.4s", with: "0.5s"), in: scratch, named: "other.mov")
        for command in [["inspect"], ["export", "-o", scratch("out.mp4")], ["edit"]] {
            let run = try ToolRun([command[0], other.path] + command.dropFirst() + ["--edits", take.path + ".edits.yaml"])
            #expect(run.exitCode == 66 && run.errors.contains("holds edits of another movie (take.mov, digest "), "\(run.errors)")
        }
    }
}
