import Pipeline

/// Light on a moment: the room's, even everywhere, and the camera's torch or flash, which falls off with the square of the distance.
struct Lighting: Sendable, Equatable {
    /// Torch at its brightest, lux at one metre.
    static let torch = 60.0
    /// Flash, lux at one metre.
    static let flash = 600.0

    /// Ambient light, lux everywhere.
    let room: Double
    /// Torch and flash together, lux at one metre.
    let lamp: Double
    /// Lux at the metered surface: the nearest subject, else the wall.
    let metered: Double
    /// White-balance gains: factors of red, green and blue light; the smallest is 1.
    let gains: SIMD3<Double>

    init(of moment: Moment, wallDepth: Double, settings: CameraSettings) {
        room = moment.isCovered ? 0 : moment.lux
        lamp = moment.isCovered ? 0 : min(max(settings.torch, 0), 1) * Self.torch + (settings.firesFlash ? Self.flash : 0)
        let depth = max(moment.actors.last?.depth ?? wallDepth, 0.1)
        metered = room + lamp / (depth * depth)
        gains = settings.gains / settings.gains.min()
    }

    /// Illuminance in lux at a disparity (1/m).
    func lux(at disparity: Double) -> Double { room + lamp * disparity * disparity }
}
