import AVFoundation
import CaptureTesting
import Synchronization
import Testing

@Suite("Another camera while the test steps")
struct CameraSwitchTests {
    private final class Counter: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate, Sendable {
        private let taken = Mutex(0)
        var count: Int { taken.withLock { $0 } }
        func captureOutput(_ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection) {
            taken.withLock { $0 += 1 }
        }
    }

    private static let stage = TestStage(.face("maya", box: CGRect(x: 0.4, y: 0.2, width: 0.2, height: 0.4), depth: 1.2))

    /// The app switches on a queue of its own, after a pause that moves the switch through the steps.
    @Test("gets the steps that are left", arguments: 0..<8)
    func steps(round: Int) async throws {
        try await withTestPhone(showing: Self.stage) { phone in
            let (queue, counter, session) = (DispatchQueue(label: "session"), Counter(), AVCaptureSession())
            func camera(_ position: AVCaptureDevice.Position) throws -> AVCaptureDeviceInput {
                try AVCaptureDeviceInput(device: try #require(AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: position)))
            }
            let (back, front, output) = (try camera(.back), try camera(.front), AVCaptureVideoDataOutput())
            session.sessionPreset = .hd1280x720
            session.addInput(back)
            session.addOutput(output)
            output.setSampleBufferDelegate(counter, queue: DispatchQueue(label: "pictures"))
            queue.sync { session.startRunning() }
            await phone.step(frames: 9)
            #expect(counter.count == 9)
            queue.async {
                usleep(UInt32(round * 500))
                session.beginConfiguration()
                session.removeInput(back)
                session.addInput(front)
                session.commitConfiguration()
            }
            await phone.step(frames: 9)
            queue.sync {}
            let before = counter.count
            // One that is under way as the camera goes is lost.
            #expect((17...18).contains(before), "\(before)")
            #expect(session.isRunning)
            await phone.step(frames: 9)
            #expect(counter.count == before + 9)
            session.stopRunning()
        }
    }
}
