import CoreMedia
import Foundation
import Pipeline
import Testing

@testable import Stage

@Suite("The stage's microphone")
struct StageSoundTests {
    /// A world of 320 × 180 with one prop of a voice, its box's middle at `middle`, `depth` metres away.
    private func world(_ voice: Voice, at middle: CGPoint = CGPoint(x: 0.5, y: 0.5), depth: Double = 1) -> World {
        var world = World()
        (world.width, world.height) = (320, 180)
        world.subjects = [subject(voice, at: middle, depth: depth)]
        return world
    }

    private func subject(_ voice: Voice, at middle: CGPoint, depth: Double, name: String = "radio") -> Subject {
        var subject = Subject(name: name, kind: .prop, placement: Motion(placement(middle, depth)))
        subject.voice = voice
        return subject
    }

    private func placement(_ middle: CGPoint, _ depth: Double) -> Placement {
        Placement(box: CGRect(x: middle.x - 0.05, y: middle.y - 0.05, width: 0.1, height: 0.1), depth: depth)
    }

    /// One channel of ambisonics: W Y Z X.
    private func channel(_ index: Int, of sound: Sound) -> [Float] { stride(from: index, to: sound.samples.count, by: 4).map { sound.samples[$0] } }

    private func loudness(_ samples: [Float]) -> Double { (samples.reduce(0) { $0 + Double($1) * Double($1) } / Double(samples.count)).squareRoot() }

    @Test("a tone has its frequency and its level a metre away", arguments: [100.0, 440, 3000])
    func tone(hertz: Double) {
        let sound = StageSound(world: world(Voice(.tone(hertz), level: -6))).sound(of: 240..<48_240)
        let samples = channel(0, of: sound)
        let rises = zip(samples, samples.dropFirst()).count { $0 < 0 && $1 >= 0 }
        #expect(abs(Double(rises) - hertz) <= 1)
        #expect(abs(loudness(samples) - 0.501187 / 2.0.squareRoot()) < 1e-4)
    }

    @Test(
        "the box's middle is the direction: ambisonics in ACN order, SN3D, left and up positive",
        arguments: [(0.5, 0.5), (0.0, 0.5), (1.0, 0.5), (0.5, 0.0), (0.2, 0.9), (-3.0, 0.4)])
    func direction(x: Double, y: Double) {
        let sound = StageSound(world: world(Voice(.whiteNoise, level: -40), at: CGPoint(x: x, y: y))).sound(of: 0..<2400)
        let azimuth = atan2(0.5 - x, 26.0 / 36)
        let elevation = atan2((0.5 - y) * 9 / 16, (0.5 - x).magnitude == 0 ? 26.0 / 36 : hypot(0.5 - x, 26.0 / 36))
        let w = channel(0, of: sound)
        let ratio = { (index: Int) in
            Double(zip(w, channel(index, of: sound)).reduce(0) { $0 + $1.0 * $1.1 } / w.reduce(0) { $0 + $1 * $1 })
        }
        #expect(abs(ratio(1) - sin(azimuth) * cos(elevation)) < 1e-5)
        #expect(abs(ratio(2) - sin(elevation)) < 1e-5)
        #expect(abs(ratio(3) - cos(azimuth) * cos(elevation)) < 1e-5)
        let stereo = sound.mixed(to: .stereo).samples
        let (left, right) = (stride(from: 0, to: 4800, by: 2).map { stereo[$0] }, stride(from: 1, to: 4800, by: 2).map { stereo[$0] })
        #expect(abs(loudness(left) / loudness(right) - (1 + ratio(1)) / (1 - ratio(1))) < 1e-4 * loudness(left) / loudness(right))
    }

    @Test("twice as far is half as loud, and near the microphone nothing gets louder any more")
    func distance() {
        func heard(_ depth: Double) -> Double {
            loudness(channel(0, of: StageSound(world: world(Voice(.tone(500), level: -60), depth: depth)).sound(of: 0..<4800)))
        }
        #expect(abs(heard(1) / heard(2) - 2) < 1e-5)
        #expect(abs(heard(0.1) / heard(1) - 10) < 1e-4)
        #expect(heard(0.05) == heard(0.1))
    }

    @Test("a panning camera turns the microphone with it")
    func pan() {
        var world = world(Voice(.whiteNoise, level: -20))
        world.camera.pan = Motion(30)
        let sound = StageSound(world: world).sound(of: 0..<480)
        let (w, y) = (channel(0, of: sound), channel(1, of: sound))
        #expect(zip(w, y).allSatisfy { abs($1 - 0.5 * $0) < 1e-6 }, "a camera that looks 30° to the right hears it 30° to the left")
    }

