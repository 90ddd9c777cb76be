import CoreMedia
import Foundation
import Pipeline
import TestSupport
import Testing

@testable import Media

@Suite("The sound of footage, as a microphone hears it") struct SoundSourceTests {
    /// A movie of 24 frames whose sound rises, in the first channel.
    private func footage(_ path: String, layout: Sound.Layout) throws {
        let sound = MovieDescription.SoundTrack(layout: layout, sampleRate: 48_000)
        let writer = try MovieFileWriter(
            path: path, movie: MovieDescription(width: 64, height: 36, frameDuration: SoundTrackTests.thirtieth, sound: sound))
        for index in 0..<24 {
            let time = CMTime(value: Int64(index), timescale: 30)
            try writer.append(Picture.moving(index), at: time)
            try writer.append(SoundTrackTests.click(at: 50 * index, of: 1600, layout: layout, from: time))
        }
        try writer.finish()
    }

    @Test("is the file's, sample for sample, however it is cut; silent beside it, and the same when it is heard again")
    func same() throws {
        let scratch = try Scratch()
        try footage(scratch("a.mov"), layout: .stereo)
        let (source, whole) = (try #require(try SoundFileSource.open(scratch("a.mov"))), try SoundFile.read(scratch("a.mov")))
        let first = Sound.sample(at: whole.presentationTime, sampleRate: 48_000)
        let count = Int64(whole.sampleCount)
        #expect(source.sampleRate == 48_000 && abs((source.sampleCount ?? 0) - (first + count)) <= 1024)
        for _ in 0..<2 {
            var heard: [Float] = []
            for start in stride(from: Int64(0), to: first + count + 3000, by: 1601) {
                let sound = try source.sound(of: start..<start + 1601)
                #expect(sound.layout == .stereo && sound.sampleCount == 1601 && sound.presentationTime == CMTime(value: start, timescale: 48_000))
                heard += sound.samples
            }
            let (begin, end) = (Int(first) * 2, Int(first + count) * 2)
            #expect(Array(heard[begin..<end]) == whole.samples && heard[end...].allSatisfy { $0 == 0 })
        }
        #expect(try source.sound(of: 20_000..<20_100).samples == Array(whole.samples[2 * (20_000 - Int(first))..<2 * (20_100 - Int(first))]))
    }

    @Test("is none where a movie has none, and an error where it has too many channels")
    func none() throws {
        let scratch = try Scratch()
        let writer = try MovieFileWriter(
            path: scratch("mute.mp4"), movie: MovieDescription(width: 64, height: 36, frameDuration: SoundTrackTests.thirtieth))
        try writer.append(Picture.moving(0), at: .zero)
        try writer.finish()
        #expect(try SoundFileSource.open(scratch("mute.mp4")) == nil)
        #expect(try SoundFileSource.open(scratch("none%d.png")) == nil)
    }

    @Test("goes into a movie of its own", arguments: ["a.mov", "a.mp4"], [MovieDescription.Fragments.none, .all])
    func soundAlone(name: String, fragments: MovieDescription.Fragments) throws {
        let scratch = try Scratch()
        let track = MovieDescription.SoundTrack(layout: name == "a.mov" ? .firstOrderAmbisonics : .mono, sampleRate: 48_000)
        let writer = try MovieFileWriter(path: scratch(name), movie: MovieDescription(sound: track, fragments: fragments))
        for index in 0..<48 {
            try writer.append(
                SoundTrackTests.click(
                    at: index == 30 ? 500 : 0, of: 1000, layout: track.layout, from: CMTime(value: Int64(1000 * index), timescale: 48_000)))
        }
        #expect(throws: MediaError.self) {
            try MovieFileWriter(path: scratch("b.mov"), movie: MovieDescription(width: 0, height: 0, frameDuration: .zero))
        }
        try writer.finish()
        let sound = try SoundFile.read(scratch(name))
        #expect(try sound.layout == track.layout && abs(sound.sampleCount - 48_000) <= 2048 && scratch.names == [name])
        let window = sound.cut(from: CMTime(value: 30_200, timescale: 48_000), to: CMTime(value: 30_800, timescale: 48_000))
        #expect(abs(SoundTrackTests.loudest(window) - 300) <= 1)
    }
}
