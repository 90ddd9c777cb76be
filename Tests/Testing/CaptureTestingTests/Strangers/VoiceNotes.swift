import AVFoundation
import Combine

/// Voice notes of a messenger: asks for the microphone, records with a moving bar of levels, pauses by itself when the phone rings, and keeps what is
/// long enough.
@MainActor
final class VoiceNotes: NSObject, ObservableObject {
    enum Phase: Equatable { case idle, recording, paused, interrupted }
    enum Failure: Error, Equatable { case notAllowed, cannotRecord, tooShort }

    struct Note: Equatable, Identifiable {
        let id: UUID
        let url: URL
        let seconds: TimeInterval
    }

    @Published private(set) var phase = Phase.idle
    @Published private(set) var notes: [Note] = []
    @Published private(set) var bars: [Float] = []
    @Published private(set) var elapsed: TimeInterval = 0
    @Published private(set) var failure: Failure?

    private let folder: URL
    private let shortest: TimeInterval
    private var recorder: AVAudioRecorder?
    private var id = UUID()
    private var length: TimeInterval = 0
    private var tokens: [any NSObjectProtocol] = []

    init(folder: URL, shortest: TimeInterval = 0.5) {
        (self.folder, self.shortest) = (folder, shortest)
        super.init()
        tokens = [
            NotificationCenter.default.addObserver(
                forName: AVAudioSession.interruptionNotification, object: AVAudioSession.sharedInstance(), queue: .main
            ) { [weak self] in
                let type = ($0.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt).flatMap(AVAudioSession.InterruptionType.init)
                let options = ($0.userInfo?[AVAudioSessionInterruptionOptionKey] as? UInt).map(AVAudioSession.InterruptionOptions.init)
                MainActor.assumeIsolated { self?.interrupt(type, options ?? []) }
            }
        ]
    }

    /// Begins a note; `longest` seconds after which it ends by itself.
    func begin(as kind: String = "m4a", longest: TimeInterval? = nil) async {
        failure = nil
        guard await AVAudioApplication.requestRecordPermission() else { return failure = .notAllowed }
        do {
            let session = AVAudioSession.sharedInstance()
            try session.setCategory(.playAndRecord, mode: .spokenAudio, options: [.defaultToSpeaker, .allowBluetooth])
            try session.setActive(true, options: .notifyOthersOnDeactivation)
            id = UUID()
            let settings: [String: Any]
            if kind == "m4a" {
                settings = [
                    AVFormatIDKey: Int(kAudioFormatMPEG4AAC), AVSampleRateKey: 44100, AVNumberOfChannelsKey: 1, AVEncoderBitRateKey: 64_000,
                    AVEncoderAudioQualityKey: AVAudioQuality.high.rawValue,
                ]
            } else {
                settings = [
                    AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 16_000.0, AVNumberOfChannelsKey: 1, AVLinearPCMBitDepthKey: 16,
                    AVLinearPCMIsFloatKey: false, AVLinearPCMIsBigEndianKey: false,
                ]
            }
            let recorder = try AVAudioRecorder(url: folder.appending(path: "\(id).\(kind)"), settings: settings)
            recorder.delegate = self
            recorder.isMeteringEnabled = true
            guard recorder.prepareToRecord(), longest.map({ recorder.record(forDuration: $0) }) ?? recorder.record() else {
                recorder.deleteRecording()
                return failure = .cannotRecord
            }
            (self.recorder, bars, elapsed, length) = (recorder, [], 0, 0)
            phase = .recording
        } catch {
            failure = .cannotRecord
        }
    }

    /// One turn of the display link.
    func tick() {
        guard let recorder, recorder.isRecording else { return }
        recorder.updateMeters()
        (elapsed, length) = (recorder.currentTime, recorder.currentTime)
        let power = recorder.averagePower(forChannel: 0)
        bars.append(power < -60 ? 0 : pow(10, power / 20))
    }

    func togglePause() {
        guard let recorder else { return }
        if recorder.isRecording {
            recorder.pause()
            phase = .paused
        } else if recorder.record() {
            phase = .recording
        }
    }

    /// Ends the note.
    func finish() {
        if let recorder { length = recorder.currentTime }
        recorder?.stop()
    }

    /// Ends the note and forgets it.
    func discard() {
        recorder?.delegate = nil
        recorder?.stop()
        recorder?.deleteRecording()
        leave()
    }

    private func leave() {
        recorder = nil
        phase = .idle
        try? AVAudioSession.sharedInstance().setActive(false, options: .notifyOthersOnDeactivation)
    }

    private func interrupt(_ type: AVAudioSession.InterruptionType?, _ options: AVAudioSession.InterruptionOptions) {
        switch type {
        case .began where phase == .recording: phase = .interrupted
        case .ended where phase == .interrupted && options.contains(.shouldResume): togglePause()
        default: break
        }
    }

    private func ended(at url: URL, isWhole: Bool) {
        defer { leave() }
        guard isWhole, length >= shortest else {
            try? FileManager.default.removeItem(at: url)
            return failure = isWhole ? .tooShort : .cannotRecord
        }
        notes.append(Note(id: id, url: url, seconds: length))
    }
}

extension VoiceNotes: AVAudioRecorderDelegate {
    nonisolated func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool) {
        let url = recorder.url
        Task { @MainActor in ended(at: url, isWhole: flag) }
    }

    nonisolated func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: (any Error)?) {
        Task { @MainActor in failure = .cannotRecord }
    }
}
