import CoreMedia
import CoreVideo
import Foundation
import Pipeline

/// Pictures, maps and worlds for the tests.
enum Pictures {
    /// A `420v` picture from a function of the pixel.
    static func picture(_ width: Int, _ height: Int, luma: (Int, Int) -> Int, chroma: (Int, Int) -> (Int, Int) = { _, _ in (128, 128) })
        -> CVPixelBuffer
    {
        let buffer = CVPixelBuffer(width: width, height: height, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        for y in 0..<height {
            let row = buffer.plane(0).row(y, as: UInt8.self)
            for x in 0..<width { row[x] = UInt8(min(max(luma(x, y), 16), 235)) }
        }
        for y in 0..<height / 2 {
            let row = buffer.plane(1).row(y, as: UInt8.self)
            for x in 0..<width / 2 {
                let (cb, cr) = chroma(2 * x, 2 * y)
                (row[2 * x], row[2 * x + 1]) = (UInt8(cb), UInt8(cr))
            }
        }
        return buffer
    }

    static func map(_ width: Int, _ height: Int, _ value: (Int, Int) -> Double) -> DisparityMap {
        let map = DisparityMap(buffer: CVPixelBuffer(width: width, height: height, pixelFormat: kCVPixelFormatType_DisparityFloat32))
        for y in 0..<height { for x in 0..<width { map.row(y)[x] = Float(value(x, y)) } }
        return map
    }

    static func frame(_ image: CVPixelBuffer, right: CVPixelBuffer? = nil, index: Int = 0) -> Frame {
        Frame(index: index, presentationTime: CMTime(value: Int64(index), timescale: 30), image: image, rightImage: right)
    }

    /// A texture without structure: a hash of the place.
    static func speckle(_ x: Int, _ y: Int) -> Int {
        var h = UInt32(truncatingIfNeeded: x &* 374_761_393 &+ y &* 668_265_263)
        h = (h ^ (h >> 13)) &* 1_274_126_177
        return 40 + Int((h ^ (h >> 16)) % 160)
    }

    static func box(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> CGRect { CGRect(x: x, y: y, width: width, height: height) }
}

extension CGRect {
    func overlap(with other: CGRect) -> Double {
        let common = intersection(other)
        guard !common.isNull else { return 0 }
        let shared = common.width * common.height
        return shared / (width * height + other.width * other.height - shared)
    }
}
