import AVFoundation
import CaptureTesting
import ExampleApp
import Testing

/// Maya is near and large; Ben stands behind her; the cat is not there yet.
private let stage = TestStage(
    .face("maya", box: CGRect(x: 0.15, y: 0.2, width: 0.2, height: 0.4), depth: 1.2),
    .face("ben", box: CGRect(x: 0.7, y: 0.3, width: 0.1, height: 0.2), depth: 3),
    .cat("tom", box: CGRect(x: 0.4, y: 0.6, width: 0.2, height: 0.2), depth: 1, isThere: false))

/// Runs the app on a phone with this stage before it, viewfinder and fingers connected.
private func withCamera(_ body: (CameraModel, TestPhone) async throws -> Void) async throws {
    try await withTestPhone(showing: stage) { phone in
        let camera = CameraModel()
        try await camera.start()
        camera.preview.bounds = CGRect(x: 0, y: 0, width: 800, height: 450)
        phone.touch(on: camera.preview, tap: { await camera.tap(at: $0) }, longPress: { await camera.longPress(at: $0) })
        try await phone.expect(focus: "maya", mode: .weak, within: .seconds(1))
        try await body(camera, phone)
    }
}

@Suite("Focus")
struct FocusTests {
    @Test("the app draws a box for everybody, and focus starts on the nearest")
    func start() async throws {
        try await withCamera { camera, _ in
            #expect(await camera.status == .running)
            #expect(await camera.boxes.map(\.mode) == [.weak, .none])
        }
    }

    @Test("a tap racks to somebody else, weakly; a second tap holds them, whoever comes near")
    func taps() async throws {
        try await withCamera { camera, phone in
            try await phone.tap("ben")
            try await phone.expect(focus: "ben", mode: .weak)
            try await phone.tap("ben")
            try await phone.expect(focus: "ben", mode: .strong)

            try phone.enter("tom")
            await phone.step(for: .seconds(3))
            try await phone.expect(focus: "ben", mode: .strong, isRacking: false)
            #expect(await camera.boxes.count == 3)
        }
    }

    @Test("0.299 s are a tap, 0.3 s a long press, which locks the distance")
    func longPress() async throws {
        try await withCamera { camera, phone in
            try await phone.press("ben", for: .milliseconds(299))
            try await phone.expect(focus: "ben", mode: .weak, isFixed: false)
            #expect(await !camera.isFocusLocked)

            try await phone.press("ben", for: .milliseconds(300))
            try await phone.expect(mode: .strong, isFixed: true)
            #expect(await camera.isFocusLocked)
        }
    }

    @Test("who looks away loses focus, and gets it back")
    func looksAway() async throws {
        try await withCamera { _, phone in
            try phone.turn("maya", to: 150, over: .milliseconds(200))
            try await phone.expect(focus: "ben", within: .seconds(3))
            try phone.turn("maya", to: 0)
            try await phone.expect(focus: "maya", within: .seconds(3))
        }
    }

    @Test("the aperture stops at its ends; what goes around the app's own check would end it")
    func aperture() async throws {
        try await withCamera { camera, phone in
            await camera.setAperture(1)
            #expect(await camera.aperture == 2)
            let device = try #require(AVCaptureDevice.default(.builtInDualWideCamera, for: .video, position: .back))
            try await phone.expectViolation(.generic, "lockForConfiguration") {
                device.setCinematicVideoFixedFocus(at: .zero, focusMode: .strong)
            }
        }
    }
}
