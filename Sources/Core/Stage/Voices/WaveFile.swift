import Foundation
import Support

/// Reader of WAV files as one channel of 48 kHz: PCM of 16, 24 or 32 bits, or 32-bit float; several channels are averaged.
public enum WaveFile {
    /// Samples of a file, −1…1; throws `WaveFileError` for another format or sample rate.
    public static func samples(path: String) throws(WaveFileError) -> [Float] {
        let data: Data
        do throws(InputError) { data = try FileContents.read(path) } catch { throw WaveFileError(file: path, reason: error.reason) }
        return try samples(in: [UInt8](data), path: path)
    }

    /// Parses the bytes of a file; `path` names it in errors.
    static func samples(in bytes: [UInt8], path: String) throws(WaveFileError) -> [Float] {
        func failure(_ reason: String) -> WaveFileError { WaveFileError(file: path, reason: reason) }
        guard bytes.count >= 12, bytes[0..<4].elementsEqual("RIFF".utf8), bytes[8..<12].elementsEqual("WAVE".utf8) else {
            throw failure("this is not a WAV file: it does not start with RIFF … WAVE")
        }
        var format: Format?
        var start = 12
        while start + 8 <= bytes.count {
            let length = Int(integer(bytes, start + 4, bytes: 4))
            let body = start + 8..<min(start + 8 + length, bytes.count)
            if bytes[start..<start + 4].elementsEqual("fmt ".utf8) { format = Format(bytes, body) }
            if bytes[start..<start + 4].elementsEqual("data".utf8) {
                guard let format else { throw failure("its data comes before its format") }
                guard let kind = format.kind else {
                    throw failure("its samples are of format \(format.code) with \(format.bits) bits; write PCM of 16, 24 or 32 bits, or float of 32")
                }
                guard format.rate == StageSound.rate else {
                    throw failure(
                        "it has \(format.rate) samples per second; make it \(StageSound.rate), for example with ffmpeg -ar \(StageSound.rate)")
                }
                guard format.channels > 0 else { throw failure("it has no channel") }
                return decode(bytes, body, kind: kind, channels: format.channels)
            }
            start = body.upperBound + length % 2
        }
        throw failure("it holds no sound: there is no data chunk")
    }

    private enum Kind {
        case integer(bytes: Int), float
        var width: Int { if case .integer(let bytes) = self { bytes } else { 4 } }
    }

    private struct Format {
        let code: Int
        let channels: Int
        let rate: Int
        let bits: Int

        /// Nil when the chunk is too short; an extensible format names its code further back.
        init?(_ bytes: [UInt8], _ body: Range<Int>) {
            guard body.count >= 16 else { return nil }
            let start = body.lowerBound
            let plain = Int(integer(bytes, start, bytes: 2))
            code = plain == 0xFFFE && body.count >= 26 ? Int(integer(bytes, start + 24, bytes: 2)) : plain
            channels = Int(integer(bytes, start + 2, bytes: 2))
            rate = Int(integer(bytes, start + 4, bytes: 4))
            bits = Int(integer(bytes, start + 14, bytes: 2))
        }

        var kind: Kind? {
            if code == 1, [16, 24, 32].contains(bits) { return .integer(bytes: bits / 8) }
            return code == 3 && bits == 32 ? .float : nil
        }
    }

    private static func decode(_ bytes: [UInt8], _ body: Range<Int>, kind: Kind, channels: Int) -> [Float] {
        let frame = kind.width * channels
        return (0..<body.count / frame).map { index in
            var sum: Float = 0
            for channel in 0..<channels {
                let raw = integer(bytes, body.lowerBound + index * frame + channel * kind.width, bytes: kind.width)
                switch kind {
                case .integer(let width): sum += Float(Int32(bitPattern: raw << UInt32(32 - 8 * width))) / 0x1p31
                case .float:
                    let value = Float(bitPattern: raw)
                    sum += value.isFinite ? max(-1, min(value, 1)) : 0
                }
            }
            return sum / Float(channels)
        }
    }

    /// Little-endian unsigned integer.
    private static func integer(_ bytes: [UInt8], _ start: Int, bytes count: Int) -> UInt32 {
        (0..<count).reduce(0) { $0 | UInt32(bytes[start + $1]) << UInt32(8 * $1) }
    }
}

/// Unusable sound file: its path and the reason.
public struct WaveFileError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Path of the file.
    public let file: String
    /// Fault in words, with a remedy.
    public let reason: String
    /// `file: reason`.
    public var description: String { "\(file): \(reason)" }
}
