import CoreMedia
import Foundation
import Pipeline

/// The microphone in a synthetic world: its subjects' voices from where they are, in first-order ambisonics at 48 kHz.
///
///     let sound = StageSound(world: world).sound(of: 0..<1600).mixed(to: .stereo)
///
/// Every sample follows from its number alone, so stretches may be cut anywhere. Where a subject is heard from is looked up every 5 ms
/// and followed in between, so nothing clicks when it moves, comes or goes. What would be louder than full scale is clipped.
public final class StageSound: SoundSource {
    static let rate = 48_000
    /// Metres; nothing gets louder by coming nearer.
    static let nearest = 0.1
    /// Samples between two looks at where subjects are, 5 ms.
    private static let step: Int64 = 240

    public var sampleRate: Int { Self.rate }
    public let sampleCount: Int64?
    private let world: World
    private let voices: [(subject: Subject, oscillator: Oscillator)]

    public init(world: World) {
        self.world = world
        sampleCount = Sound.firstSample(at: world.presentationTime(of: world.frameCount), sampleRate: Self.rate)
        voices = world.subjects.compactMap { subject in
            subject.voice.map { (subject, Oscillator($0, seed: world.seed, name: subject.name)) }
        }
    }

    /// The first sample at or after `time` nanoseconds.
    static func firstSample(at time: Int64) -> Int64 {
        Int64((Int128(time) * Int128(rate) + 999_999_999) / 1_000_000_000)
    }

    public func sound(of samples: Range<Int64>) -> Sound {
        var sound = Sound.silence(samples, sampleRate: Self.rate, layout: .firstOrderAmbisonics)
        guard !voices.isEmpty, !samples.isEmpty else { return sound }
        var mix = [Hearing](repeating: .zero, count: samples.count)
        for (subject, oscillator) in voices { add(subject, oscillator, to: &mix, of: samples) }
        for (index, heard) in mix.enumerated() {
            let clipped = heard.clamped(lowerBound: Hearing(repeating: -1), upperBound: Hearing(repeating: 1))
            for channel in 0..<4 { sound.samples[4 * index + channel] = clipped[channel] }
        }
        return sound
    }

    private func add(_ subject: Subject, _ oscillator: Oscillator, to mix: inout [Hearing], of samples: Range<Int64>) {
        var start = samples.lowerBound - Self.remainder(samples.lowerBound)
        var before = hearing(subject, at: start)
        while start < samples.upperBound {
            let after = hearing(subject, at: start + Self.step)
            if before != .zero || after != .zero {
                let change = (after - before) / Float(Self.step)
                for number in max(start, samples.lowerBound)..<min(start + Self.step, samples.upperBound) {
                    mix[Int(number - samples.lowerBound)] += oscillator.sample(number) * (before + change * Float(number - start))
                }
            }
            (start, before) = (start + Self.step, after)
        }
    }

    private func hearing(_ subject: Subject, at sample: Int64) -> Hearing {
        world.hearing(of: subject, at: sample / Self.step * 5_000_000)
    }

    /// How far behind the last look a sample is; a sample before zero too.
    private static func remainder(_ sample: Int64) -> Int64 { (sample % step + step) % step }
}
