import AVFoundation
import CaptureTesting
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("A camera as a two-camera app writes it")
struct DualTests {
    @Test("an app of two cameras films with one where the phone has no more, meters its sound, and slows down in the heat")
    func dual() async throws {
        let scratch = try Scratch()
        let url = scratch.url.appending(path: "dual.mov")
        try await withTestPhone(showing: .mayaBeforeOneCamera) { phone in
            let camera = DualCamera()
            let setup = Mutex<DualCamera.Setup?>(nil)
            camera.start { new in setup.withLock { $0 = new } }
            try await phone.until(within: .seconds(1)) { setup.withLock { $0 } != nil }
            #expect(setup.withLock { $0 } == .one)
            await phone.step(frames: 3)
            let ended = Mutex<Result<URL, any Error>?>(nil)
            camera.record(to: url) { result in ended.withLock { $0 = result } }
            await phone.step(frames: 30)
            // -20 dB a metre away, two metres from the phone, of a sine: 3 dB below its peak.
            #expect(camera.level() > 0.3 && camera.level() < 0.7)
            let device = try #require(AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .back))
            phone.conditions.setPressure(.serious, of: device.uniqueID)
            try await phone.until(within: .seconds(1)) { device.activeVideoMinFrameDuration == CMTime(value: 1, timescale: 20) }
            await phone.step(for: .seconds(1))
            phone.conditions.setPressure(.nominal, of: device.uniqueID)
            try await phone.until(within: .seconds(1)) { device.activeVideoMinFrameDuration != CMTime(value: 1, timescale: 20) }
            camera.stopRecording()
            try await phone.until(within: .seconds(1)) { ended.withLock { $0 } != nil }
            #expect(try ended.withLock { try $0?.get() } == url)
            let movie = try #require(phone.movies.last)
            let steps = zip(movie.times, movie.times.dropFirst()).map { ($1 - $0).seconds }
            // 30 pictures a second, then 20, evenly.
            #expect(steps.prefix(28).allSatisfy { abs($0 - 1.0 / 30) < 1e-6 } && steps.filter { abs($0 - 1.0 / 20) < 1e-6 }.count >= 18)
            #expect(steps.allSatisfy { $0 < 0.07 } && camera.shown > 40 && camera.lastHostTime.isNumeric)
            camera.stop()
            #expect(phone.violations.isEmpty && phone.diagnostics.isEmpty)
        }
    }

    @Test("films with two where the phone has them, and slows down the one that gets hot")
    func two() async throws {
        try await withTestPhone(showing: .mayaWithTone) { phone in
            let camera = DualCamera()
            let setup = Mutex<DualCamera.Setup?>(nil)
            camera.start { new in setup.withLock { $0 = new } }
            try await phone.until(within: .seconds(1)) { setup.withLock { $0 } != nil }
            #expect(setup.withLock { $0 } == .two && camera.session is AVCaptureMultiCamSession)
            let shown = camera.shown
            await phone.step(frames: 10)
            #expect(camera.shown == shown + 10)
            let cameras = try [AVCaptureDevice.Position.back, .front].map {
                try #require(AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: $0))
            }
            phone.conditions.setPressure(.serious, of: cameras[0].uniqueID)
            try await phone.until(within: .seconds(1)) { cameras[0].activeVideoMinFrameDuration == CMTime(value: 1, timescale: 20) }
            #expect(cameras[1].activeVideoMinFrameDuration == CMTime(value: 1, timescale: 30))
            camera.stop()
            #expect(phone.violations.isEmpty && phone.diagnostics.isEmpty)
        }
    }
}
