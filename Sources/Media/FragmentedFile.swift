import Foundation
import Pipeline

/// A movie that lies under its own name from the start, in fragments, so that whatever ends the process leaves all whole ones.
///
/// Nothing removes it but `discard()`: it is made of what cannot be recorded again.
struct FragmentedFile {
    let path: String

    /// Creates the empty file, and refuses what is there already.
    init(path: String, replacingExisting: Bool) throws {
        self.path = path
        let flags = O_WRONLY | O_CREAT | O_CLOEXEC | (replacingExisting ? O_TRUNC : O_EXCL)
        let descriptor = open(path, flags, 0o666)
        guard descriptor >= 0 else { throw OutputError(errno: errno, path: path, action: "create") }
        close(descriptor)
    }

    /// Makes an ordinary movie of it, with one index before the media. Where that cannot be done, for want of space say, the
    /// fragments stay as they are: players read them as well.
    func settle(_ movie: MovieDescription) {
        guard let file = try? OutputFile(path: path, replacingExisting: true) else { return }
        do {
            try MovieCopy.copy(path, as: path, to: file.temporaryPath, movie: movie)
            try file.commit()
        } catch {
            file.discard()
        }
    }

    /// Cuts off what is not whole; false, and no file, when nothing is. Where the file cannot be read it stays as it is, for `MovieRecovery`.
    func salvage() -> Bool {
        guard let end = try? Self.extent(of: path).whole else { return false }
        guard end > 0 else {
            discard()
            return false
        }
        truncate(path, off_t(end))
        return true
    }

    func discard() { unlink(path) }

    /// How much of a file in fragments is good.
    struct Extent: Equatable {
        /// Where the last whole fragment ends; 0 when there is none.
        var whole = 0
        /// Behind it begins another, which is not all there.
        var isCut = false
    }

    /// Throws where the file cannot be read.
    static func extent(of path: String) throws -> Extent {
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        defer { try? file.close() }
        let length = try file.seekToEnd()
        var (offset, hasIndex, extent) = (UInt64(0), false, Extent())
        while offset < length {
            try file.seek(toOffset: offset)
            guard let head = try file.read(upToCount: 16) else { break }
            var size = head.prefix(4).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            if size == 1, head.count == 16 { size = head.suffix(8).reduce(0) { $0 << 8 | UInt64($1) } }
            guard head.count >= 8, size >= 8, size <= length - offset else { return Extent(whole: extent.whole, isCut: true) }
            offset += size
            let type = head.dropFirst(4).prefix(4)
            if type == Data("moof".utf8) { (hasIndex, extent.isCut) = (true, true) }
            if type == Data("mdat".utf8), hasIndex { extent = Extent(whole: Int(offset), isCut: false) }
        }
        return extent
    }
}
