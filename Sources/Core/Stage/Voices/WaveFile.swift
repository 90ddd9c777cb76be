import Foundation
import Pipeline
import Support

/// Reader of WAV files as one channel of 48 kHz: PCM of 16, 24 or 32 bits, or floats of 32 or 64; several channels are averaged.
public enum WaveFile {
    /// Samples of a file, −1…1; throws `WaveFileError` for another format or sample rate.
    public static func samples(path: String) throws(WaveFileError) -> [Float] {
        let data: Data
        do throws(InputError) { data = try FileContents.read(path) } catch { throw WaveFileError(file: path, reason: error.reason) }
        return try samples(in: data, path: path)
    }

    /// Parses the bytes of a file; `path` names it in errors.
    static func samples(in file: Data, path: String) throws(WaveFileError) -> [Float] {
        let sound: WaveSound
        do { sound = try WaveSound(file) } catch { throw WaveFileError(file: path, reason: reason(of: error)) }
        guard sound.sampleRate == StageSound.rate else {
            let rate = StageSound.rate
            throw WaveFileError(
                file: path, reason: "it has \(sound.sampleRate) samples per second; make it \(rate), for example with ffmpeg -ar \(rate)")
        }
        return decode(file, sound)
    }

    private static func reason(of fault: WaveSound.Fault) -> String {
        switch fault {
        case .otherKind: "this is not a WAV file: it does not start with RIFF … WAVE"
        case .format: "its format is cut short"
        case .coding(let tag, let bits):
            "its samples are of format \(tag) with \(bits) bits; write PCM of 16, 24 or 32 bits, or floats of 32 or 64, without padding"
        case .channels: "it has no channel"
        case .order: "its data comes before its format"
        case .end: "it holds no sound: there is no data chunk"
        }
    }

    private static func decode(_ file: Data, _ sound: WaveSound) -> [Float] {
        let frame = sound.coding.size * sound.channels
        return file[sound.samples].withUnsafeBytes { bytes in
            (0..<bytes.count / frame).map { index in
                var sum = 0.0
                for channel in 0..<sound.channels {
                    let value = sound.coding.load(bytes.baseAddress! + index * frame + channel * sound.coding.size)
                    sum += value.isFinite ? max(-1, min(value, 1)) : 0
                }
                return Float(sum / Double(sound.channels))
            }
        }
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
