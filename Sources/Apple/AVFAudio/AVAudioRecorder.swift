import AVFCapture
import CoreMedia
import Synchronization

/// Receiver of a recorder's end, called on the queue of delegates for which an app names none.
public protocol AVAudioRecorderDelegate: NSObjectProtocol {
    /// Called when a recording was stopped or its duration is over; false where its file is not whole.
    func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool)
    /// Called when sound could not be written; the recording ends.
    func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: (any Error)?)
}

extension AVAudioRecorderDelegate {
    /// Does nothing, for delegates without this method.
    public func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool) {}
    /// Does nothing, for delegates without this method.
    public func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: (any Error)?) {}
}

/// Recorder of the microphone into a file: uncompressed samples in WAVE and CAF, AAC in MPEG-4.
///
///     stopped ──prepareToRecord──► prepared ──record──► recording ◄──record── paused
///        ▲                                                │  └──pause, interruption──►│
///        └────────stop, end of the duration, failure──────┴───────────────────────────┘
///
/// It hears what the phone's first microphone does, in time with the frames of a test. The app's audio session must have a category with input. What was
/// recorded before a call of the phone stays; `record()` goes on after it.
open class AVAudioRecorder: NSObject, @unchecked Sendable {
    private enum Phase { case stopped, prepared, recording, paused }

    private struct State: @unchecked Sendable {
        var phase = Phase.stopped
        weak var delegate: (any AVAudioRecorderDelegate)?
        var microphone: MicrophoneSession?
        var isMetered = false
        var levels: [(average: Float, peak: Float)] = []
        /// Time of the first frame that is kept.
        var begin: TimeInterval = 0
        /// Time of the device less that of the microphone, from the first sound on.
        var shift: TimeInterval?
        /// Seconds after which the recording ends; nil for no end.
        var limit: TimeInterval?
        /// Frames of the microphone that were kept, and their rate in Hz.
        var frames = 0, rate = 48_000.0
        /// Seconds that were kept.
        var seconds: TimeInterval { TimeInterval(frames) / rate }
    }

