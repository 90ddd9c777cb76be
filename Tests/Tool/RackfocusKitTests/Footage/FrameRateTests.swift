import CoreMedia
import CoreVideo
import Foundation
import Media
import Pipeline
import TestSupport
import Testing

@testable import RackfocusKit

@Suite("Footage whose frames come unevenly")
struct FrameRateTests {
    /// Frames at given times, in milliseconds.
    private final class Uneven: FrameSource {
        let description: SourceDescription
        private let times: [Int64]
        private nonisolated(unsafe) var next = 0

        init(_ times: [Int64], frameDuration: CMTime, end: Int64? = nil) {
            self.times = times
            var description = SourceDescription(width: 2, height: 2, frameDuration: frameDuration, frameCount: times.count)
            description.end = end.map { CMTime(value: $0, timescale: 1000) }
            self.description = description
        }

        func nextFrame() throws -> Frame? {
            guard next < times.count else { return nil }
            defer { next += 1 }
            let image = CVPixelBuffer(width: 2, height: 2, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
            image.plane(0).row(0, as: UInt8.self)[0] = UInt8(next)
            return Frame(index: next, presentationTime: CMTime(value: times[next], timescale: 1000), image: image)
        }
    }

    private func movie(_ path: String, times: [CMTime]) throws {
        let writer = try MovieFileWriter(
            path: path, movie: MovieDescription(width: 64, height: 36, frameDuration: CMTime(value: 1, timescale: 30)))
        for (index, time) in times.enumerated() {
            let picture = CVPixelBuffer(width: 64, height: 36, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
            for plane in 0..<2 {
                for y in 0..<picture.plane(plane).height {
                    picture.plane(plane).row(y, as: UInt8.self).update(repeating: UInt8(100 + 5 * index), count: 64)
                }
            }
            try writer.append(picture, at: time)
        }
        try writer.finish()
    }

    private func times(of path: String) throws -> [CMTime] {
        let source = try VideoFileSource(path: path)
        var times: [CMTime] = []
        while let frame = try source.nextFrame() { times.append(frame.presentationTime) }
        return times
    }

    @Test("`render --video` keeps every frame at its own time, and brings it to a rate where it is asked to, saying what that cost")
    func render() throws {
        let scratch = try Scratch()
        // Twenty frames in two thirds of a second, as a phone takes them.
        var ticks: [Int64] = [0]
        for index in 0..<19 { ticks.append(ticks[index] + (index % 3 == 0 ? 10 : index == 10 ? 50 : 25)) }
        let uneven = ticks.map { CMTime(value: $0, timescale: 600) }
        try movie(scratch("v.mp4"), times: uneven)
        let run = try ToolRun(["render", "--video", "v.mp4", "-o", "a.mp4"], directory: scratch.url)
        #expect(run.exitCode == 0 && run.output.hasPrefix("20 frames") && !run.errors.contains("note"), "\(run.errors)")
        #expect(try times(of: scratch("a.mp4")) == uneven)

        let even = try ToolRun(["render", "--video", "v.mp4", "-o", "b.mp4", "--fps", "30"], directory: scratch.url)
        #expect(even.exitCode == 0, "\(even.errors)")
        #expect(even.errors.contains("rackfocus: note: at 30 frames/s, 0 of 20 frames of the footage are dropped and 1 repeated\n"), "\(even.errors)")
        #expect(try times(of: scratch("b.mp4")) == (0..<21).map { CMTime(value: $0, timescale: 30) })
    }

    @Test(
        "the nearest frame is shown at each time of a constant rate, and all that is dropped or repeated is counted",
        arguments: [
            ([0, 40, 80, 120], 25, [0, 1, 2, 3], 0, 0), ([0, 40, 80, 120], 10, [0, 2], 2, 0),
            ([0, 40, 80, 120], 50, [0, 0, 1, 1, 2, 2, 3, 3], 0, 4),
            ([0, 10, 20, 100, 140], 25, [0, 2, 3, 3, 4], 1, 1), ([0], 30, [0], 0, 0), ([], 30, [], 0, 0),
        ] as [([Int64], Int32, [UInt8], Int, Int)])
    func nearest(times: [Int64], rate: Int32, shown: [UInt8], dropped: Int, repeated: Int) throws {
        let duration = CMTime(value: 1, timescale: rate)
        let source = ConstantRateSource(Uneven(times, frameDuration: CMTime(value: 1, timescale: 25)), frameDuration: duration)
        var frames: [Frame] = []
        while let frame = try source.nextFrame() { frames.append(frame) }
        #expect(frames.map { $0.image.plane(0).row(0, as: UInt8.self)[0] } == shown)
        #expect(frames.map(\.presentationTime) == frames.indices.map { CMTimeMultiply(duration, multiplier: Int32($0)) })
        #expect(frames.map(\.index) == Array(frames.indices))
        let line = "at \(rate) frames/s, \(dropped) of \(times.count) frames of the footage are dropped and \(repeated) repeated"
        #expect(source.remarks == (dropped + repeated > 0 ? [line] : []))
        #expect(try source.nextFrame() == nil)
    }

    @Test(
        "the last frame is shown until the end that the footage tells, but for one ahead of it",
        arguments: [(200, [0, 1, 1, 1, 1]), (20, [0, 1])] as [(Int64, [UInt8])])
    func end(told: Int64, shown: [UInt8]) throws {
        let source = ConstantRateSource(
            Uneven([0, 40], frameDuration: CMTime(value: 1, timescale: 25), end: told), frameDuration: CMTime(value: 1, timescale: 25))
        var frames: [Frame] = []
        while let frame = try source.nextFrame() { frames.append(frame) }
        #expect(frames.map { $0.image.plane(0).row(0, as: UInt8.self)[0] } == shown)
    }

    @Test("a long last frame, and the sound beside it, are kept in movies, cinematic movies and exports of those, whole, in part and in segments")
    func longLastFrame() throws {
        let scratch = try Scratch()
        var description = MovieDescription(
            width: 64, height: 36, frameDuration: CMTime(value: 1, timescale: 25), sound: .init(layout: .mono, sampleRate: 48_000))
        description.end = CMTime(value: 2, timescale: 1)
        let writer = try MovieFileWriter(path: scratch("v.mov"), movie: description)
        let picture = CVPixelBuffer(width: 64, height: 36, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        for index in 0..<8 { try writer.append(picture, at: CMTime(value: Int64(index), timescale: 25)) }
        let silence = [Float](repeating: 0, count: 96_000)
        try writer.append(Sound(presentationTime: .zero, sampleRate: 48_000, layout: .mono, samples: silence))
        try writer.finish()
        for (output, length, arguments) in [
            ("a.mp4", 2, ["render", "--video", "v.mov", "--cinematic", "take.mov"]), ("b.mp4", 2, ["export", "take.mov"]),
            ("c.mp4", 2, ["export", "take.mov", "--resume"]), ("d.mp4", 1.8, ["export", "take.mov", "--from", "5f"]),
            ("e.mp4", 1.8, ["render", "--video", "v.mov", "--from", "5f"]), ("f.mp4", 1.5, ["render", "--video", "v.mov", "--to", "1.5s"]),
            ("g.mp4", 1.3, ["export", "take.mov", "--from", "5f", "--to", "1.5s"]),
        ] as [(String, Double, [String])] {
            let run = try ToolRun(arguments + ["-o", output], directory: scratch.url)
            #expect(run.exitCode == 0 && run.output.hasPrefix("\(arguments.contains("--from") ? 3 : 8) frames"), "\(run.errors)")
            let ends = try MovieReader(path: scratch(output)).contents.tracks.map(\.timeRange.end.seconds)
            #expect(ends.count == 2 && ends.allSatisfy { abs($0 - length) < 0.001 }, "\(output): \(ends)")
        }
        let edited = try ToolRun(["edit", "take.mov", "1.5s: {aperture: f/2}"], directory: scratch.url)
        #expect(edited.exitCode == 0, "\(edited.errors)")
        #expect(try ToolRun(["inspect", "take.mov"], directory: scratch.url).output.hasPrefix("take.mov: 2.000 s, 8 frames"))
        let ends = try MovieReader(path: scratch("take.mov")).contents.tracks.map(\.timeRange.end.seconds)
        #expect(ends.count == 4 && ends.allSatisfy { abs($0 - 2) < 0.001 }, "\(ends)")
    }

    @Test("footage is as long as the clip says by its times, not by its number of frames")
    func length() throws {
        let source = ShortenedSource(Uneven([0, 10, 20, 30, 140, 180], frameDuration: CMTime(value: 1, timescale: 25)), length: 100_000_000)
        var times: [Int64] = []
        while let frame = try source.nextFrame() { times.append(frame.presentationTime.value) }
        #expect(times == [0, 10, 20, 30])
    }
}
