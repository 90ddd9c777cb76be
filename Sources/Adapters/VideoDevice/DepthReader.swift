import CoreVideo
import Pipeline

/// Reader of the driver's depth in 16 bits, millimetres, 0 where none was measured: one pass from its memory to disparity in 1/m.
final class DepthReader {
    private static let metresPerCode = 0.001
    /// Disparity of each code.
    private static let disparities: [Float] = [0] + (1...65535).map { Float(1 / (Double($0) * metresPerCode)) }
    private let maps: CVPixelBufferPool
    private let masks: CVPixelBufferPool

    init(_ format: StreamFormat) {
        maps = CVPixelBufferPool(width: format.width, height: format.height, pixelFormat: kCVPixelFormatType_DisparityFloat32)
        masks = CVPixelBufferPool(width: format.width, height: format.height, pixelFormat: kCVPixelFormatType_OneComponent8)
    }

    /// Returns the map, with no confidence in what was not measured; nil for one that is cut short.
    func read(_ source: PictureReader.Source) -> DisparityMap? {
        guard let plane = source.planes.first else { return nil }
        let stride = max(source.strides.first ?? 0, 2 * source.width)
        guard plane.count >= stride * (source.height - 1) + 2 * source.width else { return nil }
        let (map, mask) = (maps.makeBuffer(), masks.makeBuffer())
        for y in 0..<source.height {
            let (values, trust) = (map.plane(0).row(y, as: Float.self), mask.plane(0).row(y, as: UInt8.self))
            for x in 0..<source.width {
                let code = Int(UInt16(littleEndian: plane.loadUnaligned(fromByteOffset: y * stride + 2 * x, as: UInt16.self)))
                values[x] = Self.disparities[code]
                trust[x] = code == 0 ? 0 : 255
            }
        }
        return DisparityMap(buffer: map, confidence: mask, isMetric: true)
    }
}
