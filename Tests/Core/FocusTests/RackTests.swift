import Focus
import Foundation
import Pipeline
import Testing

@testable import ReferenceModel

@Suite("Racks and tracking focus")
struct RackTests {
    private func still(_ id: Int, disparity: Double) -> Actor {
        Actor(id: id, depth: { _ in 1 / disparity }, center: { _ in CGPoint(x: 0.3 + 0.1 * Double(id), y: 0.4) })
    }

    private func tap(_ id: Int) -> FocusRequest { .track(objectID: id, mode: .strong) }

    /// Speed (1/m per second) between neighbouring moments.
    private func speeds(_ play: Play) -> [Double] {
        zip(play.moments, play.moments.dropFirst()).map {
            ($1.step.state.focusDisparity - $0.step.state.focusDisparity) / ($1.time - $0.time)
        }
    }

    @Test("E5: a rack takes 0.3 s to 1 s by distance in disparity", arguments: [(0.01, 0.305), (0.2, 0.4), (0.8, 0.7), (1.4, 1.0), (3.0, 1.0)])
    func duration(_ distance: Double, _ expected: Double) throws {
        let play = Play(4, [still(1, disparity: 0.3), still(2, disparity: 0.3 + distance)], requests: [(0, tap(1)), (1, tap(2))])
        let rack = try #require(play.state(at: 1).rack)
        #expect(nearly(Double(rack.duration) / 1e9, expected, 0.001))
        #expect(play.state(at: 1 + expected - 0.04).rack == rack)
        #expect(play.state(at: 1 + expected + 0.04).rack == nil)
        #expect(nearly(play.state(at: 1 + expected + 0.04).focusDisparity, 0.3 + distance, 1e-9))
    }

    @Test("tuning can give every rack one length")
    func fixedDuration() {
        var tuning = FocusTuning()
        tuning.rack = 600_000_000
        let play = Play(4, [still(1, disparity: 0.3), still(2, disparity: 1.8)], requests: [(0, tap(1)), (1, tap(2))], tuning: tuning)
        #expect(play.state(at: 1).rack?.duration == 600_000_000)
    }

    @Test("a rack is monotonous, starts and ends at rest, and peaks at 1.9 times its mean speed")
    func shape() throws {
        let play = Play(
            3, [still(1, disparity: 0.3), still(2, disparity: 1.3)], requests: [(0, tap(1)), (1, tap(2))], framesPerSecond: 240)
        let speeds = speeds(play)
        #expect(speeds.allSatisfy { $0 >= 0 })
        #expect(nearly(try #require(speeds.max()), 1.875 / 0.8, 0.02))
        #expect(zip(speeds, speeds.dropFirst()).allSatisfy { abs($0 - $1) < 5.8 / 0.64 / 240 })
    }

    @Test("sent elsewhere at any moment of a rack, focus keeps position and speed", arguments: [0.05, 0.2, 0.35, 0.5, 0.65], [2.0, 0.9, 0.2])
    func retarget(_ after: Double, _ third: Double) throws {
        let rate = 1000.0
        let play = Play(
            3.5, [still(1, disparity: 0.3), still(2, disparity: 1.3), still(3, disparity: third)],
            requests: [(0, tap(1)), (1, tap(2)), (1 + after, tap(3))], framesPerSecond: rate)
        let speeds = speeds(play)
        let steepest = try #require(zip(speeds, speeds.dropFirst()).map { abs($0 - $1) * rate }.max())
        // 1/m per second squared; a jump of even 0.1 1/m per second would show as 100.
        #expect(steepest < 40)
        #expect(nearly(play.disparities.last!, third, 1e-9))
        let settled = try #require(play.moments.last { $0.step.state.rack != nil })
        #expect(settled.time < 1 + after + 1.01)
    }

