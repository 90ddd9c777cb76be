import CoreMedia
import CoreVideo
import Foundation

/// One picture on its way: what the source knows of it. Sharp everywhere; blur comes later.
///
/// It goes through many hands in every frame, so what it shows lies in one shared object that a change replaces.
public struct Frame: Sendable {
    /// 0 for the first frame of the source.
    public var index: Int
    public var presentationTime: CMTime
    /// When a camera hands it over, by the wall clock; nil where nobody waits for it.
    public var dueDate: Date?
    private var sight: Sight

    private final class Sight: Sendable {
        let content: Content
        init(_ content: Content) { self.content = content }
    }

    private struct Content {
        var image: CVPixelBuffer
        var rightImage: CVPixelBuffer?
        var disparity: DisparityMap?
        var exposure: Exposure?
        var meteredIlluminance: Double?
        var isFlashLit = false
        var truth: [Detection]?
    }

    public init(
        index: Int, presentationTime: CMTime, image: CVPixelBuffer, rightImage: CVPixelBuffer? = nil, disparity: DisparityMap? = nil,
        exposure: Exposure? = nil, isFlashLit: Bool = false, truth: [Detection]? = nil
    ) {
        self.index = index
        self.presentationTime = presentationTime
        sight = Sight(
            Content(image: image, rightImage: rightImage, disparity: disparity, exposure: exposure, isFlashLit: isFlashLit, truth: truth))
    }

    /// `420v`, BT.709.
    public var image: CVPixelBuffer {
        get { sight.content.image }
        set { change { $0.image = newValue } }
    }

    /// The right eye of a rectified pair, size and format of `image`.
    public var rightImage: CVPixelBuffer? {
        get { sight.content.rightImage }
        set { change { $0.rightImage = newValue } }
    }

    /// Exact or recorded disparity; nil when it has to be estimated.
    public var disparity: DisparityMap? {
        get { sight.content.disparity }
        set { change { $0.disparity = newValue } }
    }

    /// What the sensor was set to; nil when the source cannot tell.
    public var exposure: Exposure? { sight.content.exposure }

    /// Light on the scene as judged from the picture, lux on the scale of `Exposure.illuminance`; for sources without `exposure`.
    public var meteredIlluminance: Double? {
        get { sight.content.meteredIlluminance }
        set { change { $0.meteredIlluminance = newValue } }
    }

    /// Whether the camera's flash fired in it.
    public var isFlashLit: Bool { sight.content.isFlashLit }

    /// Everything that is really there, props included; nil for footage.
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

/// What the sensor was set to for one frame.
public struct Exposure: Sendable, Equatable {
    /// Shutter time in seconds, > 0.
    public var duration: Double
    /// Sensor gain as an ISO speed, > 0.
    public var iso: Double
    /// The real lens's f-number, > 0 (not the simulated one).
    public var fNumber: Double
    /// Picture brightness against the exposure aimed at: 1 = well exposed, < 1 = the sensor ran out of time and gain.
    public var level: Double

    public init(duration: Double, iso: Double, fNumber: Double, level: Double) {
        self.duration = duration
        self.iso = iso
        self.fNumber = fNumber
        self.level = level
    }

    /// Light on the scene in lux: 2.5 · 2^EV100 = 250 N² / (t · ISO), times how far the picture falls short.
    public var illuminance: Double { 250 * fNumber * fNumber / (duration * iso) * level }
}
