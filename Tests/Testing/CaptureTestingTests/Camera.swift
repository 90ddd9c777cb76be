import AVFoundation
import CaptureTesting
import Synchronization
import Testing

/// The smallest app: one camera, cinematic, and the time of each frame.
final class Camera: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate, Sendable {
    let session = AVCaptureSession()
    private let output = AVCaptureVideoDataOutput()
    private let queue = DispatchQueue(label: "small camera")
    private let seen = Mutex<[CMTime]>([])

    init(_ type: AVCaptureDevice.DeviceType = .builtInDualWideCamera) throws {
        super.init()
        try use(type)
        session.addOutput(output)
        output.setSampleBufferDelegate(self, queue: queue)
        session.startRunning()
    }

    var times: [CMTime] { seen.withLock { $0 } }
    var device: AVCaptureDevice { (session.inputs[0] as! AVCaptureDeviceInput).device }

    /// Changes over to a camera.
    func use(_ type: AVCaptureDevice.DeviceType) throws {
        guard let device = AVCaptureDevice.default(type, for: .video, position: .unspecified) else { throw AVError(.deviceNotConnected) }
        session.beginConfiguration()
        session.inputs.forEach(session.removeInput)
        let input = try AVCaptureDeviceInput(device: device)
        session.addInput(input)
        session.commitConfiguration()
        input.isCinematicVideoCaptureEnabled = input.isCinematicVideoCaptureSupported
    }

    func captureOutput(_ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection) {
        seen.withLock { $0.append(sampleBuffer.presentationTimeStamp) }
    }
}

/// Failure that leaves a test, or nested one, which is not recorded.
func thrownFailure(of body: () async throws -> Void) async -> TestFailure? {
    await TestFailure.$isRecorded.withValue(false) {
        await #expect(throws: TestFailure.self) { try await body() }
    }
}

/// Runs `body` with a phone and this app on it.
func withCamera(showing stage: TestStage = TestStage(), _ body: (TestPhone, Camera) async throws -> Void) async throws {
    try await withTestPhone(showing: stage) { phone in
        let camera = try Camera()
        try await body(phone, camera)
        camera.session.stopRunning()
    }
}
