import CoreMedia
import Foundation
import Pipeline

/// Exposure model of a phone's sensor behind an f/1.6 lens.
struct VirtualSensor: Sendable {
    static let fNumber = 1.6
    static let isoRange = 50.0...3200.0
    static let shortest = 1.0 / 10_000

    /// Longest shutter time in seconds.
    let longest: Double

    init(world: World) { longest = min(world.frameDuration.seconds, 1.0 / 30) }

    /// Exposure for an illuminance in lux: manual, or time first, then gain, then the picture goes dark (or, in glaring light, white).
    func exposure(lux: Double, metering: CameraSettings.Metering = .automatic(bias: 0, longest: nil)) -> Exposure {
        let right = 250 * Self.fNumber * Self.fNumber / max(lux, 1e-6)
        func made(_ duration: Double, _ iso: Double) -> Exposure {
            Exposure(duration: duration, iso: iso, fNumber: Self.fNumber, level: lux <= 0 ? 0 : duration * iso / right)
        }
        let (bias, limit): (Double, Double?)
        switch metering {
        case .manual(let duration, let iso): return made(duration, iso)
        case .automatic(let wish, let longest): (bias, limit) = (wish, longest)
        }
        let needed = bias == 0 ? right : right * exp2(bias)
        let longest = min(longest, max(limit ?? longest, Self.shortest))
        let duration = min(max(needed / Self.isoRange.lowerBound, Self.shortest), longest)
        let iso = min(max(needed / duration, Self.isoRange.lowerBound), Self.isoRange.upperBound)
        return made(duration, iso)
    }
}
