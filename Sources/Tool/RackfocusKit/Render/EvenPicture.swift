import CoreVideo
import Foundation

/// A packed picture with both sides even, as the lens wants it: an odd side is lengthened by one repeated row or column.
struct EvenPicture {
    let buffer: CVPixelBuffer
    private let size: (width: Int, height: Int)

    init(_ picture: CVPixelBuffer) {
        size = picture.size
        let even = (width: (size.width + 1) & ~1, height: (size.height + 1) & ~1)
        buffer = even == size ? picture : Self.copy(picture, width: even.width, height: even.height)
    }

    /// The part of `picture` that the original covered.
    func trimmed(_ picture: CVPixelBuffer) -> CVPixelBuffer {
        picture.size == size ? picture : Self.copy(picture, width: size.width, height: size.height)
    }

    /// The top left part of a picture, its last row and column repeated where it is too small.
    private static func copy(_ picture: CVPixelBuffer, width: Int, height: Int) -> CVPixelBuffer {
        let copy = CVPixelBuffer(width: width, height: height, pixelFormat: picture.format)
        CVBufferPropagateAttachments(picture, copy)
        let shared = min(width, picture.size.width)
        let bytes = picture.format == kCVPixelFormatType_64RGBALE ? 8 : 4
        for y in 0..<height {
            let from: UnsafeMutablePointer<UInt8> = picture.plane(0).row(min(y, picture.size.height - 1))
            let to: UnsafeMutablePointer<UInt8> = copy.plane(0).row(y)
            to.update(from: from, count: shared * bytes)
            for x in shared..<width { (to + x * bytes).update(from: from + (shared - 1) * bytes, count: bytes) }
        }
        return copy
    }
}
