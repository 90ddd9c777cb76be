import CoreMedia
import Foundation
import Pipeline

/// The sensor behind a phone's f/1.6 lens: how it exposes for a given light.
struct VirtualSensor: Sendable {
    static let fNumber = 1.6
    static let isoRange = 50.0...3200.0
    static let shortest = 1.0 / 10_000

    /// The longest shutter time in seconds.
    let longest: Double

    init(world: World) { longest = min(world.frameDuration.seconds, 1.0 / 30) }

    /// Time first, then gain, then the picture goes dark (or, in glaring light, white).
    func exposure(lux: Double) -> Exposure {
        let needed = 250 * Self.fNumber * Self.fNumber / max(lux, 1e-6)
        let duration = min(max(needed / Self.isoRange.lowerBound, Self.shortest), longest)
        let iso = min(max(needed / duration, Self.isoRange.lowerBound), Self.isoRange.upperBound)
        return Exposure(duration: duration, iso: iso, fNumber: Self.fNumber, level: lux <= 0 ? 0 : duration * iso / needed)
    }
}
