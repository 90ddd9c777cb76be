import CoreMedia
import Foundation
import Support

/// Lengths in the index of a finished MOV or MP4 file: of the movie, of its tracks and of the edits by which a track is shown (ISO/IEC 14496-12, 8.2.2,
/// 8.3.2 and 8.6.6).
enum MovieLength {
    /// Lets a movie end at a time, where it is longer: the lengths are made shorter in place, and samples stay. Throws `OutputError`.
    static func shorten(_ path: String, to end: CMTime) throws {
        let file = try InputFile(path: path)
        guard let movie = Box.all(from: 0, to: file.end, in: file).first(where: { $0.type == "moov" }),
            let header = movie.children(in: file).first(where: { $0.type == "mvhd" }), let timescale = timescale(in: header, file)
        else { throw OutputError(errno: EINVAL, path: path, action: "set the end") }
        let ticks = UInt64(max(CMTimeConvertScale(end, timescale: timescale, method: .default).value, 0))
        var edits = shortened(header, at: (16, 24), to: ticks, file)
        for track in movie.children(in: file) where track.type == "trak" {
            for box in track.children(in: file) {
                if box.type == "tkhd" { edits += shortened(box, at: (20, 28), to: ticks, file) }
                if box.type == "edts" { for list in box.children(in: file) where list.type == "elst" { edits += cut(list, to: ticks, file) } }
            }
        }
        try file.checkReads()
        try edits.write(to: path, action: "set the end")
    }

    private static func timescale(in header: Box, _ file: InputFile) -> CMTimeScale? {
        let fields = BigEndian(file.bytes(at: header.content, count: 32))
        return fields.uint32(at: fields.bytes.first == 1 ? 20 : 12).flatMap { CMTimeScale(exactly: $0) }.flatMap { $0 > 0 ? $0 : nil }
    }

    /// Length in a header, at an offset by the box's version, 0 or 1.
    private static func shortened(_ box: Box, at offsets: (Int64, Int64), to ticks: UInt64, _ file: InputFile) -> [InputFile.Edit] {
        let isLong = file.bytes(at: box.content, count: 1) == [1]
        return lowered(at: box.content + (isLong ? offsets.1 : offsets.0), isLong: isLong, to: ticks, file).edits
    }

    /// Lengths of the edits, up to the end in sum.
    private static func cut(_ list: Box, to ticks: UInt64, _ file: InputFile) -> [InputFile.Edit] {
        let isLong = file.bytes(at: list.content, count: 1) == [1]
        let entry: Int64 = isLong ? 20 : 12
        var (offset, rest, edits): (Int64, UInt64, [InputFile.Edit]) = (list.content + 8, ticks, [])
        while offset + entry <= list.end {
            let edit = lowered(at: offset, isLong: isLong, to: rest, file)
            edits += edit.edits
            rest -= min(edit.length, rest)
            offset += entry
        }
        return edits
    }

    /// A length that is to be at most `ticks`, and the edit where it is more.
    private static func lowered(at offset: Int64, isLong: Bool, to ticks: UInt64, _ file: InputFile) -> (length: UInt64, edits: [InputFile.Edit]) {
        let fields = BigEndian(file.bytes(at: offset, count: 8))
        let length = (isLong ? fields.uint64(at: 0) : fields.uint32(at: 0).map(UInt64.init)) ?? 0
        guard length > ticks else { return (length, []) }
        let low = InputFile.Edit(at: offset + (isLong ? 4 : 0), UInt32(truncatingIfNeeded: ticks))
        return (ticks, isLong ? [InputFile.Edit(at: offset, UInt32(truncatingIfNeeded: ticks >> 32)), low] : [low])
    }
}
