import Bokeh
import CoreVideo
import Foundation
import Pipeline
import Testing

/// One lens for all suites, validation on; a test that used it expects no message.
enum SharedLens {
    static let plain = Result { try VulkanBokehRenderer(options: BokehOptions(highlights: 0), validation: true) }
    static let shining = Result { try VulkanBokehRenderer(validation: true) }
}

/// Builders and readers of small pictures.
enum TestPicture {
    static let formats = [kCVPixelFormatType_32BGRA, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange]
    /// 16 bits a sample.
    static let wide = kCVPixelFormatType_64RGBALE

    /// A BGRA picture of encoded red, green, blue, 0…255.
    static func bgra(_ width: Int, _ height: Int, _ colour: (Int, Int) -> SIMD3<UInt8>) -> CVPixelBuffer {
        let buffer = CVPixelBuffer(width: width, height: height, pixelFormat: kCVPixelFormatType_32BGRA)
        for y in 0..<height {
            let row: UnsafeMutablePointer<UInt8> = buffer.plane(0).row(y)
            for x in 0..<width {
                let value = colour(x, y)
                (row[4 * x], row[4 * x + 1], row[4 * x + 2], row[4 * x + 3]) = (value.z, value.y, value.x, 200)
            }
        }
        return buffer
    }

    /// A picture of any format filled with hashed, low-contrast texture.
    static func textured(_ width: Int, _ height: Int, _ format: OSType) -> CVPixelBuffer {
        let buffer = CVPixelBuffer(width: width, height: height, pixelFormat: format)
        for index in 0..<max(CVPixelBufferGetPlaneCount(buffer), 1) {
            let plane = buffer.plane(index)
            for y in 0..<plane.height {
                let row: UnsafeMutablePointer<UInt8> = plane.row(y)
                let chroma = index == 1
                for x in 0..<plane.bytesPerRow { row[x] = UInt8((chroma ? 108 : 40) + hash(x / 2, y / 2 + index * 977) % (chroma ? 40 : 180)) }
            }
        }
        return buffer
    }

    static func disparity(_ width: Int, _ height: Int, _ value: (Int, Int) -> Float) -> DisparityMap {
        let map = DisparityMap(buffer: CVPixelBuffer(width: width, height: height, pixelFormat: kCVPixelFormatType_DisparityFloat32))
        for y in 0..<height {
            for x in 0..<width { map.row(y)[x] = value(x, y) }
        }
        return map
    }

    static func hash(_ x: Int, _ y: Int) -> Int {
        var value = UInt64(truncatingIfNeeded: x &* 73_856_093 ^ y &* 19_349_663) &* 0x9E37_79B9_7F4A_7C15
        value ^= value >> 29
        return Int((value &* 0xBF58_476D_1CE4_E5B9) >> 40)
    }

    /// The shown bytes of all planes, row after row.
    static func bytes(_ buffer: CVPixelBuffer) -> [UInt8] {
        var result: [UInt8] = []
        for index in 0..<max(CVPixelBufferGetPlaneCount(buffer), 1) {
            let plane = buffer.plane(index)
            let count = buffer.format == kCVPixelFormatType_32BGRA ? plane.width * 4 : buffer.format == wide ? plane.width * 8 : buffer.size.width
            for y in 0..<plane.height { result += UnsafeBufferPointer(start: plane.row(y, as: UInt8.self), count: count) }
        }
        return result
    }

    /// The shown samples of all planes, of 255, of ten bits of 1023, of sixteen of 65535.
    static func codes(_ buffer: CVPixelBuffer) -> [Int] {
        if buffer.format == wide {
            return (0..<buffer.size.height).flatMap { y in
                let row: UnsafeMutablePointer<UInt16> = buffer.plane(0).row(y)
                return (0..<4 * buffer.size.width).map { Int(row[$0]) }
            }
        }
        guard buffer.format == kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange else { return bytes(buffer).map(Int.init) }
        return (0...1).flatMap { plane in
            (0..<buffer.size.height >> plane).flatMap { y in
                let row: UnsafeMutablePointer<UInt16> = buffer.plane(plane).row(y)
                return (0..<buffer.size.width).map { Int(row[$0] >> 6) }
            }
        }
    }

    /// The largest difference of two pictures in codes.
    static func difference(_ a: CVPixelBuffer, _ b: CVPixelBuffer) -> Int {
        zip(bytes(a), bytes(b)).map { abs(Int($0) - Int($1)) }.max() ?? 0
    }

    /// Peak signal-to-noise ratio of two pictures' codes, dB; infinite where all agree.
    static func psnr(_ a: CVPixelBuffer, _ b: CVPixelBuffer) -> Double {
        let (first, second) = (codes(a), codes(b))
        let squares = zip(first, second).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
        let peak = a.format == kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange ? 1023.0 : a.format == wide ? 65535 : 255
        return squares == 0 ? .infinity : 10 * log10(peak * peak * Double(first.count) / Double(squares))
    }

    /// Encoded red, green, blue of a BGRA pixel.
    static func colour(_ buffer: CVPixelBuffer, _ x: Int, _ y: Int) -> SIMD3<UInt8> {
        let row: UnsafeMutablePointer<UInt8> = buffer.plane(0).row(y)
        return SIMD3(row[4 * x + 2], row[4 * x + 1], row[4 * x])
    }

    /// Linear light of a BGRA pixel's green, or of red (0) or blue (2).
    static func light(_ buffer: CVPixelBuffer, _ x: Int, _ y: Int, channel: Int = 1) -> Double {
        let code = Double(colour(buffer, x, y)[channel]) / 255
        return code <= 0.04045 ? code / 12.92 : pow((code + 0.055) / 1.055, 2.4)
    }
}
