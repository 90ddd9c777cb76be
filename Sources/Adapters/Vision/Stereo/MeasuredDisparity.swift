import CoreVideo
import Pipeline

/// Disparity as it was measured, row after row: 0 where there is none, and whether it was measured (1, else 0).
struct MeasuredDisparity {
    let width: Int
    let height: Int
    var values: [Float]
    var trust: [Float]
    let isMetric: Bool
}

extension MeasuredDisparity {
    /// Takes a map's values; those without confidence, or that are no numbers, count as not measured.
    init(_ map: DisparityMap) {
        width = map.width
        height = map.height
        isMetric = map.isMetric
        values = [Float](repeating: 0, count: width * height)
        trust = values
        let confidence = map.confidence
        let columns = (0..<width).map { $0 * (confidence?.size.width ?? 0) / width }
        values.withUnsafeMutableBufferPointer { values in
            trust.withUnsafeMutableBufferPointer { trust in
                for y in 0..<height {
                    let row = map.row(y)
                    let sure = confidence.map { $0.plane(0).row(y * $0.size.height / height, as: UInt8.self) }
                    for x in 0..<width where row[x] >= 0 && row[x].isFinite && sure.map({ $0[columns[x]] > 127 }) ?? true {
                        (values[y * width + x], trust[y * width + x]) = (row[x], 1)
                    }
                }
            }
        }
    }

    /// The map of what is known by now.
    var map: DisparityMap {
        DisparityMap(values, width: width, height: height, confidence: confidence, isMetric: isMetric)
    }

    /// 255 where disparity was measured, else 0; nil when all of it was.
    var confidence: CVPixelBuffer? {
        guard trust.contains(0) else { return nil }
        let result = CVPixelBuffer(width: width, height: height, pixelFormat: kCVPixelFormatType_OneComponent8)
        trust.withUnsafeBufferPointer { trust in
            for y in 0..<height {
                let (row, weights) = (result.plane(0).row(y, as: UInt8.self), trust.baseAddress! + y * width)
                for x in 0..<width { row[x] = weights[x] > 0 ? 255 : 0 }
            }
        }
        return result
    }
}
