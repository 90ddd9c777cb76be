import AVFoundation
import Cinematic
import CoreMedia
import CoreVideo
import Foundation
import Media
import Optics
import Pipeline
import TestSupport
import Testing

@testable import RackfocusKit

@Suite("A cinematic recording, opened again")
struct CinematicRoundTripTests {
    @Test("has the decisions, detections, disparities and times that were live, exactly")
    func metadata() throws {
        let scratch = try Scratch()
        let take = try CinematicTake(in: scratch)
        try Self.compareAll(take, frames: 40)
        #expect(take.records.flatMap(\.decisions).contains { $0.why == .tapUnfocused } && take.records.contains { $0.state.rack != nil })
    }

    @Test("begun while the session runs has the decision in effect, and behind a pause the one that was taken in it")
    func decisionsInEffect() throws {
        let scratch = try Scratch()
        let take = try CinematicTake(in: scratch, from: 5, pausing: 10..<20)
        let frames = try CNScript.open(take.path).allFrames
        #expect(frames.count == 25)
        let live = take.records.flatMap(\.decisions)
        let tap = try #require(take.records.firstIndex { $0.decisions.contains { $0.why == .tapUnfocused } })
        #expect(live.count == 2 && (10..<20).contains(tap), "\(live), \(tap)")
        let placed = frames.indices.flatMap { index in frames[index].sample.decisions.map { (index, $0.subject, $0.why) } }
        #expect(placed.map(\.0) == [0, 5] && placed.map(\.1) == live.map(\.subject) && placed.map(\.2) == live.map(\.why))
        // Its own time says to an edit when its rack had ended.
        #expect(frames[0].sample.decisions[0].time == -take.records[5].frame.presentationTime.nanoseconds)
        #expect(abs(frames[5].sample.decisions[0].time - frames[5].time.nanoseconds) <= 1)

        let run = try ToolRun(["inspect", take.path])
        #expect(run.output.contains("00:00:00;00  maya  weak  automatic  came into the picture"), "\(run.output)")
        #expect(run.output.contains("00:00:00;05  tom   weak  user       tapped while out"), "\(run.output)")
        let edited = try ToolRun(["edit", take.path, "15f: {focus: maya}"])
        #expect(edited.exitCode == 0, "\(edited.errors)")
        let again = try ToolRun(["inspect", take.path, "--json"])
        let report = try #require(try JSONSerialization.jsonObject(with: Data(again.output.utf8)) as? [String: Any])
        let names = (report["decisions"] as? [[String: Any]])?.compactMap { $0["name"] as? String }
        #expect(names == ["maya", "tom", "maya"])
    }

