import CoreMedia
import Foundation
import RackfocusKit
import Stage
import TestSupport
import Testing

@Suite("A scenario's sound in a recorded movie")
struct RecordedSoundTests {
    /// Signals the end of a recording.
    private final class Recorder: NSObject, AVCaptureFileOutputRecordingDelegate, Sendable {
        let ended = DispatchSemaphore(value: 0)
        func fileOutput(
            _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL, from connections: [AVCaptureConnection], error: (any Error)?
        ) { ended.signal() }
    }

    @Test("is as long as its pictures, of the subject's frequency, and louder on the subject's side")
    func recorded() throws {
        let text = """
            scenario: A whistle
            clip: {source: synthetic, size: 64x36, fps: 30000/1001, length: 1s}
            subjects:
              kettle: {kind: prop, box: [0.8, 0.4, 0.2, 0.2], depth: 1m, sound: {tone: 1kHz, level: -12dB}}
            """
        let (scratch, scenario) = (try Scratch(), try ScenarioFile.parse(text, path: "whistle.yaml"))
        let (world, movie) = (try scenario.world(), URL(fileURLWithPath: scratch("whistle.mov")))
        let source = StageSource(world: world)
        var environment = CaptureEnvironment(cameras: [scenario.camera(for: source.description), .microphone], renderer: nil) { _ in
            CameraFeed(source: source, detector: TruthDetector())
        }.writingFiles()
        environment.openMicrophone = { _ in StageSound(world: world) }
        try CaptureEnvironment.$scoped.withValue(environment) {
            let (session, output, recorder) = (AVCaptureSession(), AVCaptureMovieFileOutput(), Recorder())
            let microphone = try AVCaptureDeviceInput(device: #require(AVCaptureDevice.default(for: .audio)))
            microphone.multichannelAudioMode = .stereo
            session.addInput(try AVCaptureDeviceInput(device: #require(AVCaptureDevice.default(for: .video))))
            session.addInput(microphone)
            session.addOutput(output)
            // The first frame comes after this.
            let token = NotificationCenter.default.addObserver(forName: .AVCaptureSessionDidStartRunning, object: session, queue: nil) { _ in
                output.startRecording(to: movie, recordingDelegate: recorder)
            }
            defer { NotificationCenter.default.removeObserver(token) }
            session.startRunning()
            try #require(recorder.ended.wait(timeout: .now() + patience) == .success)
        }
        let sound = try SoundFile.read(movie.path)
        // 30 frames of 1001/30000 s; a packet of AAC has 1024 samples.
        #expect(sound.layout == .stereo && sound.sampleRate == 48_000 && abs(sound.sampleCount - 48_048) <= 2048)
        let (left, right) = (side(0, of: sound), side(1, of: sound))
        let rises = zip(right, right.dropFirst()).count { $0 < 0 && $1 >= 0 }
        #expect(abs(rises - 600) <= 2, "0.6 s of 1 kHz")
        let (loud, faint) = (right.map { $0 * $0 }.reduce(0, +), left.map { $0 * $0 }.reduce(0, +))
        // Y = −0.4845 at 36/26 · 0.4: (1 + 0.4845) / (1 − 0.4845) in amplitude.
        #expect(abs((loud / faint).squareRoot() - 2.88) < 0.1)
    }

    /// One side, without what the encoder does to the ends.
    private func side(_ index: Int, of sound: Sound) -> [Float] { (9_600..<38_400).map { sound.samples[2 * $0 + index] } }
}
