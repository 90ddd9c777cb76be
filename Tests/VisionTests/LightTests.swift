import CoreVideo
import Focus
import Foundation
import Pipeline
import Testing
import Vision

@Suite("Light from the picture alone")
struct LightTests {
    /// A ramp of greys with the shot and read noise of a sensor `stops` below full light; `hasGain` lifts it back as far as 4 stops.
    private func picture(stops: Int, hasGain: Bool, seed: UInt64) -> CVPixelBuffer {
        var state = seed &* 2_862_933_555_777_941_757 &+ 3_037_000_493
        func normal() -> Double {
            var sum = -6.0
            for _ in 0..<12 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                sum += Double(state >> 33) / Double(UInt32.max >> 1)
            }
            return sum
        }
        let light = exp2(Double(-stops))
        let gain = hasGain ? exp2(Double(min(stops, 4))) : 1
        // At full light 128 of 255 levels are 4000 electrons, read noise is 6: 36 dB, 3 dB less per stop until the read noise shows.
        let perLevel = 4000.0 / 128
        return Pictures.picture(
            192, 128,
            luma: { x, y in
                let electrons = (60 + 0.7 * Double(x) + 0.1 * Double(y)) * perLevel * light
                let measured = electrons + normal() * (electrons + 36).squareRoot()
                return 16 + Int((measured / perLevel * gain * 219 / 255).rounded())
            })
    }

    @Test("fewer stops are never more light, and two stops down it is dark, with gain and without", arguments: [true, false])
    func ladder(hasGain: Bool) throws {
        let lux = try (0...6).map { try #require(try LightMeter().illuminance(of: picture(stops: $0, hasGain: hasGain, seed: 5))) }
        for (brighter, darker) in zip(lux, lux.dropFirst()) { #expect(darker <= brighter) }
        #expect(lux[0] > FocusTuning().lowLightLeave && lux[3] < FocusTuning().lowLightEnter, "\(lux)")
    }

    @Test("down and up the ladder there is one dark stretch and no chatter", arguments: [true, false])
    func noChatter(hasGain: Bool) throws {
        var (monitor, states) = (LightMonitor(), [Bool]())
        var frame = 0
        for stops in [0, 1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1, 0] {
            for _ in 0..<10 {
                let lux = try LightMeter().illuminance(of: picture(stops: stops, hasGain: hasGain, seed: UInt64(frame)))
                states.append(monitor.step(at: Int64(frame) * 133_333_333, illuminance: lux))
                frame += 1
            }
        }
        let changes = zip(states, states.dropFirst()).filter { $0 != $1 }.count
        #expect(changes == 2 && states.first == false && states.last == false)
    }

    @Test("a cap and a finger are no light; a plain bright wall is light")
    func covered() throws {
        func plain(_ luma: Int, _ chroma: (Int, Int)) -> CVPixelBuffer {
            Pictures.picture(192, 128, luma: { x, y in luma + (Pictures.speckle(x, y) % 3) }, chroma: { _, _ in chroma })
        }
        #expect(try LightMeter().illuminance(of: plain(16, (128, 128))) == 0)
        #expect(try LightMeter().illuminance(of: plain(55, (110, 165))) == 0)
        #expect(try #require(try LightMeter().illuminance(of: plain(170, (128, 128)))) > 40)
        #expect(try LightMeter().illuminance(of: Pictures.picture(16, 16, luma: { _, _ in 90 })) == nil)
    }
}
