import CoreMedia
import Foundation
import Pipeline
import Synchronization

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
    /// That of the world's frames.
    public let pace: CMTime
    private let state: Mutex<World>

    public init(world: World) {
        state = Mutex(world)
        pace = world.frameDuration
        sampleCount =
            world.frameCount == .max ? nil : Sound.sample(at: world.presentationTime(of: world.frameCount), sampleRate: Self.rate)
    }

    /// Changes what moves, comes, goes and sounds in the stretches to come.
    package func change(_ body: (inout World) -> Void) { state.withLock { body(&$0) } }

    public func sound(of samples: Range<Int64>) -> Sound {
        var sound = Sound.silence(samples, sampleRate: Self.rate, layout: .firstOrderAmbisonics)
        let world = state.withLock { $0 }
        guard !samples.isEmpty, world.subjects.contains(where: { $0.voice != nil }) else { return sound }
        var mix = [Hearing](repeating: .zero, count: samples.count)
        for subject in world.subjects {
            if let voice = subject.voice {
                Self.add(subject, Oscillator(voice, seed: world.seed, name: subject.name), in: world, to: &mix, of: samples)
            }
        }
        for (index, heard) in mix.enumerated() {
            let clipped = heard.clamped(lowerBound: Hearing(repeating: -1), upperBound: Hearing(repeating: 1))
            for channel in 0..<4 { sound.samples[4 * index + channel] = clipped[channel] }
        }
        return sound
    }

    private static func add(_ subject: Subject, _ oscillator: Oscillator, in world: World, to mix: inout [Hearing], of samples: Range<Int64>) {
        var start = samples.lowerBound - remainder(samples.lowerBound)
        var before = world.hearing(of: subject, at: start / step * 5_000_000)
        while start < samples.upperBound {
            let after = world.hearing(of: subject, at: (start + step) / step * 5_000_000)
            if before != .zero || after != .zero {
                let change = (after - before) / Float(step)
                for number in max(start, samples.lowerBound)..<min(start + step, samples.upperBound) {
                    mix[Int(number - samples.lowerBound)] += oscillator.sample(number) * (before + change * Float(number - start))
                }
            }
            (start, before) = (start + step, after)
        }
    }

    /// How far behind the last look a sample is; a sample before zero too.
    private static func remainder(_ sample: Int64) -> Int64 { (sample % step + step) % step }
}
