import CoreMedia
import Foundation
import Pipeline
import Synchronization

/// Microphone in a synthetic world: its subjects' voices from their directions, in first-order ambisonics at 48 kHz.
///
///     let sound = StageSound(world: world).sound(of: 0..<1600).mixed(to: .stereo)
///
/// Every sample follows from its number alone, so buffers may be cut anywhere. The direction of a subject is computed every 5 ms and interpolated, so
/// nothing clicks when it moves, comes or goes. Samples beyond full scale are clipped.
public final class StageSound: SoundSource {
    static let rate = 48_000
    /// Distance in metres within which a voice gets no louder.
    static let nearest = 0.1
    /// Samples between two computed directions, 5 ms.
    private static let step: Int64 = 240

    /// 48 000 samples per second.
    public var sampleRate: Int { Self.rate }
    /// Samples until the world's last frame ends; nil without an end.
    public let sampleCount: Int64?
    /// Length of a buffer: one frame of the world.
    public let pace: CMTime
    /// Sample at the begin of the frame that comes next.
    public var now: Int64 { state.withLock { Sound.sample(at: $0.world.presentationTime(of: $0.frame), sampleRate: Self.rate) } }
    private let state: Mutex<(world: World, frame: Int)>

    /// Creates the microphone of a world; `firstFrame` is the frame that comes next.
    public init(world: World, firstFrame: Int = 0) {
        state = Mutex((world, firstFrame))
        pace = world.frameDuration
        sampleCount =
            world.frameCount == .max ? nil : Sound.sample(at: world.presentationTime(of: world.frameCount), sampleRate: Self.rate)
    }

    /// Edits the world for the buffers to come.
    package func change(_ body: (inout World) -> Void) { state.withLock { body(&$0.world) } }

    /// Passes over time up to a frame.
    package func skip(to frame: Int) { state.withLock { $0.frame = frame } }

    /// First-order ambisonics of a range of samples; silence where no subject has a voice.
    public func sound(of samples: Range<Int64>) -> Sound {
        var sound = Sound.silence(samples, sampleRate: Self.rate, layout: .firstOrderAmbisonics)
        let world = state.withLock { $0.world }
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

    /// Distance of a sample from the last computed direction, 0 ..< `step`; for samples before zero as well.
    private static func remainder(_ sample: Int64) -> Int64 { (sample % step + step) % step }
}
