import Cinematic
import CoreMedia
import CoreVideo
import Foundation
import Media
import Pipeline
import TestSupport
import Testing

@testable import RackfocusKit

@Suite("render --cinematic")
struct KeptTakeTests {
    /// Writes the scenario and renders it; fails the test unless the tool succeeds.
    private static func render(_ words: [String], in scratch: Scratch) throws {
        try CinematicTake.text.write(toFile: scratch("take.yaml"), atomically: true, encoding: .utf8)
        let run = try ToolRun(["render", scratch("take.yaml"), "--mode", "post", "--quality", "100"] + words)
        #expect(run.exitCode == 0, "\(run.errors)")
    }

    @Test("keeps a movie that is baked to the same picture, by itself or in one pass with the baked one")
    func keeps() throws {
        let scratch = try Scratch()
        try Self.render(["-o", scratch("baked.mp4")], in: scratch)
        try Self.render(["--cinematic", scratch("take.mov")], in: scratch)
        try Self.render(["-o", scratch("both.mp4"), "--cinematic", scratch("beside.mov")], in: scratch)
        #expect(try Data(contentsOf: scratch.url.appending(path: "both.mp4")) == Data(contentsOf: scratch.url.appending(path: "baked.mp4")))
        let (alone, beside) = (try CNScript.open(scratch("take.mov")), try CNScript.open(scratch("beside.mov")))
        #expect(
            alone.allFrames.map(\.sample) == beside.allFrames.map(\.sample) && alone.times == beside.times && alone.times.count == 40
                && alone.digest == beside.digest)
        #expect(try scratch.text("take.run/trace.jsonl") == scratch.text("both.run/trace.jsonl"))
        #expect(try ToolRun(["export", scratch("take.mov"), "-o", scratch("again.mp4"), "--quality", "100"]).exitCode == 0)
        let (again, baked) = (try VideoFileSource(path: scratch("again.mp4")), try VideoFileSource(path: scratch("baked.mp4")))
        while let one = try baked.nextFrame() {
            let other = try #require(try again.nextFrame())
            let psnr = CinematicRoundTripTests.psnr(one.image, other.image)
            #expect(one.presentationTime == other.presentationTime && psnr >= 50, "frame \(one.index): \(psnr) dB")
        }
    }

    @Test("keeps grainy footage well enough, unless told otherwise, for what is baked from it to be 50 dB from the live picture")
    func grain() throws {
        let scratch = try Scratch()
        let eyes = try StereoRoundTripTests.write(in: scratch, width: 128, height: 72) { x, y, frame, isRight in
            100 + StereoRoundTripTests.texture(x + (isRight ? 4 : 0), y + 997 * frame) % 40
        }
        let live = try ToolRun([
            "render", "--left", eyes.left, "--right", eyes.right, "--to", "6f", "--focus", "0s: {on: {at: [0.5, 0.5]}}", "--codec", "ffv1", "-o",
            scratch("live.mov"), "--cinematic", scratch("take.mov"),
        ])
        #expect(live.exitCode == 0, "\(live.errors)")
        let export = try ToolRun(["export", scratch("take.mov"), "--codec", "ffv1", "-o", scratch("again.mov")])
        #expect(export.exitCode == 0, "\(export.errors)")
        let (again, baked) = (try VideoFileSource(path: scratch("again.mov")), try VideoFileSource(path: scratch("live.mov")))
        while let one = try baked.nextFrame() {
            let psnr = CinematicRoundTripTests.psnr(one.image, try #require(try again.nextFrame()).image)
            #expect(psnr >= 50, "frame \(one.index): \(psnr) dB")
        }
    }

    @Test("is as long as uneven footage, and so are its tracks")
    func uneven() throws {
        let scratch = try Scratch()
        let writer = try MovieFileWriter(
            path: scratch("uneven.mov"), movie: MovieDescription(width: 64, height: 36, frameDuration: CMTime(value: 1, timescale: 30)))
        let picture = CVPixelBuffer(width: 64, height: 36, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        let times: [CMTimeValue] = [0, 1, 2, 6, 7, 12, 13, 14, 22, 23, 25, 31, 32]
        for time in times { try writer.append(picture, at: CMTime(value: time, timescale: 30)) }
        try writer.finish()
        let render = try ToolRun(["render", "--video", "uneven.mov", "--cinematic", "take.mov"], directory: scratch.url)
        #expect(render.exitCode == 0, "\(render.errors)")
        let contents = try MovieReader(path: scratch("take.mov")).contents
        let ends = [contents.duration.seconds] + contents.tracks.map(\.timeRange.end.seconds)
        #expect(ends.count == 4 && ends.allSatisfy { abs($0 - 1.1) < 0.001 }, "\(ends)")
    }

    /// Starts a long render of a take and ends it by a signal once some of it is written.
    private static func interrupt(by signal: Int32, _ words: [String], in scratch: Scratch) throws {
        let tool = try WatchedTool(["render"] + words + ["--cinematic", "take.mov"], directory: scratch.url)
        let size = { (try? FileManager.default.attributesOfItem(atPath: scratch("take.part.mov"))[.size] as? Int) ?? 0 }
        #expect(eventually { size() > 40_000 })
        tool.end(by: signal)
    }

    @Test("leaves what is written when it is killed, to be played and recovered, and takes it along when it is stopped")
    func killed() throws {
        let scratch = try Scratch()
        let long = CinematicTake.text.replacingOccurrences(of: "40f", with: "4000f")
        _ = try scratch.write(long, to: "long.yaml")
        try Self.interrupt(by: SIGINT, ["long.yaml"], in: scratch)
        #expect(try scratch.names == ["long.yaml"])
        try Self.interrupt(by: SIGKILL, ["long.yaml"], in: scratch)
        let there = try CNScript.open(scratch("take.part.mov")).times.count
        let lost = try ToolRun(["recover", "take.mov", "-o", "whole.mov"], directory: scratch.url)
        #expect(lost.exitCode == 66 && lost.errors.contains("recover take.part.mov"), "\(lost.errors)")
        let recovered = try ToolRun(["recover", "take.part.mov", "-o", "whole.mov"], directory: scratch.url)
        #expect(recovered.exitCode == 0, "\(recovered.errors)")
        let script = try CNScript.open(scratch("whole.mov"))
        #expect(there > 10 && script.times.count >= there, "\(there) frames, \(recovered.output)")
        let export = try ToolRun(["export", "whole.mov", "-o", "baked.mp4"], directory: scratch.url)
        #expect(export.exitCode == 0, "\(export.errors)")
        try CinematicTake.text.write(toFile: scratch("long.yaml"), atomically: true, encoding: .utf8)
        let words = ["render", "long.yaml", "--cinematic", "take.mov"]
        let refused = try ToolRun(words, directory: scratch.url)
        #expect(refused.exitCode == 73 && refused.errors.contains("take.part.mov: exists already"), "\(refused.errors)")
        #expect(try ToolRun(words + ["--force"], directory: scratch.url).exitCode == 0)
        #expect(try !scratch.names.contains("take.part.mov") && CNScript.open(scratch("take.mov")).times.count == 40)
    }

    @Test("refuses another container, an existing movie, one name for both, and an overlay without a baked movie")
    func refusals() throws {
        let scratch = try Scratch()
        try CinematicTake.text.write(toFile: scratch("take.yaml"), atomically: true, encoding: .utf8)
        try "".write(toFile: scratch("there.mov"), atomically: true, encoding: .utf8)
        let cases: [([String], Int32, String)] = [
            (["--cinematic", scratch("take.mp4")], 64, "name it .mov"), (["--cinematic", scratch("there.mov")], 73, "exists already"),
            (["--cinematic", scratch("a.mov"), "-o", scratch("a.mov")], 64, "give each its own name"),
            (["--cinematic", scratch("a.mov"), "--overlay"], 64, "give --output as well"),
        ]
        for (words, code, reason) in cases {
            let run = try ToolRun(["render", scratch("take.yaml")] + words)
            #expect(run.exitCode == code && run.errors.contains(reason), "\(run.exitCode) \(run.errors)")
        }
        #expect(try Set(scratch.names) == ["take.yaml", "there.mov"])
    }
}
