import CoreMedia
import Pipeline

/// Movie of pictures of one length each, stored turned by 90 degrees, and of sound in pieces of that length, which a test draws.
public final class DrawnMovie: MovieFile {
    /// Makes a sample by its number, from 0, in its track.
    public typealias Draw = @Sendable (_ number: Int, _ coding: MovieSample.Coding) throws -> MovieSample.Content

    public let contents: MovieContents
    private let length: CMTime
    private let draw: Draw

    /// `count` pictures of H.264 from `start` on, and mono sound of AAC at 48 kHz, unless there is none, within `sound`.
    public init(
        _ count: Int, each length: CMTime, from start: CMTime = .zero, width: Int, height: Int, sound: CMTimeRange? = nil,
        metadata: [String: String] = [:], _ draw: @escaping Draw
    ) {
        (self.length, self.draw) = (length, draw)
        let range = CMTimeRange(start: start, duration: CMTimeMultiply(length, multiplier: Int32(count)))
        var tracks: [MovieContents.Track] = []
        if count > 0 {
            var track = MovieContents.Track(
                number: 1, kind: .picture, codec: 0x6176_6331, timescale: length.timescale, timeRange: range, sampleCount: count,
                byteCount: Int64(count))
            (track.width, track.height, track.frameDuration, track.rotation) = (width, height, length, 90)
            tracks.append(track)
        }
        if let sound {
            var track = MovieContents.Track(number: tracks.count + 1, kind: .sound, codec: 0x6161_6320, timescale: 48_000, timeRange: sound)
            (track.sampleRate, track.channels) = (48_000, 1)
            tracks.append(track)
        }
        contents = MovieContents(tracks: tracks, duration: range.duration, metadata: metadata)
    }

    public func reader(of track: Int, in range: CMTimeRange, as coding: MovieSample.Coding) throws -> any MovieTrackReader {
        Reader(contents.tracks[track - 1].timeRange, length, range) { [draw] in try draw($0, coding) }
    }

    public func cinematicFrames(_ reading: FootageReading, edited: [CinematicSample]?) throws -> any CinematicFrameSource { throw NotCinematic() }

    private struct NotCinematic: Error {}
}
