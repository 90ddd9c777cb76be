import CoreVideo
import Foundation
import Pipeline
import Testing

@testable import Stage

@Suite("The virtual sensor") struct SensorTests {
    @Test("its exposure tells the light, also where it ran out", arguments: [0.1, 1, 3, 12, 20, 60, 180, 1000, 20000, 500_000])
    func illuminance(lux: Double) {
        let exposure = VirtualSensor(world: smallWorld()).exposure(lux: lux)
        #expect(abs(exposure.illuminance / lux - 1) < 1e-9)
        #expect(exposure.duration <= 1.0 / 30 && VirtualSensor.isoRange.contains(exposure.iso))
        #expect((exposure.level < 0.999) == (lux < 6))
    }

    @Test("no light is no light") func darkness() { #expect(VirtualSensor(world: smallWorld()).exposure(lux: 0).illuminance == 0) }

    @Test("noise is negligible in a lit room, plain at three lux, and the picture darkens") func noise() throws {
        func measured(lux: Double) throws -> (noise: Double, mean: Double) {
            let source = StageSource(
                world: smallWorld {
                    $0.subjects = []
                    $0.backdrop.kind = .studio
                    $0.light = Motion(lux)
                })
            let (a, b) = (try #require(try source.nextFrame()), try #require(try source.nextFrame()))
            var (squares, sum) = (0.0, 0.0)
            for y in 0..<90 {
                for x in 0..<160 {
                    let difference = Double(a.luma(x, y) - b.luma(x, y))
                    squares += difference * difference
                    sum += Double(a.luma(x, y))
                }
            }
            return ((squares / 2 / 14400).squareRoot(), sum / 14400)
        }
        let (day, night) = (try measured(lux: 180), try measured(lux: 3))
        #expect(day.noise < 0.6)
        #expect(night.noise > 2.5 && night.noise < 12)
        #expect(night.mean < day.mean * 0.8)
    }

    @Test("polynomial sines are sines") func sines() {
        for degrees in stride(from: -720.0, through: 720, by: 7.3) {
            #expect(abs(sine(degrees: degrees) - sin(degrees * .pi / 180)) < 1e-8)
            #expect(abs(cosine(degrees: degrees) - cos(degrees * .pi / 180)) < 1e-8)
        }
    }

    @Test("a stream gives the same value for the same counter, and its own for every name") func streams() {
        let (a, b) = (HashStream(seed: 1, "a"), HashStream(seed: 1, "b"))
        #expect(a.bits(5) == HashStream(seed: 1, "a").bits(5))
        #expect(a.bits(5) != b.bits(5) && a.bits(5) != a.bits(6))
        let mean = (0..<4000).reduce(0.0) { $0 + a.unit($1) } / 4000
        #expect(abs(mean - 0.5) < 0.02)
    }
}
