import Foundation
import Media
import Pipeline
import Support

/// File of compressed disparity maps by their times: for each the time (ns) and the number of bytes as 64-bit words, little endian, then the bytes.
final class DisparityMapFile: DisparityMaps, @unchecked Sendable {
    /// Bytes of the whole file.
    let byteCount: Int
    private let path: String
    private let descriptor: Int32
    /// Place of each map.
    private let places: [Int64: Range<Int>]
    private let compression = DisparityCompression()

    /// Opens a file and finds its maps; nil where it is not there or not whole.
    init?(path: String) {
        let descriptor = SystemCall.repeated { open(path, O_RDONLY | O_CLOEXEC) }
        guard descriptor >= 0 else { return nil }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            close(descriptor)
            return nil
        }
        byteCount = Int(status.st_size)
        (self.path, self.descriptor) = (path, descriptor)
        var (places, next): ([Int64: Range<Int>], Int) = ([:], 0)
        while next < byteCount, let (time, count) = Self.header(descriptor, at: next), count >= 0, count <= byteCount - next - 16 {
            places[time] = next + 16..<next + 16 + count
            next += 16 + count
        }
        self.places = places
        guard next == byteCount else { return nil }
    }

    deinit { close(descriptor) }

    private static func header(_ descriptor: Int32, at place: Int) -> (time: Int64, count: Int)? {
        var words: (Int64, Int64) = (0, 0)
        guard withUnsafeMutableBytes(of: &words, { pread(descriptor, $0.baseAddress, 16, off_t(place)) }) == 16 else { return nil }
        return (Int64(littleEndian: words.0), Int(Int64(littleEndian: words.1)))
    }

    /// Puts the same file, or a copy of it, under another name.
    func copy(to other: String) throws {
        if link(path, other) == 0 { return }
        try FileManager.default.copyItem(atPath: path, toPath: other)
    }

    func map(at time: Int64) throws -> DisparityMap {
        guard let place = places[time] else { throw KeptError(path: path, reason: "has no map at \(Double(time) / 1e9) s") }
        return try Self.map(at: time, in: place, of: descriptor, path: path, compression)
    }

    /// The map of a frame that lies in `place` of a file.
    static func map(
        at time: Int64, in place: Range<Int>, of descriptor: Int32, path: String, _ compression: DisparityCompression
    ) throws -> DisparityMap {
        var data = Data(count: place.count)
        let count = data.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, place.count, off_t(place.lowerBound)) }
        guard count == place.count else { throw KeptError(path: path, reason: "cannot be read: \(String(cString: strerror(errno)))") }
        do { return try compression.map(data) } catch {
            throw KeptError(path: path, reason: "is damaged at \(Double(time) / 1e9) s")
        }
    }
}

/// Unusable file of an earlier render.
struct KeptError: Error, CustomStringConvertible {
    let path: String
    let reason: String
    var description: String { "\(path): \(reason); give --keep none, or remove its run directory" }
}
