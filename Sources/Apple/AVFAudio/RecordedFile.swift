import AVFCapture
import CoreMedia
import Pipeline

/// File that a recorder writes.
///
/// Uncompressed samples go into a WAVE or CAF file, which holds them at once; AAC goes through the environment's writer of movies into an MPEG-4 file, which
/// takes its name when it is complete.
final class RecordedFile: @unchecked Sendable {
    private enum Content {
        case samples(AVAudioFile)
        case coded(any MovieWriter)
    }

    /// Format of the buffers that are written: floats, a buffer for each channel.
    let processingFormat: AVAudioFormat
    private let content: Content
    private var frames: Int64 = 0

    /// Makes a file in place of one that is there. Throws as `Plan` does, and where it cannot be written.
    init(_ plan: Plan, environment: CaptureEnvironment) throws {
        switch plan.coding {
        case .samples:
            let file = try AVAudioFile(forWriting: plan.url, settings: plan.settings)
            (content, processingFormat) = (.samples(file), file.processingFormat)
        case .coded(let track):
            guard let open = environment.openMovie else {
                environment.diagnose("\(plan.url.path) cannot be recorded: \(MovieWriterMissing())")
                throw MovieWriterMissing()
            }
            guard
                let format = AVAudioFormat(
                    commonFormat: .pcmFormatFloat32, sampleRate: Double(track.sampleRate), channels: UInt32(track.layout.channelCount),
                    interleaved: false)
            else { throw Plan.told(.unsupportedDataFormat, plan.url) }
            try? FileManager.default.removeItem(at: plan.url)
            (content, processingFormat) = (.coded(try open(plan.url, MovieDescription(sound: track))), format)
        }
    }

    /// Writes a buffer of the processing format behind what was written before.
    func write(_ buffer: AVAudioPCMBuffer) throws {
        guard buffer.frameLength > 0 else { return }
        switch content {
        case .samples(let file): try file.write(from: buffer)
        case .coded(let writer):
            let channels = (0..<Int(processingFormat.channelCount)).map(buffer.samples)
            let rate = Int(processingFormat.sampleRate)
            let samples = (0..<Int(buffer.frameLength)).flatMap { frame in channels.map { Float($0[frame]) } }
            try writer.append(
                Sound(
                    presentationTime: Sound.time(of: frames, sampleRate: rate), sampleRate: rate, layout: channels.count == 2 ? .stereo : .mono,
                    samples: samples))
        }
        frames += Int64(buffer.frameLength)
    }

    /// Gives the file up.
    func cancel() {
        switch content {
        case .samples(let file): file.close()
        case .coded(let writer): writer.cancel()
        }
    }

    /// Completes the file.
    func finish() throws {
        switch content {
        case .samples(let file): file.close()
        case .coded(let writer): try writer.finish()
        }
    }
}

extension RecordedFile {
    /// Place, coding and format that a recorder's settings ask for, without a file yet.
    struct Plan: Sendable {
        enum Coding: Sendable {
            case samples
            case coded(MovieDescription.SoundTrack)
        }

        let url: URL
        let coding: Coding
        /// The settings, with what they leave open: 44 100 Hz, one channel, and the coding by the file's extension.
        nonisolated(unsafe) let settings: [String: Any]
        let format: AVAudioFormat

        /// Reads settings. Throws `typ?` for another extension than `wav`, `caf`, `m4a` and `mp4`, and `fmt?` for sound that a file of the kind does not hold.
        init(_ url: URL, _ given: [String: Any]) throws {
            do {
                let isCoded = ["m4a", "mp4"].contains(url.pathExtension.lowercased())
                guard isCoded || SoundFile.Kind(pathExtension: url.pathExtension) != nil else { throw SoundFileError.unsupportedFileType }
                var settings: [String: Any] = [
                    AVFormatIDKey: isCoded ? kAudioFormatMPEG4AAC : kAudioFormatLinearPCM, AVSampleRateKey: 44_100.0, AVNumberOfChannelsKey: 1,
                ]
                settings.merge(given) { $1 }
                guard let format = AVAudioFormat(settings: settings) else { throw SoundFileError.unsupportedDataFormat }
                let stream = format.streamDescription.pointee
                if isCoded {
                    guard stream.mFormatID == kAudioFormatMPEG4AAC, (8000...96_000).contains(stream.mSampleRate),
                        (1...2).contains(stream.mChannelsPerFrame)
                    else { throw SoundFileError.unsupportedDataFormat }
                    var track = MovieDescription.SoundTrack(
                        layout: stream.mChannelsPerFrame == 2 ? .stereo : .mono, sampleRate: Int(stream.mSampleRate))
                    let each = NumberSetting.number(settings[AVEncoderBitRatePerChannelKey]).map { $0 * Double(stream.mChannelsPerFrame) }
                    let bits = NumberSetting.number(settings[AVEncoderBitRateKey]) ?? each
                    track.coding = .aac(bitRate: bits.flatMap { $0 >= 1 && $0 < 0x1p31 ? Int($0) : nil })
                    coding = .coded(track)
                } else {
                    guard let samples = SampleCoding(stream) else { throw SoundFileError.unsupportedDataFormat }
                    let isBigWave = samples.isBigEndian && SoundFile.Kind(pathExtension: url.pathExtension) == .wave
                    guard !isBigWave else { throw SoundFileError.unsupportedDataFormat }
                    coding = .samples
                }
                (self.url, self.settings, self.format) = (url, settings.bridged, format)
            } catch let error as SoundFileError { throw Self.told(error, url) }
        }

        /// The error as a recorder tells it.
        static func told(_ error: SoundFileError, _ url: URL) -> NSError {
            switch error {
            case .unsupportedFileType: error.told(url, because: "is of none of the kinds that are recorded here: wav, caf, m4a, mp4")
            case .unsupportedDataFormat:
                error.told(
                    url,
                    because: "cannot have this sound: wav and caf are recorded as integers of 16, 24 or 32 bits or floats, m4a and mp4 as AAC of one "
                        + "or two channels at 8000 to 96 000 Hz")
            case .unspecified, .invalidFile: error.told(url)
            }
        }
    }
}
