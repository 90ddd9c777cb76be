import CoreVideo
import Pipeline

extension DisparityMap {
    /// A map of `values`, row after row, `width` x `height` of them.
    init(_ values: [Float], width: Int, height: Int, confidence: CVPixelBuffer? = nil, isMetric: Bool = false) {
        let buffer = CVPixelBuffer(width: width, height: height, pixelFormat: kCVPixelFormatType_DisparityFloat32)
        self.init(buffer: buffer, confidence: confidence, isMetric: isMetric)
        for y in 0..<height {
            let row = row(y)
            for x in 0..<width { row[x] = values[y * width + x] }
        }
    }

    /// Row after row.
    var values: [Float] { (0..<height).flatMap { UnsafeBufferPointer(start: row($0), count: width) } }
}
