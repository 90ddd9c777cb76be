import CoreMedia
import CoreVideo
import Foundation

/// One picture on its way: what the source knows of it. Sharp everywhere; blur comes later.
public struct Frame: Sendable {
    /// 0 for the first frame of the source.
    public var index: Int
    public var presentationTime: CMTime
    /// `420v`, BT.709.
    public var image: CVPixelBuffer
    /// The right eye of a rectified pair, size and format of `image`.
    public var rightImage: CVPixelBuffer?
    /// Exact or recorded disparity; nil when it has to be estimated.
    public var disparity: DisparityMap?
    /// What the sensor was set to; nil when the source cannot tell.
    public var exposure: Exposure?
    /// Light on the scene as judged from the picture, lux on the scale of `Exposure.illuminance`; for sources without `exposure`.
    public var meteredIlluminance: Double?
    /// Whether the camera's flash fired in it.
    public var isFlashLit = false
    /// Everything that is really there, props included; nil for footage.
    public var truth: [Detection]?

    public init(
        index: Int, presentationTime: CMTime, image: CVPixelBuffer, rightImage: CVPixelBuffer? = nil, disparity: DisparityMap? = nil,
        exposure: Exposure? = nil, truth: [Detection]? = nil
    ) {
        self.index = index
        self.presentationTime = presentationTime
        self.image = image
        self.rightImage = rightImage
        self.disparity = disparity
        self.exposure = exposure
        self.truth = truth
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
