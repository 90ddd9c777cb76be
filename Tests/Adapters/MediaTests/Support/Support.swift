import CoreVideo
import Foundation
import Pipeline
import TestSupport
import Testing

@testable import Media

/// The real material beside the checkout; tests that want it are skipped without it.
enum Shared {
    static func path(_ name: String) -> String { Checkout.shared.appending(path: name).path }
    static func has(_ name: String) -> Bool { Checkout.hasShared(name) }
}

enum Picture {
    /// Smooth colours that move with `phase`; opaque.
    static func bgra(width: Int = 64, height: Int = 36, phase: Int = 0) -> CVPixelBuffer {
        let buffer = CVPixelBuffer(width: width, height: height, pixelFormat: kCVPixelFormatType_32BGRA)
        for y in 0..<height {
            let row = buffer.plane(0).row(y, as: UInt8.self)
            for x in 0..<width {
                row[4 * x] = UInt8(255 * x / max(width - 1, 1))
                row[4 * x + 1] = UInt8(255 * y / max(height - 1, 1))
                row[4 * x + 2] = UInt8((x + y + 3 * phase) % 256)
                row[4 * x + 3] = 255
            }
        }
        return buffer
    }

    /// One colour everywhere, video range.
    static func nv12(width: Int = 64, height: Int = 36, y luma: UInt8, u: UInt8, v: UInt8) -> CVPixelBuffer {
        let buffer = CVPixelBuffer(width: width, height: height, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        for y in 0..<height { buffer.plane(0).row(y, as: UInt8.self).update(repeating: luma, count: width) }
        for y in 0..<buffer.plane(1).height {
            let row = buffer.plane(1).row(y, as: UInt8.self)
            for x in 0..<buffer.plane(1).width { (row[2 * x], row[2 * x + 1]) = (u, v) }
        }
        return buffer
    }

    /// A gradient with a bright square that moves by `index`, video range.
    static func moving(_ index: Int, width: Int = 64, height: Int = 36) -> CVPixelBuffer {
        let buffer = nv12(width: width, height: height, y: 60, u: 110, v: 140)
        for y in 0..<height {
            let row = buffer.plane(0).row(y, as: UInt8.self)
            for x in 0..<width {
                let inside = x / 8 == (index + 1) % 8 && y / 9 == 1
                row[x] = inside ? 220 : UInt8(40 + 100 * (x + y) / (width + height))
            }
        }
        return buffer
    }

    /// The bytes of a plane without padding.
    static func bytes(_ buffer: CVPixelBuffer, plane index: Int = 0, bytesPerPixel: Int) -> [UInt8] {
        let plane = buffer.plane(index)
        return (0..<plane.height).flatMap { Array(UnsafeBufferPointer(start: plane.row($0, as: UInt8.self), count: plane.width * bytesPerPixel)) }
    }

    /// Peak signal-to-noise ratio in dB of two planes; infinite when equal.
    static func psnr(_ a: [UInt8], _ b: [UInt8]) -> Double {
        let error = zip(a, b).reduce(0.0) { $0 + pow(Double($1.0) - Double($1.1), 2) } / Double(a.count)
        return a.count == b.count ? 10 * log10(255 * 255 / error) : -.infinity
    }
}
