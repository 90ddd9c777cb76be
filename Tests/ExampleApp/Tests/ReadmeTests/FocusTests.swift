import AVFoundation
import ExampleApp
import Testing

#if canImport(CaptureTesting)
    import CaptureTesting

    private let stage = TestStage(.face("maya", box: CGRect(x: 0.4, y: 0.2, width: 0.2, height: 0.4), depth: 1.2))
#endif

/// Runs `body` with a phone; `pass` lets time pass.
private func withPhone(_ body: (_ pass: (Duration) async throws -> Void) async throws -> Void) async throws {
    #if canImport(CaptureTesting)
        try await withTestPhone(showing: stage) { phone in try await body { await phone.step(for: $0) } }
    #else
        try await body { try await Task.sleep(for: $0) }
    #endif
}

@Suite("Focus", .serialized)
struct FocusTests {
    @Test("whoever stands there is in focus")
    func start() async throws {
        try await withPhone { pass in
            let camera = CameraModel()
            try await camera.start()
            try await pass(.seconds(2))
            #expect(await camera.boxes.contains { $0.mode == .weak })
        }
    }

    #if canImport(CaptureTesting)
        @Test("a long press locks the distance, a call without the lock would end the app")
        func longPress() async throws {
            try await withTestPhone(showing: stage) { phone in
                let camera = CameraModel()
                try await camera.start()
                camera.preview.bounds = CGRect(x: 0, y: 0, width: 800, height: 450)
                phone.touch(on: camera.preview, tap: { await camera.tap(at: $0) }, longPress: { await camera.longPress(at: $0) })
                try await phone.expect(focus: "maya", mode: .weak, within: .seconds(1))
                try await phone.press("maya", for: .milliseconds(300))
                try await phone.expect(mode: .strong, isFixed: true)

                let device = try #require(AVCaptureDevice.default(.builtInDualWideCamera, for: .video, position: .back))
                try await phone.expectViolation(.generic, "lockForConfiguration") {
                    device.setCinematicVideoFixedFocus(at: .zero, focusMode: .strong)
                }
            }
        }
    #endif
}