    /// Compares times, decisions, detections, focus and disparities of a recording with the live ones.
    static func compareAll(_ take: CinematicTake, frames: Int) throws {
        let recorded = try CNScript.open(take.path).allFrames
        #expect(recorded.count == frames && take.records.count == frames)
        for (read, record) in zip(recorded, take.records) {
            let sample = read.sample
            #expect(read.time == record.frame.presentationTime)
            #expect(sample.detections == record.detections && sample.decisions == record.decisions && sample.focus == record.state)
            #expect(sample.lens.fNumber == record.fNumber && sample.ambientDisparity == record.ambientDisparity)
            #expect(sample.notEnoughLight == record.notEnoughLight && sample.shot == record.frame.shot)
        }
        let source = try CinematicFileSource(path: take.path)
        for record in take.records {
            let (frame, sample) = try #require(try source.next())
            let (read, live) = (try #require(frame.disparity), try #require(record.frame.disparity))
            let coded = sample.disparity.coded(live)
            for y in 0..<live.height where memcmp(read.row(y), coded.row(y), 4 * live.width) != 0 { Issue.record("row \(y) of frame \(frame.index)") }
        }
    }

    @Test("is baked to the live picture, but for the 16 bits of its disparity")
    func pictures() throws {
        let scratch = try Scratch()
        let take = try CinematicTake(in: scratch)
        let least = try Self.bakedAgain(take)
        #expect(least >= 50, "\(least) dB")
    }

    @Test("in the quality of every recording is baked close to the live picture")
    func usualQuality() throws {
        let scratch = try Scratch()
        let take = try CinematicTake(in: scratch, quality: 55)
        let least = try Self.bakedAgain(take)
        #expect(least >= 40, "\(least) dB")
    }

    /// Least PSNR of a frame that is drawn from the file to the live one, dB.
    static func bakedAgain(_ take: CinematicTake) throws -> Double {
        let source = try CinematicFileSource(path: take.path)
        let renderer = try VulkanBokehRenderer(options: BokehOptions(highlights: 8))
        var least = Double.infinity
        for live in take.baked {
            let (frame, sample) = try #require(try source.next())
            let again = try renderer.render(frame.picture, disparity: try #require(frame.disparity), circle: sample.circle)
            least = min(least, psnr(again, live))
        }
        return least
    }

    /// Peak signal-to-noise ratio of the luma, dB.
    static func psnr(_ a: CVPixelBuffer, _ b: CVPixelBuffer) -> Double {
        var sum = 0.0
        for y in 0..<a.plane(0).height {
            let (left, right) = (a.plane(0).row(y, as: UInt8.self), b.plane(0).row(y, as: UInt8.self))
            for x in 0..<a.plane(0).width { sum += pow(Double(left[x]) - Double(right[x]), 2) }
        }
        return 10 * log10(255 * 255 * Double(a.plane(0).width * a.plane(0).height) / sum)
    }

    @Test("in MP4 keeps the sharp picture alone, and says so")
    func mp4() throws {
        let scratch = try Scratch()
        let take = try CinematicTake(in: scratch, named: "take.mp4")
        let error = #expect(throws: MediaError.self) { try CNScript.open(take.path) }
        #expect(error?.reason.contains("lacks disparity and metadata") == true)
    }
}

@Suite("Commands for cinematic movies")
struct CinematicCommandTests {
    @Test("inspect lists tracks, subjects, decisions by time code and racks, as text, JSON and a drawing")
    func inspect() throws {
        let scratch = try Scratch()
        let take = try CinematicTake(in: scratch)
        let run = try ToolRun(["inspect", take.path, "--svg", scratch("focus.svg")])
        #expect(run.exitCode == 0 && run.errors.isEmpty, "\(run.errors)")
        #expect(run.output.hasPrefix("take.mov: 1.335 s, 40 frames of 128x72 at 29.970/s, f/2 at "))
        let lines = [
            "disparity  ffv1      128x72", "00:00:00;00  maya  weak  automatic  came into the picture", "tom   weak  user       tapped while out",
        ]
        for line in lines {
            #expect(run.output.contains(line), "no \(line) in\n\(run.output)")
        }
        #expect(try scratch.text("focus.svg").contains("tapUnfocused"))
        let json = try ToolRun(["inspect", take.path, "--json"])
        let report = try #require(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
        #expect(report["frames"] as? Int == 40 && (report["decisions"] as? [Any])?.count == take.records.flatMap(\.decisions).count)
    }

    @Test("export bakes all frames, or a part of them, with their sound, twice the same")
    func export() throws {
        let scratch = try Scratch()
        let take = try CinematicTake(in: scratch)
        for name in ["a.mp4", "b.mp4"] {
            let run = try ToolRun(["export", take.path, "-o", scratch(name), "--quality", "100"])
            #expect(run.exitCode == 0 && run.output.hasPrefix("40 frames in "), "\(run.errors)")
        }
        #expect(try Data(contentsOf: scratch.url.appending(path: "a.mp4")) == Data(contentsOf: scratch.url.appending(path: "b.mp4")))
        let source = try VideoFileSource(path: scratch("a.mp4"))
        for (index, live) in take.baked.enumerated() {
            let frame = try #require(try source.nextFrame())
            #expect(frame.presentationTime == take.records[index].frame.presentationTime)
            let psnr = CinematicRoundTripTests.psnr(frame.image, live)
            #expect(psnr >= 50, "frame \(index): \(psnr) dB")
        }
        #expect(try abs(SoundFile.read(scratch("a.mp4")).duration.seconds - 1.335) < 0.05)
        let part = try ToolRun(["export", take.path, "-o", scratch("part.mov"), "--from", "10f", "--to", "30f", "--overlay", "--aperture", "8"])
        #expect(part.exitCode == 0 && part.output.hasPrefix("20 frames in "), "\(part.errors)")
        let mix = try ToolRun(["export", take.path, "-o", scratch("mix.mp4"), "--spatial", "studio", "--to", "2f"])
        #expect(mix.exitCode == 0 && mix.errors.contains("has no ambisonic sound"), "\(mix.errors)")
    }

    @Test("refuse a movie that is not cinematic by what it lacks, and a part without frames")
    func refusals() throws {
        let scratch = try Scratch()
        let take = try CinematicTake(in: scratch, named: "take.mp4")
        for command in [["inspect", take.path], ["export", take.path, "-o", scratch("out.mp4")]] {
            let run = try ToolRun(command)
            #expect(run.exitCode == 66 && run.errors.contains("lacks disparity and metadata"), "\(run.errors)")
        }
        let cinematic = try CinematicTake(in: scratch)
        let run = try ToolRun(["export", cinematic.path, "-o", scratch("out.mp4"), "--from", "100s"])
        #expect(run.exitCode == 66 && run.errors.contains("take.mov: ends at 1.335s, before 100.0s, from which it is to be used"), "\(run.errors)")
        #expect(try !scratch.names.contains("out.mp4"))
    }
}
