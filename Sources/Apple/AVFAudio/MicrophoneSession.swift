import AVFCapture
import CoreMedia

/// Microphone of a recorder or an engine: a capture session with the phone's first microphone, which gives silence without the user's consent.
/// It is none of the app's: no observer of sessions is told of it.
final class MicrophoneSession: NSObject, AVCaptureAudioDataOutputSampleBufferDelegate, @unchecked Sendable {
    /// Event of the microphone.
    enum Event {
        /// On the queue.
        case sound(CMSampleBuffer)
        /// A call of the phone began.
        case interruption
        /// The media services were reset.
        case failure
    }

    private let session: AVCaptureSession
    private let output = AVCaptureAudioDataOutput()
    private let receiver: @Sendable (Event) -> Void

    /// Nil without a microphone.
    init?(in environment: CaptureEnvironment, queue: DispatchQueue, receiver: @escaping @Sendable (Event) -> Void) {
        self.receiver = receiver
        session = AVCaptureSession()
        session.listener = { name in
            switch name {
            case AVCaptureSession.wasInterruptedNotification: receiver(.interruption)
            case AVCaptureSession.runtimeErrorNotification: receiver(.failure)
            default: break
            }
        }
        super.init()
        guard let device = AVCaptureDevice.default(for: .audio) else { return nil }
        if AVCaptureDevice.authorizationStatus(for: .audio) == .notDetermined { AVCaptureDevice.requestAccess(for: .audio) { _ in } }
        session.automaticallyConfiguresApplicationAudioSession = false
        session.addInput(AVCaptureDeviceInput(unasked: device))
        session.addOutput(output)
        output.setSampleBufferDelegate(self, queue: queue)
    }

    deinit { session.stopRunning() }

    /// Opens the microphone; false during a call of the phone.
    func start() -> Bool {
        session.startRunning()
        return session.isRunning
    }

    /// Whether a call of the phone has the microphone.
    var isInterrupted: Bool { session.isInterrupted }

    /// Closes the microphone.
    func stop() { session.stopRunning() }

    /// Time of the sound at hand, seconds.
    var time: TimeInterval { session.synchronizationClock?.time.seconds ?? 0 }

    /// Levels of its channels, dB of full scale.
    var levels: [(average: Float, peak: Float)] {
        output.connection(with: .audio)?.audioChannels.map { ($0.averagePowerLevel, $0.peakHoldLevel) } ?? []
    }

    func captureOutput(_ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection) {
        receiver(.sound(sampleBuffer))
    }
}

extension CaptureEnvironment {
    /// Runs a body as in the task that this environment was read in, and returns its result.
    func entered<Result>(_ body: () -> Result) -> Result {
        var result: Result?
        enter { result = body() }
        guard let result else { preconditionFailure("the body has run") }
        return result
    }
}
