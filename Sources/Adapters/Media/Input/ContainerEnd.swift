import Foundation

/// Whether a file is as long as its own container says; tells a cut file before the first frame is asked for.
///
/// Knows MP4 and MOV (top-level boxes), Matroska and WebM (size of the segment), AVI and WebP (RIFF), GIF (trailer). Others make no such promise.
enum ContainerEnd {
    /// Missing part, in words; nil when nothing is missing, or when it is unknown.
    static func shortfall(of file: InputFile) -> String? {
        let head = file.bytes(at: 0, count: 64)
        guard head.count >= 12 else { return nil }
        if head.starts(with: Array("GIF8".utf8)) { return hasTrailer(file) ? nil : "the end mark of a GIF is missing" }
        guard let promised = promisedLength(head, file), promised > file.length else { return nil }
        return "it has \(file.length) bytes, but its headers promise \(promised)"
    }

    private static func promisedLength(_ head: [UInt8], _ file: InputFile) -> Int64? {
        if head.starts(with: Array("RIFF".utf8)) {
            // Some writers are off by the size of the header itself.
            return BigEndian(head).uint32(at: 4).map { Int64($0.byteSwapped) }
        }
        if head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) { return matroska(file) }
        return isBoxed(head) ? boxes(file) : nil
    }

    /// Whether it is a MOV or MP4 file that has less than its boxes promise behind a whole index of all its samples; a recording in fragments has none.
    static func isCutMovie(_ file: InputFile) -> Bool {
        guard isBoxed(file.bytes(at: 0, count: 8)), shortfall(of: file) != nil, let index = index(of: file) else { return false }
        return !announcesFragments(index, file)
    }

    /// Reason why a file has no fragment, to be read after a colon.
    static func reasonForNoFragment(in file: InputFile) -> String {
        if file.length == 0 { return "it is empty" }
        guard isBoxed(file.bytes(at: 0, count: 8)) else { return "it is no MOV or MP4 file" }
        guard let index = index(of: file) else {
            return "it has no index; it was ended before the first one was whole, or is an ordinary movie that has lost its end, where the index was"
        }
        return announcesFragments(index, file) ? "it was ended before the first one was whole" : "it is an ordinary movie, and whole"
    }

    private static func index(of file: InputFile) -> Box? { Box.all(from: 0, to: file.length, in: file).first { $0.type == "moov" } }

    private static func announcesFragments(_ index: Box, _ file: InputFile) -> Bool { index.children(in: file).contains { $0.type == "mvex" } }

    private static func isBoxed(_ head: [UInt8]) -> Bool {
        head.count >= 8 && ["ftyp", "moov", "mdat", "free", "wide", "skip"].contains(String(decoding: head[4..<8], as: UTF8.self))
    }

    private static func boxes(_ file: InputFile) -> Int64? {
        var offset: Int64 = 0
        while offset <= file.length - 8 {
            guard let box = Box(at: offset, in: file), box.size < largest else { return nil }
            offset = box.end
        }
        return offset
    }

    /// A box that promises more is damage, not media.
    private static let largest = Int64(Int32.max) * 4096

    /// The EBML header, then the segment; a segment of unknown size (a live recording) promises nothing.
    private static func matroska(_ file: InputFile) -> Int64? {
        guard let header = length(at: 4, in: file) else { return nil }
        let segment = 4 + header.count + header.value
        guard BigEndian(file.bytes(at: segment, count: 4)).uint32(at: 0) == 0x1853_8067 else { return nil }
        return length(at: segment + 4, in: file).map { segment + 4 + $0.count + $0.value }
    }

    /// An EBML size: as many bytes as its first has leading zeros, and one; all ones is unknown.
    private static func length(at offset: Int64, in file: InputFile) -> (value: Int64, count: Int64)? {
        let bytes = file.bytes(at: offset, count: 8)
        guard let first = bytes.first else { return nil }
        let count = first.leadingZeroBitCount + 1
        guard count <= bytes.count else { return nil }
        let mask = UInt64(1) << UInt64(7 * count) - 1
        let value = bytes.prefix(count).reduce(0) { $0 << 8 | UInt64($1) } & mask
        return value == mask || value > UInt64(largest) ? nil : (Int64(value), Int64(count))
    }

    /// A closed block and a semicolon end a GIF; padding after them is common.
    private static func hasTrailer(_ file: InputFile) -> Bool {
        var end = file.length
        while end > 0 {
            let start = max(0, end - 4096)
            let bytes = file.bytes(at: start, count: Int(end - start))
            if let last = bytes.lastIndex(where: { $0 != 0 && $0 != 10 && $0 != 13 }) {
                return bytes[last] == 0x3B && file.bytes(at: start + Int64(last) - 1, count: 1) == [0]
            }
            end = start
        }
        return false
    }
}
