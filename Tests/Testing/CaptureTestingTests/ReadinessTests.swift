import AVFoundation
import CaptureTesting
import Foundation
import Synchronization
import Testing

@Suite("Readiness for another photo")
@MainActor
struct ReadinessTests {
    private final class Button: NSObject, AVCapturePhotoOutputReadinessCoordinatorDelegate {
        var heard: [AVCapturePhotoOutput.CaptureReadiness] = []
        func readinessCoordinator(
            _ coordinator: AVCapturePhotoOutputReadinessCoordinator, captureReadinessDidChange captureReadiness: AVCapturePhotoOutput.CaptureReadiness
        ) {
            dispatchPrecondition(condition: .onQueue(.main))
            heard.append(captureReadiness)
        }
    }

    private final class Shutter: NSObject, AVCapturePhotoCaptureDelegate, Sendable {}

    private func camera() throws -> (AVCaptureSession, AVCapturePhotoOutput) {
        let (session, output) = (AVCaptureSession(), AVCapturePhotoOutput())
        let device = try #require(AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .back))
        session.addInput(try AVCaptureDeviceInput(device: device))
        session.addOutput(output)
        return (session, output)
    }

    @Test("counts a capture from the tap on, before the output has heard of it")
    func tracking() async throws {
        try await withTestPhone { phone in
            let (session, output) = try camera()
            let (coordinator, button) = (AVCapturePhotoOutputReadinessCoordinator(photoOutput: output), Button())
            coordinator.delegate = button
            #expect(coordinator.captureReadiness == .sessionNotRunning)
            session.startRunning()
            #expect(coordinator.captureReadiness == .ready)
            let settings = AVCapturePhotoSettings()
            coordinator.startTrackingCaptureRequest(using: settings)
            #expect(output.captureReadiness == .ready && coordinator.captureReadiness == .notReadyWaitingForCapture)
            output.capturePhoto(with: settings, delegate: Shutter())
            await phone.step()
            try await phone.until(within: .zero) { coordinator.captureReadiness == .ready && button.heard.last == .ready }
            #expect(button.heard.prefix(2) == [.ready, .notReadyWaitingForCapture])
            let given = AVCapturePhotoSettings()
            coordinator.startTrackingCaptureRequest(using: given)
            coordinator.stopTrackingCaptureRequest(using: given.uniqueID)
            #expect(coordinator.captureReadiness == .ready)
        }
    }

    @Test("is prepared when the session runs, and the last call wins")
    func preparation() async throws {
        try await withTestPhone { phone in
            let (session, output) = try camera()
            let (first, second) = (AVCapturePhotoSettings(), AVCapturePhotoSettings())
            let answers = Mutex<[Bool]>([])
            output.setPreparedPhotoSettingsArray([first]) { isPrepared, error in
                answers.withLock { $0.append(isPrepared && error == nil) }
            }
            output.setPreparedPhotoSettingsArray([first, second]) { isPrepared, error in
                answers.withLock { $0.append(isPrepared && error == nil) }
            }
            #expect(output.preparedPhotoSettingsArray.map(\.uniqueID) == [first.uniqueID, second.uniqueID])
            session.startRunning()
            try await phone.until(within: .zero) { answers.withLock { $0 } == [false, true] }
            #expect(try await output.setPreparedPhotoSettingsArray([second]))
        }
    }
}
