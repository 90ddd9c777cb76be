import AVFoundation

/// Feed of a speech recogniser: the microphone of a capture session at 16 kHz in 16-bit chunks of a tenth of a second, each with its loudness.
final class SpeechFeed: NSObject, @unchecked Sendable {
    struct Chunk: Sendable {
        /// Samples, 16-bit integers.
        let data: Data
        /// Loudness, dB of full scale.
        let decibels: Float
        /// Time of the session at which it ends.
        let end: CMTime
        let isSpeech: Bool
    }

    enum Failure: Error { case noMicrophone, noFormat, conversion((any Error)?) }

    let session = AVCaptureSession()
    /// Chunks, until `stop()`.
    let chunks: AsyncThrowingStream<Chunk, any Error>
    private let continuation: AsyncThrowingStream<Chunk, any Error>.Continuation
    private let queue = DispatchQueue(label: "speech.samples", qos: .userInitiated)
    private let output = AVCaptureAudioDataOutput()
    private let format: AVAudioFormat
    private let chunkLength: Int
    private var converter: AVAudioConverter?
    private var pending: [Int16] = []
    /// Number of formats that the microphone had.
    private(set) var formats = 0

    init(sampleRate: Double = 16_000) throws {
        guard let format = AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: sampleRate, channels: 1, interleaved: true) else {
            throw Failure.noFormat
        }
        self.format = format
        chunkLength = Int(sampleRate / 10)
        (chunks, continuation) = AsyncThrowingStream.makeStream(bufferingPolicy: .unbounded)
        super.init()
    }

    func start(mode: AVCaptureMultichannelAudioMode = .none) throws {
        try AVAudioSession.sharedInstance().setCategory(.record, mode: .measurement, options: [])
        session.automaticallyConfiguresApplicationAudioSession = false
        session.beginConfiguration()
        guard let microphone = AVCaptureDevice.default(for: .audio) else { throw Failure.noMicrophone }
        let input = try AVCaptureDeviceInput(device: microphone)
        if input.isMultichannelAudioModeSupported(mode) { input.multichannelAudioMode = mode }
        guard session.canAddInput(input), session.canAddOutput(output) else { throw Failure.noMicrophone }
        session.addInput(input)
        session.addOutput(output)
        output.setSampleBufferDelegate(self, queue: queue)
        session.commitConfiguration()
        session.startRunning()
    }

    func stop() {
        session.stopRunning()
        queue.sync { continuation.finish() }
    }

    private func append(_ sample: CMSampleBuffer) throws {
        guard let description = sample.formatDescription else { return }
        let input = AVAudioFormat(cmAudioFormatDescription: description)
        if converter?.inputFormat != input {
            guard let new = AVAudioConverter(from: input, to: format) else { throw Failure.noFormat }
            // No drift against the session's time; the first samples are worse for it.
            new.primeMethod = .none
            new.downmix = true
            new.sampleRateConverterQuality = AVAudioQuality.max.rawValue
            (converter, formats) = (new, formats + 1)
        }
        guard let converter, let source = AVAudioPCMBuffer(pcmFormat: input, frameCapacity: AVAudioFrameCount(sample.numSamples)) else { return }
        source.frameLength = source.frameCapacity
        let copied = CMSampleBufferCopyPCMDataIntoAudioBufferList(
            sample, at: 0, frameCount: Int32(sample.numSamples), into: source.mutableAudioBufferList)
        guard copied == noErr else { throw Failure.conversion(NSError(domain: NSOSStatusErrorDomain, code: Int(copied))) }
        let capacity = AVAudioFrameCount((Double(source.frameLength) * format.sampleRate / input.sampleRate).rounded(.up)) + 1
        guard let target = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: capacity) else { return }
        var error: NSError?
        nonisolated(unsafe) var isTaken = false
        let status = converter.convert(to: target, error: &error) { _, status in
            defer { isTaken = true }
            status.pointee = isTaken ? .noDataNow : .haveData
            return isTaken ? nil : source
        }
        guard status != .error, let samples = target.int16ChannelData?[0] else { throw Failure.conversion(error) }
        pending += UnsafeBufferPointer(start: samples, count: Int(target.frameLength))
        while pending.count >= chunkLength { tell(sample) }
    }

    private func tell(_ sample: CMSampleBuffer) {
        let chunk = Array(pending.prefix(chunkLength))
        pending.removeFirst(chunkLength)
        let power = chunk.reduce(Float(0)) { $0 + pow(Float($1) / 32768, 2) } / Float(chunk.count)
        let decibels = power > 0 ? 10 * log10(power) : -160
        continuation.yield(
            Chunk(
                data: chunk.withUnsafeBytes { Data($0) }, decibels: decibels, end: sample.presentationTimeStamp + sample.duration,
                isSpeech: decibels > -40))
    }
}

extension SpeechFeed: AVCaptureAudioDataOutputSampleBufferDelegate {
    func captureOutput(_ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection) {
        do { try append(sampleBuffer) } catch { continuation.finish(throwing: error) }
    }
}
