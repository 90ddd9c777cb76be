import AVFoundation
import Pipeline
import Synchronization
import TestSupport
import Testing

/// A steady voice: sample `n` of every stretch is what `wave` says, straight ahead and to the left.
final class TestVoice: SoundSource {
    let sampleRate = 48_000
    let sampleCount: Int64?
    let stretches = Mutex<[Range<Int64>]>([])
    private let layout: Sound.Layout
    private let wave: @Sendable (Int64) -> Float
    private let failsAt: Int64?

    init(
        samples: Int64? = nil, layout: Sound.Layout = .mono, failsAt: Int64? = nil,
        wave: @escaping @Sendable (Int64) -> Float = { Float($0 % 100) / 128 }
    ) {
        sampleCount = samples
        self.layout = layout
        self.wave = wave
        self.failsAt = failsAt
    }

    func sound(of samples: Range<Int64>) throws -> Sound {
        if let failsAt, samples.contains(failsAt) { throw FakeFailure(what: "microphone torn off") }
        stretches.withLock { $0.append(samples) }
        // In ambisonics W, Y, Z, X: half to the left and half ahead.
        let gains: [Float] = layout == .firstOrderAmbisonics ? [1, 0.5, 0, 0.75] : [Float](repeating: 1, count: layout.channelCount)
        return Sound(
            presentationTime: Sound.time(of: samples.lowerBound, sampleRate: 48_000), sampleRate: 48_000, layout: layout,
            samples: samples.flatMap { number in gains.map { $0 * wave(number) } })
    }
}

/// An app that listens, with a camera or without: what it hears, it keeps.
final class SoundApp: NSObject, AVCaptureAudioDataOutputSampleBufferDelegate, AVCaptureVideoDataOutputSampleBufferDelegate, @unchecked Sendable {
    let session = AVCaptureSession()
    let microphone: AVCaptureDeviceInput
    let audioOutput = AVCaptureAudioDataOutput()
    let videoOutput = AVCaptureVideoDataOutput()
    let queue = DispatchQueue(label: "sound app")
    let heard = Mutex<[(output: AVCaptureOutput, sample: CMSampleBuffer, queue: String)]>([])
    /// "a" for a buffer of sound, "v" for a picture, with their times.
    let events = Mutex<[(kind: String, time: CMTime)]>([])
    var onSound: (@Sendable (CMSampleBuffer) -> Void)?
    private static let label = DispatchSpecificKey<String>()
    private let ended = DispatchSemaphore(value: 0)
    private var token: (any NSObjectProtocol)?

    init(hasCamera: Bool = true, mode: AVCaptureMultichannelAudioMode = .none) throws {
        microphone = try AVCaptureDeviceInput(device: #require(AVCaptureDevice.default(for: .audio)))
        super.init()
        queue.setSpecific(key: Self.label, value: queue.label)
        session.beginConfiguration()
        if hasCamera {
            session.addInput(try AVCaptureDeviceInput(device: #require(AVCaptureDevice.default(for: .video))))
            session.addOutput(videoOutput)
            videoOutput.setSampleBufferDelegate(self, queue: queue)
        }
        session.addInput(microphone)
        microphone.multichannelAudioMode = mode
        if mode == .firstOrderAmbisonics { audioOutput.spatialAudioChannelLayoutTag = kAudioChannelLayoutTag_HOA_ACN_SN3D | 4 }
        session.addOutput(audioOutput)
        audioOutput.setSampleBufferDelegate(self, queue: queue)
        session.commitConfiguration()
        token = NotificationCenter.default.addObserver(forName: AVCaptureSession.didStopRunningNotification, object: session, queue: nil) {
            [ended] _ in ended.signal()
        }
    }

    deinit { token.map(NotificationCenter.default.removeObserver) }

    /// Runs to the end of the source.
    func run() throws {
        session.startRunning()
        try #require(ended.wait(timeout: .now() + patience) == .success, "the session did not stop by itself")
    }

    func captureOutput(_ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection) {
        let label = DispatchQueue.getSpecific(key: Self.label) ?? "another queue"
        let isSound = output is AVCaptureAudioDataOutput
        events.withLock { $0.append((isSound ? "a" : "v", sampleBuffer.presentationTimeStamp)) }
        guard isSound else { return }
        heard.withLock { $0.append((output, sampleBuffer, label)) }
        onSound?(sampleBuffer)
    }

    /// Of `output`, in order.
    func samples(of output: AVCaptureOutput? = nil) -> [CMSampleBuffer] {
        heard.withLock { $0.filter { $0.output === output ?? audioOutput }.map(\.sample) }
    }
}

extension CMSampleBuffer {
    /// The numbers of one channel.
    func channel(_ index: Int) throws -> [Int16] {
        let channels = Int(try #require(formatDescription?.audioStreamBasicDescription).mChannelsPerFrame)
        let all = try #require(dataBuffer).withContiguousStorage { Array($0.bindMemory(to: Int16.self)) }
        return stride(from: index, to: all.count, by: channels).map { all[$0] }
    }
}

/// The fake camera and a phone's microphone, which hears `voice`.
func soundEnvironment(_ voice: TestVoice = TestVoice(), source: CountingSource = CountingSource(count: 10)) -> CaptureEnvironment {
    var environment = fakeEnvironment(
        source: source, cameras: [.footage(source.description, name: "fake"), CameraProfile.iPhone14.last!])
    environment.openMicrophone = { _ in voice }
    return environment
}
