import Foundation

/// Track identifiers of a movie's index (ISO/IEC 14496-12, 8.3.2), looked at before FFmpeg sees them.
enum TrackNumbers {
    /// Whether each track of a `moov` has an identifier from 1 to 2^31 - 1.
    ///
    /// Of a movie in fragments FFmpeg 5.1 counts up from -2^30 for every run of samples where one track has none (0.7 s each; `update_frag_index` of
    /// mov.c gives an error code where an index is wanted).
    static func areValid(in movie: Box, of file: InputFile) -> Bool {
        movie.childrenAsRead(until: file.end, in: file).filter { $0.type == "trak" }.allSatisfy { track in
            let numbers = track.childrenAsRead(until: min(movie.end, file.end), in: file).filter { $0.type == "tkhd" }
                .map { number(of: $0, in: file) }
            return !numbers.isEmpty && numbers.allSatisfy { (1...UInt32(Int32.max)).contains($0 ?? 0) }
        }
    }

    /// Number in a track's header; nil where that is cut short.
    static func number(of header: Box, in file: InputFile) -> UInt32? {
        let fields = BigEndian(file.bytes(at: header.content, count: 24))
        return fields.uint32(at: fields.bytes.first == 1 ? 20 : 12)
    }
}
