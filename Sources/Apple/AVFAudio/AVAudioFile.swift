import AVFCapture
import CoreMedia
import Pipeline

/// File of uncompressed sound, WAVE or CAF by its extension, that is read or written in the format of an app's buffers.
///
///     let file = try AVAudioFile(forWriting: url, settings: format.settings)
///     try file.write(from: buffer)
///
/// Frames stand in the file when `write(from:)` returns. As on Apple's systems it is for one thread at a time.
open class AVAudioFile: NSObject {
    /// Place of the file.
    public let url: URL
    /// Format of the samples in the file.
    public let fileFormat: AVAudioFormat
    /// Format of the buffers that are read and written; the samples are converted, the rate and the channels are those of the file.
    public let processingFormat: AVAudioFormat
    /// Number of frames in the file.
    open var length: AVAudioFramePosition { frames }
    /// Frame that is read or written next.
    open var framePosition: AVAudioFramePosition = 0

    private var frames: AVAudioFramePosition
    private let coding: SampleCoding
    /// Place of the first sample in the file, in bytes.
    private let start: Int
    private var handle: FileHandle?
    /// Kind of the file that is written; nil of one that is read.
    private let kind: SoundFile.Kind?

    /// Opens a file for buffers of the standard format. Throws an error of Core Audio's codes: `wht?`, `typ?`, `fmt?`, `dta?`.
    public convenience init(forReading fileURL: URL) throws {
        try self.init(forReading: fileURL, commonFormat: .pcmFormatFloat32, interleaved: false)
    }

    /// Opens a file for buffers of a format. Throws as `init(forReading:)`.
    public init(forReading fileURL: URL, commonFormat format: AVAudioCommonFormat, interleaved: Bool) throws {
        (url, kind) = (fileURL, nil)
        do {
            let (handle, data): (FileHandle, Data)
            do {
                handle = try FileHandle(forReadingFrom: fileURL)
                data = try Data(contentsOf: fileURL, options: .alwaysMapped)
            } catch { throw SoundFileError.unspecified.told(fileURL, error) }
            let found = try SoundFile(data)
            (fileFormat, processingFormat, coding) = try Self.formats(found.stream, format, interleaved)
            self.handle = handle
            start = found.samples.lowerBound
            frames = AVAudioFramePosition(found.samples.count / Int(found.stream.mBytesPerFrame))
        } catch let error as SoundFileError { throw error.told(fileURL) }
    }

    /// Makes a file for buffers of the standard format; one that is there is overwritten. Throws `typ?` for another extension than `wav` or `caf`, `fmt?` for
    /// compressed sound, and `wht?` where it cannot be written.
    public convenience init(forWriting fileURL: URL, settings: [String: Any]) throws {
        try self.init(forWriting: fileURL, settings: settings, commonFormat: .pcmFormatFloat32, interleaved: false)
    }

    /// Makes a file for buffers of a format. Throws as `init(forWriting:settings:)`.
    public init(forWriting fileURL: URL, settings: [String: Any], commonFormat format: AVAudioCommonFormat, interleaved: Bool) throws {
        url = fileURL
        do {
            guard let kind = SoundFile.Kind(pathExtension: fileURL.pathExtension) else { throw SoundFileError.unsupportedFileType }
            guard var stream = AVAudioFormat(settings: settings)?.formatDescription.audioStreamBasicDescription,
                let samples = SampleCoding(stream)
            else { throw SoundFileError.unsupportedDataFormat }
            stream = samples.stream(sampleRate: stream.mSampleRate, channels: Int(stream.mChannelsPerFrame))
            guard let header = SoundFile.header(kind, stream, bytes: 0) else { throw SoundFileError.unsupportedDataFormat }
            (fileFormat, processingFormat, coding) = try Self.formats(stream, format, interleaved)
            do {
                try header.write(to: fileURL)
                handle = try FileHandle(forUpdating: fileURL)
            } catch { throw SoundFileError.unspecified.told(fileURL, error) }
            (self.kind, start, frames) = (kind, header.count, 0)
        } catch let error as SoundFileError { throw error.told(fileURL) }
    }

    private static func formats(
        _ stream: AudioStreamBasicDescription, _ format: AVAudioCommonFormat, _ interleaved: Bool
    ) throws(SoundFileError) -> (AVAudioFormat, AVAudioFormat, SampleCoding) {
        var stream = stream
        var buffers = AudioStreamBasicDescription(
            packed: stream.mSampleRate, channels: stream.mChannelsPerFrame, bits: 8 * format.size, isFloat: format.isFloat, isBigEndian: false,
            isInterleaved: interleaved)
        guard let coding = SampleCoding(stream), let file = AVAudioFormat(streamDescription: &stream),
            let processing = AVAudioFormat(streamDescription: &buffers), SampleCoding(buffers) != nil
        else { throw .unsupportedDataFormat }
        return (file, processing, coding)
    }

