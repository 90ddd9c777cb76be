import CoreMedia
import Foundation

/// Ambisonic encoding gains of one subject at one time: the factors of W, Y, Z and X.
typealias Hearing = SIMD4<Float>

extension World {
    /// Gains of a subject's voice at `time` nanoseconds: from the direction of its box, falling off with 1 / distance.
    ///
    /// The pinhole gives the direction, so no angle has to be computed. X is ahead, Y to the left, Z up; W takes all directions alike.
    func hearing(of subject: Subject, at time: Int64) -> Hearing {
        guard let voice = subject.voice, voice.span.contains(time), subject.isPresent(at: time) else { return .zero }
        let aspect = Double(width) / Double(height)
        let placement = subject.placement(at: time)
        let shift = camera.shift(at: time, seed: seed, aspect: aspect)
        let left = (0.5 - Double(placement.box.midX + shift.x)) * 36 / camera.focalLength
        let up = (0.5 - Double(placement.box.midY + shift.y)) * 36 / (camera.focalLength * aspect)
        let slant = (1 + left * left + up * up).squareRoot()
        let gain = Voice.gain(decibels: voice.level) / max(placement.depth * slant, StageSound.nearest)
        return Hearing(Float(gain), Float(gain * left / slant), Float(gain * up / slant), Float(gain / slant))
    }
}
