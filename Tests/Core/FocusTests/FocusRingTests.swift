import Pipeline
import Testing

@testable import Focus
@testable import ReferenceModel

/// Racks to aims that speed up, brake and are estimated anew on the way.
@Suite("The focus ring")
struct FocusRingTests {
    private let tuning = FocusTuning()
    private static let frame: Int64 = 33_333_333

    /// An aim that goes at a constant speed until it stops, seen by the filter that the engine sees it with.
    private func walk(from start: Double, at speed: Double, until stop: Double) -> (Double) -> Double {
        { start + speed * min($0, stop) }
    }

    @Test(
        "a rack from rest to a subject that has just stopped never turns back, nor goes past where the subject was thought to be",
        arguments: [0.5, 1.0, 1.3, 2.0], [0, 1, 2, 4])
    func justStopped(speed: Double, wait: Int) {
        let way = walk(from: 0.4, at: speed, until: 1)
        var tracker = DisparityTracker()
        var ring = FocusRing(position: 0.3)
        var (positions, estimates): ([Double], [Double]) = ([], [])
        for index in 0..<90 {
            let time = Int64(index) * Self.frame
            tracker.step(way(seconds(time)), elapsed: index == 0 ? 0 : seconds(Self.frame), tuning)
            let aim = Aim(position: tracker.position, speed: tracker.speed, jumped: tracker.jumped)
            let start = 30 + wait
            if index > start { ring.follow(aim, at: time, elapsed: seconds(Self.frame), tuning) }
            if index == start { ring.move(to: aim, at: time, tuning) }
            guard index >= start else { continue }
            positions.append(ring.position)
            estimates.append(aim.position)
        }
        #expect(positions.allSatisfy { $0 >= 0.3 }, "turned back to \(positions.min() ?? 0)")
        #expect((positions.max() ?? 0) <= (estimates.max() ?? 0) + 1e-12)
        #expect(nearly(positions.last ?? 0, 0.4 + speed, 1e-3))
    }

    @Test("whatever its aim does, a rack from rest stays between where it began and where its aim has been", arguments: 1...200)
    func between(seed: Int) {
        let noise = Noise(seed: UInt64(seed) &* 6151)
        var ring = FocusRing(position: 0.2 + noise.uniform(0))
        var aim = Aim(position: 0.2 + noise.uniform(1), speed: 4 * (noise.uniform(2) - 0.5))
        var (low, high) = (min(ring.position, aim.position), max(ring.position, aim.position))
        ring.move(to: aim, at: 0, tuning)
        for index in 1...40 {
            if noise.uniform(10 * index) < 0.3 { aim.speed = 4 * (noise.uniform(10 * index + 1) - 0.5) }
            aim.position = max(0, aim.position + aim.speed * seconds(Self.frame) + 0.05 * (noise.uniform(10 * index + 2) - 0.5))
            (low, high) = (min(low, aim.position), max(high, aim.position))
            ring.follow(aim, at: Int64(index) * Self.frame, elapsed: seconds(Self.frame), tuning)
            #expect((low - 1e-12...high + 1e-12).contains(ring.position))
        }
        #expect(ring.position == aim.position)
    }

    /// From the place where they meet, focus goes on by no more than what it covers while it brakes.
    @Test("sent elsewhere at speed, a rack brakes before an aim that comes to meet it", arguments: 1...400)
    func meets(seed: Int) {
        let noise = Noise(seed: UInt64(seed) &* 3571)
        var ring = FocusRing(position: 0.3)
        ring.move(to: Aim(position: 0.8 + noise.uniform(1)), at: 0, tuning)
        let turn = 3 + Int(noise.uniform(2) * 10)
        var aim = Aim(position: 0)
        var speed = 0.0
        var met: Double?
        for index in 1...60 {
            let time = Int64(index) * Self.frame
            if index == turn {
                ring.follow(Aim(position: ring.rack?.to ?? 0), at: time, elapsed: seconds(Self.frame), tuning)
                aim = Aim(position: ring.position + 0.05 + noise.uniform(3), speed: 0)
                ring.move(to: aim, at: time, tuning)
                speed = ring.speed
            } else if index > turn {
                let approach = index < turn + 20 ? -2 * noise.uniform(4) : 0
                aim.position = max(0.1, aim.position + approach * seconds(Self.frame))
                aim.speed = approach
                ring.follow(aim, at: time, elapsed: seconds(Self.frame), tuning)
                if ring.position > aim.position, met == nil { met = ring.position }
                speed = max(speed, abs(ring.speed))
                if let met { #expect(ring.position <= met + 0.2 * speed * seconds(tuning.brake), "\(index - turn) frames in") }
            } else {
                ring.follow(Aim(position: ring.rack?.to ?? 0), at: time, elapsed: seconds(Self.frame), tuning)
            }
        }
        #expect(nearly(ring.position, aim.position, 1e-9))
    }

    @Test("a rack that is sent elsewhere in its middle, to an aim that walks, keeps position and speed")
    func continuous() {
        var ring = FocusRing(position: 0.3)
        let millisecond: Int64 = 1_000_000
        ring.move(to: Aim(position: 1.3), at: 0, tuning)
        var speeds: [Double] = []
        for step in 1...1500 {
            let time = Int64(step) * millisecond
            let aim = step < 300 ? Aim(position: 1.3) : Aim(position: 0.6 + 0.4 * seconds(time), speed: 0.4)
            let before = ring.position
            ring.follow(step == 300 ? Aim(position: 1.3) : aim, at: time, elapsed: 0.001, tuning)
            if step == 300 { ring.move(to: aim, at: time, tuning) }
            speeds.append((ring.position - before) / 0.001)
        }
        #expect(zip(speeds, speeds.dropFirst()).allSatisfy { abs($0 - $1) < 0.04 })
        #expect(nearly(ring.position, 0.6 + 0.4 * 1.5, 1e-9))
    }

    /// The filter still takes its subject for moving on while what it says goes back; focus goes by the latter.
    @Test("sent elsewhere just after its subject stopped, focus does not set off the other way", arguments: 0...6)
    func leavesStopped(wait: Int) {
        let way = walk(from: 0.4, at: 2, until: 0.5)
        var tracker = DisparityTracker()
        var ring = FocusRing(position: 0.4)
        var positions: [Double] = []
        for index in 0..<60 {
            let time = Int64(index) * Self.frame
            tracker.step(way(seconds(time)), elapsed: index == 0 ? 0 : seconds(Self.frame), tuning)
            let aim = index <= 18 + wait ? Aim(position: tracker.position, speed: tracker.speed) : Aim(position: 0.3)
            if index > 0 { ring.follow(aim, at: time, elapsed: seconds(Self.frame), tuning) }
            if index == 18 + wait { ring.move(to: Aim(position: 0.3), at: time, tuning) }
            positions.append(ring.position)
        }
        let (before, turn) = (positions[17 + wait], positions[18 + wait])
        let carried = max(0, (turn - before) / seconds(Self.frame))
        #expect((positions.dropFirst(18 + wait).max() ?? 0) <= turn + 0.2 * carried + 1e-9)
    }
}
