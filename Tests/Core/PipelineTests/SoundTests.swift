import CoreMedia
import Pipeline
import Testing

@Suite("Stretches of sound")
struct SoundTests {
    @Test("cut at the frames of television they leave no gap and no overlap, and do not drift")
    func television() {
        func cut(_ frame: Int64) -> Int64 { Sound.sample(at: CMTime(value: frame * 1001, timescale: 30000), sampleRate: 48_000) }
        let counts = (0..<10_000).map { cut($0 + 1) - cut($0) }
        #expect(Set(counts) == [1601, 1602])
        #expect(counts.reduce(0, +) == 16_016_000)
        for frame in stride(from: 0, through: 10_000, by: 5) { #expect(cut(Int64(frame)) == Int64(frame) / 5 * 8008) }
    }

    @Test("a time is that of the last sample not after it", arguments: [0, 1, 1601, -3, 5_184_000_000] as [Int64])
    func sample(number: Int64) {
        let time = Sound.time(of: number, sampleRate: 48_000)
        #expect(Sound.sample(at: time, sampleRate: 48_000) == number)
        #expect(Sound.sample(at: time - CMTime(value: 1, timescale: 1_000_000), sampleRate: 48_000) == number - 1)
        #expect(Sound.sample(at: time + CMTime(value: 1, timescale: 1_000_000), sampleRate: 48_000) == number)
    }

    @Test("ambisonics fold to what two cardioids hear, and to the sum of both")
    func fold() {
        let sound = Sound(
            presentationTime: CMTime(value: 3, timescale: 48_000), sampleRate: 48_000, layout: .firstOrderAmbisonics,
            samples: [1, 1, 0, 0, 0.5, -0.25, 0.1, 0.4])
        let stereo = sound.mixed(to: .stereo)
        #expect(stereo.samples == [1, 0, 0.125, 0.375] && stereo.presentationTime == sound.presentationTime)
        #expect(sound.mixed(to: .mono).samples == [1, 0.5] && stereo.mixed(to: .mono).samples == [1, 0.5])
        #expect(sound.mixed(to: .firstOrderAmbisonics) == sound)
    }

    @Test("towards more channels nothing is invented")
    func unfold() {
        let stereo = Sound(presentationTime: .zero, sampleRate: 48_000, layout: .stereo, samples: [0.5, 0.25])
        let round = stereo.mixed(to: .firstOrderAmbisonics)
        #expect(round.samples == [0.75, 0.25, 0, 0])
        #expect(round.mixed(to: .stereo) == stereo)
        #expect(stereo.mixed(to: .mono).mixed(to: .stereo).samples == [0.375, 0.375])
    }

    @Test("silence has every sample of its stretch")
    func silence() {
        let sound = Sound.silence(48..<96, sampleRate: 48_000, layout: .stereo)
        #expect(sound.presentationTime == CMTime(value: 1, timescale: 1000) && sound.sampleCount == 48)
        #expect(sound.samples == [Float](repeating: 0, count: 96))
    }
}
