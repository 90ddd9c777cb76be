/// What an app sets of a camera's sensor and lamp, for sources that make their pictures.
public struct CameraSettings: Sendable, Equatable {
    public enum Metering: Sendable, Equatable {
        /// As the light asks for, `bias` EV brighter; no longer than `longest` seconds, nil for as long as the sensor likes.
        case automatic(bias: Double, longest: Double?)
        /// Seconds and ISO speed, both > 0, whatever the light.
        case manual(duration: Double, iso: Double)
    }

    public var metering = Metering.automatic(bias: 0, longest: nil)
    /// Factors of red, green and blue light, > 0; all 1 shows white as white.
    public var gains = SIMD3(1.0, 1.0, 1.0)
    /// How bright the torch shines, 0…1.
    public var torch = 0.0
    /// Whether the flash fires in the next frame.
    public var firesFlash = false

    public init() {}
}

/// A source whose pictures follow what the app sets of the camera.
public protocol AdjustableSource: FrameSource {
    /// Holds from the next frame on.
    func adjust(_ settings: CameraSettings)
}
