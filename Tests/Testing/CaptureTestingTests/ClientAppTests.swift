import AVFoundation
import CaptureTesting
import ClientApp
import Testing

@Suite("An app written for a phone")
struct ClientAppTests {
    private let stage = TestStage(.face("maya", box: CGRect(x: 0.4, y: 0.3, width: 0.2, height: 0.4), depth: 2))

    @Test("runs as it is: asks, configures, sees boxes and frames, racks on taps, turns, is interrupted and comes back")
    func wholeLife() async throws {
        try await withTestPhone(showing: stage) { phone in
            phone.conditions.setAuthorization(.notDetermined, for: .video)
            let service = CameraService()
            try await service.start(.builtInDualWideCamera, .back)
            #expect(await service.isRunning)
            #expect(await service.isCinematic)
            phone.touch(tap: { await service.tap(at: $0) }, longPress: { await service.longPress(at: $0) })

            try await phone.expect(focus: "maya", mode: .weak, within: .seconds(1))
            let taken = phone.frameCount
            #expect(await service.frames == taken)
            try await phone.tap("maya")
            try await phone.expect(focus: "maya", mode: .strong)
            #expect(await service.boxes.first?.mode == .strong)
            try await phone.press(at: CGPoint(x: 0.1, y: 0.1), for: .milliseconds(300))
            try await phone.expect(isFixed: true)
            #expect(await service.boxes.first { $0.id == 1 }?.mode == AVCaptureDevice.CinematicVideoFocusMode.none)

            phone.conditions.setHorizonAngle(180)
            try await phone.until(within: .zero) { await service.captureAngle == 180 }

            // The app's listeners start when they like: interruptions come until one was heard.
            try await phone.until(within: .zero) {
                phone.conditions.interrupt(.videoDeviceInUseByAnotherClient)
                phone.conditions.endInterruption()
                return await service.lastSeen == .videoDeviceInUseByAnotherClient
            }
            #expect(await service.isRunning)

            try await phone.expect(notification: .AVCaptureSessionRuntimeError) { phone.conditions.fail(.mediaServicesWereReset) }
            try await phone.until(within: .zero) { await service.lastError?.code == .mediaServicesWereReset }
            try await phone.until(within: .zero) { await service.isRunning }
            await service.stop()
            #expect(await !service.isRunning)
        }
    }

    @Test("says that it may not, and that there is no camera")
    func refusals() async throws {
        var stage = stage
        stage.cameras = [.dualWide]
        try await withTestPhone(showing: stage) { phone in
            await #expect(throws: CameraService.Failure.noCamera) { try await CameraService().start(.builtInTrueDepthCamera, .front) }
            phone.conditions.setAuthorization(.denied, for: .video)
            await #expect(throws: CameraService.Failure.notAuthorized) { try await CameraService().start(.builtInDualWideCamera, .back) }
        }
    }
}
