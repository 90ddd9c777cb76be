import CoreMedia
import Foundation
import Pipeline
import TestSupport
import Testing

@testable import Media

@Suite("The sound track of a movie") struct SoundTrackTests {
    static let thirtieth = CMTime(value: 1, timescale: 30)

    /// A sound whose only sample that is not zero is one, in the first channel.
    static func click(at index: Int, of count: Int, layout: Sound.Layout, from time: CMTime = .zero) -> Sound {
        var samples = [Float](repeating: 0, count: count * layout.channelCount)
        samples[index * layout.channelCount] = 0.9
        return Sound(presentationTime: time, sampleRate: 48_000, layout: layout, samples: samples)
    }

    static func loudest(_ sound: Sound) -> Int {
        let first = stride(from: 0, to: sound.samples.count, by: sound.layout.channelCount).map { abs(sound.samples[$0]) }
        return first.indices.max { first[$0] < first[$1] } ?? -1
    }

    @Test(
        "a click and a flash of one moment come back within one sample of each other",
        arguments: [
            ("a.mp4", .mono, false), ("a.mov", .stereo, false), ("a.mov", .firstOrderAmbisonics, false), ("a.mp4", .stereo, true),
            ("a.mov", .firstOrderAmbisonics, true),
        ] as [(String, Sound.Layout, Bool)])
    func inStep(name: String, layout: Sound.Layout, isFragmented: Bool) throws {
        let scratch = try Scratch()
        let movie = MovieDescription(
            width: 64, height: 36, frameDuration: Self.thirtieth, sound: .init(layout: layout, sampleRate: 48_000),
            fragments: isFragmented ? .all : .none)
        let writer = try MovieFileWriter(path: scratch(name), movie: movie)
        for index in 0..<24 {
            let time = CMTime(value: Int64(index), timescale: 30)
            try writer.append(Picture.nv12(y: index == 15 ? 220 : 30, u: 128, v: 128), at: time)
            let silence = Sound(
                presentationTime: time, sampleRate: 48_000, layout: layout, samples: [Float](repeating: 0, count: 1600 * layout.channelCount))
            try writer.append(index == 15 ? Self.click(at: 0, of: 1600, layout: layout, from: time) : silence)
        }
        try writer.finish()
        let frames = try MovieTests.frames(VideoFileSource(path: scratch(name)))
        let flash = try #require(frames.first { $0.image.plane(0).row(0, as: UInt8.self)[0] > 150 }?.presentationTime)
        let sound = try SoundFile.read(scratch(name))
        let click = sound.presentationTime + CMTime(value: Int64(Self.loudest(sound)), timescale: 48_000)
        #expect(sound.layout == layout && frames.count == 24 && flash == CMTime(value: 15, timescale: 30))
        #expect(abs((click - flash).seconds) <= 1.0001 / 48_000, "the click is at \(click.seconds) s, the flash at \(flash.seconds) s")
        #expect(try scratch.names == [name])
        let mark = try Data(contentsOf: URL(fileURLWithPath: scratch(name))).range(of: Data("SA3D".utf8))
        #expect((mark != nil) == (layout == .firstOrderAmbisonics))
    }

    @Test(
        "ends with its last sample, inside of a packet, also where it was recorded in fragments", arguments: [MovieDescription.Fragments.none, .all])
    func end(fragments: MovieDescription.Fragments) throws {
        let scratch = try Scratch()
        let movie = MovieDescription(
            width: 64, height: 36, frameDuration: Self.thirtieth, sound: .init(layout: .stereo, sampleRate: 48_000), fragments: fragments)
        let writer = try MovieFileWriter(path: scratch("a.mov"), movie: movie)
        for index in 0..<15 {
            let time = CMTime(value: Int64(index), timescale: 30)
            try writer.append(Picture.moving(index), at: time)
            try writer.append(Self.click(at: 800, of: 1600, layout: .stereo, from: time))
        }
        try writer.finish()
        let ends = try MovieReader(path: scratch("a.mov")).contents.tracks.map(\.timeRange.end.seconds)
        #expect(ends.count == 2 && ends.allSatisfy { abs($0 - 0.5) < 0.001 }, "\(ends)")
    }

    @Test("missing sound is silence, and what comes twice counts once")
    func gaps() throws {
        let scratch = try Scratch()
        let movie = MovieDescription(
            width: 64, height: 36, frameDuration: Self.thirtieth, sound: .init(layout: .firstOrderAmbisonics, sampleRate: 48_000))
        let writer = try MovieFileWriter(path: scratch("a.mov"), movie: movie)
        try writer.append(Picture.moving(0), at: .zero)
        func click(from sample: Int64) -> Sound {
            Self.click(at: 3, of: 10, layout: .firstOrderAmbisonics, from: CMTime(value: sample, timescale: 48_000))
        }
        for start: Int64 in [-5, 20, 25, 40] { try writer.append(click(from: start)) }
        try writer.finish()
        let sound = try SoundFile.read(scratch("a.mov"))
        let clicks = (0..<sound.sampleCount).filter { sound.samples[4 * $0] > 0.5 }
        // The click of the first lies before zero, that of the third in what the second brought.
        #expect(clicks == [23, 43] && sound.sampleCount == 50)
    }

    @Test("a day without sound, and a time beyond any movie, are refused and not filled with silence", arguments: [86_401, 1 << 40, Int64.max])
    func farAway(seconds: Int64) throws {
        let scratch = try Scratch()
        let writer = try MovieFileWriter(path: scratch("a.mov"), movie: FragmentTests.movie())
        let time = CMTime(value: seconds, timescale: 1)
        let error = #expect(throws: MediaError.self) { try writer.append(Self.click(at: 1, of: 1600, layout: .stereo, from: time)) }
        #expect(error?.code == .unsupported, "\(error?.description ?? "")")
    }

    @Test("sound of another kind, and ambisonics in MP4, are refused in words")
    func refusals() throws {
        let scratch = try Scratch()
        var movie = MovieDescription(width: 64, height: 36, frameDuration: Self.thirtieth, sound: .init(layout: .stereo, sampleRate: 48_000))
        let writer = try MovieFileWriter(path: scratch("a.mp4"), movie: movie)
        let error = #expect(throws: MediaError.self) { try writer.append(Self.click(at: 0, of: 1, layout: .mono)) }
        #expect(error?.reason == "sound in mono at 48000 Hz does not fit a movie with stereo at 48000 Hz")
        movie.sound?.layout = .firstOrderAmbisonics
        let ambisonic = #expect(throws: MediaError.self) { try MovieFileWriter(path: scratch("b.mp4"), movie: movie) }
        #expect(ambisonic?.reason == "ambisonic sound has no place in MP4; name the movie .mov")
        #expect(try scratch.names == [])
        let silent = #expect(throws: MediaError.self) { try SoundFile.read(#filePath) }
        #expect(silent != nil)
    }
}
