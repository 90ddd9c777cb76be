import AVFoundation
import Media
import Pipeline

extension CaptureEnvironment {
    /// The same environment with recordings written as MOV or MP4 files, in every codec that this machine has, and photos as JPEG or PNG.
    public func writingFiles() -> CaptureEnvironment {
        var environment = self
        environment.movieCodecs = MovieFileWriter.codecs
        environment.openMovie = { url, movie in try MovieFileWriter(path: url.path, movie: movie) }
        environment.encodePhoto = { picture, photo in try PhotoFile.data(picture, photo) }
        return environment
    }
}
