import AVFoundation
import CaptureTesting
import Foundation
import Observation
import Synchronization
import Testing

@Suite("A camera of actors and asynchronous sequences as a stranger writes it")
@MainActor
struct ActorTests {
    @Test("a model shows frames, photos, heat and a call of the phone, each by a sequence of its own")
    func model() async throws {
        try await withTestPhone(showing: .mayaWithTone) { phone in
            phone.conditions.setAuthorization(.notDetermined, for: .video)
            let model = ActorModel()
            let changes = Mutex(0)
            @MainActor func observe() {
                withObservationTracking {
                    _ = model.frameCount
                } onChange: {
                    changes.withLock { $0 += 1 }
                }
            }
            observe()
            await model.appear()
            #expect(model.failure == nil)
            try await phone.until(within: .seconds(1)) { model.frameCount >= 5 && model.isRunning }
            #expect(changes.withLock { $0 } == 1 && model.lastTime.isNumeric)
            try await model.camera.setZoom(3)
            #expect(await model.camera.device?.videoZoomFactor == 3)
            let shot = Task { await model.shoot() }
            try await phone.until(within: .seconds(1)) { model.photo != nil }
            await shot.value
            #expect(model.photo?.starts(with: [0xFF, 0xD8]) == true)
            let id = try #require(await model.camera.device?.uniqueID)
            phone.conditions.setPressure(.serious, of: id)
            try await phone.until(within: .seconds(1)) { model.isHot }
            phone.conditions.setPressure(.nominal, of: id)
            try await phone.until(within: .seconds(1)) { !model.isHot }
            phone.conditions.interrupt(.videoDeviceInUseByAnotherClient)
            try await phone.until(within: .seconds(1)) { !model.isRunning }
            let count = model.frameCount
            phone.conditions.endInterruption()
            try await phone.until(within: .seconds(1)) { model.isRunning && model.frameCount > count + 2 }
            #expect(model.events.contains(.interrupted(3)) && model.events.first == .started)
            #expect(await model.camera.streamCount == 1)
            await model.disappear()
            #expect(!model.camera.session.isRunning)
            try await phone.until(within: .seconds(1)) { await model.camera.streamCount == 0 }
            #expect(phone.violations.isEmpty && phone.diagnostics.isEmpty)
        }
    }

    @Test("a slow consumer has the newest frame, and two consumers have the same frames")
    func consumers() async throws {
        try await withTestPhone(showing: .mayaWithTone) { phone in
            let camera = ActorCamera()
            try await camera.start()
            let (one, other) = (await camera.frames(), await camera.frames())
            await phone.step(frames: 10)
            var (first, second) = (one.makeAsyncIterator(), other.makeAsyncIterator())
            let (a, b) = (await first.next(), await second.next())
            #expect(a?.time == b?.time && a?.time.seconds ?? 0 > 0.25)
            await camera.stop()
            #expect(phone.violations.isEmpty && phone.diagnostics.isEmpty)
        }
    }

    @Test("a user's no is an error")
    func denied() async throws {
        try await withTestPhone(showing: .mayaWithTone) { phone in
            phone.conditions.setAuthorization(.denied, for: .video)
            let model = ActorModel()
            await model.appear()
            #expect(model.failure == "unauthorized" && !model.isRunning)
            #expect(phone.violations.isEmpty)
        }
    }
}
