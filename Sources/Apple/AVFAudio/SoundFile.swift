import AVFCapture
import CoreMedia
import Pipeline

/// File of uncompressed sound: WAVE (RIFF, tags 1, 3 and 0xFFFE) or Core Audio Format 1.
struct SoundFile {
    /// Kind of file.
    enum Kind {
        case wave, caf

        /// Nil for an extension of another kind.
        init?(pathExtension: String) {
            switch pathExtension.lowercased() {
            case "wav", "wave": self = .wave
            case "caf": self = .caf
            default: return nil
            }
        }
    }

    /// Samples, interleaved.
    let stream: AudioStreamBasicDescription
    /// Bytes of the samples within the file, whole frames.
    let samples: Range<Int>

    /// Finds the samples in a file. Throws `SoundFileError`.
    init(_ file: Data) throws(SoundFileError) {
        (stream, samples) = file.starts(with: "caff".utf8) ? try Self.caf(file) : try Self.wave(file)
    }

    /// Bytes ahead of the samples in a file of a kind, with sizes for a number of bytes of them; nil for samples that the kind does not keep.
    static func header(_ kind: Kind, _ stream: AudioStreamBasicDescription, bytes: Int) -> Data? {
        guard let coding = SampleCoding(stream) else { return nil }
        var header = Data()
        switch kind {
        case .wave:
            guard !coding.isBigEndian, bytes <= Int(UInt32.max) - 64 else { return nil }
            header += Data("RIFF".utf8) + little(UInt32(36 + bytes + bytes % 2)) + Data("WAVEfmt ".utf8) + little(UInt32(16))
            header += little(UInt16(coding.isFloat ? 3 : 1)) + little(UInt16(stream.mChannelsPerFrame)) + little(UInt32(stream.mSampleRate))
            header += little(UInt32(stream.mSampleRate) * stream.mBytesPerFrame) + little(UInt16(stream.mBytesPerFrame))
            header += little(UInt16(stream.mBitsPerChannel)) + Data("data".utf8) + little(UInt32(bytes))
        case .caf:
            header += Data("caff".utf8) + [0, 1, 0, 0] + Data("desc".utf8) + big(UInt64(32)) + big(stream.mSampleRate.bitPattern)
            let flags: UInt32 = (coding.isFloat ? 1 : 0) | (coding.isBigEndian ? 0 : 2)
            header += Data("lpcm".utf8) + big(flags) + big(stream.mBytesPerFrame) + big(UInt32(1))
            header += big(stream.mChannelsPerFrame) + big(stream.mBitsPerChannel) + Data("data".utf8) + big(UInt64(4 + bytes)) + [0, 0, 0, 0]
        }
        return header
    }

    private static func wave(_ file: Data) throws(SoundFileError) -> (AudioStreamBasicDescription, Range<Int>) {
        let sound: WaveSound
        do { sound = try WaveSound(file) } catch {
            switch error {
            case .otherKind: throw .unsupportedFileType
            case .coding: throw .unsupportedDataFormat
            case .format, .channels, .order, .end: throw .invalidFile
            }
        }
        return (try stream(sound.coding, Double(sound.sampleRate), channels: sound.channels), sound.samples)
    }

    private static func caf(_ file: Data) throws(SoundFileError) -> (AudioStreamBasicDescription, Range<Int>) {
        var stream: AudioStreamBasicDescription?
        var place = 8
        while let size = file.number(at: place + 4, bytes: 8, isBigEndian: true), place + 12 <= file.count {
            // A size of -1 is up to the end of the file.
            let end = size >= 0 && size <= file.count - place - 12 ? place + 12 + size : file.count
            let body = place + 12..<end
            switch file.dropFirst(place).prefix(4) {
            case Data("desc".utf8):
                func field(_ offset: Int) -> Int { file.number(at: body.lowerBound + offset, bytes: 4, isBigEndian: true) ?? 0 }
                guard body.count >= 32, let rate = file.number(at: body.lowerBound, bytes: 8, isBigEndian: true) else { throw .invalidFile }
                guard field(8) == Int(kAudioFormatLinearPCM), field(20) == 1 else { throw .unsupportedDataFormat }
                guard let coding = SampleCoding(bits: field(28), isFloat: field(12) & 1 != 0, isBigEndian: field(12) & 2 == 0) else {
                    throw .unsupportedDataFormat
                }
                stream = try Self.stream(coding, Double(bitPattern: UInt64(bitPattern: Int64(rate))), channels: field(24))
                guard stream?.mBytesPerFrame == UInt32(field(16)) else { throw .unsupportedDataFormat }
            case Data("data".utf8):
                guard body.count >= 4, let stream else { throw .invalidFile }
                let (first, frame) = (body.lowerBound + 4, Int(stream.mBytesPerFrame))
                return (stream, first..<first + (body.count - 4) / frame * frame)
            default: break
            }
            place = end
        }
        throw .invalidFile
    }

    private static func stream(_ coding: SampleCoding, _ sampleRate: Double, channels: Int) throws(SoundFileError) -> AudioStreamBasicDescription {
        guard (1...1_000_000).contains(sampleRate), (1...64).contains(channels) else { throw .invalidFile }
        return coding.stream(sampleRate: sampleRate, channels: channels)
    }

    private static func little(_ value: some FixedWidthInteger) -> Data { withUnsafeBytes(of: value.littleEndian) { Data($0) } }
    private static func big(_ value: some FixedWidthInteger) -> Data { withUnsafeBytes(of: value.bigEndian) { Data($0) } }
}

/// Failure of a file of sound, with the code that Core Audio has for it.
enum SoundFileError: Int, Error {
    /// `wht?`: the file cannot be opened or written.
    case unspecified = 0x7768_743F
    /// `typ?`: the file is of another kind.
    case unsupportedFileType = 0x7479_703F
    /// `fmt?`: the samples are coded otherwise.
    case unsupportedDataFormat = 0x666D_743F
    /// `dta?`: the file is damaged.
    case invalidFile = 0x6474_613F

    /// The error as AVFAudio tells it, with the file and what to do; `because` takes the place of the words of a file that is read or written.
    func told(_ url: URL, _ underlying: (any Error)? = nil, because: String? = nil) -> NSError {
        let own =
            switch self {
            case .unspecified: "cannot be opened or written"
            case .unsupportedFileType: "is neither WAVE nor CAF, the kinds that are read and written here"
            case .unsupportedDataFormat: "is not of integers of 16, 24 or 32 bits or floats: compressed sound is not coded here"
            case .invalidFile: "is damaged"
            }
        var info: [String: Any] = [NSLocalizedDescriptionKey: "\(url.path) \(because ?? own)"]
        info[NSUnderlyingErrorKey] = underlying
        return NSError(domain: "com.apple.coreaudio.avfaudio", code: rawValue, userInfo: info)
    }
}

extension Data {
    /// Whole number of up to eight bytes at a place; nil beyond the end.
    fileprivate func number(at place: Int, bytes: Int, isBigEndian: Bool) -> Int? {
        guard place >= 0, place <= count - bytes else { return nil }
        let field = self[startIndex + place..<startIndex + place + bytes]
        let value = (isBigEndian ? Array(field) : field.reversed()).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int(truncatingIfNeeded: value)
    }
}
