import Foundation

/// Samples of one size that a movie's indices promise by a count alone, with no entry for each (`stsz` and `trun` of ISO/IEC 14496-12, 8.7.3.2 and
/// 8.8.8), counted before FFmpeg sees them: it makes an entry of 24 bytes for each.
enum UnlistedSamples {
    /// Counts them in a box, and in those in it that FFmpeg looks into; each that reaches beyond the one around it ends with that.
    static func count(in box: Box, until end: Int64, of file: InputFile, depth: Int = 0) -> Int64 {
        switch box.type {
        case "stsz":
            let fields = BigEndian(file.bytes(at: box.content, count: 12))
            return fields.uint32(at: 4) == 0 ? 0 : Int64(fields.uint32(at: 8) ?? 0)
        case "trun":
            let fields = BigEndian(file.bytes(at: box.content, count: 8))
            guard let flags = fields.uint32(at: 0), flags & fieldsOfEach == 0 else { return 0 }
            return Int64(fields.uint32(at: 4) ?? 0)
        case let kind where containers.contains(kind) && depth < deepest:
            return box.childrenAsRead(until: end, in: file).reduce(0) {
                // Neither reaches far: 2^32 for each eight bytes of the file.
                $0 &+ count(in: $1, until: min(end, box.end), of: file, depth: depth + 1)
            }
        default: return 0
        }
    }

    /// Whether a file of this many bytes can hold them: none is empty, and a few do no harm.
    static func areCredible(_ count: Int64, inBytes length: Int64) -> Bool { (0...max(length, 1 << 16)).contains(count) }

    /// Flags of a run whose samples have a duration, size, flags or offset each.
    private static let fieldsOfEach: UInt32 = 0xF00
    /// Depth to which FFmpeg 5.1 follows boxes.
    private static let deepest = 10
    /// The boxes that it looks into (`mov_default_parse_table` of mov.c).
    private static let containers: Set<Box.Kind> = [
        "moov", "trak", "mdia", "minf", "stbl", "mvex", "moof", "traf", "edts", "dinf", "udta", "tref", "meta", "ilst", "sinf", "wave", "wide",
    ]
}
