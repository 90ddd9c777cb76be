import CoreMedia
import CoreVideo
import Foundation
import Pipeline
import Support
import Synchronization

/// Writer of a numbered sequence of pictures, from 1 on: `out.%04d.png`, `.tiff` or `.exr`. No file has its name before `finish`.
///
/// Sound is not taken; times are those of an even rate.
public final class PictureSequenceWriter: MovieWriter {
    /// Pattern of the pictures' paths.
    public let path: String
    /// Tracks of the footage that are left out.
    public let remarks: [String]
    private let movie: MovieDescription
    private let pattern: PictureSequence.Pattern
    private let files: OutputSequence
    private let state: Mutex<State>

    private struct State: ~Copyable {
        let coder: StillCoder
        var count = 0
        var bytes: Int64 = 0
        var isOpen = true
    }

    /// Throws `OutputError` for pictures that are there already, `MediaError` for a name that is no pattern.
    ///
    /// - Parameter footage: file that the pictures are of; its sound is named in `remarks`.
    public init(
        path: String, movie: MovieDescription, delivery: DeliveryOptions.Resolved, footage: MovieFileWriter.Footage? = nil,
        replacingExisting: Bool = false
    ) throws {
        guard let pattern = PictureSequence.Pattern(path) else {
            throw MediaError(code: .wrongOptions, path: path, reason: "names one picture; name a sequence, like out.%04d.\(delivery.codec.rawValue)")
        }
        (self.path, self.movie, self.pattern) = (path, movie, pattern)
        files = try OutputSequence(path: path, existing: try pattern.existing(), replacingExisting: replacingExisting)
        let sound = footage.map { FootageTracks.soundNames(of: $0.path) } ?? []
        remarks = sound.map { "\($0) is left out: pictures have no sound" }
        state = Mutex(State(coder: StillCoder(delivery.codec, delivery.pixelFormat, colors: movie.colors)))
    }

    /// Paths of a sequence's pictures that are there; empty for another kind of path.
    public static func existing(_ path: String) throws(MediaError) -> [String] {
        guard let pattern = PictureSequence.Pattern(path) else { return [] }
        return try pattern.existing().map { ((path as NSString).deletingLastPathComponent as NSString).appendingPathComponent($0) }
    }

    /// Codes a picture; throws `MediaError` for another size or format.
    public func append(_ image: CVPixelBuffer, at presentationTime: CMTime) throws {
        guard image.format == movie.pixelFormat, image.size == (movie.width, movie.height) else {
            throw MediaError.unfit(image, for: movie, path: path)
        }
        try state.withLock { state in
            guard state.isOpen else { throw MediaError(code: .encodingFailed, path: path, reason: "the sequence is finished already") }
            let name = (pattern.path(state.count + 1) as NSString).lastPathComponent
            let data = try state.coder.data(image, path: pattern.path(state.count + 1))
            try files.write(data, to: name)
            state.count += 1
            state.bytes += Int64(data.count)
        }
    }

    /// Throws `MediaError`: pictures have no sound.
    public func append(_ sound: Sound) throws {
        throw MediaError(code: .unsupported, path: path, reason: "a sequence of pictures has no sound")
    }

    /// Bytes of the pictures so far.
    public var byteCount: Int64 { state.withLock { $0.bytes } }

    /// Gives the pictures their names.
    public func finish() throws { try finish(with: []) }

    /// Gives the pictures their names, together with `others`; throws `MediaError` where there is none.
    public func finish(with others: [any PendingOutput]) throws {
        let count = state.withLock { state in
            state.isOpen = false
            return state.count
        }
        guard count > 0 else { throw MediaError(code: .encodingFailed, path: path, reason: "a sequence without a single picture is not written") }
        try files.commit(with: others)
    }

    /// Leaves nothing: a sequence that is not complete has no names.
    public func salvage() -> Bool {
        cancel()
        return false
    }

    /// Removes what is not finished.
    public func cancel() {
        state.withLock { $0.isOpen = false }
        files.discard()
    }
}

extension MediaError {
    /// A picture that a movie of this description cannot take.
    static func unfit(_ image: CVPixelBuffer, for movie: MovieDescription, path: String) -> MediaError {
        MediaError(
            code: .mismatch, path: path,
            reason: "a picture of \(image.size.width)x\(image.size.height) in \(String(fourCharacterCode: image.format)) does not fit a movie of "
                + "\(movie.width)x\(movie.height) in \(String(fourCharacterCode: movie.pixelFormat))")
    }
}
