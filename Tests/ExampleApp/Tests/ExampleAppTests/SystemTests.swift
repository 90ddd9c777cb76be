import AVFoundation
import CaptureTesting
import ExampleApp
import Foundation
import Testing

@Suite("What the system does")
struct SystemTests {
    @Test("without permission the app says so, asked once", arguments: [true, false])
    func permission(isGranted: Bool) async throws {
        try await withTestPhone { phone in
            phone.conditions.setAuthorization(.notDetermined, for: .video)
            phone.conditions.setAnswer(isGranted, for: .video)
            let camera = CameraModel()
            try await camera.start()
            #expect(await camera.status == (isGranted ? .running : .noPermission))
        }
    }

    @Test("a phone without that camera")
    func otherPhone() async throws {
        var stage = TestStage()
        stage.cameras = CameraProfile.externalCamera
        try await withTestPhone(showing: stage) { _ in
            let camera = CameraModel()
            try await camera.start()
            #expect(await camera.status == .noCamera)
        }
    }

    @Test("an interruption takes the frames away, and its end brings them back")
    func interruption() async throws {
        try await withTestPhone { phone in
            let camera = CameraModel()
            try await camera.start()
            await phone.step(frames: 10)
            #expect(await camera.frameCount == 10)

            let info = try await phone.expect(notification: AVCaptureSession.wasInterruptedNotification) {
                phone.conditions.interrupt(.videoDeviceInUseByAnotherClient)
            }
            #expect(info[AVCaptureSessionInterruptionReasonKey] as? NSNumber == 3)
            try await phone.until(within: .seconds(1)) { await camera.status == .interrupted(.videoDeviceInUseByAnotherClient) }
            #expect(await camera.frameCount == 10)

            phone.conditions.endInterruption()
            try await phone.until(within: .seconds(1)) { await camera.status == .running }
            await phone.step(frames: 5)
            #expect(await camera.frameCount >= 15)
        }
    }

    @Test("a dark room is told, after a moment")
    func darkness() async throws {
        try await withTestPhone { phone in
            let camera = CameraModel()
            try await camera.start()
            await phone.step(for: .seconds(1))
            phone.setLight(1)
            try await phone.expect(isTooDark: true, within: .seconds(3))
            try await phone.until(within: .zero) { await camera.isTooDark }
        }
    }

    @Test("a recording holds every frame from its start to its end")
    func recording() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).mov")
        defer { try? FileManager.default.removeItem(at: file) }
        try await withTestPhone { phone in
            let camera = CameraModel()
            try await camera.start()
            await phone.step(frames: 5)
            await camera.record(to: file)
            await phone.step(frames: 30)
            await camera.stopRecording()
            try await phone.until(within: .zero) { await camera.recordedFile == file }
            #expect(phone.movies.map(\.times.count) == [30])
            #expect(FileManager.default.fileExists(atPath: file.path))
        }
    }
}
