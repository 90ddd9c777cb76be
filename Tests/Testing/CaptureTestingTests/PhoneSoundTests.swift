import AVFoundation
import CaptureTesting
import Synchronization
import Testing

@Suite("A phone's microphone")
struct PhoneSoundTests {
    /// The smallest recorder: how long each buffer is, and how loud it was on either side.
    private final class Ear: NSObject, AVCaptureAudioDataOutputSampleBufferDelegate, Sendable {
        let session = AVCaptureSession()
        let heard = Mutex<[(samples: Int, left: Float, right: Float)]>([])
        private let output = AVCaptureAudioDataOutput()

        override init() {
            super.init()
            let input = try! AVCaptureDeviceInput(device: AVCaptureDevice.default(for: .audio)!)
            input.multichannelAudioMode = .stereo
            session.addInput(input)
            session.addOutput(output)
            output.setSampleBufferDelegate(self, queue: DispatchQueue(label: "ear"))
            session.startRunning()
        }

        func captureOutput(_ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection) {
            let levels = connection.audioChannels.map(\.averagePowerLevel)
            heard.withLock { $0.append((sampleBuffer.numSamples, levels[0], levels[1])) }
        }
    }

    @Test("hears the stage from where things are, frame by frame, and what leaves no more")
    func hears() async throws {
        var radio = TestStage.Member.prop("radio", box: CGRect(x: 0, y: 0.4, width: 0.2, height: 0.2), depth: 1)
        radio.sound = .tone(440, level: -20)
        try await withTestPhone(showing: TestStage(radio)) { phone in
            let ear = Ear()
            await phone.step(frames: 3)
            try phone.leave("radio")
            await phone.step(frames: 2)
            let heard = ear.heard.withLock { $0 }
            #expect(heard.map(\.samples) == [1600, 1600, 1600, 1600, 1600])
            #expect(heard[1].left > -30 && heard[1].left - heard[1].right > 9, "left by \(heard[1].left - heard[1].right) dB")
            #expect(heard[4].left == -160 && heard[4].right == -160)
            ear.session.stopRunning()
        }
    }

    @Test("hears a scenario's subjects beside the camera")
    func scenario() async throws {
        let text = """
            scenario: A hiss
            clip: {source: synthetic, size: 64x36, fps: 30000/1001, length: 1s}
            subjects:
              fan: {kind: prop, box: [0.8, 0.4, 0.2, 0.2], depth: 1m, sound: {noise: white, level: -10dB}}
            """
        try await withCamera(showing: TestStage(scenario: text)) { phone, camera in
            let ear = Ear()
            await phone.step(frames: 5)
            #expect(camera.times.count == 5)
            let heard = ear.heard.withLock { $0 }
            #expect(heard.map(\.samples) == [1601, 1602, 1601, 1602, 1602] && heard.allSatisfy { $0.right > $0.left + 5 })
            ear.session.stopRunning()
        }
    }
}
