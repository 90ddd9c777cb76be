import CoreMedia
import CoreVideo
import Foundation
import Pipeline
import Support
import Synchronization

/// Writer of one picture, PNG, TIFF or EXR: the first that is appended.
public final class PictureFileWriter: DeliveryWriter {
    /// Path of the picture.
    public let path: String
    private let movie: MovieDescription
    private let file: OutputFile
    private let state: Mutex<State>

    private struct State: ~Copyable {
        let coder: StillCoder
        var bytes: Int64 = 0
    }

    /// Throws `OutputError` for a picture that is there already.
    public init(path: String, movie: MovieDescription, delivery: DeliveryOptions.Resolved, replacingExisting: Bool = false) throws {
        (self.path, self.movie) = (path, movie)
        file = try OutputFile(path: path, replacingExisting: replacingExisting)
        state = Mutex(State(coder: StillCoder(delivery.codec, delivery.pixelFormat, colors: movie.colors)))
    }

    /// Sound is not asked of a picture.
    public var remarks: [String] { [] }

    /// Codes the picture; later ones are left out. Throws `MediaError` for another size or format.
    public func append(_ image: CVPixelBuffer, at presentationTime: CMTime) throws {
        guard image.format == movie.pixelFormat, image.size == (movie.width, movie.height) else {
            throw MediaError.unfit(image, for: movie, path: path)
        }
        try state.withLock { state in
            guard state.bytes == 0 else { return }
            let data = try state.coder.data(image, path: path)
            try file.write(data)
            state.bytes = Int64(data.count)
        }
    }

    /// Throws `MediaError`: a picture has no sound.
    public func append(_ sound: Sound) throws { throw MediaError(code: .unsupported, path: path, reason: "a picture has no sound") }

    /// Bytes of the picture; 0 before it is there.
    public var byteCount: Int64 { state.withLock { $0.bytes } }

    /// Gives the picture its name.
    public func finish() throws { try finish(with: []) }

    /// Gives the picture its name, together with `others`; throws `MediaError` where none was appended.
    public func finish(with others: [any PendingOutput]) throws {
        guard byteCount > 0 else { throw MediaError(code: .mismatch, path: path, reason: "is not written: the footage has no such frame") }
        try file.commit(with: others)
    }

    /// Leaves nothing.
    public func salvage() -> Bool {
        cancel()
        return false
    }

    /// Removes what is not finished.
    public func cancel() { file.discard() }
}
