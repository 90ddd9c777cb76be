import AVFoundation

/// Dictation over the audio engine: a tap whose sound goes to a recogniser at 16 kHz and into a file, which goes on after a call of the phone.
final class LiveTranscriber: @unchecked Sendable {
    enum State: Equatable, Sendable { case idle, listening, interrupted, failed(Int) }

    /// Receiver of the recogniser's samples.
    var onSpeech: (@Sendable ([Int16]) -> Void)?
    private let engine = AVAudioEngine()
    private let lock = NSLock()
    private var state = State.idle
    private var file: AVAudioFile?
    private var converter: AVAudioConverter?
    private var loudest: Float = 0
    private var lastTime: AVAudioTime?
    private var token: (any NSObjectProtocol)?

    var current: State { lock.withLock { state } }
    var level: Float { lock.withLock { loudest } }
    var time: AVAudioTime? { lock.withLock { lastTime } }

    init() {
        token = NotificationCenter.default.addObserver(
            forName: AVAudioSession.interruptionNotification, object: AVAudioSession.sharedInstance(), queue: nil
        ) { [weak self] in
            guard let self, let value = $0.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt else { return }
            switch AVAudioSession.InterruptionType(rawValue: value) {
            case .began: set(.interrupted)
            case .ended: if current == .interrupted { resume() }
            default: break
            }
        }
    }

    deinit { if let token { NotificationCenter.default.removeObserver(token) } }

    func start(writingTo url: URL) {
        do {
            let session = AVAudioSession.sharedInstance()
            try session.setCategory(.record, mode: .measurement, options: .duckOthers)
            try session.setPreferredSampleRate(44_100)
            try session.setActive(true)
            let input = engine.inputNode
            let format = input.outputFormat(forBus: 0)
            file = try AVAudioFile(forWriting: url, settings: format.settings)
            guard let speech = AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 16_000, channels: 1, interleaved: false) else { return }
            converter = AVAudioConverter(from: format, to: speech)
            input.removeTap(onBus: 0)
            input.installTap(onBus: 0, bufferSize: 1024, format: format) { [weak self] buffer, when in self?.hear(buffer, when) }
            engine.prepare()
            try engine.start()
            set(.listening)
        } catch {
            set(.failed((error as NSError).code))
        }
    }

    func stop() {
        engine.stop()
        engine.inputNode.removeTap(onBus: 0)
        lock.withLock { (file, state) = (nil, .idle) }
    }

    private func resume() {
        do {
            try engine.start()
            set(.listening)
        } catch {
            set(.failed((error as NSError).code))
        }
    }

    private func set(_ new: State) { lock.withLock { state = new } }

    private func hear(_ buffer: AVAudioPCMBuffer, _ when: AVAudioTime) {
        lock.withLock {
            try? file?.write(from: buffer)
            lastTime = when
            if let samples = buffer.floatChannelData?[0] { loudest = (0..<Int(buffer.frameLength)).reduce(0) { max($0, abs(samples[$1])) } }
        }
        guard let converter else { return }
        let capacity = AVAudioFrameCount(Double(buffer.frameLength) * converter.outputFormat.sampleRate / buffer.format.sampleRate) + 32
        guard let output = AVAudioPCMBuffer(pcmFormat: converter.outputFormat, frameCapacity: capacity) else { return }
        var isSupplied = false
        var error: NSError?
        converter.convert(to: output, error: &error) { _, status in
            guard !isSupplied else {
                status.pointee = .noDataNow
                return nil
            }
            isSupplied = true
            status.pointee = .haveData
            return buffer
        }
        guard error == nil, let samples = output.int16ChannelData?[0] else { return }
        onSpeech?(Array(UnsafeBufferPointer(start: samples, count: Int(output.frameLength))))
    }
}
