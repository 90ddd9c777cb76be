import CoreMedia
import Foundation
import Pipeline

/// Mixer of first-order ambisonics by `SpatialMix`, in overlapping blocks of 21 ms whose spectra are weighted.
///
/// In each frequency of a block the intensity I = Re(W* · (X, Y, Z)) and the energy E = (|W|² + |X|² + |Y|² + |Z|²) / 2 are averaged over about 50 ms; then
/// the direction is that of I and the diffuseness is 1 − |I| / E (V. Pulkki, J. Audio Eng. Soc. 55, 2007).
final class SpatialMixer: SoundConverter {
    private let mix: SpatialMix
    private let sampleRate: Int
    private let transform: RealTransform
    /// Root of a Hann window, before and after the transform.
    private let window: [Float]
    /// Factor of what was, in an average.
    private let memory: Float
    /// Intensity (x, y, z) and energy (w) of each bin, averaged.
    private var averages: [SIMD4<Float>]
    private var stretch: Stretch?

    /// Sound without gaps that is being mixed.
    private struct Stretch {
        /// Time of the next sample that goes out.
        var time: CMTime
        /// Samples that came in and have not gone out.
        var held = 0
        /// Samples of the next block and those behind them, of each channel.
        var pending: [[Float]]
        /// Second half of the block before, of each channel; nil before the first.
        var overlap: [[Float]]?
    }

    /// - Parameter path: of the movie, for errors.
    init(_ mix: SpatialMix, sampleRate: Int, path: String) throws(MediaError) {
        (self.mix, self.sampleRate) = (mix, sampleRate)
        var size = 256
        while size * 60 < sampleRate { size *= 2 }
        transform = try RealTransform(size: size, path: path)
        window = (0..<size).map { sin(.pi * (Float($0) + 0.5) / Float(size)) }
        memory = exp(-Float(size / 2) / (0.05 * Float(sampleRate)))
        averages = Array(repeating: .zero, count: size / 2 + 1)
    }

    /// Mixes sound that follows the one before. What is no ambisonics passes as it is.
    func convert(_ sound: Sound) -> [Sound] {
        guard sound.layout == .firstOrderAmbisonics, sound.sampleRate == sampleRate else { return finish() + [sound] }
        var mixed: [Sound] = []
        if let stretch {
            let end = stretch.time + Sound.time(of: Int64(stretch.held), sampleRate: sampleRate)
            if CMTimeAbsoluteValue(sound.presentationTime - end).seconds * Double(sampleRate) >= 1 { mixed += finish() }
        }
        var now = stretch ?? Stretch(time: sound.presentationTime, pending: Array(repeating: Array(repeating: 0, count: half), count: 4))
        for channel in 0..<4 { now.pending[channel] += (0..<sound.sampleCount).map { sound.samples[4 * $0 + channel] } }
        now.held += sound.sampleCount
        mixed += blocks(of: &now)
        stretch = now
        return mixed
    }

    /// Returns what is held back, and begins anew.
    func finish() -> [Sound] {
        guard var last = stretch else { return [] }
        for channel in 0..<4 { last.pending[channel] += Array(repeating: 0, count: transform.size) }
        for index in averages.indices { averages[index] = .zero }
        stretch = nil
        return blocks(of: &last)
    }

    private var half: Int { transform.size / 2 }

    /// Mixes the blocks that are whole: half a block of sound for each but the first of a stretch.
    private func blocks(of stretch: inout Stretch) -> [Sound] {
        let start = stretch.time
        var samples: [Float] = []
        while stretch.pending[0].count >= transform.size {
            let block = mixed(stretch.pending.map { $0.prefix(transform.size) })
            for channel in 0..<4 { stretch.pending[channel].removeFirst(half) }
            if let overlap = stretch.overlap {
                let count = min(half, stretch.held)
                for index in 0..<count { for channel in 0..<4 { samples.append(overlap[channel][index] + block[channel][index]) } }
                stretch.held -= count
            }
            stretch.overlap = block.map { Array($0[half...]) }
        }
        guard !samples.isEmpty else { return [] }
        let sound = Sound(presentationTime: start, sampleRate: sampleRate, layout: .firstOrderAmbisonics, samples: samples)
        stretch.time = start + sound.duration
        return [sound]
    }

    /// A block of each channel mixed, windowed twice.
    private func mixed(_ block: [ArraySlice<Float>]) -> [[Float]] {
        var spectra = block.map { channel in transform.spectrum(of: zip(channel, window).map { $0 * $1 }) }
        let (inner, outer) = mix.foregroundCosines
        for bin in averages.indices {
            let (w, x, y, z) = (spectra[0][bin], spectra[3][bin], spectra[1][bin], spectra[2][bin])
            func product(_ other: SIMD2<Float>) -> Float { (w * other).sum() }
            let energy = ((w * w).sum() + (x * x).sum() + (y * y).sum() + (z * z).sum()) / 2
            averages[bin] = averages[bin] * memory + SIMD4(product(x), product(y), product(z), energy) * (1 - memory)
            let average = averages[bin]
            let length = (average.x * average.x + average.y * average.y + average.z * average.z).squareRoot()
            guard average.w > 0, length > 0 else {
                weigh(&spectra, bin, 0)
                continue
            }
            let directness = min(length / average.w, 1)
            let ahead = min(max((average.x / length - outer) / (inner - outer), 0), 1)
            weigh(&spectra, bin, directness * ahead * ahead * (3 - 2 * ahead))
        }
        return spectra.map { spectrum in zip(transform.samples(of: spectrum), window).map { $0 * $1 } }
    }

    /// Mixes one bin, of which a share is foreground.
    private func weigh(_ spectra: inout [[SIMD2<Float>]], _ bin: Int, _ share: Float) {
        let (w, intensity, level) = (spectra[0][bin], mix.intensity, mix.backgroundLevel)
        for channel in 0..<4 {
            let recorded = spectra[channel][bin]
            switch mix.part {
            case .foreground: spectra[channel][bin] = recorded * share
            case .background: spectra[channel][bin] = recorded * (1 - share)
            case .whole:
                // Straight ahead, W and X are the same and Y and Z are silent.
                let centered = channel == 0 || channel == 3 ? w : .zero
                let foreground = (mix.style == .cinematic ? centered : recorded) * share
                let mixed = foreground + recorded * (level * (1 - share))
                spectra[channel][bin] = recorded + (mixed - recorded) * intensity
            }
        }
    }
}
