import CoreVideo
import Foundation
import Pipeline

/// Fills the holes of a recorded depth map: what the sensor did not see continues the farther of what surrounds it, along the picture's edges.
public struct DepthCompleter: Sendable {
    public init() {}

    /// `frame` with a map without holes, which are the values 0; what was filled in has no confidence. Unchanged when nothing is missing.
    public func complete(_ frame: Frame) throws -> Frame {
        guard let map = frame.disparity else { return frame }
        var (values, trust) = ([Float](repeating: 0, count: map.width * map.height), [Float](repeating: 0, count: map.width * map.height))
        let confidence = CVPixelBuffer(width: map.width, height: map.height, pixelFormat: kCVPixelFormatType_OneComponent8)
        for y in 0..<map.height {
            let (row, known) = (map.row(y), confidence.plane(0).row(y, as: UInt8.self))
            for x in 0..<map.width {
                let isKnown = row[x] > 0 && row[x].isFinite
                if isKnown { (values[y * map.width + x], trust[y * map.width + x]) = (row[x], 1) }
                known[x] = isKnown ? 255 : 0
            }
        }
        guard trust.contains(0) else { return frame }
        let guide = try Raster(lumaOf: frame.image, width: map.width, height: map.height)
        try completeDepth(&values, trust: trust, along: guide)
        var frame = frame
        frame.disparity = DisparityMap(values, width: map.width, height: map.height, confidence: confidence, isMetric: map.isMetric)
        return frame
    }
}
