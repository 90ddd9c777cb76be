import CoreVideo
import Foundation

/// Copying of `420v` pictures into memory that another program reads, as NV12 or YUYV.
enum PictureFilling {
    /// Bytes that a picture of a format needs at least, of rows `stride` bytes long; nil where those are too short.
    static func length(_ format: FourCC, width: Int, height: Int, stride: Int) -> Int? {
        guard stride >= (format == .nv12 ? width : 2 * width) else { return nil }
        return format == .nv12 ? stride * height * 3 / 2 : stride * height
    }

    /// Fills memory that has the length.
    static func fill(_ base: UnsafeMutablePointer<UInt8>, stride: Int, _ format: FourCC, from picture: CVPixelBuffer) {
        let (width, height) = picture.size
        let (luma, chroma) = (picture.plane(0), picture.plane(1))
        guard format != .nv12 else {
            for row in 0..<height { memcpy(base + row * stride, luma.row(row, as: UInt8.self), width) }
            for row in 0..<height / 2 { memcpy(base + (height + row) * stride, chroma.row(row, as: UInt8.self), width) }
            return
        }
        for row in 0..<height {
            let (out, ys, cs) = (base + row * stride, luma.row(row, as: UInt8.self), chroma.row(row / 2, as: UInt8.self))
            for x in 0..<width / 2 {
                out[4 &* x] = ys[2 &* x]
                out[4 &* x &+ 1] = cs[2 &* x]
                out[4 &* x &+ 2] = ys[2 &* x &+ 1]
                out[4 &* x &+ 3] = cs[2 &* x &+ 1]
            }
        }
    }
}
