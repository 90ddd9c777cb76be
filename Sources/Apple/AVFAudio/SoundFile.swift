import AVFoundation

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
        let found: (stream: AudioStreamBasicDescription, samples: Range<Int>)? =
            switch file.prefix(4) {
            case Data("RIFF".utf8) where file.dropFirst(8).prefix(4) == Data("WAVE".utf8): try Self.wave(file)
            case Data("caff".utf8): try Self.caf(file)
            default: throw .unsupportedFileType
            }
        guard let (stream, samples) = found, SampleCoding(stream) != nil else { throw .unsupportedDataFormat }
        let whole = samples.count / Int(stream.mBytesPerFrame) * Int(stream.mBytesPerFrame)
        (self.stream, self.samples) = (stream, samples.lowerBound..<samples.lowerBound + whole)
    }

    /// Bytes ahead of the samples in a file of a kind, with sizes for a number of bytes of them; nil for samples that the kind does not keep.
    static func header(_ kind: Kind, _ stream: AudioStreamBasicDescription, bytes: Int) -> Data? {
        guard SampleCoding(stream) != nil else { return nil }
        let isFloat = stream.mFormatFlags & kAudioFormatFlagIsFloat != 0
        let isBigEndian = stream.mFormatFlags & kAudioFormatFlagIsBigEndian != 0
        var header = Data()
        switch kind {
        case .wave:
            guard !isBigEndian, bytes <= Int(UInt32.max) - 64 else { return nil }
            header += Data("RIFF".utf8) + little(UInt32(36 + bytes + bytes % 2)) + Data("WAVEfmt ".utf8) + little(UInt32(16))
            header += little(UInt16(isFloat ? 3 : 1)) + little(UInt16(stream.mChannelsPerFrame)) + little(UInt32(stream.mSampleRate))
            header += little(UInt32(stream.mSampleRate) * stream.mBytesPerFrame) + little(UInt16(stream.mBytesPerFrame))
            header += little(UInt16(stream.mBitsPerChannel)) + Data("data".utf8) + little(UInt32(bytes))
        case .caf:
            header += Data("caff".utf8) + [0, 1, 0, 0] + Data("desc".utf8) + big(UInt64(32)) + big(stream.mSampleRate.bitPattern)
            header += Data("lpcm".utf8) + big(UInt32((isFloat ? 1 : 0) | (isBigEndian ? 0 : 2))) + big(stream.mBytesPerFrame) + big(UInt32(1))
            header += big(stream.mChannelsPerFrame) + big(stream.mBitsPerChannel) + Data("data".utf8) + big(UInt64(4 + bytes)) + [0, 0, 0, 0]
        }
        return header
    }

    private static func wave(_ file: Data) throws(SoundFileError) -> (AudioStreamBasicDescription, Range<Int>)? {
        var stream: AudioStreamBasicDescription?
        var place = 12
        while let size = file.number(at: place + 4, bytes: 4, isBigEndian: false), place + 8 <= file.count {
            let body = place + 8..<min(place + 8 + size, file.count)
            switch file.dropFirst(place).prefix(4) {
            case Data("fmt ".utf8):
                func field(_ offset: Int, _ bytes: Int) -> Int { file.number(at: body.lowerBound + offset, bytes: bytes, isBigEndian: false) ?? 0 }
                guard body.count >= 16 else { throw .invalidFile }
                let tag = field(0, 2) == 0xFFFE && body.count >= 40 ? field(24, 2) : field(0, 2)
                guard tag == 1 || tag == 3 else { throw .unsupportedDataFormat }
                stream = try packed(Double(field(4, 4)), channels: field(2, 2), bits: field(14, 2), isFloat: tag == 3, isBigEndian: false)
                guard stream?.mBytesPerFrame == UInt32(field(12, 2)) else { throw .unsupportedDataFormat }
            case Data("data".utf8): return stream.map { ($0, body) }
            default: break
            }
            place = place + 8 + size + size % 2
        }
        throw .invalidFile
    }

    private static func caf(_ file: Data) throws(SoundFileError) -> (AudioStreamBasicDescription, Range<Int>)? {
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
                stream = try packed(
                    Double(bitPattern: UInt64(bitPattern: Int64(rate))), channels: field(24), bits: field(28), isFloat: field(12) & 1 != 0,
                    isBigEndian: field(12) & 2 == 0)
                guard stream?.mBytesPerFrame == UInt32(field(16)) else { throw .unsupportedDataFormat }
            case Data("data".utf8):
                guard body.count >= 4 else { throw .invalidFile }
                return stream.map { ($0, body.dropFirst(4)) }
            default: break
            }
            place = end
        }
        throw .invalidFile
    }

    private static func packed(
        _ sampleRate: Double, channels: Int, bits: Int, isFloat: Bool, isBigEndian: Bool
    ) throws(SoundFileError) -> AudioStreamBasicDescription {
        guard (1...1_000_000).contains(sampleRate), (1...64).contains(channels), (1...64).contains(bits) else { throw .invalidFile }
        return AudioStreamBasicDescription(
            packed: sampleRate, channels: UInt32(channels), bits: UInt32(bits), isFloat: isFloat, isBigEndian: isBigEndian, isInterleaved: true)
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

    /// The error as AVFAudio tells it, with the file and what to do.
    func told(_ url: URL, _ underlying: (any Error)? = nil) -> NSError {
        let reason =
            switch self {
            case .unspecified: "cannot be opened or written"
            case .unsupportedFileType: "is neither WAVE nor CAF, the kinds that are read and written here"
            case .unsupportedDataFormat: "is not of integers of 16, 24 or 32 bits or floats: compressed sound is not coded here"
            case .invalidFile: "is damaged"
            }
        var info: [String: Any] = [NSLocalizedDescriptionKey: "\(url.path) \(reason)"]
        info[NSUnderlyingErrorKey] = underlying
        return NSError(domain: "com.apple.coreaudio.avfaudio", code: rawValue, userInfo: info)
    }
}

extension AudioStreamBasicDescription {
    /// Uncompressed samples without padding.
    init(packed sampleRate: Double, channels: UInt32, bits: UInt32, isFloat: Bool, isBigEndian: Bool, isInterleaved: Bool) {
        let bytes = bits / 8 * (isInterleaved ? channels : 1)
        self.init(
            mSampleRate: sampleRate, mFormatID: kAudioFormatLinearPCM,
            mFormatFlags: (isFloat ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger) | kAudioFormatFlagIsPacked
                | (isBigEndian ? kAudioFormatFlagIsBigEndian : 0) | (isInterleaved ? 0 : kAudioFormatFlagIsNonInterleaved), mBytesPerPacket: bytes,
            mFramesPerPacket: 1, mBytesPerFrame: bytes, mChannelsPerFrame: channels, mBitsPerChannel: bits, mReserved: 0)
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
