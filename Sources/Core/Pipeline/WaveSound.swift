import CoreMedia
import Foundation

/// Sound of a WAVE file: integers or floats (tags 1 and 3, also behind 0xFFFE) in the chunk `data` of a RIFF file.
package struct WaveSound: Sendable {
    /// Samples, little-endian and interleaved.
    package let coding: SampleCoding
    /// Channels, at least 1.
    package let channels: Int
    /// Frames per second, in Hz, as the file says; 0 is possible.
    package let sampleRate: Int
    /// Bytes of the samples within the file, whole frames: fewer than the file promises where it was cut short.
    package let samples: Range<Int>

    /// Reason for which a file cannot be used.
    package enum Fault: Error, Equatable {
        /// It does not start with RIFF … WAVE.
        case otherKind
        /// Its format is cut short.
        case format
        /// Samples of another coding, by its tag and bits, or frames with padding.
        case coding(tag: Int, bits: Int)
        /// There is no channel.
        case channels
        /// The data come before the format.
        case order
        /// There is no data chunk.
        case end
    }

    /// Whether a file is of this kind.
    package static func isKind(of file: Data) -> Bool {
        file.starts(with: "RIFF".utf8) && file.dropFirst(8).starts(with: "WAVE".utf8)
    }

    /// Finds the samples of a file whose indices begin at 0.
    package init(_ file: Data) throws(Fault) {
        guard Self.isKind(of: file) else { throw .otherKind }
        var format: Format?
        var start = 12
        while start + 8 <= file.count {
            let length = file.littleEndian(at: start + 4, bytes: 4)
            let body = start + 8..<min(start + 8 + length, file.count)
            let name = file[start..<start + 4]
            if name.elementsEqual("fmt ".utf8) { format = try Format(file, body) }
            if name.elementsEqual("data".utf8) {
                guard let format else { throw .order }
                (coding, channels, sampleRate) = (format.coding, format.channels, format.sampleRate)
                let frame = coding.size * channels
                samples = body.lowerBound..<body.lowerBound + body.count / frame * frame
                return
            }
            start = body.upperBound + length % 2
        }
        throw .end
    }

    private struct Format {
        let coding: SampleCoding
        let channels: Int
        let sampleRate: Int

        init(_ file: Data, _ body: Range<Int>) throws(Fault) {
            func field(_ offset: Int, _ bytes: Int) -> Int { file.littleEndian(at: body.lowerBound + offset, bytes: bytes) }
            guard body.count >= 16 else { throw .format }
            // An extensible format names its tag further back.
            let tag = field(0, 2) == 0xFFFE && body.count >= 26 ? field(24, 2) : field(0, 2)
            (channels, sampleRate) = (field(2, 2), field(4, 4))
            let bits = field(14, 2)
            guard channels > 0 else { throw .channels }
            guard tag == 1 || tag == 3, let coding = SampleCoding(bits: bits, isFloat: tag == 3, isBigEndian: false),
                field(12, 2) == coding.size * channels
            else { throw .coding(tag: tag, bits: bits) }
            self.coding = coding
        }
    }
}

extension Data {
    /// Unsigned number at an index; all of its bytes are there.
    fileprivate func littleEndian(at start: Int, bytes: Int) -> Int {
        (0..<bytes).reduce(0) { $0 | Int(self[start + $1]) << (8 * $1) }
    }
}
