import CoreMedia

/// Sensor and lamp settings of a camera, for sources that make their pictures.
public struct CameraSettings: Sendable, Equatable {
    /// Exposure mode: automatic with a bias, or fixed by hand.
    public enum Metering: Sendable, Equatable {
        /// Exposure that meets the light, `bias` EV brighter; no longer than `longest` seconds, nil for as long as the sensor likes.
        case automatic(bias: Double, longest: Double?)
        /// Shutter time in seconds and ISO speed, both > 0, whatever the light.
        case manual(duration: Double, iso: Double)
    }

    /// Exposure mode; automatic without bias or limit unless set.
    public var metering = Metering.automatic(bias: 0, longest: nil)
    /// White-balance gains: factors of red, green and blue light, > 0; all 1 shows white as white.
    public var gains = SIMD3(1.0, 1.0, 1.0)
    /// Colour temperature in kelvin of the light that `gains` make white, for sensors that are told that instead; nil for gains of 1.
    public var temperature: Double?
    /// Whether white balance stays as it is, with `gains`; else it follows the light.
    public var isWhiteBalanceHeld = false
    /// Position of the physical lens, 0 (nearest) to 1 (farthest); nil while it focuses by itself.
    public var lensPosition: Double?
    /// Factor by which the camera's own lens is to zoom, 1 for the widest view; pictures that are cropped afterwards have 1.
    public var zoom = 1.0
    /// Torch level, 0 (off) to 1 (brightest).
    public var torch = 0.0
    /// Whether the flash fires in the next frame.
    public var firesFlash = false

    /// Duration of a frame as the camera is set, for sources that give times to their pictures; nil for a picture that is to come at the source's own time.
    public var frameDuration: CMTime?

    /// Settings of an untouched camera: automatic exposure, neutral gains, torch and flash off.
    public init() {}
}

/// Frame source whose pictures follow the camera's settings.
public protocol AdjustableSource: FrameSource {
    /// Applies settings from the next frame on, until they are replaced.
    func adjust(_ settings: CameraSettings)
}
