import AVFoundation
import CaptureTesting
import ExampleApp
import XCTest

final class FocusCaseTests: CaptureTestCase {
    override class var stage: TestStage { TestStage(.face("maya", box: CGRect(x: 0.4, y: 0.2, width: 0.2, height: 0.4), depth: 1.2)) }

    func testFocusStartsOnMaya() async throws {
        let camera = CameraModel()
        try await camera.start()
        await XCTAssertFocus(phone, on: "maya", mode: .weak, within: .seconds(1))
        await XCTAssertEventually(phone, within: .seconds(1)) { await !camera.boxes.isEmpty }
    }
}

/// Tests of an app whose camera is a singleton: one phone for all of them, which starts anew in each.
final class SharedCameraCaseTests: CaptureTestCase {
    override class var stage: TestStage { TestStage(.face("maya", box: CGRect(x: 0.4, y: 0.2, width: 0.2, height: 0.4), depth: 1.2)) }
    override class var sharesPhone: Bool { true }

    func testStartsAnew() async throws {
        try await CameraModel.shared.start()
        await XCTAssertFocus(phone, on: "maya", mode: .weak, within: .seconds(1))
    }

    func testStartsAgain() async throws {
        try await CameraModel.shared.start()
        await XCTAssertFocus(phone, on: "maya", mode: .weak, within: .seconds(1))
    }
}
