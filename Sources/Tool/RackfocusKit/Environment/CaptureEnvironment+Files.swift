import AVFoundation
import Bokeh
import Media
import Pipeline
import Vision

extension CaptureEnvironment {
    /// The same environment with recordings written as MOV or MP4 files, in every codec that this machine has, photos as JPEG or PNG, and assets read from
    /// any movie that FFmpeg reads.
    public func writingFiles() -> CaptureEnvironment {
        var environment = self
        environment.movieCodecs = MovieFileWriter.codecs
        environment.openMovie = { url, movie in try MovieFileWriter(path: url.path, movie: movie, settings: .init(movie.coding)) }
        environment.openDetector = { try VisionDetector() }
        environment.openPreviewLens = {
            var options = BokehOptions(highlights: 8)
            options.quality = .preview
            return try VulkanBokehRenderer(options: options)
        }
        environment.openAsset = { url in try MovieReader(path: url.path) }
        environment.encodePhoto = { picture, photo in try PhotoFile.data(picture, photo) }
        return environment
    }
}
