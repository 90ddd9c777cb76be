import CoreMedia
import Foundation
import Pipeline
import Testing

@testable import Stage

@Suite("The stage's camera as it is set")
struct LightingTests {
    @Test("exposure by hand is what it is, its level says how far off, and the light is still known", arguments: [20.0, 180, 5000])
    func manual(lux: Double) {
        let sensor = VirtualSensor(world: smallWorld())
        let exposure = sensor.exposure(lux: lux, metering: .manual(duration: 0.004, iso: 400))
        #expect(exposure.duration == 0.004 && exposure.iso == 400 && abs(exposure.illuminance / lux - 1) < 1e-9)
        let brighter = sensor.exposure(lux: lux, metering: .automatic(bias: 1, longest: nil))
        #expect(abs(brighter.level - 2) < 1e-9 && abs(brighter.illuminance / lux - 1) < 1e-9)
        let short = sensor.exposure(lux: lux, metering: .automatic(bias: 0, longest: 0.002))
        #expect(short.duration <= 0.002 && abs(short.illuminance / lux - 1) < 1e-9)
    }

    @Test("a lamp falls off with the square of the distance and is measured on the nearest subject")
    func lamp() throws {
        var settings = CameraSettings()
        settings.torch = 0.5
        settings.gains = SIMD3(2, 1, 4)
        let lighting = Lighting(of: smallWorld().moment(at: .zero), wallDepth: 8, settings: settings)
        #expect(lighting.lux(at: 1) == 180 + 30 && lighting.lux(at: 0.5) == 180 + 7.5)
        #expect(abs(lighting.metered - 180 - 30 / 1.96) < 1e-9 && lighting.gains == SIMD3(2, 1, 4))
        let source = StageSource(world: smallWorld { $0.light = Motion(2) })
        let dark = try #require(try source.nextFrame())
        settings.firesFlash = true
        source.adjust(settings)
        let lit = try #require(try source.nextFrame())
        source.adjust(CameraSettings())
        let after = try #require(try source.nextFrame())
        #expect(!dark.isFlashLit && lit.isFlashLit && !after.isFlashLit)
        // The face against the wall.
        func contrast(_ frame: Frame) -> Double { Double(frame.luma(76, 30)) / Double(frame.luma(10, 10)) }
        #expect(contrast(lit) > 1.3 * contrast(dark))
        #expect(dark.exposure == after.exposure)
    }
}
