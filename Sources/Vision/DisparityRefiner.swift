import CoreVideo
import Foundation
import Pipeline
import Synchronization

/// Makes measured disparity fit for a lens, whoever measured it: a stereo pair, a depth camera, a recording. Frames come in order.
///
/// - **Steadied**: where the picture stands still, values are averaged over time, another surface has to insist, and what is given out does not
///   stir until the average has moved by more than the noise, which is measured from the map itself. What is in focus stays so.
/// - **Filled**: what was not measured continues the farther of what surrounds it, along the picture's edges, and has no confidence.
/// - **Smoothed** along the picture's edges, what was measured by no more than its noise.
/// - **Sharpened**: near a jump of disparity each pixel is on that side which looks like it, and none is between.
/// - **Enlarged** to the picture in the same way: a lens that interpolates a small map finds every depth between near and far along their edge.
///
/// A map with neither holes nor noise was drawn, not measured: it is enlarged at most.
public final class DisparityRefiner: Sendable {
    /// The widest map that is made, pixels; one that is wider already is as wide afterwards.
    public let width: Int
    private let persistence: Double
    private let refiner = Mutex(Refiner?.none)

    /// `persistence` is the most that is kept of earlier frames where the picture stands still, 0…1; 0 for stills.
    public init(width: Int = 1920, persistence: Double = 0.8) { (self.width, self.persistence) = (width, persistence) }

    /// `map` of `picture` (`420v`), as large as it is or `width` wide. What `map` has no confidence in is a hole, and so is what is no number.
    public func refine(_ map: DisparityMap, of picture: CVPixelBuffer) throws -> DisparityMap {
        try refine(map, of: picture, luma: Raster(lumaOf: picture, width: map.width, height: map.height))
    }

    /// `luma` is the picture's at the map's size.
    func refine(_ map: DisparityMap, of picture: CVPixelBuffer, luma: Raster) throws(VisionError) -> DisparityMap {
        let measured = map.measured
        var (values, trust) = measured
        try refiner.withLock { refiner throws(VisionError) in
            if refiner == nil { refiner = try Refiner(keep: persistence) }
            try refiner!.refine(&values, trust: &trust, along: luma)
        }
        let size = picture.size
        let target = (width: min(width, size.width), height: Int((Double(size.height * min(width, size.width)) / Double(size.width)).rounded()))
        let isSmall = map.width < target.width && map.height < target.height
        guard isSmall || values != measured.values || trust.contains(0) else { return map }
        let confidence = trust.contains(0) ? CVPixelBuffer(confidence: trust, width: map.width, height: map.height) : nil
        guard isSmall else { return DisparityMap(values, width: map.width, height: map.height, confidence: confidence, isMetric: map.isMetric) }
        let guide = try Raster(lumaOf: picture, width: target.width, height: target.height)
        return DisparityMap(
            try enlarge(values, of: luma, along: guide), width: target.width, height: target.height, confidence: confidence, isMetric: map.isMetric)
    }
}

extension DisparityMap {
    /// Row after row: the values, 0 for what is none, and whether they were measured (1, else 0).
    fileprivate var measured: (values: [Float], trust: [Float]) {
        var values = values
        var trust = [Float](repeating: 1, count: values.count)
        for y in 0..<height {
            let sure = confidence.map { $0.plane(0).row(y * $0.size.height / height, as: UInt8.self) }
            for x in 0..<width {
                let at = y * width + x
                if let sure, sure[x * confidence!.size.width / width] < 128 { trust[at] = 0 }
                if !(values[at] >= 0 && values[at].isFinite) { (values[at], trust[at]) = (0, 0) }
            }
        }
        return (values, trust)
    }
}

extension CVPixelBuffer {
    /// The confidence of a map from what is trusted of it, 0…1, row after row.
    convenience init(confidence trust: [Float], width: Int, height: Int) {
        self.init(width: width, height: height, pixelFormat: kCVPixelFormatType_OneComponent8)
        for y in 0..<height {
            let row = plane(0).row(y, as: UInt8.self)
            for x in 0..<width { row[x] = UInt8(trust[y * width + x] * 255) }
        }
    }
}
