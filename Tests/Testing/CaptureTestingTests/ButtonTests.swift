import AVFoundation
import AVKit
import CaptureTesting
import ClientUnits
import CoreImage
import Testing

@Suite("The phone's buttons")
struct ButtonTests {
    private func startedSession() throws -> AVCaptureSession {
        let session = AVCaptureSession()
        session.addInput(try AVCaptureDeviceInput(device: try #require(AVCaptureDevice.default(for: .video))))
        session.addOutput(AVCaptureVideoDataOutput())
        session.startRunning()
        return session
    }

    @Test("are an app's while its session runs: down and up, primary and secondary, and what the system takes away")
    func presses() async throws {
        try await withTestPhone { phone in
            let session = try startedSession()
            let shutter = await ShutterButtons()
            await shutter.attach()
            try await phone.press(.volumeDown, for: .milliseconds(500))
            #expect(phone.time >= .milliseconds(500) && phone.time < .milliseconds(600))
            try await phone.press(.volumeUp)
            try await phone.press(.cameraControl, isCancelled: true)
            #expect(await shutter.log == ["focus", "shoot", "switch", "focus", "let go"])
            await shutter.attachSimply()
            for button in CaptureConditions.Button.allCases { try await phone.press(button) }
            #expect(await shutter.log.suffix(4) == ["press", "press", "press", "press"])
            await MainActor.run { shutter.isEnabled = false }
            #expect(await !phone.conditions.press(.volumeDown, .began))
            await MainActor.run { shutter.isEnabled = true }
            session.stopRunning()
            #expect(await !phone.conditions.press(.volumeDown, .began))
        }
    }

    @Test("say why nobody has the press")
    func failures() async throws {
        try await withTestPhone { phone in
            let stopped = await #expect(throws: TestFailure.self) { try await phone.press(.volumeDown) }
            #expect(stopped.map { "\($0)".contains("no session runs") } == true)
            let session = try startedSession()
            let unheard = await #expect(throws: TestFailure.self) { try await phone.press(.action) }
            #expect(unheard.map { "\($0)".contains("no enabled AVCaptureEventInteraction") } == true)
            #expect(session.isRunning)
        }
    }

    @Test("of one phone are not those of another")
    func phones() async throws {
        let shutter = await ShutterButtons()
        try await withTestPhone { _ in await shutter.attach() }
        try await withTestPhone { phone in
            let session = try startedSession()
            #expect(await !phone.conditions.press(.volumeDown, .began))
            #expect(await shutter.log.isEmpty && session.isRunning)
        }
    }

    @Test("and codes: a camera that is shown bytes has them in the descriptor")
    func codes() async throws {
        final class Reader: NSObject, AVCaptureMetadataOutputObjectsDelegate, @unchecked Sendable {
            var found: Data?
            var text: String?
            func metadataOutput(_ output: AVCaptureMetadataOutput, didOutput objects: [AVMetadataObject], from connection: AVCaptureConnection) {
                guard let code = objects.first as? AVMetadataMachineReadableCodeObject else { return }
                (found, text) = (bytes(of: code), code.stringValue)
            }
        }
        try await withTestPhone { phone in
            let (session, output, reader) = (AVCaptureSession(), AVCaptureMetadataOutput(), Reader())
            let device = try #require(AVCaptureDevice.default(for: .video))
            session.addInput(try AVCaptureDeviceInput(device: device))
            session.addOutput(output)
            output.setMetadataObjectsDelegate(reader, queue: DispatchQueue(label: "codes"))
            output.metadataObjectTypes = [.qr]
            session.startRunning()
            var code = CaptureConditions.Code(.qr, nil)
            code.bytes = Data((0..<250).map { UInt8($0) })
            phone.conditions.showCodes([code])
            await phone.step(frames: 2)
            #expect(reader.found == code.bytes && reader.text == nil)
            #expect(framings(of: device) { _ in } == nil && developed(URL(fileURLWithPath: "/none.dng")) == nil)
        }
    }
}
