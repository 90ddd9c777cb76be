import Foundation

/// Comparison of a muxer's boxes with the packets that it was given.
///
/// FFmpeg 5.1 ignores that its muxer had no memory for a part of an index (`avio_open_dyn_buf` in `ff_isom_write_avcc`, for one), and reports a movie
/// that no player opens as written.
struct MuxerCheck {
    /// Packets that a track was given.
    struct Track {
        /// Byte strings that the track's description holds: parameter sets of H.264 and HEVC, the configuration of AAC.
        let parameters: [[UInt8]]
        /// Whether an index counts something else than packets: samples of one size, or the groups of E-AC-3 frames that make 1536 samples.
        let isRegrouped: Bool
        var packets = 0
        var bytes: Int64 = 0

        /// The network abstraction layer units of some types that follow each other between start codes (ITU-T H.264, annex B); what has none is one
        /// string.
        static func parameterSets(_ bytes: [UInt8], where isWanted: (UInt8) -> Bool) -> [[UInt8]] {
            guard bytes.starts(with: [0, 0, 1]) || bytes.starts(with: [0, 0, 0, 1]) else { return bytes.isEmpty ? [] : [bytes] }
            let starts = bytes.indices.dropLast(2).filter { bytes[$0] == 0 && bytes[$0 + 1] == 0 && bytes[$0 + 2] == 1 }.map { $0 + 3 }
            let ends = starts.dropFirst().map { $0 - 3 } + [bytes.count]
            return zip(starts, ends).compactMap { start, end in
                let unit = bytes[start..<end]
                guard let last = unit.lastIndex(where: { $0 != 0 }), isWanted(unit[start]) else { return nil }
                return Array(unit[...last])
            }
        }

        func fits(samples: Int, bytes: Int64) -> Bool { isRegrouped ? bytes == self.bytes : samples == packets }
    }

    /// Bytes of a fragment's media; nil where it does not hold the packets of each track, and the movie's description where it begins with one.
    static func mediaSize(ofFragment fragment: [UInt8], tracks: [Track]) -> Int64? {
        let storage = BoxBytes(bytes: fragment)
        guard let boxes = boxes(of: storage), let header = boxes["moof"], let index = FragmentIndex(header, in: storage), let media = boxes["mdat"]
        else { return nil }
        let isDescribed = boxes["moov"].map { describes($0, tracks, in: storage) } ?? true
        return isDescribed && fits(index.tracks, tracks, media: media) ? media.end - media.content : nil
    }

    /// Whether a movie with one index holds the packets of each track; FFmpeg leaves out a track without any.
    static func isWhole(_ file: InputFile, tracks: [Track]) -> Bool {
        guard let boxes = boxes(of: file), let movie = boxes["moov"], describes(movie, tracks.filter { $0.packets > 0 }, in: file) else {
            return false
        }
        return fits(movie.children(in: file).filter { $0.type == "trak" }.map { samples(of: $0, in: file) }, tracks, media: boxes["mdat"])
    }

    /// The boxes, the last of each kind; nil where they do not fill the storage.
    private static func boxes(of storage: some BoxStorage) -> [Box.Kind: Box]? {
        let boxes = Box.all(from: 0, to: storage.end, in: storage)
        return boxes.last?.end == storage.end ? Dictionary(boxes.map { ($0.type, $0) }) { $1 } : nil
    }

    /// Whether the samples are those of the tracks with packets, and the media theirs alone. Tracks of time code come after.
    private static func fits(_ indices: [(samples: Int, bytes: Int64)], _ tracks: [Track], media: Box?) -> Bool {
        let given = tracks.filter { $0.packets > 0 }
        guard let media, indices.count >= given.count else { return false }
        return zip(indices, given).allSatisfy { $1.fits(samples: $0.samples, bytes: $0.bytes) }
            && indices.reduce(0) { $0 + $1.bytes } == media.end - media.content
    }

    private static func describes(_ movie: Box, _ tracks: [Track], in storage: some BoxStorage) -> Bool {
        let bytes = Data(storage.bytes(at: movie.content, count: Int(movie.end - movie.content)))
        return tracks.allSatisfy { $0.parameters.allSatisfy { bytes.range(of: Data($0)) != nil } }
    }

    /// Samples of a track, and their bytes: of the box `stsz` in `mdia`, `minf` and `stbl` (ISO/IEC 14496-12, 8.7.3.2). None where it is not there.
    private static func samples(of track: Box, in file: InputFile) -> (samples: Int, bytes: Int64) {
        var box = track
        for type in ["mdia", "minf", "stbl", "stsz"] as [Box.Kind] {
            guard let child = box.children(in: file).first(where: { $0.type == type }) else { return (0, 0) }
            box = child
        }
        let fields = BigEndian(file.bytes(at: box.content, count: Int(box.end - box.content)))
        guard let size = fields.uint32(at: 4), let count = fields.uint32(at: 8).map(Int.init) else { return (0, 0) }
        if size > 0 { return (count, Int64(size) * Int64(count)) }
        guard fields.bytes.count >= 12 + 4 * count else { return (0, 0) }
        return (count, (0..<count).reduce(0) { $0 + Int64(fields.uint32(at: 12 + 4 * $1) ?? 0) })
    }
}