    /// A tone that walks through the picture while noises come and go.
    private var busy: World {
        var world = world(Voice(.tone(440), level: -12), at: CGPoint(x: 0.1, y: 0.5), depth: 2)
        world.subjects[0].placement.move(to: placement(CGPoint(x: 0.9, y: 0.4), 0.7), start: 20_000_000, over: 60_000_000)
        world.subjects.append(subject(Voice(.whiteNoise, level: -30), at: CGPoint(x: 0.7, y: 0.5), depth: 1, name: "hiss"))
        world.subjects.append(subject(Voice(.pinkNoise, level: -20, span: 7_000_000..<90_000_000), at: .zero, depth: 1, name: "fall"))
        world.subjects[1].presence = [11_000_000..<61_000_000]
        world.camera.shake = Motion(0.01)
        return world
    }

    @Test("however a time is cut, the samples are the same; and the same again", arguments: [1, 7, 240, 1601])
    func cuts(length: Int64) {
        let (whole, cut) = (StageSound(world: busy), StageSound(world: busy))
        var pieces: [Float] = []
        for start in stride(from: Int64(0), to: 4804, by: Int(length)) { pieces += cut.sound(of: start..<min(start + length, 4804)).samples }
        #expect(pieces == whole.sound(of: 0..<4804).samples)
        #expect(cut.sound(of: 1000..<1003).samples == Array(pieces[4000..<4012]), "and asked again they are as before")
    }

    @Test("nothing clicks when a subject moves, jumps, appears or leaves")
    func smooth() {
        var world = world(Voice(.tone(100), level: 0), at: CGPoint(x: 0.1, y: 0.2), depth: 2)
        world.subjects[0].placement.move(to: placement(CGPoint(x: 0.9, y: 0.7), 1), start: 50_000_000, over: 0)
        world.subjects[0].presence = [13_000_000..<91_000_000]
        let sound = StageSound(world: world).sound(of: 0..<4800)
        for index in 0..<4 {
            let samples = channel(index, of: sound)
            let steepest = zip(samples, samples.dropFirst()).map { abs($0 - $1) }.max()!
            // The tone's own slope is 2π · 100 / 48000 = 0.013 at a metre; a fade over 5 ms adds 1/240.
            #expect(steepest > 0.001 && steepest < 0.013 + 2.0 / 240)
            #expect(samples[..<480].allSatisfy { $0 == 0 } && samples[4560...].allSatisfy { $0 == 0 })
        }
    }

    @Test("two voices are added, and two noises are two")
    func sum() {
        let (one, other) = (Voice(.whiteNoise, level: -20), Voice(.pinkNoise, level: -20))
        var both = world(one)
        both.subjects.append(subject(other, at: CGPoint(x: 0.2, y: 0.5), depth: 1, name: "fall"))
        var second = both
        second.subjects.removeFirst()
        let (a, b, sum) = (StageSound(world: world(one)), StageSound(world: second), StageSound(world: both))
        let heard = zip(a.sound(of: 0..<100).samples, b.sound(of: 0..<100).samples).map(+)
        #expect(zip(heard, sum.sound(of: 0..<100).samples).allSatisfy { abs($0 - $1) < 1e-7 })
        #expect(a.sound(of: 0..<100) != StageSound(world: world(other)).sound(of: 0..<100))
    }

    @Test("pink noise has as much in each octave, white twice as much in the higher one")
    func colours() {
        func slope(_ timbre: Voice.Timbre) -> Double {
            let samples = channel(0, of: StageSound(world: world(Voice(timbre, level: -20))).sound(of: 480..<24_480))
            let coarse = stride(from: 0, to: samples.count - 7, by: 8).map { samples[$0..<$0 + 8].reduce(0, +) / 8 }
            return loudness(coarse) / loudness(samples)
        }
        #expect(abs(slope(.whiteNoise) - 1 / 8.0.squareRoot()) < 0.03)
        #expect(slope(.pinkNoise) > 0.7)
    }

    @Test("what is too loud is clipped at full scale")
    func clipped() {
        let samples = StageSound(world: world(Voice(.tone(100), level: 20))).sound(of: 0..<480).samples
        #expect(samples.max() == 1 && samples.min()! >= -1)
    }

    @Test("a silent world is silent, and as long as its pictures")
    func silent() {
        var world = World()
        (world.frameDuration, world.frameCount) = (CMTime(value: 1001, timescale: 30000), 10_000)
        let sound = StageSound(world: world)
        #expect(sound.sampleCount == 16_016_000)
        #expect(sound.sound(of: 16_014_399..<16_016_000).samples == [Float](repeating: 0, count: 4 * 1601))
    }

    @Test("a recording plays from when it starts, and is silent after its end")
    func recording() {
        let voice = Voice(.recording([Float](repeating: 0.5, count: 480)), level: 0, span: 10_000_000..<Int64.max)
        let samples = channel(0, of: StageSound(world: world(voice)).sound(of: 0..<1440))
        #expect(samples[..<480].allSatisfy { $0 == 0 } && samples[960...].allSatisfy { $0 == 0 })
        #expect(samples[480..<960].allSatisfy { abs($0 - 0.5) < 1e-6 })
    }

    @Test("levels are powers of ten", arguments: [-100.0, -20, -6, -0.1, 0, 3, 20])
    func levels(decibels: Double) {
        #expect(abs(Voice.gain(decibels: decibels) / pow(10, decibels / 20) - 1) < 1e-13)
    }
}
