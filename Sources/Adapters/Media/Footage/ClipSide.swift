import CoreMedia
import Pipeline

/// One clip of a pair, as far as it is known before its first frame.
struct ClipSide {
    /// Name for messages: the path.
    var path: String
    let description: SourceDescription
    /// Number of frames; nil unless it is certain.
    let exactCount: Int?
    /// Time from the first frame to the end; nil unless it is certain.
    let length: CMTime?
    /// Whether the frames come unevenly, so that the rate is an average.
    let isRateVariable: Bool

    init(_ reader: ClipReader, _ description: SourceDescription) {
        (path, self.description, isRateVariable) = (reader.path, description, reader.isRateVariable)
        exactCount = reader.isCountExact ? reader.frameCount : nil
        length = reader.duration ?? exactCount.map { CMTimeMultiply(reader.frameDuration, multiplier: Int32(clamping: $0)) }
    }
}

extension SourceDescription {
    /// Half of a frame's duration, within which frames of two clips belong together.
    var halfFrame: CMTime { CMTimeMultiplyByRatio(frameDuration, multiplier: 1, divisor: 2) }
}
