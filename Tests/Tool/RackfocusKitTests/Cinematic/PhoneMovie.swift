import CoreMedia
import CoreVideo
import Foundation
import Media
import Pipeline
import TestSupport

/// A phone's cinematic take as it looks from outside: pictures, and disparity as HEVC in a track with handler `auxv` and sample entry `dish`.
///
/// No phone wrote it: two HEVC movies of ours become two tracks of one file, and entry and handler of the second are patched.
struct PhoneMovie {
    let path: String
    static let (frames, map, picture) = (12, (width: 32, height: 18), (width: 128, height: 72))

    /// Luma of a map, which moves.
    static func code(_ x: Int, _ y: Int, frame: Int) -> UInt8 { UInt8(40 + 3 * x + 2 * y + frame) }

    /// - Parameter rotation: clockwise rotation of both tracks, degrees.
    init(in scratch: Scratch, rotation: Int = 0) throws {
        path = scratch("phone.mov")
        try Self.write(to: scratch("pictures.mov"), Self.picture, rotation) { x, y, frame in UInt8(60 + (x * 7 + y * 3 + 4 * frame) % 120) }
        try Self.write(to: scratch("maps.mov"), Self.map, rotation) { x, y, frame in Self.code(x, y, frame: frame) }
        var movie = BoxPatch(try Data(contentsOf: URL(fileURLWithPath: scratch("pictures.mov"))))
        let maps = BoxPatch(try Data(contentsOf: URL(fileURLWithPath: scratch("maps.mov"))))
        try movie.add(
            maps.track { track in
                track.replace("tkhd", at: 12, with: [0, 0, 0, 2])
                track.replace("hdlr", at: 8, with: Array("auxv".utf8))
                track.replace("stsd", at: 12, with: Array("dish".utf8))
            })
        try Data(movie.bytes).write(to: URL(fileURLWithPath: path))
    }

    private static func write(
        to path: String, _ size: (width: Int, height: Int), _ rotation: Int, luma: (Int, Int, Int) -> UInt8
    ) throws {
        let movie = MovieDescription(
            width: size.width, height: size.height, frameDuration: CMTime(value: 1, timescale: 30), codec: .hevc, rotation: rotation)
        let writer = try MovieFileWriter(path: path, movie: movie, settings: .init(preset: .ultrafast, rate: .quality(100)))
        for frame in 0..<frames {
            let picture = CVPixelBuffer(width: size.width, height: size.height, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
            for y in 0..<size.height { for x in 0..<size.width { picture.plane(0).row(y, as: UInt8.self)[x] = luma(x, y, frame) } }
            for y in 0..<size.height / 2 { picture.plane(1).row(y, as: UInt8.self).update(repeating: 128, count: size.width) }
            try writer.append(picture, at: CMTime(value: Int64(frame), timescale: 30))
        }
        try writer.finish()
    }
}

/// Boxes of a movie whose index lies before its media, changed in place.
struct BoxPatch {
    private(set) var bytes: [UInt8]

    init(_ data: Data) { bytes = [UInt8](data) }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private func number(_ offset: Int) -> Int { bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }

    private mutating func set(_ number: Int, at offset: Int) {
        for index in 0..<4 { bytes[offset + index] = UInt8(truncatingIfNeeded: number >> (24 - 8 * index)) }
    }

    private func boxes(in range: Range<Int>) -> [(type: String, range: Range<Int>)] {
        var (offset, boxes) = (range.lowerBound, [(String, Range<Int>)]())
        while offset + 8 <= range.upperBound {
            let size = max(number(offset), 8)
            boxes.append((String(decoding: bytes[offset + 4..<offset + 8], as: UTF8.self), offset..<min(offset + size, range.upperBound)))
            offset += size
        }
        return boxes
    }

    /// Ranges of the boxes of a type, at any depth of an index.
    private func all(_ type: String, in range: Range<Int>) -> [Range<Int>] {
        boxes(in: range).flatMap { box -> [Range<Int>] in
            if box.type == type { return [box.range] }
            let isContainer = ["moov", "trak", "mdia", "minf", "stbl"].contains(box.type)
            return isContainer ? all(type, in: box.range.lowerBound + 8..<box.range.upperBound) : []
        }
    }

    /// Replaces bytes of the first box of a type, `offset` after its header.
    mutating func replace(_ type: String, at offset: Int, with new: [UInt8]) {
        guard let box = all(type, in: 0..<bytes.count).first else { return }
        bytes.replaceSubrange(box.lowerBound + 8 + offset..<box.lowerBound + 8 + offset + new.count, with: new)
    }

    /// The first track with its media, once it was changed.
    func track(_ change: (inout BoxPatch) -> Void) throws -> (track: BoxPatch, media: [UInt8], mediaStart: Int) {
        guard let track = all("trak", in: 0..<bytes.count).first, let media = boxes(in: 0..<bytes.count).first(where: { $0.type == "mdat" }) else {
            throw CocoaError(.fileReadCorruptFile)
        }
        var part = BoxPatch(bytes: Array(bytes[track]))
        change(&part)
        return (part, Array(bytes[media.range]), media.range.lowerBound)
    }

    /// Adds a track behind the others, and its media at the end; all offsets of media follow.
    mutating func add(_ other: (track: BoxPatch, media: [UInt8], mediaStart: Int)) throws {
        guard let index = all("moov", in: 0..<bytes.count).first, let last = all("trak", in: 0..<bytes.count).last else {
            throw CocoaError(.fileReadCorruptFile)
        }
        let length = other.track.bytes.count
        var track = other.track
        track.moveMedia(by: bytes.count + length - other.mediaStart)
        moveMedia(by: length)
        bytes.insert(contentsOf: track.bytes, at: last.upperBound)
        set(index.count + length, at: index.lowerBound)
        bytes += other.media
    }

    private mutating func moveMedia(by distance: Int) {
        for table in all("stco", in: 0..<bytes.count) {
            for entry in 0..<number(table.lowerBound + 12) {
                set(number(table.lowerBound + 16 + 4 * entry) + distance, at: table.lowerBound + 16 + 4 * entry)
            }
        }
    }
}
