import CoreVideo
import Foundation
import Pipeline

/// Judges the light on a scene from its picture, for footage whose sensor settings nobody wrote down.
///
/// Gain lifts the signal and the noise alike, so their ratio tells the light where brightness does not. A stop less light is about 3 dB less:
/// 30 dB is put at 20 lux and 33 dB at 40, where `FocusTuning` says that it grows too dark and bright again. A picture that is dark in its
/// brightest parts (95th percentile 48 and 64 of 255) counts alike, and a covered lens sees no light at all. Texture is no noise: it is as strong in
/// the picture at half its size, and it stands still where the camera does.
public struct LightMeter: Sendable {
    /// Creates a meter without history.
    public init() {}

    /// Lux, 0…100000; nil for a picture too small to tell. `before` is a picture up to some frames before, nil if there is none.
    public func illuminance(of picture: CVPixelBuffer, after before: CVPixelBuffer? = nil) throws -> Double? {
        guard CVPixelBufferGetPixelFormatType(picture) == kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange else {
            throw VisionError(code: .picture, operation: "metering light", underlying: "its format is not 420v")
        }
        guard picture.size.width >= 64, picture.size.height >= 64 else { return nil }
        let light = Light(of: picture, after: before)
        if light.isCovered { return 0 }
        let byLevel = 20 * exp2((light.p95 - 48) / 16)
        guard light.signalToNoise >= 0 else { return min(byLevel, 100_000) }
        return min(byLevel, 20 * exp2((light.signalToNoise - 30) / 3), 100_000)
    }
}

/// What one picture tells of the light; levels 0 (black) to 255 (white).
struct Light {
    var p95: Double
    var p99: Double
    /// dB; negative where it could not be judged.
    var signalToNoise: Double
    /// Median deviation inside small blocks.
    var texture: Double
    /// Bits of the histogram.
    var entropy: Double
    /// Mean of Cr − 128.
    var redness: Double

    /// By a cap, which is black, or by a finger, which is one soft red.
    var isCovered: Bool { texture < 2 && (p99 < 24 || (entropy < 4.6 && redness > 12)) }
}
