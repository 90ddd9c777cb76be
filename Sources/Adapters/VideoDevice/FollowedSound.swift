import CoreMedia
import Foundation
import Pipeline

/// Sound of a card whose clock drifts, resampled to the clock of a camera's frames.
struct FollowedSound {
    private let sampleRate: Int
    private let layout: Sound.Layout
    private var clock: SoundClock
    private var resampler: DriftResampler

    init(sampleRate: Int, layout: Sound.Layout) {
        (self.sampleRate, self.layout) = (sampleRate, layout)
        clock = SoundClock(sampleRate: sampleRate)
        resampler = DriftResampler(channels: layout.channelCount, capacity: 4 * sampleRate)
    }

    /// Appends a block of samples whose last one was captured at `time`, monotonic nanoseconds.
    mutating func append(_ samples: UnsafeBufferPointer<Float>, until time: Int64) {
        resampler.append(samples)
        clock.note(samples: samples.count / layout.channelCount, until: time)
    }

    /// Whether everything before a sample of the frames' clock has come; that clock begins at `zero`, monotonic nanoseconds.
    func hasAll(before sample: Int64, zero: Int64) -> Bool {
        position(of: sample, zero).map { $0 + Double(DriftResampler.taps) <= Double(resampler.count) } ?? false
    }

    /// Sound of a range on the clock of the frames; what is missing is silence.
    mutating func sound(of samples: Range<Int64>, zero: Int64) -> Sound {
        var sound = Sound.silence(samples, sampleRate: sampleRate, layout: layout)
        guard let begin = position(of: samples.lowerBound, zero), let end = position(of: samples.upperBound, zero) else { return sound }
        sound.samples = resampler.block(of: samples.count, from: begin, to: end, tolerance: 0.02 * Double(sampleRate))
        return sound
    }

    private func position(of sample: Int64, _ zero: Int64) -> Double? {
        clock.position(at: Double(zero) + Double(sample) * 1e9 / Double(sampleRate))
    }
}
