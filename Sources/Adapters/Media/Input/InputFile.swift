import Foundation
import Support

/// A regular file opened for reading, read at any place, with bytes that can be made to read differently from what is stored.
///
/// Devices, FIFOs, sockets and the files of the kernel (/proc, /sys) are refused: footage may be named by a scenario that a stranger wrote.
final class InputFile {
    /// Bytes that replace those stored at an offset.
    struct Edit: Equatable {
        var offset: Int64
        var bytes: [UInt8]

        init(at offset: Int64, bytes: [UInt8]) {
            self.offset = offset
            self.bytes = bytes
        }

        /// A big-endian number of 32 bits.
        init(at offset: Int64, _ number: UInt32) {
            self.init(at: offset, bytes: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) })
        }
    }

    let path: String
    /// Bytes stored.
    let length: Int64
    /// End of the part that is read; at most `length`.
    private(set) var end: Int64
    /// In order of their offsets.
    private var edits: [Edit] = []
    /// Identifier of a track that holds disparity under a name of its own; nil for none.
    var disparityTrack: UInt32?
    /// Tables of the keys of timed metadata, by the identifiers of their tracks.
    var metadataKeys: [UInt32: Data] = [:]
    private let descriptor: Int32
    /// The errno of the first read that failed; the bytes from there on look like the file's end to a parser.
    private(set) var readFailure: Int32?

    init(path: String) throws(MediaError) {
        func refusal(_ reason: String) -> MediaError { MediaError(code: .missingFile, path: path, reason: reason) }
        var status = stat()
        guard stat(path, &status) == 0 else { throw refusal(Self.reason(errno)) }
        // Judged before it is opened, since opening a device may set it in motion, and again when it is open.
        if let reason = Self.refusal(of: status) { throw refusal(reason) }
        descriptor = SystemCall.repeated { open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }
        guard descriptor >= 0 else { throw refusal(Self.reason(errno)) }
        self.path = path
        let isKnown = fstat(descriptor, &status) == 0
        length = Int64(status.st_size)
        end = length
        guard isKnown else { throw refusal(Self.reason(errno)) }
        if let reason = Self.refusal(of: status) { throw refusal(reason) }
        if Self.isOfKernel(descriptor) { throw refusal("is a file of the kernel, not footage") }
    }

    deinit { close(descriptor) }

    /// Reason of a call that failed; for a name that is not there that of other inputs (`FileContents`).
    private static func reason(_ code: Int32) -> String {
        [ENOENT, ENOTDIR].contains(code) ? "there is no such file" : "cannot be read: \(String(cString: strerror(code)))"
    }

    private static func refusal(of status: stat) -> String? {
        switch status.st_mode & S_IFMT {
        case S_IFREG: nil
        case S_IFDIR: "is a directory, not a file"
        case S_IFIFO: "is a pipe, not a file"
        case S_IFSOCK: "is a socket, not a file"
        default: "is a device, not a file"
        }
    }

    /// From now on reading ends at `end`, and `edits`, which do not overlap, hold.
    func show(until end: Int64, edits: [Edit]) {
        self.end = min(max(end, 0), length)
        self.edits = edits.sorted { $0.offset < $1.offset }
    }

    /// Reads up to `buffer.count` bytes: how many there are before the end, or an errno as a negative number.
    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard offset >= 0, offset < end, let base = buffer.baseAddress else { return 0 }
        let wanted = min(buffer.count, Int(clamping: end - offset))
        var count = 0
        while count < wanted {
            let more = SystemCall.repeated { pread(descriptor, base + count, wanted - count, off_t(offset) + off_t(count)) }
            if more < 0 {
                let code = errno
                readFailure = readFailure ?? code
                return count > 0 ? count : -Int(code)
            }
            if more == 0 { break }
            count += more
        }
        apply(to: UnsafeMutableRawBufferPointer(start: base, count: count), at: offset)
        return count
    }

    /// Throws when a read has failed: what was made of the file is not all of it.
    func checkReads() throws(MediaError) {
        guard let readFailure else { return }
        throw MediaError(code: .missingFile, path: path, reason: Self.reason(readFailure))
    }

    /// The bytes at a place; fewer at the end, none where they cannot be read.
    func bytes(at offset: Int64, count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = max(0, read(at: offset, into: UnsafeMutableRawBufferPointer(buffer)))
        }
    }

    private func apply(to buffer: UnsafeMutableRawBufferPointer, at offset: Int64) {
        guard !edits.isEmpty, !buffer.isEmpty else { return }
        // No edit is longer than eight bytes, so one that reaches in begins at most seven before.
        var (low, high) = (0, edits.count)
        while low < high {
            let middle = (low + high) / 2
            if edits[middle].offset < offset - 7 { low = middle + 1 } else { high = middle }
        }
        while low < edits.count, edits[low].offset < offset + Int64(buffer.count) {
            for (index, byte) in edits[low].bytes.enumerated() {
                let place = edits[low].offset - offset + Int64(index)
                if place >= 0, place < Int64(buffer.count) { buffer[Int(place)] = byte }
            }
            low += 1
        }
    }
}
