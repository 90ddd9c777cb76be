import AVFoundation
import Cinematic
import Foundation
import Media
import Pipeline
import Support

extension CNScript {
    /// Script of a movie by its path. Throws `MediaError`.
    static func open(_ path: String) throws -> CNScript { try open(.movie(path), path) }

    /// Script of an asset. Throws `MediaError`, with the path that the caller gave.
    static func open(_ asset: AVURLAsset, _ path: String) throws -> CNScript {
        do { return try CNScript(reading: asset) } catch let error as CNCinematicError { throw MediaError(error, path) }
    }
}

extension AVURLAsset {
    /// Asset of a movie file, read by the adapters.
    static func movie(_ path: String) -> AVURLAsset {
        CaptureEnvironment.$scoped.withValue(.editing()) { AVURLAsset(url: URL(fileURLWithPath: path)) }
    }
}

extension MediaError {
    /// Error beneath a framework's, else one with its own reason, by the path that the caller gave.
    fileprivate init(_ error: CNCinematicError, _ path: String) {
        var beneath: (any Error)? = error
        while let next = beneath {
            if var media = next as? MediaError {
                media.path = path
                self = media
                return
            }
            beneath = (next as NSError).userInfo[NSUnderlyingErrorKey] as? any Error
        }
        let isDamage = error.code == .malformed
        self.init(code: isDamage ? .corrupt : .unsupported, path: path, reason: error.reasonAfterName ?? error.localizedDescription)
    }
}

extension CaptureEnvironment {
    /// Environment of a program that opens movies and films nothing.
    static func editing(renderer: (any BokehRenderer)? = nil) -> CaptureEnvironment {
        CaptureEnvironment(cameras: [], renderer: renderer) { camera in
            throw InputError(path: camera.name, reason: "is no camera of an editor")
        }.writingFiles()
    }
}
