import Foundation

/// Tracks of a phone's movie that FFmpeg 5.1 does not know, found in the index before it sees it.
///
/// The disparity of a cinematic take lies in a track with handler `auxv` and sample entry `dish` (Core Media's disparity in HEVC), which is HEVC under
/// another name: read as `hvc1` of a video track it is decoded. Two eyes in one track (MV-HEVC, ISO/IEC 14496-15, box `lhvC`) are decoded by nobody here.
struct PhoneTracks {
    /// Identifier of the disparity track; nil for none.
    private(set) var disparity: UInt32?
    /// Index as FFmpeg is to read it.
    private(set) var edits: [InputFile.Edit] = []
    /// Tables of the keys of timed metadata (`mebx`), by the identifiers of their tracks.
    private(set) var metadataKeys: [UInt32: Data] = [:]
    /// Whether a track holds two eyes.
    private(set) var hasTwoEyes = false

    /// Boxes looked at before the index, which is one of the first in a phone's file or the last.
    private static let mostBoxes = 1000
    /// Bytes of a video sample entry before the boxes in it (ISO/IEC 14496-12, 12.1.3), without its header.
    private static let sampleEntry: Int64 = 78
    /// Bytes of any other sample entry before the boxes in it (ISO/IEC 14496-12, 8.5.2.2), without its header.
    private static let metadataEntry: Int64 = 8
    /// Bytes of a table of keys that are read, at most.
    private static let longestTable: Int64 = 1 << 20

    init(in file: InputFile) {
        var (offset, count) = (Int64(0), 0)
        while count < Self.mostBoxes, offset < file.end, let box = Box(at: offset, in: file) {
            if box.type == "moov" {
                for track in box.children(in: file) where track.type == "trak" { read(track, in: file) }
                return
            }
            (offset, count) = (box.end, count + 1)
        }
    }

    private mutating func read(_ track: Box, in file: InputFile) {
        guard let media = Self.child("mdia", of: track, in: file), let handler = Self.child("hdlr", of: media, in: file),
            let information = Self.child("minf", of: media, in: file), let table = Self.child("stbl", of: information, in: file),
            let descriptions = Self.child("stsd", of: table, in: file), let entry = Box(at: descriptions.content + 8, in: file),
            entry.end <= descriptions.end
        else { return }
        switch entry.type {
        case "dish":
            guard disparity == nil, let number = Self.number(of: track, in: file), handler.size >= handler.headerLength + 12 else { return }
            disparity = number
            edits.append(.init(at: handler.content + 8, bytes: Array("vide".utf8)))
            edits.append(.init(at: entry.offset + 4, bytes: Array("hvc1".utf8)))
        case "hvc1", "hev1":
            let boxes = Box.all(from: entry.content + Self.sampleEntry, to: entry.end, in: file)
            if boxes.contains(where: { $0.type == "lhvC" }) { hasTwoEyes = true }
        case "mebx":
            let boxes = Box.all(from: entry.content + Self.metadataEntry, to: entry.end, in: file)
            guard let keys = boxes.first(where: { $0.type == "keys" }), let number = Self.number(of: track, in: file) else { return }
            metadataKeys[number] = Data(file.bytes(at: keys.content, count: Int(min(keys.end - keys.content, Self.longestTable))))
        default: break
        }
    }

    private static func number(of track: Box, in file: InputFile) -> UInt32? {
        child("tkhd", of: track, in: file).flatMap { TrackNumbers.number(of: $0, in: file) }
    }

    private static func child(_ type: Box.Kind, of box: Box, in file: InputFile) -> Box? { box.children(in: file).first { $0.type == type } }
}
