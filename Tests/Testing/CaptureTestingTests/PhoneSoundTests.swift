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

    @Test("without a camera hears on while the camera drops frames, and a tap has it in one buffer")
    func drops() async throws {
        let text = """
            scenario: A tone
            clip: {source: synthetic, size: 64x36, fps: 30, length: 1s}
            subjects: {maya: {kind: face, box: [0.4, 0.3, 0.2, 0.4], depth: 2m, sound: {tone: 440Hz, level: -20dB}}}
            timeline:
              - 0.2s: {fault: {dropFrames: 3}}
            """
        try await withCamera(showing: TestStage(scenario: text)) { phone, camera in
            try AVAudioSession.sharedInstance().setCategory(.record)
            let engine = AVAudioEngine()
            let heard = Mutex<[Int]>([])
            engine.inputNode.installTap(onBus: 0, bufferSize: 1024, format: nil) { buffer, _ in
                heard.withLock { $0.append(Int(buffer.frameLength)) }
            }
            try engine.start()
            await phone.step(frames: 15)
            engine.stop()
            #expect(camera.times.count == 12)
            #expect(heard.withLock { $0 } == Array(repeating: 1600, count: 6) + [6400] + Array(repeating: 1600, count: 5))
        }
    }
}
