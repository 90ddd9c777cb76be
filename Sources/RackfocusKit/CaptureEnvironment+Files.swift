import AVFoundation
import Media

extension CaptureEnvironment {
    /// The same environment with recordings written as H.264 in MP4.
    public func writingFiles() -> CaptureEnvironment {
        var environment = self
        environment.openMovie = { url, source in
            try H264MovieWriter(path: url.path, width: source.width, height: source.height, frameDuration: source.frameDuration)
        }
        return environment
    }
}
