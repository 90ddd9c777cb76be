import Pipeline

/// The light on a moment: the room's, even everywhere, and the camera's lamp, which falls off with the square of the distance.
struct Lighting: Sendable, Equatable {
    /// Lux at one metre, of the torch at its brightest and of the flash.
    static let torch = 60.0
    static let flash = 600.0

    /// Lux everywhere.
    let room: Double
    /// Lux at one metre.
    let lamp: Double
    /// Lux on what exposure is measured at: the nearest subject, else the wall.
    let metered: Double
    /// Factors of red, green and blue light; the smallest is 1.
    let gains: SIMD3<Double>

    init(of moment: Moment, wallDepth: Double, settings: CameraSettings) {
        room = moment.isCovered ? 0 : moment.lux
        lamp = moment.isCovered ? 0 : min(max(settings.torch, 0), 1) * Self.torch + (settings.firesFlash ? Self.flash : 0)
        let depth = max(moment.actors.last?.depth ?? wallDepth, 0.1)
        metered = room + lamp / (depth * depth)
        gains = settings.gains / settings.gains.min()
    }

    /// Lux at a disparity (1/m).
    func lux(at disparity: Double) -> Double { room + lamp * disparity * disparity }
}
