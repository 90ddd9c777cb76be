import AVFoundation
import CaptureTesting
import Foundation
import ImageIO
import Synchronization
import TestSupport
import Testing

@Suite("A camera as an app full of sliders writes it")
struct ManualTests {
    @Test("sliders set the lens, the exposure and the white balance, and the panel follows")
    func sliders() async throws {
        try await withTestPhone(showing: .mayaWithTone) { phone in
            let camera = ManualCamera()
            camera.preview.frame = CGRect(x: 0, y: 0, width: 390, height: 844)
            let isOpen = Mutex(false)
            camera.open { error in
                #expect(error == nil)
                isOpen.withLock { $0 = true }
            }
            try await phone.until(within: .seconds(1)) { isOpen.withLock { $0 } }
            await phone.step(frames: 2)
            #expect(camera.panel.isRunning && camera.panel.focus == "continuous" && camera.panel.exposure == "continuous")
            #expect(camera.panel.iso > 0 && camera.panel.shutter.hasPrefix("1/") && abs(camera.panel.offset) < 0.1)
            let device = try #require(camera.device)
            // A tap, and the picture changes after it.
            camera.tap(at: CGPoint(x: 195, y: 422))
            try await phone.until(within: .seconds(1)) { device.isSubjectAreaChangeMonitoringEnabled }
            #expect(abs(device.focusPointOfInterest.x - 0.5) < 0.01 && abs(device.exposurePointOfInterest.y - 0.5) < 0.01)
            camera.tap(at: CGPoint(x: 100, y: 200))
            try await phone.until(within: .seconds(1)) { device.focusPointOfInterest.x < 0.4 }
            phone.conditions.changeSubjectArea()
            try await phone.until(within: .seconds(1)) { !device.isSubjectAreaChangeMonitoringEnabled }
            #expect(device.focusPointOfInterest == CGPoint(x: 0.5, y: 0.5))
            camera.slide(lens: 0.3)
            try await phone.until(within: .seconds(1)) { camera.done.contains("lens true") }
            #expect(camera.panel.lens == 0.3 && camera.panel.focus == "locked")
            camera.slide(shutter: 0)
            try await phone.until(within: .seconds(1)) { camera.done.contains("shutter") }
            #expect(camera.panel.exposure == "custom" && camera.panel.shutter == "1/1000")
            let iso = camera.panel.iso
            camera.slide(iso: 1)
            try await phone.until(within: .seconds(1)) { camera.done.contains("iso") }
            #expect(camera.panel.iso == device.activeFormat.maxISO && camera.panel.iso > iso && camera.panel.shutter == "1/1000")
            await phone.step(frames: 2)
            #expect(abs(camera.panel.offset) > 0.1)
            camera.slide(temperature: 4000, tint: 10)
            try await phone.until(within: .seconds(1)) { camera.done.contains("balance") }
            #expect(camera.panel.balance == "locked" && abs(camera.panel.temperature - 4000) < 60 && abs(camera.panel.tint - 10) < 3)
            camera.lockOnGray()
            camera.automatic()
            camera.slide(bias: 1)
            try await phone.until(within: .seconds(1)) { camera.panel.balance == "continuous" && device.exposureTargetBias == 1 }
            await phone.step(frames: 3)
            #expect(camera.panel.exposure == "continuous" && camera.panel.focus == "continuous" && abs(camera.panel.offset) < 0.1)
            #expect(camera.panel.iso < device.activeFormat.maxISO)
            camera.close()
            try await phone.until(within: .zero) { !camera.panel.isRunning }
            #expect(phone.violations.isEmpty && phone.diagnostics.isEmpty)
        }
    }

    @Test("photos, a movie, another camera and a reset of the media services, each as on a phone")
    func captures() async throws {
        let scratch = try Scratch()
        let url = scratch.url.appending(path: "manual.mov")
        try await withTestPhone(showing: .mayaWithTone) { phone in
            let camera = ManualCamera()
            camera.open { error in #expect(error == nil) }
            try await phone.until(within: .seconds(1)) { camera.panel.isRunning }
            camera.slide(shutter: 0)
            try await phone.until(within: .seconds(1)) { camera.done.contains("shutter") }
            camera.shoot()
            try await phone.until(within: .seconds(1)) { camera.pictures.count == 1 }
            let picture = try camera.pictures[0].get() as NSData
            let source = try #require(CGImageSourceCreateWithData(picture as CFData, nil))
            let properties = try #require(CGImageSourceCopyPropertiesAtIndex(source, 0, nil) as? [CFString: Any])
            let exif = try #require(properties[kCGImagePropertyExifDictionary] as? [CFString: Any])
            #expect(abs((exif[kCGImagePropertyExifExposureTime] as? Double ?? 0) - 0.001) < 1e-5)
            #expect(properties[kCGImagePropertyOrientation] as? Int == 6)
            camera.toggleRecording(to: url)
            try await phone.until(within: .seconds(1)) { camera.done.contains("film") }
            await phone.step(frames: 15)
            let position = Mutex<AVCaptureDevice.Position?>(nil)
            camera.changeCamera { new in position.withLock { $0 = new } }
            try await phone.until(within: .seconds(1)) { position.withLock { $0 } == .front }
            // Another input ends the movie, which is good up to there.
            try await phone.until(within: .seconds(1)) { camera.movies.count == 1 }
            #expect(try camera.movies[0].get() == url)
            let device = try #require(camera.device)
            try await phone.until(within: .seconds(1)) { camera.panel.lens == device.lensPosition && camera.panel.iso == device.iso }
            camera.slide(lens: 0.5)
            try await phone.until(within: .seconds(1)) { camera.done.contains { $0.contains("lens") } }
            phone.conditions.fail(.mediaServicesWereReset)
            try await phone.until(within: .seconds(1)) { camera.panel.isRunning }
            await phone.step(frames: 2)
            camera.shoot()
            try await phone.until(within: .seconds(1)) { camera.pictures.count == 2 }
            #expect(try camera.pictures[1].get().count > 1000)
            camera.close()
            #expect(phone.violations.isEmpty && phone.diagnostics.isEmpty)
        }
    }
}
