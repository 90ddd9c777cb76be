import AVFoundation
import CaptureTesting
import Testing

@Suite("Darkness before a phone")
struct DarknessTests {
    @Test("is told by the camera in use, also after a switch and an interruption", arguments: [true, false])
    func afterSwitch(isInterrupted: Bool) async throws {
        let stage = TestStage(.face("maya", box: CGRect(x: 0.4, y: 0.2, width: 0.2, height: 0.4), depth: 1.2))
        try await withTestPhone(showing: stage) { phone in
            let camera = try Camera(.builtInDualWideCamera)
            await phone.step(for: .seconds(1))
            try camera.use(.builtInTrueDepthCamera)
            await phone.step(for: .seconds(1))
            if isInterrupted {
                phone.conditions.interrupt(.videoDeviceInUseByAnotherClient)
                await phone.step(for: .seconds(0.5))
                phone.conditions.endInterruption()
                await phone.step(for: .seconds(0.5))
            }
            phone.setLight(1)
            try await phone.until(within: .seconds(5)) {
                camera.device.cinematicVideoCaptureSceneMonitoringStatuses.contains(.notEnoughLight)
            }
        }
    }
}