    private let plan: RecordedFile.Plan
    private let environment: CaptureEnvironment
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "rackfocus.audio-recorder")
    /// Used on the queue.
    private var file: RecordedFile?
    /// Used on the queue.
    private var converter: AVAudioConverter?

    /// Makes a recorder; nothing is written yet. Throws an error of Core Audio's codes: `typ?`, `fmt?`.
    public init(url: URL, settings: [String: Any]) throws {
        plan = try RecordedFile.Plan(url, settings)
        environment = CaptureEnvironment.current
    }

    /// Makes a recorder of a format; as with settings.
    public convenience init(url: URL, format: AVAudioFormat) throws { try self.init(url: url, settings: format.settings) }

    // MARK: what is recorded

    /// Place of the file.
    open var url: URL { plan.url }
    /// Settings of the file, with what the app left open.
    open var settings: [String: Any] { plan.settings }
    /// Format of the file.
    open var format: AVAudioFormat { plan.format }
    /// Receiver of the end, held weakly.
    open weak var delegate: (any AVAudioRecorderDelegate)? {
        get { state.withLock { $0 }.delegate }
        set { state.withLock { $0.delegate = newValue } }
    }
    /// Whether it records; not while it is paused.
    open var isRecording: Bool { state.withLock { $0.phase == .recording } }
    /// Seconds recorded so far; 0 when it is stopped.
    open var currentTime: TimeInterval {
        state.withLock { $0.phase == .stopped ? 0 : $0.seconds }
    }
    /// Time of the device in seconds, for `record(atTime:)`, the same for all recorders: a test's phone's, else that of the host clock. Of sound that comes
    /// faster than it is heard it is the recorder's own microphone's, 0 until that has run.
    open var deviceCurrentTime: TimeInterval {
        if let time = environment.time { return time().seconds }
        return environment.isWallClock ? Self.hostTime : state.withLock { $0.microphone }?.time ?? 0
    }

    private static var hostTime: TimeInterval { CMClockGetHostTimeClock().time.seconds }

    // MARK: control

    /// Makes the file, in place of one that is there, and opens the microphone; false where either cannot be.
    @discardableResult
    open func prepareToRecord() -> Bool {
        guard state.withLock({ $0.phase == .stopped }) else { return true }
        guard let microphone = openMicrophone(), let file = try? RecordedFile(plan, environment: environment) else { return false }
        queue.sync { (self.file, converter) = (file, nil) }
        state.withLock { state in
            (state.phase, state.microphone) = (.prepared, microphone)
            (state.frames, state.begin, state.limit, state.levels) = (0, 0, nil, [])
        }
        return true
    }

    private func openMicrophone() -> MicrophoneSession? {
        environment.entered {
            MicrophoneSession(in: environment, queue: queue) { [weak self] event in
                switch event {
                case .sound(let sample): self?.take(sample)
                case .interruption: self?.pause()
                case .failure: self?.fail()
                }
            }
        }
    }

    /// Records, or goes on after a pause. False without a microphone, in a category of the audio session without input, and during a call of the phone.
    @discardableResult
    open func record() -> Bool { record(from: 0, for: nil) }

    /// Records from a time of `deviceCurrentTime` on, which has not passed; as `record()`.
    @discardableResult
    open func record(atTime time: TimeInterval) -> Bool { record(from: time, for: nil) }

    /// Records for a number of seconds, and stops; as `record()`.
    @discardableResult
    open func record(forDuration duration: TimeInterval) -> Bool { record(from: 0, for: duration) }

    /// Records from a time on for a number of seconds, and stops; as `record()`.
    @discardableResult
    open func record(atTime time: TimeInterval, forDuration duration: TimeInterval) -> Bool { record(from: time, for: duration) }

    private func record(from begin: TimeInterval, for duration: TimeInterval?) -> Bool {
        if isRecording { return true }
        let hasInput = environment.entered { AVAudioSession.sharedInstance().availableInputs != nil }
        guard hasInput, prepareToRecord(), let microphone = state.withLock({ $0.microphone }), microphone.start() else { return false }
        state.withLock { state in
            (state.phase, state.begin, state.shift) = (.recording, begin, nil)
            state.limit = duration.map { state.seconds + max(0, $0) }
        }
        return true
    }

    /// Pauses; `record()` goes on behind what was recorded.
    open func pause() { state.withLock { if $0.phase == .recording { $0.phase = .paused } } }

    /// Stops, and completes the file before it returns; the delegate is told.
    open func stop() {
        guard let microphone = leave() else { return }
        let isWhole = queue.sync { complete() }
        microphone.stop()
        tell { $0.audioRecorderDidFinishRecording($1, successfully: isWhole) }
    }

    /// Deletes the file of a recorder that does not record; false where it does, or there is none. One that was prepared is stopped.
    @discardableResult
    open func deleteRecording() -> Bool {
        guard state.withLock({ $0.phase != .recording && $0.phase != .paused }) else { return false }
        if let microphone = leave() {
            queue.sync {
                file?.cancel()
                (file, converter) = (nil, nil)
            }
            microphone.stop()
        }
        return (try? FileManager.default.removeItem(at: url)) != nil
    }

    /// Goes to stopped; returns the microphone, nil where it was stopped.
    private func leave() -> MicrophoneSession? {
        state.withLock { state in
            defer { (state.phase, state.microphone) = (.stopped, nil) }
            return state.phase == .stopped ? nil : state.microphone
        }
    }

    /// Completes the file, on the queue; false where it is not whole.
    private func complete() -> Bool {
        defer { (file, converter) = (nil, nil) }
        do {
            try convert(nil)
            try file?.finish()
            return true
        } catch {
            return false
        }
    }

    // MARK: metering

    /// Whether levels are measured; default false.
    open var isMeteringEnabled: Bool {
        get { state.withLock { $0.isMetered } }
        set { state.withLock { $0.isMetered = newValue } }
    }
    /// Takes the levels of now.
    open func updateMeters() {
        let levels = state.withLock { $0.microphone }?.levels ?? []
        state.withLock { $0.levels = $0.isMetered && $0.phase == .recording ? levels : [] }
    }
    /// Power of a channel at the last update, dB of full scale; -160 for silence, and where nothing was measured.
    open func averagePower(forChannel channelNumber: Int) -> Float { level(channelNumber)?.average ?? -160 }
    /// Loudest sample of a channel in the 1.5 s before the last update, dB of full scale; -160 for silence, and where nothing was measured.
    open func peakPower(forChannel channelNumber: Int) -> Float { level(channelNumber)?.peak ?? -160 }

    private func level(_ channel: Int) -> (average: Float, peak: Float)? {
        guard (0..<Int(format.channelCount)).contains(channel) else { return nil }
        // A file of two channels has the one of the microphone twice.
        return state.withLock { $0.levels.indices.contains(channel) ? $0.levels[channel] : $0.levels.first }
    }

    // MARK: microphone

    /// Takes sound of the microphone, on the queue.
    private func take(_ sampleBuffer: CMSampleBuffer) {
        guard let buffer = AVAudioPCMBuffer(sampleBuffer) else { return }
        let (count, rate) = (Int(buffer.frameLength), buffer.format.sampleRate)
        let time = sampleBuffer.presentationTimeStamp.seconds
        let (kept, isOver) = state.withLock { state -> (Range<Int>, Bool) in
            guard state.phase == .recording else { return (0..<0, false) }
            // By the wall clock sound comes when its time is over.
            let shift = state.shift ?? (environment.isWallClock ? Self.hostTime - time - Double(count) / rate : 0)
            state.shift = shift
            // Bounded, as a number of seconds may be infinite.
            func frames(_ seconds: TimeInterval) -> Int { Int(min(max(0, seconds * rate), Double(count + 1)).rounded()) }
            let first = min(frames(state.begin - time - shift), count)
            let left = state.limit.map { frames($0 - state.seconds) }
            let last = min(count, left.map { first + $0 } ?? count)
            (state.frames, state.rate) = (state.frames + last - first, rate)
            return (first..<last, left == last - first)
        }
        do {
            if !kept.isEmpty { try convert(buffer.part(kept)) }
        } catch {
            tell { $0.audioRecorderEncodeErrorDidOccur($1, error: error) }
            return finish(isWhole: false)
        }
        if isOver { finish(isWhole: true) }
    }

    /// Ends the recording by itself, on the queue.
    private func finish(isWhole: Bool) {
        guard let microphone = leave() else { return }
        let isComplete = complete() && isWhole
        microphone.stop()
        tell { $0.audioRecorderDidFinishRecording($1, successfully: isComplete) }
    }

    /// Ends the recording, whose file is not whole.
    private func fail() { queue.async { self.finish(isWhole: false) } }

    /// Writes a buffer of the microphone in the file's format; nil at the end, for what the converter holds back.
    private func convert(_ buffer: AVAudioPCMBuffer?) throws {
        guard let file else { return }
        if converter == nil, let buffer { converter = AVAudioConverter(fromMicrophone: buffer.format, to: file.processingFormat) }
        try converter?.convert(buffer) { try file.write($0) }
    }

    private func tell(_ call: @escaping @Sendable (any AVAudioRecorderDelegate, AVAudioRecorder) -> Void) {
        environment.callDelegate { [self] in
            if let delegate { call(delegate, self) }
        }
    }
}

extension AVAudioPCMBuffer {
    /// Copy of a range of frames.
    fileprivate func part(_ frames: Range<Int>) -> AVAudioPCMBuffer {
        guard frames != 0..<Int(frameLength), let part = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(frames.count)) else {
            return self
        }
        part.frameLength = AVAudioFrameCount(frames.count)
        for channel in 0..<Int(format.channelCount) { part.store(Array(samples(of: channel)[frames]), in: channel, from: 0) }
        return part
    }
}
