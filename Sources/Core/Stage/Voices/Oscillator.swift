import CoreMedia
import Pipeline

/// Samples of one voice by number, before level, distance and direction: any of them, in any order.
struct Oscillator: Sendable {
    private let timbre: Voice.Timbre
    private let noise: HashStream
    /// Number of the first sample of a recording.
    private let first: Int64

    /// Creates the oscillator of a subject; `name` decorrelates its noise from another's.
    init(_ voice: Voice, seed: UInt64, name: String) {
        timbre = voice.timbre
        noise = HashStream(seed: seed, "sound of \(name)")
        first = Sound.sample(at: CMTime(value: voice.span.lowerBound, timescale: 1_000_000_000), sampleRate: StageSound.rate)
    }

    /// Sample `number`, −1…1.
    @inline(__always)
    func sample(_ number: Int64) -> Float {
        switch timbre {
        case .tone(let hertz):
            let cycles = Double(number) * hertz / Double(StageSound.rate)
            return Float(sine(degrees: 360 * (cycles - cycles.rounded(.down))))
        case .whiteNoise: return Float(noise.unit(Int(number)) * 2 - 1)
        case .pinkNoise: return pink(number)
        case .recording(let samples):
            let index = number - first
            return index >= 0 && index < samples.count ? samples[Int(index)] : 0
        }
    }

    /// Pink noise by Voss's method (Gardner 1978): sixteen noises, each changing half as often as the one before.
    private func pink(_ number: Int64) -> Float {
        var sum = 0.0
        for octave in 0..<16 { sum += noise.substream(octave).unit(Int(number >> Int64(octave))) * 2 - 1 }
        return Float(sum / 16)
    }
}
