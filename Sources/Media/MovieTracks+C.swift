internal import CFFmpeg
import CoreMedia
import CoreVideo
import Foundation
import Pipeline

/// The encoders of a movie and the file they write into.
final class MovieTracks {
    /// Track 0, where there are pictures.
    private let pictures: PictureEncoder?
    private let sound: SoundEncoder?
    private let muxer: MovieMuxer

    init(path: String, file: String, movie: MovieDescription, timescale: Int32, settings: MovieFileWriter.Settings) throws {
        let pictures = movie.hasPictures ? try PictureEncoder(path: path, movie: movie, timescale: timescale, settings: settings) : nil
        let sound = try movie.sound.map { try SoundEncoder(path: path, track: $0) }
        let layout: MovieMuxer.Layout = movie.fragmentInterval.isNumeric ? .fragments(movie.fragmentInterval) : .indexFirst
        muxer = try MovieMuxer(
            path: path, file: file, movie: movie, layout: layout, tracks: [pictures?.describe, sound?.describe].compactMap { $0 })
        (self.pictures, self.sound) = (pictures, sound)
    }

    private var soundTrack: Int { pictures == nil ? 0 : 1 }

    /// Bytes of coded media so far.
    var byteCount: Int64 { muxer.mediaBytes }

    func encode(_ image: CVPixelBuffer, at ticks: Int64) throws {
        guard let pictures else { return }
        try pictures.encode(image, at: ticks) { try muxer.write($0, track: 0, timeBase: pictures.context.pointee.time_base) }
    }

    /// Appends interleaved samples to the sound track.
    func encode(_ samples: some Sequence<Float>) throws {
        guard let sound else { return }
        try sound.encode(samples) { try muxer.write($0, track: soundTrack, timeBase: sound.context.pointee.time_base) }
    }

    /// Writes what the encoders hold, and the index.
    func finish() throws {
        if let pictures { try pictures.finish { try muxer.write($0, track: 0, timeBase: pictures.context.pointee.time_base) } }
        if let sound { try sound.finish { try muxer.write($0, track: soundTrack, timeBase: sound.context.pointee.time_base) } }
        try muxer.finish()
    }
}
