import Foundation

/// Whether a file is as long as its own container says; tells a cut file before the first frame is asked for, and finds what is good of a
/// recording that was killed.
///
/// Knows MP4 and MOV (top-level boxes), Matroska and WebM (size of the segment), AVI and WebP (RIFF), GIF (trailer). Others make no such promise.
enum ContainerEnd {
    /// What is missing, in words; nil when nothing is, or when nobody knows.
    static func shortfall(of path: String) -> String? {
        guard let bytes = try? Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped), bytes.count >= 12 else { return nil }
        if bytes.starts(with: Data("GIF8".utf8)) { return hasTrailer(bytes) ? nil : "the end mark of a GIF is missing" }
        guard let promised = promisedLength(bytes), promised > bytes.count else { return nil }
        return "it has \(bytes.count) bytes, but its headers promise \(promised)"
    }

    /// What FFmpeg is to open: the file, or the whole fragments of a recording that ended in the middle of one.
    static func address(of path: String) -> String {
        guard let extent = try? FragmentedFile.extent(of: path), extent.isCut, extent.whole > 0 else { return "file:" + path }
        return "subfile,,start,0,end,\(extent.whole),,:file:\(path)"
    }

    private static func promisedLength(_ bytes: Data) -> Int? {
        if bytes.starts(with: Data("RIFF".utf8)) {
            // Some writers are off by the size of the header itself.
            return Int(UInt32(truncatingIfNeeded: number(bytes, at: 4, count: 4)).byteSwapped)
        }
        if bytes.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) { return matroska(bytes) }
        let isBoxed = ["ftyp", "moov", "mdat", "free", "wide", "skip"].contains(String(decoding: bytes[4..<8], as: UTF8.self))
        return isBoxed ? boxes(bytes) : nil
    }

    private static func boxes(_ bytes: Data) -> Int? {
        var offset = 0
        while offset + 8 <= bytes.count {
            var size = number(bytes, at: offset, count: 4)
            if size == 1, offset + 16 <= bytes.count { size = number(bytes, at: offset + 8, count: 8) }
            guard size >= 8, size < UInt64(Int32.max) * 4096 else { return nil }
            offset += Int(size)
        }
        return offset
    }

    /// The EBML header, then the segment; a segment of unknown size (a live recording) promises nothing.
    private static func matroska(_ bytes: Data) -> Int? {
        guard let header = length(bytes, at: 4) else { return nil }
        let segment = 4 + header.count + header.value
        guard segment + 12 <= bytes.count, number(bytes, at: segment, count: 4) == 0x1853_8067 else { return nil }
        return length(bytes, at: segment + 4).map { segment + 4 + $0.count + $0.value }
    }

    /// An EBML size: as many bytes as its first has leading zeros, and one; all ones is unknown.
    private static func length(_ bytes: Data, at offset: Int) -> (value: Int, count: Int)? {
        let count = bytes[offset].leadingZeroBitCount + 1
        guard count <= 8, offset + count <= bytes.count else { return nil }
        let mask = UInt64(1) << UInt64(7 * count) - 1
        let value = number(bytes, at: offset, count: count) & mask
        return value == mask || value > UInt64(Int64.max / 2) ? nil : (Int(value), count)
    }

    /// A closed block and a semicolon end a GIF; padding after them is common.
    private static func hasTrailer(_ bytes: Data) -> Bool {
        guard let last = bytes.lastIndex(where: { $0 != 0 && $0 != 10 && $0 != 13 }), last > 0 else { return false }
        return bytes[last] == 0x3B && bytes[last - 1] == 0
    }

    /// A big-endian number.
    private static func number(_ bytes: Data, at offset: Int, count: Int) -> UInt64 {
        (0..<count).reduce(0) { $0 << 8 | UInt64(bytes[offset + $1]) }
    }
}
