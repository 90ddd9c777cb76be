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
            try MovieCopy.copy(path, to: file.temporaryPath, movie: movie)
            try file.commit()
        } catch {
            file.discard()
        }
    }

    /// Cuts off what is not whole; false, and no file, when nothing is.
    func salvage() -> Bool {
        let end = Self.wholeLength(of: path)
        guard end > 0, truncate(path, off_t(end)) == 0 else {
            discard()
            return false
        }
        return true
    }

    func discard() { unlink(path) }

    /// Where the last fragment ends of which everything is there; 0 when there is none.
    static func wholeLength(of path: String) -> Int {
        guard let file = FileHandle(forReadingAtPath: path), let length = try? file.seekToEnd() else { return 0 }
        defer { try? file.close() }
        var (offset, end, hasIndex) = (UInt64(0), UInt64(0), false)
        while offset + 8 <= length {
            guard (try? file.seek(toOffset: offset)) != nil, let head = try? file.read(upToCount: 16), head.count >= 8 else { break }
            var size = head.prefix(4).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            if size == 1, head.count == 16 { size = head.suffix(8).reduce(0) { $0 << 8 | UInt64($1) } }
            guard size >= 8, offset + size <= length else { break }
            offset += size
            let type = head.dropFirst(4).prefix(4)
            if type == Data("moof".utf8) { hasIndex = true }
            if type == Data("mdat".utf8), hasIndex { end = offset }
        }
        return Int(end)
    }
}
