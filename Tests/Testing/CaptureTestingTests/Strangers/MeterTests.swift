import AVFoundation
import CaptureTesting
import Foundation
import Synchronization
import Testing

@Suite("A camera as a light meter writes it")
struct MeterTests {
    @Test("a meter reads the light from the camera's settings and from its frames, and lights the scene in the dark")
    func meter() async throws {
        try await withTestPhone(showing: .mayaWithTone) { phone in
            let meter = LightMeter()
            let readings = Mutex<[LightMeter.Reading]>([])
            meter.onReading = { reading in readings.withLock { $0.append(reading) } }
            try await meter.start()
            // Readings come by the main queue, behind the frame that they are of.
            try await phone.until(within: .seconds(1)) {
                meter.exifISO.map { iso in readings.withLock { abs(Double(iso) - ($0.last?.iso ?? 0)) < 1 } } ?? false
            }
            // 180 lux: EV 6.2, and 1.2 on EXIF's scale; the lens of the profile is a little faster than the sensor takes it for.
            let ev = try #require(readings.withLock { $0.last?.ev100 })
            #expect(abs(ev - log2(180 / 2.5)) < 0.3 && meter.isSteady)
            #expect(try abs(#require(meter.brightness) - log2(180.0 / 80)) < 0.01 && meter.dial == "1.2")
            let device = try #require(AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .back))
            phone.setLight(10)
            try await phone.until(within: .seconds(1)) { device.torchMode == .on }
            await phone.step(frames: 2)
            // By the torch there is more.
            #expect(try #require(meter.brightness) > log2(10.0 / 80) && device.torchMode == .on)
            phone.setLight(10_000)
            try await phone.until(within: .seconds(1)) { device.torchMode == .off }
            phone.setLight(180)
            await phone.step(frames: 2)
            try meter.hold(shutter: 1.0 / 2000, iso: 100)
            try await phone.until(within: .seconds(1)) { readings.withLock { $0.last?.offset ?? 0 } < -3 }
            #expect(try abs(#require(meter.brightness) - log2(180.0 / 80)) < 0.1)
            try meter.release(bias: 1)
            try await phone.until(within: .seconds(1)) { abs(readings.withLock { $0.last?.offset } ?? 9) < 0.1 }
            try meter.pinch(scale: 2, from: 1, isOver: false)
            #expect(device.videoZoomFactor == 2)
            try meter.pinch(scale: 2, from: 2, isOver: true)
            #expect(device.isRampingVideoZoom)
            try await phone.until(within: .seconds(2)) { device.videoZoomFactor == 4 && !device.isRampingVideoZoom }
            #expect(phone.violations.isEmpty && phone.diagnostics.isEmpty)
        }
    }
}
