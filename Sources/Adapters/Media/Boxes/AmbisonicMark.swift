import Foundation
import Pipeline
import Support

/// Marks the four channels of a finished MOV file as first-order ambisonics: the box `SA3D` (Google's Spatial Audio RFC).
///
/// FFmpeg reads that box but does not write it. It goes into the sound's sample entry; the name of the sound's handler, made too long beforehand,
/// gets shorter by as much, so that the index keeps its size and nothing behind it moves.
enum AmbisonicMark {
    private static let name = "SoundHandler"
    /// Padded handler name of the sound until the mark is written.
    static let roomyName = name + String(repeating: " ", count: mark.count)

    /// Box `SA3D`: version 0, periphonic, order 1, channels in ACN order, SN3D, four of them.
    private static let mark = sized(Data("\0\0\0\0SA3D\0\0\0\0\0\u{1}\0\0\0\0\0\u{4}".utf8) + (0..<4).flatMap { [0, 0, 0, UInt8($0)] })

    static func write(to path: String) throws {
        func failure(_ number: Int32) -> OutputError { OutputError(errno: number, path: path, action: "mark the sound") }
        guard let file = FileHandle(forUpdatingAtPath: path) else { throw failure(errno) }
        defer { try? file.close() }
        guard let (offset, index) = try index(of: file) else { throw failure(EINVAL) }
        let tracks = children(of: index, from: 8).map { isSound($0) ? marked($0) : $0 }
        let result = sized(tracks.reduce(Data(index.prefix(8)), +))
        guard result.count == index.count, result != index else { throw failure(EINVAL) }
        try file.seek(toOffset: offset)
        try file.write(contentsOf: result)
    }

    /// Box `moov` and its offset in the file; nil without one.
    private static func index(of file: FileHandle) throws -> (UInt64, Data)? {
        var offset: UInt64 = 0
        while true {
            try file.seek(toOffset: offset)
            guard let head = try file.read(upToCount: 16), head.count >= 8 else { return nil }
            var size = UInt64(number(head, 0, 4))
            if type(head) == "moov" {
                try file.seek(toOffset: offset)
                return try file.read(upToCount: Int(size)).map { (offset, $0) }
            }
            if size == 1, head.count == 16 { size = UInt64(number(head, 8, 8)) }
            guard size >= 8 else { return nil }
            offset += size
        }
    }

    private static func marked(_ track: Data) -> Data {
        let shortened = edit(track, ["mdia", "hdlr"]) { handler in
            // Pascal's way: the length, then the text.
            let start = 32
            guard handler.count == start + 1 + roomyName.utf8.count else { return handler }
            return sized(handler.prefix(start) + [UInt8(name.utf8.count)] + Data(name.utf8))
        }
        return edit(shortened, ["mdia", "minf", "stbl", "stsd", nil]) { sized($0 + mark) }
    }

    private static func isSound(_ box: Data) -> Bool {
        guard type(box) == "trak", let media = children(of: box, from: 8).first(where: { type($0) == "mdia" }),
            let handler = children(of: media, from: 8).first(where: { type($0) == "hdlr" }), handler.count >= 20
        else { return false }
        return handler[16..<20] == Data("soun".utf8)
    }

    /// Copy of the box with the first one on a path below it changed; nil stands for a box of any type.
    private static func edit(_ box: Data, _ path: ArraySlice<String?>, _ change: (Data) -> Data) -> Data {
        guard let next = path.first else { return change(box) }
        let start = type(box) == "stsd" ? 16 : 8
        var (result, isDone) = (Data(box.prefix(start)), false)
        for child in children(of: box, from: start) {
            let isNext = !isDone && (next == nil || next == type(child))
            result += isNext ? edit(child, path.dropFirst(), change) : child
            isDone = isDone || isNext
        }
        return sized(result)
    }

    private static func children(of box: Data, from start: Int) -> [Data] {
        var (offset, children): (Int, [Data]) = (start, [])
        while offset + 8 <= box.count {
            let size = max(8, number(box, offset, 4))
            children.append(Data(box[offset..<min(offset + size, box.count)]))
            offset += size
        }
        return children
    }

    /// Copy of a box with its size field set to its length.
    private static func sized(_ box: Data) -> Data { withUnsafeBytes(of: UInt32(box.count).bigEndian) { Data($0) } + box.dropFirst(4) }
    private static func type(_ box: Data) -> String { String(decoding: box[4..<8], as: UTF8.self) }
    private static func number(_ bytes: Data, _ offset: Int, _ count: Int) -> Int { bytes[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) } }
}
