import Foundation
import Pipeline
import Support

/// Marks of tracks in a finished MOV file that FFmpeg reads but does not write: the box `SA3D` of ambisonic sound (Google's Spatial Audio RFC), and of a
/// cinematic movie the handler `auxv` of its disparity and the references `vdep` and `cdsc` to the pictures (QuickTime File Format, "Track References").
/// Timed metadata of an app's get QuickTime's sample entry `mebx` with its table of keys (`MetadataMark`).
///
/// The name of a marked track's handler, made too long beforehand, gets shorter by as much as the boxes add, so that the index keeps its size and nothing
/// behind it moves. Copies by other tools lose the marks and keep the names, by which the tracks are found again.
enum TrackMarks {
    /// Mark of a track.
    enum Mark: CaseIterable {
        case ambisonics, disparity, cinematicMetadata

        /// Name of the track's handler.
        var name: String {
            switch self {
            case .ambisonics: "SoundHandler"
            case .disparity: "Disparity"
            case .cinematicMetadata: "CinematicMetadata"
            }
        }

        /// The name until the mark is written, with room for its boxes.
        var roomyName: String { name + String(repeating: " ", count: self == .ambisonics ? sphere.count : reference.count) }

        /// Box of a track reference, with no track in it yet.
        fileprivate var reference: Data {
            let kind = self == .disparity ? "vdep" : "cdsc"
            return sized(Data("\0\0\0\0tref".utf8) + sized(Data("\0\0\0\0\(kind)\0\0\0\0".utf8)))
        }
    }

    /// Box `SA3D`: version 0, periphonic, order 1, channels in ACN order, SN3D, four of them.
    private static let sphere = sized(Data("\0\0\0\0SA3D\0\0\0\0\0\u{1}\0\0\0\0\0\u{4}".utf8) + (0..<4).flatMap { [0, 0, 0, UInt8($0)] })

    /// Marks the tracks of a finished movie that wait for it; a file that is none of boxes has none. Throws `OutputError`, or `MediaError` where it
    /// cannot be read.
    static func write(to path: String) throws {
        let file = try InputFile(path: path)
        guard let movie = Box.all(from: 0, to: file.end, in: file).first(where: { $0.type == "moov" }) else { return try file.checkReads() }
        let index = Data(file.bytes(at: movie.offset, count: Int(movie.size)))
        try file.checkReads()
        let boxes = children(of: index, from: 8)
        let pictures = boxes.first { handler(of: $0)?.type == "vide" && mark(of: $0) == nil }.flatMap(number)
        let result = sized(boxes.map { marked($0, pictures: pictures ?? 0) }.reduce(Data(index.prefix(8)), +))
        guard result != index else { return }
        guard result.count == index.count else { throw OutputError(errno: EINVAL, path: path, action: "mark the tracks") }
        try [InputFile.Edit(at: movie.offset, bytes: [UInt8](result))].write(to: path, action: "mark the tracks")
    }

    /// A track with its mark; another box, or a track without one, as it is.
    private static func marked(_ track: Data, pictures: UInt32) -> Data {
        if let metadata = handler(of: track).flatMap({ MetadataMark(name: $0.name) }) { return marked(track, metadata, pictures: pictures) }
        guard let mark = mark(of: track) else { return track }
        let named = edit(track, ["mdia", "hdlr"]) { handler in
            let type = mark == .disparity ? Data("auxv".utf8) : handler[16..<20]
            // Pascal's way: the length, then the text.
            return sized(handler.prefix(16) + type + handler[20..<32] + [UInt8(mark.name.utf8.count)] + Data(mark.name.utf8))
        }
        if mark == .ambisonics { return edit(named, ["mdia", "minf", "stbl", "stsd", nil]) { sized($0 + sphere) } }
        return adding(mark.reference.dropLast(4) + bytes(pictures), to: named)
    }

    /// A track of timed metadata with its table of keys, and the reference to the pictures that it describes, where there are any.
    private static func marked(_ track: Data, _ metadata: MetadataMark, pictures: UInt32) -> Data {
        let named = edit(track, ["mdia", "hdlr"]) { sized($0.prefix(32) + [UInt8(MetadataMark.name.utf8.count)] + Data(MetadataMark.name.utf8)) }
        let keyed = edit(named, ["mdia", "minf", "stbl", "stsd", nil]) {
            sized($0.prefix(4) + Data("mebx".utf8) + $0[8..<16] + sized(Data("\0\0\0\0keys".utf8) + metadata.keys))
        }
        let reference = pictures > 0 ? Mark.cinematicMetadata.reference.dropLast(4) + bytes(pictures) : Data()
        let rest = track.count - keyed.count - reference.count
        guard rest >= 8 else { return track }
        return sized(adding(reference, to: keyed) + bytes(UInt32(rest)) + Data("free".utf8) + Data(count: rest - 8))
    }

    /// A track with boxes ahead of its media.
    private static func adding(_ boxes: Data, to track: Data) -> Data {
        sized(children(of: track, from: 8).reduce(Data(track.prefix(8))) { $0 + (type($1) == "mdia" ? boxes : Data()) + $1 })
    }

    /// Mark that a track waits for, by its handler's name.
    private static func mark(of track: Data) -> Mark? {
        guard let name = handler(of: track)?.name else { return nil }
        return Mark.allCases.first { $0.roomyName == name }
    }

    private static func handler(of track: Data) -> (type: String, name: String)? {
        guard type(track) == "trak", let media = children(of: track, from: 8).first(where: { type($0) == "mdia" }),
            let handler = children(of: media, from: 8).first(where: { type($0) == "hdlr" }), handler.count > 32
        else { return nil }
        return (String(decoding: handler[16..<20], as: UTF8.self), String(decoding: handler[33...], as: UTF8.self))
    }

    /// Identifier of a track (ISO/IEC 14496-12, 8.3.2).
    private static func number(of track: Data) -> UInt32? {
        guard let header = children(of: track, from: 8).first(where: { type($0) == "tkhd" }), header.count >= 32 else { return nil }
        return UInt32(number(header, header[8] == 1 ? 28 : 20, 4))
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
    private static func sized(_ box: Data) -> Data { bytes(UInt32(box.count)) + box.dropFirst(4) }
    private static func bytes(_ number: UInt32) -> Data { withUnsafeBytes(of: number.bigEndian) { Data($0) } }
    private static func type(_ box: Data) -> String { String(decoding: box[4..<8], as: UTF8.self) }
    private static func number(_ bytes: Data, _ offset: Int, _ count: Int) -> Int { bytes[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) } }
}
