import CoreMedia
import Foundation
import Pipeline
import TestSupport
import Testing

@testable import Media

@Suite("A movie made of footage") struct FootageTracksTests {
    private static let told = [
        "timecode": "01:02:03:04", "creation_time": "2026-05-04T10:11:12.000000Z", "title": "Harbour", "com.apple.quicktime.make": "A camera",
    ]

    /// A movie of 24 frames with clicks, a timecode, a date, a title and the name of what filmed.
    private func footage(_ path: String, layout: Sound.Layout) throws {
        let sound = MovieDescription.SoundTrack(layout: layout, sampleRate: 48_000)
        let writer = try MovieFileWriter(
            path: path,
            movie: MovieDescription(width: 64, height: 36, frameDuration: SoundTrackTests.thirtieth, sound: sound, metadata: Self.told))
        for index in 0..<24 {
            let time = CMTime(value: Int64(index), timescale: 30)
            try writer.append(Picture.moving(index), at: time)
            try writer.append(SoundTrackTests.click(at: 50 * index, of: 1600, layout: layout, from: time))
        }
        try writer.finish()
    }

    /// The first `frames` pictures, made anew.
    private func render(_ footage: String, to path: String, frames: Int, ambisonics: MovieFileWriter.Ambisonics = .kept) throws -> [String] {
        var reference = MovieFileWriter.Footage(path: footage)
        reference.ambisonics = ambisonics
        let writer = try MovieFileWriter(
            path: path, movie: MovieDescription(width: 64, height: 36, frameDuration: SoundTrackTests.thirtieth), footage: reference)
        for index in 0..<frames { try writer.append(Picture.moving(index), at: CMTime(value: Int64(index), timescale: 30)) }
        try writer.finish()
        return writer.remarks
    }

    @Test(
        "has its sound, sample for sample and in step, its timecode, its date and all else that it says of itself",
        arguments: ["a.mov", "a.mp4"], ["b.mov", "b.mp4"])
    func whole(source: String, result: String) throws {
        let scratch = try Scratch()
        try footage(scratch(source), layout: .stereo)
        #expect(try render(scratch(source), to: scratch(result), frames: 24) == [])
        let (before, after) = (try SoundFile.read(scratch(source)), try SoundFile.read(scratch(result)))
        #expect(after.samples == before.samples && after.presentationTime == before.presentationTime)
        #expect(try Input(.footage(scratch(result), mayBeCut: false)).movieMetadata == Self.told)
    }

    @Test("names the sound behind the footage's last picture, which it does not have; not that behind the last picture that it was given")
    func longSound() throws {
        let scratch = try Scratch()
        let movie = MovieDescription(
            width: 64, height: 36, frameDuration: SoundTrackTests.thirtieth, sound: .init(layout: .stereo, sampleRate: 48_000))
        let writer = try MovieFileWriter(path: scratch("a.mov"), movie: movie)
        for index in 0..<24 { try writer.append(Picture.moving(index), at: CMTime(value: Int64(index), timescale: 30)) }
        try writer.append(SoundTrackTests.click(at: 800, of: 96_000, layout: .stereo))
        try writer.finish()
        let note = "track 1 of \(scratch("a.mov")) goes on for 1.200 s after the last picture; that is left out"
        #expect(try render(scratch("a.mov"), to: scratch("b.mov"), frames: 24) == [note])
        #expect(try render(scratch("a.mov"), to: scratch("c.mov"), frames: 12) == [])
    }

    @Test("in Matroska says the same of itself, and never that it is a cinematic movie")
    func matroska() throws {
        let scratch = try Scratch()
        let take = scratch("take.mov")
        let writer = try MovieFileWriter(
            path: take,
            movie: MovieDescription(
                width: 64, height: 36, frameDuration: SoundTrackTests.thirtieth, metadata: ["title": "Harbour", CinematicTracks.item: "1"]))
        for index in 0..<24 { try writer.append(Picture.moving(index), at: CMTime(value: Int64(index), timescale: 30)) }
        try writer.finish()
        #expect(try Demuxer(path: take).metadata[CinematicTracks.item] == "1")
        #expect(try render(take, to: scratch("b.mkv"), frames: 24) == [])
        #expect(try Input(.footage(scratch("b.mkv"), mayBeCut: false)).movieMetadata == ["title": "Harbour"])
    }

