import CoreMedia
import CoreVideo
import Foundation

/// Frame on its way through the pipeline: a sharp picture and its source's data. Blur comes later.
///
/// Every stage copies it, so its contents lie in one shared immutable object, which a change replaces (copy on write).
public struct Frame: Sendable {
    /// Index in its source, 0 for the first frame.
    public var index: Int
    /// Presentation timestamp (PTS) on the source's clock, an exact fraction; the first frame of a file is at zero.
    public var presentationTime: CMTime
    /// Wall-clock time at which a camera hands it over; nil where nothing waits for it.
    public var dueDate: Date?
    /// Number of the shot of edited footage, from 0; nil where no cuts are looked for. Nobody and nothing passes from one shot to the next.
    public var shot: Int?
    private var sight: Sight

    private final class Sight: Sendable {
        let content: Content
        init(_ content: Content) { self.content = content }
    }

    private struct Content {
        var image: CVPixelBuffer
        var original: CVPixelBuffer?
        var rightImage: CVPixelBuffer?
        var disparity: DisparityMap?
        var exposure: Exposure?
        var gains: SIMD3<Double>?
        var meteredIlluminance: Double?
        var isFlashLit = false
        var bracket: Int64?
        var degradation = Degradation.none
        var truth: [Detection]?
    }

    /// Creates a frame; all but index, time and picture may be unknown.
    public init(
        index: Int, presentationTime: CMTime, image: CVPixelBuffer, rightImage: CVPixelBuffer? = nil, disparity: DisparityMap? = nil,
        exposure: Exposure? = nil, gains: SIMD3<Double>? = nil, isFlashLit: Bool = false, truth: [Detection]? = nil
    ) {
        self.index = index
        self.presentationTime = presentationTime
        sight = Sight(
            Content(
                image: image, rightImage: rightImage, disparity: disparity, exposure: exposure, gains: gains, isFlashLit: isFlashLit, truth: truth))
    }

    /// Picture of the (left) camera: `420v`, BT.709 video range.
    public var image: CVPixelBuffer {
        get { sight.content.image }
        set { change { $0.image = newValue } }
    }

    /// The same picture in the footage's own coding (`420v`, `420f` or `x420`, its colours as attachments); nil where that is `image`'s.
    public var original: CVPixelBuffer? {
        get { sight.content.original }
        set { change { $0.original = newValue } }
    }

    /// Picture for the lens and the movie: `original`, else `image`.
    public var picture: CVPixelBuffer { sight.content.original ?? sight.content.image }

    /// Right picture of a rectified stereo pair, size and format of `image`; nil for one camera.
    public var rightImage: CVPixelBuffer? {
        get { sight.content.rightImage }
        set { change { $0.rightImage = newValue } }
    }

    /// Exact or recorded disparity; nil when it has to be estimated.
    public var disparity: DisparityMap? {
        get { sight.content.disparity }
        set { change { $0.disparity = newValue } }
    }

    /// Exposure of the sensor; nil when the source does not report it.
    public var exposure: Exposure? { sight.content.exposure }

    /// White-balance gains by which the picture's light was multiplied, red, green and blue; nil where the source does not tell, or has none.
    public var gains: SIMD3<Double>? { sight.content.gains }

    /// Light on the scene as judged from the picture, lux on the scale of `Exposure.illuminance`; for sources without `exposure`.
    public var meteredIlluminance: Double? {
        get { sight.content.meteredIlluminance }
        set { change { $0.meteredIlluminance = newValue } }
    }

    /// Light on the scene in lux, by the exposure where the source reports it, else by the picture; nil where neither tells.
    package var illuminance: Double? { exposure?.illuminance ?? meteredIlluminance }

    /// Whether the camera's flash fired in it.
    public var isFlashLit: Bool { sight.content.isFlashLit }

    /// Number of the bracketed capture that the source was exposed for; nil for a frame of the plain stream.
    public var bracket: Int64? {
        get { sight.content.bracket }
        set { change { $0.bracket = newValue } }
    }

    /// Work left out around it by a live capture that the machine is too slow for.
    public var degradation: Degradation {
        get { sight.content.degradation }
        set { change { $0.degradation = newValue } }
    }

    /// Ground truth of a synthetic world: every visible object, props included; nil for footage.
    public var truth: [Detection]? {
        get { sight.content.truth }
        set { change { $0.truth = newValue } }
    }

    private mutating func change(_ body: (inout Content) -> Void) {
        var content = sight.content
        body(&content)
        sight = Sight(content)
    }
}

/// Exposure settings of one frame, and the brightness they led to.
public struct Exposure: Sendable, Equatable {
    /// Shutter time in seconds, > 0.
    public var duration: Double
    /// Sensor gain as an ISO speed, > 0.
    public var iso: Double
    /// The real lens's f-number, > 0 (not the simulated one).
    public var fNumber: Double
    /// Picture brightness against the exposure aimed at: 1 = well exposed, < 1 = the sensor ran out of time and gain.
    public var level: Double

    /// Creates exposure settings; seconds, ISO speed, f-number and level, all ≥ 0.
    public init(duration: Double, iso: Double, fNumber: Double, level: Double) {
        self.duration = duration
        self.iso = iso
        self.fNumber = fNumber
        self.level = level
    }

    /// Illuminance of the scene in lux: 2.5 · 2^EV100 = 250 N² / (t · ISO), times `level`, the share of it that was reached.
    public var illuminance: Double { 250 * fNumber * fNumber / (duration * iso) * level }

    /// Properties under EXIF's names: the settings, and in APEX units (EXIF 2.32, annex C) the settings and the scene's brightness, which is 0 at 80 lux
    /// and -10 where there is no light.
    package var exif: [String: Any] {
        [
            "ExposureTime": duration, "ISOSpeedRatings": [Int(iso.rounded())], "FNumber": fNumber, "ShutterSpeedValue": -log2(duration),
            "ApertureValue": 2 * log2(fNumber), "BrightnessValue": max(log2(illuminance / 80), -10),
        ]
    }
}
