import CoreMedia
import Foundation
import Pipeline
import Support

/// A movie in fragments that are safe from the end of the process once they are appended, under its own name from the start or in a file beside
/// (`MovieDescription.Fragments`).
///
/// Nothing but `discard()` removes what cannot be recorded again; one beside goes with the signals that end the process, but for SIGKILL.
final class FragmentedFile {
    let path: String
    private let visibility: MovieDescription.Fragments
    /// Of a file beside.
    private let slot: UnfinishedOutput.Slot?
    private let descriptor: Int32
    /// Offset of the next fragment; all before it is whole.
    private var end: Int64 = 0
    /// Bytes of all samples.
    private var mediaSize: Int64 = 0
    /// Offsets of the fragments that players pass over, and the time at which they are to see them.
    private var hidden: [Int64] = []
    private var nextRevelation = CMTime.zero

    /// Creates the empty file, and refuses what is there already. `path` is the movie's.
    init(path movie: String, visibility: MovieDescription.Fragments, replacingExisting: Bool) throws(OutputError) {
        let path = visibility == .beside ? movie.besideAsPart : movie
        (self.path, self.visibility) = (path, visibility)
        let flags = O_RDWR | O_CREAT | O_CLOEXEC | (replacingExisting ? O_TRUNC : O_EXCL)
        descriptor = SystemCall.repeated { open(path, flags, 0o666) }
        guard descriptor >= 0 else { throw OutputError(errno: errno, path: path, action: "create") }
        slot = visibility == .beside ? UnfinishedOutput.register(path) : nil
        if case .every(let interval) = visibility { nextRevelation = interval }
    }

    deinit { close(descriptor) }

    /// Whether there is a fragment in it.
    var holdsMedia: Bool { end > 0 }

    /// Appends the boxes of a fragment, the last sample of which ends at `time`; all of it or, where that fails, nothing.
    ///
    /// - Parameters:
    ///   - open: bytes at the beginning that are never hidden, the file's type.
    ///   - media: bytes of the samples.
    func append(_ boxes: [UInt8], open: Int, media: Int64, until time: CMTime) throws(OutputError) {
        var bytes = boxes
        var place: Int64?
        if case .every = visibility {
            bytes.insert(contentsOf: HiddenFragment.header(around: boxes.count - open), at: open)
            place = end + Int64(open)
        }
        if let failure = SystemCall.write(bytes, to: descriptor, at: end) {
            SystemCall.repeated { ftruncate(descriptor, off_t(end)) }
            throw OutputError(errno: failure, path: path, action: "write")
        }
        end += Int64(bytes.count)
        mediaSize += media
        if let place { hidden.append(place) }
        guard case .every(let interval) = visibility, interval.isNumeric, time >= nextRevelation else { return }
        try reveal()
        while nextRevelation <= time { nextRevelation = nextRevelation + interval }
    }

    /// Shows players everything: each of the boxes around is made to end before what it hides. Four bytes a fragment.
    private func reveal() throws(OutputError) {
        for index in hidden.indices {
            let edit = HiddenFragment.revealed(at: hidden[index])
            if let failure = SystemCall.write(edit.bytes, to: descriptor, at: edit.offset) {
                hidden.removeFirst(index)
                throw OutputError(errno: failure, path: path, action: "write")
            }
        }
        hidden = []
    }

    /// Rewrites it as an ordinary movie, with one index before the media. Where that fails, for want of space say, the fragments stay as they are:
    /// players read them as well. Throws where players do not see all of them, which recovery does.
    ///
    /// - Parameters:
    ///   - time: end that the movie is to have; nil for that of its last sample.
    ///   - soundEnd: end of the sound, inside of its last packet; nil for that of the packet.
    func finish(
        _ movie: MovieDescription, at time: CMTime? = nil, pictureEnd: CMTime? = nil, soundEnd: CMTime? = nil
    ) throws(OutputError) {
        try reveal()
        guard let file = try? OutputFile(path: path, replacingExisting: true) else { return }
        do {
            if try isCopied(movie, to: file, at: time, pictureEnd: pictureEnd, soundEnd: soundEnd) { try file.commit() } else { file.discard() }
        } catch {
            file.discard()
        }
    }

    /// Makes an ordinary movie of one that lies beside, and removes that. `footage` and `others` go along.
    func finish(
        _ movie: MovieDescription, in file: OutputFile, with others: [any PendingOutput], footage: FootageTracks?, at time: CMTime?,
        pictureEnd: CMTime?
    ) throws {
        guard try isCopied(movie, to: file, footage: footage, at: time, pictureEnd: pictureEnd) else {
            throw MediaError(
                code: .encodingFailed, path: file.path, reason: "does not hold all that was written: FFmpeg had too little memory for its index")
        }
        try file.commit(with: others)
        discard()
    }

    /// Copies everything; false where samples are missing: FFmpeg ends early, and says nothing, where it had no memory for all of an index.
    private func isCopied(
        _ movie: MovieDescription, to file: OutputFile, footage: FootageTracks? = nil, at time: CMTime?, pictureEnd: CMTime?, soundEnd: CMTime? = nil
    ) throws -> Bool {
        let copy = try MovieCopy.copy(
            Input(InputFile(path: path)), as: file.path, to: file.temporaryPath, movie: movie, footage: footage, pictureEnd: pictureEnd,
            soundEnd: soundEnd)
        if let time { try MovieLength.shorten(file.temporaryPath, to: time) }
        return copy.mediaSize == mediaSize
    }

    func discard() {
        unlink(path)
        slot?.release()
    }
}

extension String {
    /// Name of the file in fragments beside a movie: `take.part.mov` beside `take.mov`.
    package var besideAsPart: String {
        let path = self as NSString
        return path.deletingPathExtension + ".part." + path.pathExtension
    }
}
