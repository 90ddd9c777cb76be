import CoreVideo
import Focus
import Foundation
import Pipeline
import Testing
import Vision

@Suite("Light from the picture alone")
struct LightTests {
    /// A ramp of greys with the shot and read noise of a sensor `stops` below full light, where level 128 is `fullWell` electrons;
    /// `hasGain` lifts it back as far as 4 stops.
    private func picture(stops: Int, hasGain: Bool, fullWell: Double = 4000, seed: UInt64) -> CVPixelBuffer {
        var dice = Dice(state: seed &* 2_862_933_555_777_941_757 &+ 3_037_000_493)
        let light = exp2(Double(-stops))
        let gain = hasGain ? exp2(Double(min(stops, 4))) : 1
        // Read noise is 6: 4000 electrons are 36 dB, 3 dB less per stop until the read noise shows.
        let perLevel = fullWell / 128
        return Pictures.picture(
            192, 128,
            luma: { x, y in
                let electrons = (60 + 0.7 * Double(x) + 0.1 * Double(y)) * perLevel * light
                let measured = electrons + dice.normal() * (electrons + 36).squareRoot()
                return 16 + Int((measured / perLevel * gain * 219 / 255).rounded())
            })
    }

    @Test("fewer stops are never more light, and two stops down it is dark, with gain and without", arguments: [true, false])
    func ladder(hasGain: Bool) throws {
        let lux = try (0...6).map { try #require(try LightMeter().illuminance(of: picture(stops: $0, hasGain: hasGain, seed: 5))) }
        for (brighter, darker) in zip(lux, lux.dropFirst()) { #expect(darker <= brighter) }
        #expect(lux[0] > FocusTuning().lowLightLeave && lux[3] < FocusTuning().lowLightEnter, "\(lux)")
    }

    /// 43 dB at full light, then 40, 37, 34, 31, 28 and 25. With gain the noise decides: below 30 dB it is dark, above 33 no longer. Without,
    /// the brightest parts do: they halve with every stop, and three stops down they are below 48.
    @Test("down and up the ladder each step has its state, and there is no chatter", arguments: [(true, 5, 3), (false, 3, 1)])
    func states(hasGain: Bool, darkFrom: Int, brightFrom: Int) throws {
        var (monitor, states) = (LightMonitor(), [Bool]())
        var frame = 0
        let ladder = [0, 1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1, 0]
        for (step, stops) in ladder.enumerated() {
            for _ in 0..<10 {
                let picture = picture(stops: stops, hasGain: hasGain, fullWell: 20_000, seed: UInt64(frame))
                states.append(monitor.step(at: Int64(frame) * 133_333_333, illuminance: try LightMeter().illuminance(of: picture)))
                frame += 1
            }
            #expect(states.last == (step <= 6 ? stops >= darkFrom : stops > brightFrom), "\(stops) stops down, step \(step)")
        }
        #expect(zip(states, states.dropFirst()).count { $0 != $1 } == 2)
    }

    /// Share of its mean that a lamp on the mains gives to each of the rows of frame `number`: modulated by half at twice the frequency, over the exposure
    /// of a row, which begins with the row's place in the 20 ms of a rolling readout, or with the frame (`isGlobal`).
    private func flicker(mains: Double, rate: Double, exposure: Double, isGlobal: Bool, number: Int, rows: Int) -> [Double] {
        (0..<rows).map { row in
            let start = Double(number) / rate + (isGlobal ? 0 : 0.02 * Double(row) / Double(rows))
            let omega = 4 * Double.pi * mains
            return 1 + 0.5 * (sin(omega * (start + exposure)) - sin(omega * start)) / (omega * exposure)
        }
    }

    @Test(
        "lamps on the mains change no status, whatever the light: by the picture and by the exposure", arguments: [50.0, 60],
        [25, 30_000 / 1001.0, 30])
    func mains(_ mains: Double, _ rate: Double) throws {
        for (exposure, isGlobal) in [(1 / 30.0, true), (1 / 30.0, false), (1 / 60.0, true), (1 / 60.0, false), (0.01, false)] {
            // Brightest parts around the level at which it is dark, 48, and bright again, 64; the light at which it is dark and bright by exposure.
            for level in [40.0, 47, 50, 58, 66, 90] {
                var monitors = (LightMonitor(), LightMonitor())
                var states: ([Bool], [Bool]) = ([], [])
                var last: CVPixelBuffer?
                for number in stride(from: 0, to: 300, by: 4) {
                    let shares = flicker(mains: mains, rate: rate, exposure: exposure, isGlobal: isGlobal, number: number, rows: 64)
                    // The transfer of a camera is about a power of 0.45.
                    let picture = Pictures.picture(
                        64, 64, luma: { x, y in 16 + Int(((0.5 + 0.5 * Double(x) / 63) * level * pow(shares[y], 0.45) * 219 / 255).rounded()) })
                    let time = Int64(Double(number) / rate * 1e9)
                    states.0.append(monitors.0.step(at: time, illuminance: try LightMeter().illuminance(of: picture, after: last)))
                    last = picture
                    let mean = shares.reduce(0, +) / 64
                    let light = Exposure(duration: exposure, iso: 100, fNumber: 2, level: level / 1.6 / (1000 / 100 / exposure) * mean)
                    states.1.append(monitors.1.step(at: time, illuminance: light.illuminance))
                }
                for states in [states.0, states.1] {
                    let changes = zip(states, states.dropFirst()).count { $0 != $1 }
                    #expect(changes <= 1, "level \(level), exposure \(exposure), global \(isGlobal): \(changes) changes")
                }
            }
        }
    }

    @Test("a lens that is covered for two seconds, by a cap or a finger, is dark once", arguments: [(16, 128, 128), (55, 110, 165)])
    func coveredForAWhile(luma: Int, cb: Int, cr: Int) throws {
        let cover = Pictures.picture(192, 128, luma: { x, y in luma + (Pictures.speckle(x, y) % 3) }, chroma: { _, _ in (cb, cr) })
        let open = picture(stops: 0, hasGain: true, seed: 3)
        var (monitor, states) = (LightMonitor(), [Bool]())
        for frame in 0..<60 {
            let lux = try LightMeter().illuminance(of: (15..<35).contains(frame) ? cover : open)
            states.append(monitor.step(at: Int64(frame) * 100_000_000, illuminance: lux))
        }
        #expect(zip(states, states.dropFirst()).count { $0 != $1 } == 2)
        #expect(!states[14] && states[24] && states[34] && !states[55])
    }

    /// A lawn: value noise of octaves whose strength halves with their size, as blades do, moved by `shift` pixels; `light` 1 is full sun.
    private func lawn(shift: Int, light: Double = 1, noise: Double = 0, seed: UInt64 = 1) -> CVPixelBuffer {
        var dice = Dice(state: seed)
        return Pictures.picture(
            192, 128,
            luma: { x, y in
                let level = [1, 2, 4, 8, 16].reduce(0.0) { sum, size in
                    sum + Double(Pictures.speckle((x + shift) / size + 77 * size, y / size) - 120) * Double(size) / 40
                }
                return 16 + Int((max(110 + level, 20) * light + noise * dice.normal()).rounded())
            }, chroma: { _, _ in (110, 115) })
    }

    @Test("a sunlit lawn is light, standing or moving, and no longer dark one hold after the light is back")
    func lawn() throws {
        let lux = try #require(try LightMeter().illuminance(of: lawn(shift: 0)))
        #expect(lux > FocusTuning().lowLightLeave, "\(lux)")
        var (monitor, states, last) = (LightMonitor(), [Bool](), CVPixelBuffer?.none)
        for frame in 0..<60 {
            let picture = lawn(shift: 3 * frame, light: (10..<30).contains(frame) ? 0.1 : 1)
            states.append(monitor.step(at: Int64(frame) * 100_000_000, illuminance: try LightMeter().illuminance(of: picture, after: last)))
            last = picture
        }
        #expect(!states[9] && states[29] && states.lastIndex(of: true) == 39)
    }

    @Test("the same lawn in the dusk, lifted by gain, is dark: its noise is white and changes from picture to picture")
    func lift() throws {
        let (first, second) = (lawn(shift: 0, noise: 9, seed: 3), lawn(shift: 0, noise: 9, seed: 4))
        #expect(try #require(try LightMeter().illuminance(of: second, after: first)) < FocusTuning().lowLightEnter)
        #expect(try #require(try LightMeter().illuminance(of: second)) < FocusTuning().lowLightEnter)
    }

    @Test("white texture that stands still is no noise; levels that gain has spread are dark")
    func spread() throws {
        let gravel = Pictures.picture(192, 128, luma: { x, y in 60 + Pictures.speckle(x, y) / 2 })
        #expect(try #require(try LightMeter().illuminance(of: gravel, after: gravel)) > FocusTuning().lowLightLeave)
        let lifted = Pictures.picture(192, 128, luma: { x, y in 16 + (40 + x / 2 + y / 3) / 16 * 16 })
        #expect(try #require(try LightMeter().illuminance(of: lifted)) < FocusTuning().lowLightEnter)
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