    @Test("focus overshoots by no more than 0.2 of what it covers while braking")
    func overshoot() throws {
        let tuning = FocusTuning()
        var worst = 0.0
        for cut in stride(from: 0.02, through: 0.8, by: 0.02) {
            for third in [0.5, 0.8, 1.0, 1.1] {
                let play = Play(
                    3.5, [still(1, disparity: 0.3), still(2, disparity: 1.3), still(3, disparity: third)],
                    requests: [(0, tap(1)), (1, tap(2)), (1 + cut, tap(3))], framesPerSecond: 100)
                let before = play.state(at: 1 + cut).focusDisparity
                guard before < third else { continue }
                worst = max(worst, (play.disparities.max() ?? 0) - third)
            }
        }
        #expect(worst <= 0.2 * (1.875 / 0.8) * Double(tuning.brake) / 1e9)
    }

    @Test("a rack arrives on a subject that walks meanwhile")
    func movingTarget() {
        let walk = ramp(4, 2, from: 0.5, to: 2.5)
        let play = Play(4, [still(1, disparity: 1.2), Actor(id: 2, depth: walk)], requests: [(0, tap(1)), (1, tap(2))])
        #expect(nearly(play.state(at: 2).focusDisparity, 1 / walk(2), 0.02))
    }

    @Test("E17: noise of 0.02 1/m moves focus by half of it, and never by more than 0.02 in a frame", arguments: 1...8)
    func noise(_ seed: Int) {
        let noise = Noise(seed: UInt64(seed))
        let play = Play(12, [Actor(id: 1, depth: { _ in 1.5 }, disparityNoise: { 0.02 * noise.normal($0) })])
        let errors = play.disparities.suffix(270).map { $0 - 1 / 1.5 }
        let deviation = (errors.map { $0 * $0 }.reduce(0, +) / Double(errors.count)).squareRoot()
        #expect(deviation < 0.011, "seed \(seed)")
        #expect(zip(errors, errors.dropFirst()).allSatisfy { abs($0 - $1) < 0.02 }, "seed \(seed)")
    }

    @Test("E17: somebody who walks at 1.5 m/s is followed less than 80 ms behind", arguments: [(4.0, 1.0), (5.0, 3.5), (2.0, 0.8), (1.0, 3.0)])
    func lag(_ from: Double, _ to: Double) {
        let end = 2 + abs(from - to) / 1.5
        let walk = ramp(from, to, from: 2, to: end)
        let play = Play(end + 1, [Actor(id: 1, depth: walk)])
        for moment in play.moments where moment.time > 2.01 && moment.time < end {
            let rate = 1.5 / (walk(moment.time) * walk(moment.time))
            #expect(abs(moment.step.state.focusDisparity - 1 / walk(moment.time)) / rate < 0.080)
        }
    }

    @Test("E17: walkers are followed through that noise, on average less than 60 ms behind", arguments: [(4.0, 1.0), (2.0, 0.8)])
    func noisyLag(_ from: Double, _ to: Double) {
        var lags: [Double] = []
        let end = 2 + abs(from - to) / 1.5
        let walk = ramp(from, to, from: 2, to: end)
        for seed in 1...8 {
            let noise = Noise(seed: UInt64(seed))
            let play = Play(end, [Actor(id: 1, depth: walk, disparityNoise: { 0.02 * noise.normal($0) })])
            lags += play.moments.filter { $0.time > 2 }.map { moment in
                (1 / walk(moment.time) - moment.step.state.focusDisparity) * walk(moment.time) * walk(moment.time) / 1.5
            }
        }
        #expect(lags.reduce(0, +) / Double(lags.count) < 0.060)
    }

    @Test("a subject that is there all at once at another distance gets a rack, a single wrong measurement does not")
    func leap() {
        let wrong = Actor(id: 1, depth: { _ in 2 }, disparityNoise: { $0 == 60 || $0 == 61 ? 1.0 : 0 })
        #expect(Play(5, [wrong]).disparities.allSatisfy { nearly($0, 0.5, 1e-9) })
        let leaps = Play(5, [Actor(id: 1, depth: { $0 < 2 ? 2 : 1 })])
        #expect(leaps.focusSequence == ["1 weak entered"])
        #expect(leaps.moments.contains { $0.step.state.rack != nil })
        #expect(nearly(leaps.state(at: 4).focusDisparity, 1, 1e-6))
        #expect(speeds(leaps).allSatisfy { abs($0) < 2 })
    }
}
