import CoreMedia
import Foundation
import Pipeline
import TestSupport
import Testing

@testable import Media

@Suite("The last picture of a movie")
struct LastPictureTests {
    /// Times of uneven pictures, the last of which is shown for a second.
    private static let times = (0..<24).map { (index: Int64) in CMTime(value: 4 * index + index % 3, timescale: 120) }
    private static let end = CMTime(value: 93 + 3 + 120, timescale: 120)

    private static var movie: MovieDescription {
        var movie = MovieDescription(width: 64, height: 64, frameDuration: CMTime(value: 1, timescale: 25))
        movie.end = end
        return movie
    }

    private func write(_ path: String, _ movie: MovieDescription, _ frames: Range<Int>) throws {
        let writer = try MovieFileWriter(path: path, movie: movie)
        for index in frames { try writer.append(Picture.moving(index, height: 64), at: Self.times[index] - Self.times[frames.lowerBound]) }
        try writer.finish()
    }

    private func check(_ path: String) throws {
        let source = try VideoFileSource(path: path)
        #expect(abs((source.description.end ?? .zero).seconds - Self.end.seconds) < 0.001, "\(String(describing: source.description.end))")
        #expect(abs(try MovieReader(path: path).contents.duration.seconds - Self.end.seconds) < 0.001)
        #expect(try MovieTests.frames(source).map(\.presentationTime) == Self.times)
    }

    @Test("is shown until the end, also where the encoder changes the order of pictures", arguments: [MovieDescription.Codec.h264, .hevc, .prores])
    func end(codec: MovieDescription.Codec) throws {
        let scratch = try Scratch()
        var movie = Self.movie
        movie.codec = codec
        try write(scratch("a.mov"), movie, 0..<24)
        try check(scratch("a.mov"))
    }

    @Test("is shown as long as the others where the end was said to be before it", arguments: [MovieDescription.Codec.h264, .hevc, .prores])
    func early(codec: MovieDescription.Codec) throws {
        let scratch = try Scratch()
        var movie = Self.movie
        (movie.codec, movie.end) = (codec, Self.times[22])
        try write(scratch("a.mov"), movie, 0..<24)
        let end = Self.times[23] + movie.frameDuration
        #expect(abs(try MovieReader(path: scratch("a.mov")).contents.duration.seconds - end.seconds) < 0.001)
    }

    @Test("is shown until the end of a movie that was in fragments")
    func fragments() throws {
        let scratch = try Scratch()
        var movie = Self.movie
        (movie.end, movie.fragments) = (nil, .every(.invalid))
        let writer = try MovieFileWriter(path: scratch("a.mov"), movie: movie)
        for (index, time) in Self.times.enumerated() {
            if index == 23 { try writer.end(at: Self.end) }
            try writer.append(Picture.moving(index, height: 64), at: time)
        }
        try writer.finish()
        try check(scratch("a.mov"))
    }

    @Test("is shown until the end of a movie of segments", arguments: [MovieDescription.Codec.h264, .hevc])
    func segments(codec: MovieDescription.Codec) throws {
        let scratch = try Scratch()
        var movie = Self.movie
        movie.codec = codec
        var segments: [MovieJoin.Segment] = []
        for first in [0, 12] {
            var part = movie
            part.end = Self.end - Self.times[first]
            try write(scratch("\(first).mov"), part, first..<first + 12)
            segments.append(.init(path: scratch("\(first).mov"), start: Self.times[first]))
        }
        _ = try MovieJoin.join(segments, to: scratch("a.mov"), movie: movie)
        try check(scratch("a.mov"))
    }

    @Test("is within the track where frames were dropped, however the encoder orders pictures", arguments: [MovieDescription.Codec.h264, .hevc])
    func dropped(codec: MovieDescription.Codec) throws {
        let scratch = try Scratch()
        let frames: [[Int64]] = [[0, 1, 2, 5, 6, 9], [0, 8, 9, 10, 11, 12, 13], [0, 1, 2, 3, 4, 5, 6, 20, 21], [0, 1, 2, 3, 4, 9]]
        for (number, frames) in frames.enumerated() {
            let path = scratch("\(number).mov")
            let movie = MovieDescription(width: 64, height: 64, frameDuration: CMTime(value: 1, timescale: 30), codec: codec)
            let writer = try MovieFileWriter(path: path, movie: movie)
            let times = frames.map { CMTime(value: $0, timescale: 30) }
            for (index, time) in times.enumerated() { try writer.append(Picture.moving(index, height: 64), at: time) }
            try writer.finish()
            let track = try MovieReader(path: path).contents.tracks[0]
            #expect(track.timeRange == CMTimeRange(start: .zero, end: CMTime(value: frames.last! + 1, timescale: 30)), "\(frames)")
            #expect(try MovieTests.frames(VideoFileSource(path: path)).map(\.presentationTime) == times)
        }
    }

    @Test("lasts a frame where no end is told, and no source tells one then")
    func usual() throws {
        let scratch = try Scratch()
        try MovieTests.write(scratch("a.mp4"), frames: 5)
        #expect(try VideoFileSource(path: scratch("a.mp4")).description.end == nil)
    }
}
