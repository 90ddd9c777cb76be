import Foundation
import Support

/// Text that a finished movie carries behind its media: the list of its edits.
///
/// It lies in a box `uuid` at the end of the file: the identifier, the SHA-256 of the text, the text in UTF-8. Another text is appended behind the last,
/// so that nothing that was written is touched; the last whole box counts, and one that was cut off by the end of its writer is passed over.
public enum EmbeddedEdits {
    private static let identifier = Array("rackfocus.edits\u{1}".utf8)
    private static let (header, digest) = (8 + 16, 32)
    /// Most bytes of a box that is read or written.
    private static let most: Int64 = 1 << 26

    /// The text; nil in a movie without one. Throws `MediaError` where the file cannot be read.
    public static func read(_ path: String) throws(MediaError) -> String? {
        let file = try InputFile(path: path)
        let found = boxes(of: file).last { isOurs($0, in: file) }
        try file.checkReads()
        guard let found, found.end <= file.end, found.size <= most else { return nil }
        let bytes = file.bytes(at: found.offset + Int64(header), count: Int(found.size) - header)
        return String(decoding: bytes.dropFirst(digest), as: UTF8.self)
    }

    /// Appends a text. Throws `MediaError` for a file that is no finished movie of boxes, `OutputError` where it cannot be written.
    public static func write(_ text: String, to path: String) throws {
        let file = try InputFile(path: path)
        let boxes = boxes(of: file)
        func refusal(_ reason: String) -> MediaError { MediaError(code: .unsupported, path: path, reason: reason) }
        guard boxes.first?.type == "ftyp", boxes.contains(where: { $0.type == "moov" }) else {
            throw refusal("has no place for edits in it; leave --embed out, and they lie beside it")
        }
        guard !boxes.contains(where: { $0.type == "moof" }) else {
            throw refusal("is a recording that was not finished; make a whole movie of it first: rackfocus recover IN -o OUT.mov")
        }
        let end = boxes.last?.end ?? 0
        guard end == file.end || tornBox(of: file) == end else {
            throw refusal("does not end with a whole box, so that nothing can be put behind it; leave --embed out, and the edits lie beside it")
        }
        guard let last = boxes.last, file.bytes(at: last.offset, count: 4) != [0, 0, 0, 0] else {
            throw refusal("ends with a box without a size, which would swallow what is put behind it; leave --embed out, and the edits lie beside it")
        }
        guard header + digest + text.utf8.count <= most else {
            throw refusal("has no place for edits of \(text.utf8.count) bytes; leave --embed out, and they lie beside it")
        }
        try file.checkReads()
        var box = [UInt8]()
        let size = UInt32(header + digest + text.utf8.count)
        withUnsafeBytes(of: size.bigEndian) { box += $0 }
        box += Array("uuid".utf8) + identifier + SHA256(text).bytes
        try append(box + Array(text.utf8), at: end, to: path)
    }

    /// Start of a box of ours at the end of the file that its writer did not complete; nil where there is none.
    static func tornBox(of file: InputFile) -> Int64? {
        // Fragments follow each other by the thousand, and have no edits.
        var (offset, count) = (Int64(0), 0)
        while count < mostBoxes, let box = Box(at: offset, in: file), box.end <= file.end { (offset, count) = (box.end, count + 1) }
        guard offset < file.end, count > 1 else { return nil }
        let rest = file.bytes(at: offset, count: header)
        let own = Array(rest.dropFirst(4))
        return own == Array((Array("uuid".utf8) + identifier).prefix(own.count)) ? offset : nil
    }

    private static let mostBoxes = 1000

    private static func append(_ bytes: [UInt8], at end: Int64, to path: String) throws {
        let descriptor = SystemCall.repeated { open(path, O_RDWR | O_CLOEXEC | O_NOCTTY) }
        guard descriptor >= 0 else { throw OutputError(errno: errno, path: path, action: "put edits into it") }
        var failure: Int32?
        if SystemCall.repeated({ ftruncate(descriptor, off_t(end)) }) != 0 || lseek(descriptor, off_t(end), SEEK_SET) < 0 { failure = errno }
        failure = failure ?? bytes.withUnsafeBytes { OutputFile.writeAll($0, to: descriptor) }
        if failure == nil, SystemCall.repeated({ fsync(descriptor) }) != 0 { failure = errno }
        // A part of it would be a box that is cut off.
        if failure != nil { _ = SystemCall.repeated { ftruncate(descriptor, off_t(end)) } }
        let closed = close(descriptor) == 0 ? nil : errno
        if let failure = failure ?? closed { throw OutputError(errno: failure, path: path, action: "put edits into it") }
    }

    /// Whole boxes of the file.
    private static func boxes(of file: InputFile) -> [Box] { Box.all(from: 0, to: file.end, in: file) }

    /// Whether a box holds a text that is whole.
    private static func isOurs(_ box: Box, in file: InputFile) -> Bool {
        guard box.type == "uuid", box.headerLength == 8, box.size >= header + digest, box.size <= most,
            file.bytes(at: box.content, count: 16) == identifier
        else { return false }
        let bytes = file.bytes(at: box.offset + Int64(header), count: Int(box.size) - header)
        let text = Array(bytes.dropFirst(digest))
        let stated = bytes.prefix(digest).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return SHA256().adding(text).hexadecimal == stated
    }
}
