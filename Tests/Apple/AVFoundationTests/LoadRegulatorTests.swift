import AVFoundation
import Pipeline
import Testing

@testable import AVFCapture

@Suite("Degradation of a live capture")
struct LoadRegulatorTests {
    private var regulator = Self.settled(most: .previewRate)

    /// Regulator whose first frames, which count for nothing, are over.
    private static func settled(most: Degradation) -> LoadRegulator {
        var regulator = LoadRegulator(most: most)
        for _ in 0..<LoadRegulator.firstFrames { _ = regulator.note(isLate: true) }
        return regulator
    }

    /// Plays frames; returns the steps that came into force, with the number of the frame.
    private mutating func play(_ frames: Int, isLate: (Int) -> Bool) -> [String] {
        (0..<frames).compactMap { regulator.note(isLate: isLate($0)) ? "\($0) \(regulator.step.name)" : nil }
    }

    @Test("goes on step by step while frames are late, and no farther than it may")
    mutating func up() {
        #expect(play(100) { _ in true } == ["3 detectionRate", "19 lensResolution", "35 previewRate"])
        var least = Self.settled(most: .detectionRate)
        for _ in 0..<100 { _ = least.note(isLate: true) }
        #expect(least.step == .detectionRate)
    }

    @Test("leaves a frame that is late now and then alone")
    mutating func hiccups() { #expect(play(300) { $0 % 5 == 0 } == []) }

    @Test("comes back after five seconds in time, later where that was too soon")
    mutating func down() {
        #expect(play(4) { _ in true } == ["3 detectionRate"])
        #expect(play(200) { _ in false } == ["167 none"])
        // At once late again: the next attempt waits twice as long.
        #expect(play(16) { _ in true }.count == 1)
        #expect(regulator.patience == 300)
        let quiet = play(400) { _ in false }
        #expect(quiet.count == 1 && quiet[0].hasSuffix(" none"))
        // It has held: patience is as in the beginning.
        _ = play(400) { _ in false }
        #expect(regulator.patience == LoadRegulator.leastPatience)
    }

    @Test("goes on at once where a picture is lost, but lets the last step work first")
    mutating func lost() {
        var fresh = LoadRegulator(most: .previewRate)
        let steps = (0..<40).map { _ in
            _ = fresh.note(isLate: true, isLost: true)
            return fresh.step.name
        }
        #expect(steps.firstIndex(of: "detectionRate") == 0)
        #expect(steps.firstIndex(of: "lensResolution") == 13)
        // That leaves out pictures itself: only once one of three is lost.
        #expect(steps.firstIndex(of: "previewRate") == 29)
    }

    @Test("leaves out no pictures because some wait before the lens, or one is lost now and then")
    mutating func waiting() {
        for _ in 0..<48 { _ = regulator.note(isLate: false, waiting: 1) }
        #expect(regulator.step == .lensResolution)
        var changes = 0
        for frame in 0..<600 where regulator.note(isLate: false, isLost: frame % 4 == 0, waiting: 1 + frame % 6) { changes += 1 }
        #expect(changes == 0)
        // The eyes are late: the camera is about to lose frames. Of the first window six waited before.
        #expect(play(12) { _ in true } == ["7 previewRate"])
    }

    @Test("lets the lens draw what waits, as long as that becomes less")
    mutating func draining() {
        #expect(play(4) { _ in true } == ["3 detectionRate"])
        let steps = (0..<60).map { frame in regulator.note(isLate: true, waiting: max(6 - frame / 5, 3)) }
        // Behind the frames that count for nothing four are left of the six, twelve frames later three, and those stay.
        #expect(steps.firstIndex(of: true) == 35)
    }

    @Test("begins with what the machine is known to be too slow for, and stays there at least")
    mutating func least() {
        regulator = LoadRegulator(least: .lensResolution, most: .previewRate)
        #expect(regulator.step == .lensResolution)
        #expect(play(3000) { _ in false } == [])
        #expect(LoadRegulator(least: .lensResolution, most: .detectionRate).step == .detectionRate)
    }
}