    @Test("that is shorter has the sound of its pictures alone")
    func cut() throws {
        let scratch = try Scratch()
        try footage(scratch("a.mov"), layout: .mono)
        #expect(try render(scratch("a.mov"), to: scratch("b.mov"), frames: 12) == [])
        // A decoder gives out the last packet whole.
        #expect((19_200..<19_200 + 1024).contains(try SoundFile.read(scratch("b.mov")).sampleCount))
    }

    @Test("says which sound it has no place for, and keeps it in a container that has")
    func leftOut() throws {
        let scratch = try Scratch()
        try footage(scratch("a.mov"), layout: .firstOrderAmbisonics)
        let remarks = try render(scratch("a.mov"), to: scratch("b.mp4"), frames: 24)
        #expect(
            remarks == [
                "track 1 of \(scratch("a.mov")) is left out: its sound is pcm_s24le, for which MP4 has no place; give an output that ends in .mov or .mkv, or --stereo"
            ])
        #expect(try SoundFileSource.open(scratch("b.mp4")) == nil)
        #expect(try render(scratch("a.mov"), to: scratch("c.mov"), frames: 24) == [])
        #expect(try SoundFile.read(scratch("c.mov")).samples == SoundFile.read(scratch("a.mov")).samples)
    }

    @Test("that is ambisonic stays so by its mark, also where a movie is made of its parts")
    func ambisonics() throws {
        let scratch = try Scratch()
        try footage(scratch("a.mov"), layout: .firstOrderAmbisonics)
        #expect(try render(scratch("a.mov"), to: scratch("whole.mov"), frames: 24) == [])
        var movie = MovieDescription(width: 64, height: 36, frameDuration: SoundTrackTests.thirtieth, fragments: .beside)
        let writer = try MovieFileWriter(path: scratch("fragments.mov"), movie: movie, footage: .init(path: scratch("a.mov")))
        for index in 0..<24 { try writer.append(Picture.moving(index), at: CMTime(value: Int64(index), timescale: 30)) }
        try writer.finish()
        movie.fragments = .none
        let segment = MovieJoin.Segment(path: scratch("whole.mov"), start: .zero)
        #expect(try MovieJoin.join([segment], to: scratch("joined.mov"), movie: movie, footage: .init(path: scratch("a.mov"))) == [])
        for name in ["whole.mov", "fragments.mov", "joined.mov"] {
            let remarks = try render(scratch(name), to: scratch("\(name).mp4"), frames: 24, ambisonics: .stereo)
            #expect(remarks == ["track 1 of \(scratch(name)) is ambisonic; it became stereo"])
        }
    }

    @Test("that is ambisonic becomes stereo where that is asked for: left is (W + Y) / 2")
    func stereo() throws {
        let scratch = try Scratch()
        try footage(scratch("a.mov"), layout: .firstOrderAmbisonics)
        let remarks = try render(scratch("a.mov"), to: scratch("b.mp4"), frames: 24, ambisonics: .stereo)
        #expect(remarks == ["track 1 of \(scratch("a.mov")) is ambisonic; it became stereo"])
        let (before, after) = (try SoundFile.read(scratch("a.mov")).mixed(to: .stereo), try SoundFile.read(scratch("b.mp4")))
        #expect(after.layout == .stereo && abs(after.sampleCount - before.sampleCount) <= 2048)
        let count = min(before.samples.count, after.samples.count)
        var (signal, error) = (Float(0), Float(0))
        for at in 0..<count {
            signal += before.samples[at] * before.samples[at]
            error += (before.samples[at] - after.samples[at]) * (before.samples[at] - after.samples[at])
        }
        #expect(signal > 0 && error < 0.2 * signal, "error \(error) of \(signal)")
    }

    @Test("of pictures alone, or of an image sequence, is silent")
    func silent() throws {
        let scratch = try Scratch()
        let writer = try MovieFileWriter(
            path: scratch("a.mp4"), movie: MovieDescription(width: 64, height: 36, frameDuration: SoundTrackTests.thirtieth))
        try writer.append(Picture.moving(0), at: .zero)
        try writer.finish()
        for (index, source) in [scratch("a.mp4"), scratch("none%d.png")].enumerated() {
            let path = scratch("out\(index).mp4")
            #expect(try render(source, to: path, frames: 2) == [])
            #expect(try SoundFileSource.open(path) == nil)
        }
    }
}
