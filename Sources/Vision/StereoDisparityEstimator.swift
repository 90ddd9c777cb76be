import CoreVideo
import Foundation
import Pipeline
import Synchronization

/// Measures disparity from a rectified pair: `frame.image` is the left eye, `frame.rightImage` the right.
///
/// A match that is n pixels apart in a picture w pixels wide becomes `scale · n/w + offset`. With the pair's geometry known the unit is 1/m;
/// `scale` is then 1 / (focal length in picture widths · baseline in metres).
public final class StereoDisparityEstimator: DisparityEstimator {
    public struct Parameters: Sendable, Equatable {
        /// What is made of a shift of one picture width. Default: an assumed pair of 26 mm lenses (full-frame equivalent), 65 mm apart.
        public var scale = 1 / (26.0 / 36 * 0.065)
        /// Added after scaling, 1/m; for pairs whose zero parallax is not at infinity.
        public var offset = 0.0
        /// The largest shift searched, as a fraction of the picture's width.
        public var range = 0.15
        /// The widest picture that is matched and the widest map that is made, pixels.
        public var matchWidth = 640
        public var mapWidth = 960
        /// Share of the previous frame kept where picture and disparity stay the same, 0…1; 0 for stills.
        public var persistence = 0.5

        public init() {}

        /// Geometry that is known: focal length in picture widths (26 mm equivalent is 26/36), baseline in metres.
        public init(focalLength: Double, baseline: Double) {
            scale = 1 / (focalLength * baseline)
        }
    }

    public let parameters: Parameters
    private let state: Mutex<State>

    /// Everything kept between frames.
    private struct State {
        var matcher: StereoMatcher?
        var memory = StereoMemory()
    }

    public init(parameters: Parameters = Parameters()) {
        self.parameters = parameters
        state = Mutex(State())
    }

    public func disparity(of frame: Frame) throws -> DisparityMap {
        guard let right = frame.rightImage else {
            throw VisionError(code: .picture, operation: "matching a stereo pair", underlying: "frame \(frame.index) has no right eye")
        }
        guard CVPixelBufferGetWidth(right) == CVPixelBufferGetWidth(frame.image), CVPixelBufferGetHeight(right) == CVPixelBufferGetHeight(frame.image)
        else {
            throw VisionError(
                code: .picture, operation: "matching a stereo pair",
                underlying: "the left eye is \(CVPixelBufferGetWidth(frame.image))x\(CVPixelBufferGetHeight(frame.image)), "
                    + "the right eye \(CVPixelBufferGetWidth(right))x\(CVPixelBufferGetHeight(right))")
        }
        let left = try luma(frame.image, width: parameters.matchWidth)
        let other = try luma(right, width: parameters.matchWidth)
        let guide = try luma(frame.image, width: parameters.mapWidth)
        return try state.withLock { try measure(left, other, guide, &$0) }
    }

    private func measure(_ left: Raster, _ right: Raster, _ guide: Raster, _ state: inout State) throws(VisionError) -> DisparityMap {
        let range = max(16, (Int((parameters.range * Double(left.width)).rounded()) + 15) / 16 * 16)
        if state.matcher?.range != range { state.matcher = try StereoMatcher(range: range) }
        var matched = [Float](repeating: -1, count: left.width * left.height)
        try state.matcher!.match(left, right, into: &matched)
        if parameters.persistence > 0 { state.memory.steady(&matched, luma: left, keep: Float(parameters.persistence)) }
        var field = StereoField(values: matched, width: left.width, height: left.height)
        field.closeHoles()
        let filled = try edgeAwareFill(
            field.values, weights: field.weights, width: left.width, height: left.height, guide: guide, lambda: 120, sigma: 4)
        return map(filled, width: guide.width, height: guide.height, matchWidth: left.width)
    }

    private func map(_ pixels: [Float], width: Int, height: Int, matchWidth: Int) -> DisparityMap {
        let map = DisparityMap(buffer: CVPixelBuffer(width: width, height: height, pixelFormat: kCVPixelFormatType_DisparityFloat32))
        let (factor, offset) = (Float(parameters.scale / Double(matchWidth)), Float(parameters.offset))
        for y in 0..<height {
            let row = map.row(y)
            for x in 0..<width { row[x] = max(pixels[y * width + x] * factor + offset, 0) }
        }
        return map
    }

    /// The luma at no more than `width`, the same aspect.
    private func luma(_ buffer: CVPixelBuffer, width limit: Int) throws(VisionError) -> Raster {
        guard CVPixelBufferGetPixelFormatType(buffer) == kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange else {
            throw VisionError(code: .picture, operation: "matching a stereo pair", underlying: "its format is not 420v")
        }
        let (w, h) = (CVPixelBufferGetWidth(buffer), CVPixelBufferGetHeight(buffer))
        let width = min(limit, w)
        let result = Raster(width: width, height: max(1, Int((Double(h) * Double(width) / Double(w)).rounded())))
        try result.fill(reducing: buffer.plane(0).image(width: w, height: h, channels: 1))
        return result
    }
}
