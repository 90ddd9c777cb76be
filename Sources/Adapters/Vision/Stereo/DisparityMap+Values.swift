import CoreVideo
import Pipeline

extension DisparityMap {
    /// A map of `values`, row after row, `width` x `height` of them.
    init(_ values: [Float], width: Int, height: Int, confidence: CVPixelBuffer? = nil, isMetric: Bool = false) {
        let buffer = CVPixelBuffer(width: width, height: height, pixelFormat: kCVPixelFormatType_DisparityFloat32)
        self.init(buffer: buffer, confidence: confidence, isMetric: isMetric)
        values.withUnsafeBufferPointer { values in
            for y in 0..<height { row(y).update(from: values.baseAddress! + y * width, count: width) }
        }
    }

    /// Values row after row.
    var values: [Float] {
        [Float](unsafeUninitializedCapacity: width * height) { values, count in
            for y in 0..<height { (values.baseAddress! + y * width).initialize(from: row(y), count: width) }
            count = width * height
        }
    }
}
