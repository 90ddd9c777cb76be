import AVFoundation
import CaptureTesting
import ExampleApp
import XCTest

/// The same app in XCTest: the phone is there from `setUp` on.
final class FocusCaseTests: CaptureTestCase {
    override class var stage: TestStage {
        TestStage(
            .face("maya", box: CGRect(x: 0.15, y: 0.2, width: 0.2, height: 0.4), depth: 1.2),
            .face("ben", box: CGRect(x: 0.7, y: 0.3, width: 0.1, height: 0.2), depth: 3))
    }

    private var camera: CameraModel!

    override func setUp() async throws {
        camera = CameraModel()
        try await camera.start()
    }

    func testFocusStartsOnTheNearest() async throws {
        await XCTAssertFocus(phone, on: "maya", mode: .weak, within: .seconds(1))
        let modes = await camera.boxes.map(\.mode)
        XCTAssertEqual(modes, [.weak, .none])
    }

    func testATapRacks() async throws {
        let camera = try XCTUnwrap(camera)
        camera.preview.bounds = CGRect(x: 0, y: 0, width: 800, height: 450)
        phone.touch(on: camera.preview, tap: { await camera.tap(at: $0) })
        await phone.step()
        try await phone.tap("ben")
        await XCTAssertFocus(phone, on: "ben", mode: .weak, isRacking: false, within: .seconds(2))
    }

    func testACallWithoutTheLockWouldEndTheApp() async throws {
        let device = try XCTUnwrap(AVCaptureDevice.default(.builtInDualWideCamera, for: .video, position: .back))
        await XCTAssertViolation(phone, .generic, "lockForConfiguration") { device.videoZoomFactor = 2 }
    }

    func testAnInterruptionIsPosted() async throws {
        let phone = phone
        await XCTAssertNotification(phone, AVCaptureSession.wasInterruptedNotification) {
            phone.conditions.interrupt(.videoDeviceInUseByAnotherClient)
        }
        await XCTAssertEventually(phone, within: .zero) { [camera] in await camera?.status == .interrupted(.videoDeviceInUseByAnotherClient) }
    }
}

/// A camera for the whole app, as a singleton: its tests share a phone.
final class SingletonCaseTests: CaptureTestCase {
    override class var sharesPhone: Bool { true }

    private static let camera = CameraModel()

    func testStarts() async throws { try await starts() }
    func testStartsAgain() async throws { try await starts() }

    private func starts() async throws {
        try await Self.camera.start()
        let before = await Self.camera.frameCount
        await phone.step(frames: 3)
        let after = await Self.camera.frameCount
        XCTAssertEqual(after, before + 3)
        await Self.camera.stop()
    }
}
