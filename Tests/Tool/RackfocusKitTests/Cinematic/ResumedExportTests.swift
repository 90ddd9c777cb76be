import CoreMedia
import Foundation
import Media
import Pipeline
import Support
import TestSupport
import Testing

@testable import RackfocusKit

@Suite("An export that is gone on with")
struct ResumedExportTests {
    /// 15 s at 8 frames a second: three segments.
    private static let text = CinematicTake.text.replacing("fps: 30000/1001, length: 40f", with: "fps: 8, length: 120f")

    @Test("after a kill holds the same frames, times and sound as one that ran through")
    func killed() throws {
        let scratch = try Scratch()
        let take = try CinematicTake(Self.text, in: scratch)
        let whole = try ToolRun(["export", take.path, "-o", scratch("whole.mp4"), "--resume"])
        #expect(whole.exitCode == 0 && whole.output.hasPrefix("120 frames in "), "\(whole.errors)")
        // Killed as soon as one segment is there.
        let arguments = ["export", take.path, "-o", scratch("cut.mp4"), "--resume"]
        let segment = scratch("cut.mp4.parts/segment-0001.mp4")
        let killed = try LimitedRun(
            Project.tool.path, arguments, scratch: scratch, killed: .once({ FileManager.default.fileExists(atPath: segment) }, then: 0))
        #expect(killed.ending == .signal(SIGKILL), "\(killed.errors)")
        #expect(try !scratch.names.contains("cut.mp4"))
        let before = try FileManager.default.attributesOfItem(atPath: segment)[.systemFileNumber] as? Int
        let other = try ToolRun(arguments + ["--aperture", "8"])
        #expect(other.exitCode == 66 && other.errors.contains("with other settings (--aperture)"), "\(other.errors)")
        #expect(try before == FileManager.default.attributesOfItem(atPath: segment)[.systemFileNumber] as? Int)
        let resumed = try ToolRun(arguments)
        #expect(resumed.exitCode == 0 && resumed.output.hasPrefix("120 frames in "), "\(resumed.errors)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: scratch("cut.mp4"))) == Data(contentsOf: URL(fileURLWithPath: scratch("whole.mp4"))))
        let names = try scratch.names
        #expect(!names.contains { $0.contains("parts") || $0.hasPrefix(".") }, "\(names)")
        let (joined, live) = (try VideoFileSource(path: scratch("cut.mp4")), take.records)
        for record in live {
            let frame = try #require(try joined.nextFrame())
            #expect(frame.presentationTime == record.frame.presentationTime)
        }
        #expect(try joined.nextFrame() == nil)
        #expect(try abs(SoundFile.read(scratch("cut.mp4")).duration.seconds - 15) < 0.1)
    }

    @Test("is the export without segments where nothing is lost, also of a part")
    func lossless() throws {
        let scratch = try Scratch()
        let take = try CinematicTake(Self.text, in: scratch)
        for (name, more) in [("a.mov", ["--resume"]), ("b.mov", [])] {
            let run = try ToolRun(["export", take.path, "-o", scratch(name), "--codec", "ffv1", "--from", "20f", "--to", "90f"] + more)
            #expect(run.exitCode == 0 && run.output.hasPrefix("70 frames in "), "\(run.errors)")
        }
        let (one, other) = (try VideoFileSource(path: scratch("a.mov")), try VideoFileSource(path: scratch("b.mov")))
        var count = 0
        while let left = try one.nextFrame(), let right = try other.nextFrame() {
            count += 1
            #expect(left.presentationTime == right.presentationTime && CinematicRoundTripTests.psnr(left.image, right.image) == .infinity)
        }
        #expect(count == 70)
    }

    @Test("is refused where it cannot be: pictures, Matroska")
    func refusals() throws {
        let scratch = try Scratch()
        let take = try CinematicTake(in: scratch)
        let pictures = try ToolRun(["export", take.path, "-o", scratch("out.%04d.png"), "--resume"])
        #expect(pictures.exitCode == 66 && pictures.errors.contains("does not go on with; name a movie"), "\(pictures.errors)")
        let matroska = try ToolRun(["export", take.path, "-o", scratch("out.mkv"), "--resume"])
        #expect(matroska.exitCode == 66 && matroska.errors.contains("name it .mov or .mp4"), "\(matroska.errors)")
        let names = try scratch.names
        #expect(!names.contains { $0.hasSuffix(".parts") }, "\(names)")
    }
}
