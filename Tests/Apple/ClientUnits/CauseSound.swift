import AVFAudio
import AVFoundation

// Sound as recorders, meters and streamers handle it: samples copied into buffers of AVFAudio, files of them, and the clock of a microphone.

/// Diary that keeps what the microphone hears in a file of its own.
public final class SoundDiary: NSObject, AVCaptureAudioDataOutputSampleBufferDelegate, @unchecked Sendable {
    private let url: URL
    private let queue = DispatchQueue(label: "diary")
    private var file: AVAudioFile?
    public private(set) var loudest: Float = 0
    public private(set) var begun: CMTime?
    public let output = AVCaptureAudioDataOutput()

    public init(to url: URL) {
        self.url = url
        super.init()
        output.setSampleBufferDelegate(self, queue: queue)
    }

    public func captureOutput(_ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection) {
        guard let description = CMSampleBufferGetFormatDescription(sampleBuffer) else { return }
        let format = AVAudioFormat(cmAudioFormatDescription: description)
        let frames = AVAudioFrameCount(CMSampleBufferGetNumSamples(sampleBuffer))
        guard let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: frames) else { return }
        buffer.frameLength = frames
        let copied = CMSampleBufferCopyPCMDataIntoAudioBufferList(sampleBuffer, at: 0, frameCount: Int32(frames), into: buffer.mutableAudioBufferList)
        guard copied == noErr else { return }
        begun = begun ?? CMSampleBufferGetPresentationTimeStamp(sampleBuffer)
        loudest = max(loudest, Self.peak(of: buffer))
        do {
            if file == nil {
                file = try AVAudioFile(
                    forWriting: url, settings: format.settings, commonFormat: format.commonFormat, interleaved: format.isInterleaved)
            }
            try file?.write(from: buffer)
        } catch { print("the diary is not kept: \(error)") }
    }

    /// Greatest absolute value of the first channel, full scale 1.
    static func peak(of buffer: AVAudioPCMBuffer) -> Float {
        let places = Swift.stride(from: 0, to: Int(buffer.frameLength) * buffer.stride, by: buffer.stride)
        if let floats = buffer.floatChannelData { return places.map { abs(floats[0][$0]) }.max() ?? 0 }
        if let integers = buffer.int16ChannelData { return places.map { abs(Float(integers[0][$0])) / 32768 }.max() ?? 0 }
        return 0
    }

    /// Seconds of the diary so far; nil where there is none.
    public static func length(of url: URL) -> Double? {
        guard let file = try? AVAudioFile(forReading: url) else { return nil }
        return Double(file.length) / file.processingFormat.sampleRate
    }

    /// Time of the first sample on the clock of the machine.
    public func hostTime(in session: AVCaptureSession) -> CMTime? {
        guard let begun, let clock = session.synchronizationClock else { return nil }
        return CMSyncConvertTime(begun, from: clock, to: CMClockGetHostTimeClock())
    }
}

/// Meter over the app's own engine, which a test leaves alone.
public final class EngineMeter {
    private let engine = AVAudioEngine()
    public private(set) var level: Float = 0

    public init() {}

    public func start() throws {
        let input = engine.inputNode
        input.installTap(onBus: 0, bufferSize: 1024, format: input.outputFormat(forBus: 0)) { [weak self] buffer, _ in
            self?.level = SoundDiary.peak(of: buffer)
        }
        engine.prepare()
        try engine.start()
    }

    public func stop() {
        engine.stop()
    }
}

/// Parameter sets that a streamer sends ahead of its pictures, of H.264.
public func parameterSets(of description: CMFormatDescription) -> [Data] {
    var count = 0
    CMVideoFormatDescriptionGetH264ParameterSetAtIndex(
        description, parameterSetIndex: 0, parameterSetPointerOut: nil, parameterSetSizeOut: nil, parameterSetCountOut: &count,
        nalUnitHeaderLengthOut: nil)
    return (0..<count).compactMap { index in
        var pointer: UnsafePointer<UInt8>?
        var size = 0
        let status = CMVideoFormatDescriptionGetH264ParameterSetAtIndex(
            description, parameterSetIndex: index, parameterSetPointerOut: &pointer, parameterSetSizeOut: &size, parameterSetCountOut: nil,
            nalUnitHeaderLengthOut: nil)
        guard status == noErr, let pointer else { return nil }
        return Data(bytes: pointer, count: size)
    }
}

/// Movie with a part of it in slow motion.
public func slowed(_ asset: AVAsset, _ range: CMTimeRange, by factor: Int32) async throws -> AVComposition {
    let composition = AVMutableComposition()
    let whole = CMTimeRange(start: .zero, duration: try await asset.load(.duration))
    try await composition.insertTimeRange(whole, of: asset, at: .zero)
    composition.scaleTimeRange(range, toDuration: CMTimeMultiply(range.duration, multiplier: factor))
    return composition
}
