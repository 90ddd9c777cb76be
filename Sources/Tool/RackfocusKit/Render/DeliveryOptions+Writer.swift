import Foundation
import Media
import Pipeline

extension DeliveryOptions.Resolved {
    /// Opens the writer of a movie, a picture sequence or a single picture; throws `MediaError` or `OutputError`.
    ///
    /// - Parameters:
    ///   - picture: description of the pictures to come.
    ///   - footage: file whose sound, timecode and chapters go along; nil for none.
    func writer(
        path: String, of picture: SourceDescription, footage: MovieFileWriter.Footage?, isOnePicture: Bool = false, replacingExisting: Bool
    ) throws -> any DeliveryWriter {
        let movie = movie(of: picture)
        if isOnePicture { return try PictureFileWriter(path: path, movie: movie, delivery: self, replacingExisting: replacingExisting) }
        guard !codec.isSequence else {
            return try PictureSequenceWriter(path: path, movie: movie, delivery: self, footage: footage, replacingExisting: replacingExisting)
        }
        return try MovieFileWriter(path: path, movie: movie, footage: footage, replacingExisting: replacingExisting, settings: .init(self))
    }

    /// Path of what lies beside a movie or a picture sequence: `movie.SUFFIX` of `movie.mp4`, `out.SUFFIX` of `out.%04d.png`.
    func path(beside output: String, suffix: String) -> String {
        let stem = (output as NSString).deletingPathExtension
        guard codec.isSequence, let number = stem.lastIndex(of: "%") else { return "\(stem).\(suffix)" }
        let name = String(stem[..<number])
        let trimmed = String(name.reversed().drop { "._-".contains($0) }.reversed())
        return trimmed.isEmpty || trimmed.hasSuffix("/") ? "\(trimmed)pictures.\(suffix)" : "\(trimmed).\(suffix)"
    }

    /// Description of a movie of pictures to come.
    func movie(of picture: SourceDescription) -> MovieDescription {
        var movie = MovieDescription(
            width: picture.width, height: picture.height, frameDuration: picture.frameDuration, codec: codec.movie ?? .h264,
            pixelFormat: picture.pixelFormat)
        (movie.colors, movie.pixelAspect, movie.end) = (picture.colors, picture.pixelAspect, picture.end)
        return movie
    }
}
