import AVFoundation
import CaptureTesting
import Testing

@Suite("A tap where nobody is")
struct EmptyTapTests {
    private let stage = TestStage(.face("maya", box: CGRect(x: 0.2, y: 0.2, width: 0.2, height: 0.4), depth: 1.5))

    @Test("follows the surface there: a salient object in focus, until somebody stands before it")
    func surface() async throws {
        try await withTestPhone(showing: stage) { phone in
            let camera = CameraServiceOfObjects()
            try camera.start()
            try await phone.expect(focus: "maya", within: .seconds(1))
            let device = camera.device
            phone.touch(tap: { point in
                try device.lockForConfiguration()
                device.setCinematicVideoTrackingFocus(at: point, focusMode: .strong)
                device.unlockForConfiguration()
            })
            try await phone.tap(at: CGPoint(x: 0.8, y: 0.3))
            let focused = camera.objects.filter { $0.cinematicVideoFocusMode == .strong }
            #expect(focused.map(\.type) == [.salientObject] && focused.first?.groupID == -1 && focused.first?.isFixedFocus == false)
            #expect(focused.first?.bounds.contains(CGPoint(x: 0.8, y: 0.3)) == true)
            #expect(phone.diagnostics.isEmpty)
            try phone.move("maya", to: CGRect(x: 0.7, y: 0.1, width: 0.2, height: 0.4), depth: 1.5)
            await phone.step()
            #expect(camera.objects.allSatisfy { $0.type != .salientObject })
        }
    }
}

/// App that keeps the newest metadata objects.
private final class CameraServiceOfObjects: NSObject, AVCaptureMetadataOutputObjectsDelegate, @unchecked Sendable {
    private let session = AVCaptureSession()
    private(set) var objects: [AVMetadataObject] = []
    var device: AVCaptureDevice { (session.inputs[0] as! AVCaptureDeviceInput).device }

    func start() throws {
        let device = try #require(AVCaptureDevice.default(.builtInDualWideCamera, for: .video, position: .back))
        let (input, output) = (try AVCaptureDeviceInput(device: device), AVCaptureMetadataOutput())
        session.addInput(input)
        session.addOutput(output)
        input.isCinematicVideoCaptureEnabled = true
        output.metadataObjectTypes = output.requiredMetadataObjectTypesForCinematicVideoCapture
        output.setMetadataObjectsDelegate(self, queue: DispatchQueue(label: "objects"))
        session.startRunning()
    }

    func metadataOutput(_ output: AVCaptureMetadataOutput, didOutput metadataObjects: [AVMetadataObject], from connection: AVCaptureConnection) {
        objects = metadataObjects
    }
}