    /// Whether the file has not been closed.
    open var isOpen: Bool { handle != nil }
    /// Closes the file; nothing is read or written from then on.
    open func close() {
        try? handle?.close()
        handle = nil
    }

    deinit { try? handle?.close() }

    /// Reads frames into a buffer of the processing format, as many as there is room for; none at the end of the file.
    open func read(into buffer: AVAudioPCMBuffer) throws { try read(into: buffer, frameCount: buffer.frameCapacity) }

    /// Reads a number of frames into a buffer of the processing format, or those up to the end of the file.
    open func read(into buffer: AVAudioPCMBuffer, frameCount frames: AVAudioFrameCount) throws {
        check(buffer)
        guard kind == nil, let handle else { throw SoundFileError.unspecified.told(url) }
        let count = max(0, min(AVAudioFramePosition(min(frames, buffer.frameCapacity)), length - framePosition))
        let frame = coding.size * Int(fileFormat.channelCount)
        let data: Data
        do {
            try handle.seek(toOffset: UInt64(start + Int(max(0, framePosition)) * frame))
            data = try handle.read(upToCount: Int(count) * frame) ?? Data()
        } catch { throw SoundFileError.unspecified.told(url, error) }
        let read = AVAudioFrameCount(data.count / frame)
        buffer.frameLength = read
        data.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            each(of: buffer) { offset, sample, own in own.store(coding.load(base + offset), at: sample) }
        }
        framePosition += AVAudioFramePosition(read)
    }

    /// Writes a buffer of the processing format at the position, behind what was written before.
    open func write(from buffer: AVAudioPCMBuffer) throws {
        check(buffer)
        guard let kind, let handle else { throw SoundFileError.unspecified.told(url) }
        let frame = coding.size * Int(fileFormat.channelCount)
        var data = Data(count: Int(buffer.frameLength) * frame)
        data.withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            each(of: buffer) { offset, sample, own in coding.store(own.load(sample), at: base + offset) }
        }
        let end = framePosition + AVAudioFramePosition(buffer.frameLength)
        let bytes = Int(max(length, end)) * frame
        guard let header = SoundFile.header(kind, fileFormat.streamDescription.pointee, bytes: bytes) else {
            throw SoundFileError.unsupportedDataFormat.told(url)
        }
        do {
            try handle.seek(toOffset: UInt64(start + Int(framePosition) * frame))
            try handle.write(contentsOf: data)
            // A chunk of WAVE has an even number of bytes.
            if kind == .wave, bytes % 2 == 1 { try handle.write(contentsOf: Data([0])) }
            try handle.seek(toOffset: 0)
            try handle.write(contentsOf: header)
        } catch { throw SoundFileError.unspecified.told(url, error) }
        (framePosition, frames) = (end, max(length, end))
    }

    /// Calls with each sample of a buffer and its place in the file's bytes, which interleave the channels.
    private func each(of buffer: AVAudioPCMBuffer, _ body: (Int, UnsafeMutableRawPointer, SampleCoding) -> Void) {
        guard let own = SampleCoding(processingFormat.streamDescription.pointee) else { return }
        let list = UnsafeMutableAudioBufferListPointer(buffer.mutableAudioBufferList)
        let channels = Int(fileFormat.channelCount)
        for channel in 0..<channels {
            let isShared = processingFormat.isInterleaved
            guard let data = list[isShared ? 0 : channel].mData else { continue }
            let (first, step) = isShared ? (channel * own.size, channels * own.size) : (0, own.size)
            for frame in 0..<Int(buffer.frameLength) {
                body((frame * channels + channel) * coding.size, data + first + frame * step, own)
            }
        }
    }

    private func check(_ buffer: AVAudioPCMBuffer) {
        // A layout of the channels, as a microphone's buffers have one, makes no other samples.
        let (own, other) = (processingFormat, buffer.format)
        precondition(
            own.sampleRate == other.sampleRate && own.channelCount == other.channelCount && own.commonFormat == other.commonFormat
                && own.isInterleaved == other.isInterleaved,
            "com.apple.coreaudio.avfaudio: required condition is false: the buffer's format is the file's processingFormat")
    }
}
