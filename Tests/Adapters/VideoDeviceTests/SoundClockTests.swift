import Foundation
import Pipeline
import Testing

@testable import VideoDevice

@Suite("Sound on the clock of the frames")
struct SoundClockTests {
    /// Blocks of a card that runs at `rate`, which arrive up to 3 ms late.
    private func follow(rate: Double, seconds: Double, _ each: (Double, SoundClock) -> Void = { _, _ in }) -> SoundClock {
        var clock = SoundClock(sampleRate: 48_000)
        var state: UInt64 = 1
        for block in 0..<Int(seconds * 100) {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let jitter = Double(state >> 40) / Double(1 << 24) * 3e6
            let time = Double(block + 1) * 480 / rate * 1e9
            clock.note(samples: 480, until: Int64(time + jitter))
            each(time, clock)
        }
        return clock
    }

    @Test("The rate of a card that drifts is found to fifty millionths within a minute", arguments: [47_990.4, 48_000, 48_009.6])
    func rate(_ rate: Double) {
        let clock = follow(rate: rate, seconds: 60)
        #expect(abs(1e9 / clock.period / rate - 1) < 50e-6, "\(1e9 / clock.period)")
    }

    @Test("Over ten minutes of drift sound and picture stay together within 5 ms")
    func drift() throws {
        var worst = 0.0
        _ = follow(rate: 48_004.8, seconds: 600) { time, clock in
            guard time > 2e9, let position = clock.position(at: time) else { return }
            worst = max(worst, abs(position - Double(clock.count)) / 48_000)
        }
        #expect(worst < 0.005, "\(worst) s")
    }

    @Test("Over ten minutes of a card whose clock wanders, each tick is heard within 20 ms of its picture")
    func tenMinutes() {
        let rate = 12_000
        var sound = FollowedSound(sampleRate: rate, layout: .mono)
        let zero: Int64 = 1_000_000_000
        /// Seconds at which the card takes a sample: 200 to 400 millionths fast, wandering with a period of five minutes.
        func time(_ sample: Double) -> Double {
            let t = sample / Double(rate)
            return t - 300e-6 * t - 100e-6 * 300 / (2 * .pi) * sin(2 * .pi * t / 300)
        }
        var (state, taken, frame) = (UInt64(1), 0, Int64(0))
        var (block, onsets, last) = ([Float](repeating: 0, count: rate / 100), [Double](), Int64(-10_000))
        while frame < 600 * 30 {
            // A tick of 5 ms at each second after zero.
            for index in block.indices {
                let since = time(Double(taken + index)) - Double(zero) / 1e9
                block[index] = since >= 0 && since.truncatingRemainder(dividingBy: 1) < 0.005 ? 0.5 : 0
            }
            taken += block.count
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let jitter = Double(state >> 40) / Double(1 << 24) * 3e6
            block.withUnsafeBufferPointer { sound.append($0, until: Int64(time(Double(taken)) * 1e9 + jitter)) }
            while frame < 600 * 30, sound.hasAll(before: (frame + 1) * 400, zero: zero) {
                let heard = sound.sound(of: frame * 400..<(frame + 1) * 400, zero: zero)
                for (index, sample) in heard.samples.enumerated() where sample > 0.25 {
                    let place = frame * 400 + Int64(index)
                    if place - last > 1200 { onsets.append(Double(place) / Double(rate)) }
                    last = place
                }
                frame += 1
            }
        }
        let worst = onsets.map { abs($0 - $0.rounded()) }.max() ?? 1
        #expect(onsets.count >= 599 && worst < 0.02, "\(onsets.count) ticks, the worst \(worst) s off")
    }

    @Test("A loss of samples moves the clock at once")
    func leap() throws {
        var clock = follow(rate: 48_000, seconds: 5)
        clock.note(samples: 480, until: 6_000_000_000)
        let position = try #require(clock.position(at: 6e9))
        #expect(position == Double(clock.count))
    }

    @Test("A tone keeps its shape at a ratio of its own in every block, without a click between them")
    func tone() {
        var resampler = DriftResampler(channels: 1, capacity: 48_000)
        let step = 2 * Double.pi * 997 / 48_000
        (0..<12_000).map { Float(sin(step * Double($0))) }.withUnsafeBufferPointer { resampler.append($0) }
        var (worst, place): (Float, Double) = (0, 100)
        for ratio in [1.0001, 0.9999, 1.0003, 1] {
            let end = place + 1600 * ratio
            // A start that is a little off is corrected along the block.
            let output = resampler.block(of: 1600, from: place + 0.4, to: end, tolerance: 10)
            let begin = place == 100 ? 100.4 : place
            for (index, sample) in output.enumerated() {
                worst = max(worst, abs(sample - Float(sin(step * (begin + Double(index) * (end - begin) / 1600)))))
            }
            place = end
        }
        #expect(worst < 0.002, "\(worst)")
    }

    @Test("A block beyond the sound there is, is silent")
    func missing() {
        var resampler = DriftResampler(channels: 2, capacity: 1000)
        [Float](repeating: 1, count: 200).withUnsafeBufferPointer { resampler.append($0) }
        #expect(resampler.block(of: 4, from: 500, to: 504, tolerance: 1) == [0, 0, 0, 0, 0, 0, 0, 0])
        #expect(resampler.block(of: 2, from: 50, to: 52, tolerance: 1).allSatisfy { abs($0 - 1) < 1e-5 })
    }
}
