import Cinematic
import CoreMedia
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
