import AVFoundation
import ClientApp
import Foundation
import Pipeline
import Testing

@Suite("An app written for a phone")
struct ClientAppTests {
    private static let face = Detection(
        objectID: 7, groupID: 3, kind: .face, bounds: CGRect(x: 0.4, y: 0.3, width: 0.2, height: 0.4), yaw: 0, confidence: 1, disparity: 0.5)

    private func environment() -> CaptureEnvironment {
        fakeEnvironment(source: CountingSource(count: 100_000_000), detector: ScriptedDetector { _ in [Self.face] })
    }

    /// Waits until the app has seen what the test waits for.
    private func wait(_ service: CameraService, until isSo: (CameraService) async -> Bool, sourceLocation: SourceLocation = #_sourceLocation) async {
        for _ in 0..<3_000_000 {
            if await isSo(service) { return }
            await Task.yield()
        }
        Issue.record("it did not come", sourceLocation: sourceLocation)
    }

    @Test("runs as it is: asks, configures, sees boxes and frames, racks on taps, turns, is interrupted and comes back", .timeLimit(.minutes(1)))
    func wholeLife() async throws {
        let environment = environment()
        environment.conditions.setAuthorization(.notDetermined, for: .video)
        try await CaptureEnvironment.$scoped.withValue(environment) {
            let service = CameraService()
            try await service.start(.builtInDualWideCamera, .back)
            #expect(await service.isRunning)
            #expect(await service.isCinematic)
            await wait(service) { await $0.frames > 0 }

            await wait(service) { await $0.boxes.first?.mode == .weak }
            await service.tap(at: CGPoint(x: 0.5, y: 0.5))
            await wait(service) { await $0.boxes.first?.mode == .strong }
            await service.longPress(at: CGPoint(x: 0.1, y: 0.1))
            await wait(service) { await $0.boxes.first { $0.id == 1 }?.mode == AVCaptureDevice.CinematicVideoFocusMode.none }

            environment.conditions.setHorizonAngle(90)
            await wait(service) { await $0.captureAngle == 90 }

            // The app's listeners start when they like: interruptions come until one was heard.
            for _ in 0..<1000 where await service.lastSeen != .videoDeviceInUseByAnotherClient {
                environment.conditions.interrupt(.videoDeviceInUseByAnotherClient)
                for _ in 0..<1000 where await service.lastSeen == nil { await Task.yield() }
                environment.conditions.endInterruption()
            }
            #expect(await service.lastSeen == .videoDeviceInUseByAnotherClient)
            #expect(await service.isRunning)

            environment.conditions.fail(.mediaServicesWereReset)
            await wait(service) { await $0.lastError?.code == .mediaServicesWereReset }
            await wait(service) { await $0.isRunning }
            await service.stop()
            #expect(await !service.isRunning)
        }
    }

    @Test("says that it may not, and that there is no camera")
    func refusals() async {
        let environment = environment()
        await CaptureEnvironment.$scoped.withValue(environment) {
            await #expect(throws: CameraService.Failure.noCamera) { try await CameraService().start(.builtInTrueDepthCamera, .front) }
            environment.conditions.setAuthorization(.denied, for: .video)
            await #expect(throws: CameraService.Failure.notAuthorized) { try await CameraService().start(.builtInDualWideCamera, .back) }
        }
    }
}
