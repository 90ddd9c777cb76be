import CoreVideo
import Foundation

/// Pixels across and down.
package struct PictureSize: Equatable, Sendable {
    package var width: Int
    package var height: Int

    package init(width: Int, height: Int) { (self.width, self.height) = (width, height) }
    package init(of picture: CVPixelBuffer) { (width, height) = picture.size }

    /// Not above `source`, even, and of its shape to within two pixels.
    func fits(_ source: PictureSize) -> Bool {
        width > 0 && height > 0 && width <= source.width && height <= source.height && width % 2 == 0 && height % 2 == 0
            && abs(width * source.height - height * source.width) <= 2 * max(source.width, source.height)
    }
}

extension PictureConverter {
    /// Each pixel is the mean of the source pixels under it; for sizes not above the source's.
    func shrink(_ picture: CVPixelBuffer, width: Int, height: Int) -> CVPixelBuffer {
        let result = makeBuffer(width: width, height: height, format: picture.format)
        Self.shrink(picture.plane(0), into: result.plane(0), channels: 1)
        Self.shrink(picture.plane(1), into: result.plane(1), channels: 2)
        return result
    }

    private static func shrink(_ source: CVBuffer.Plane, into target: CVBuffer.Plane, channels: Int) {
        for y in 0..<target.height {
            let top = y * source.height / target.height
            let bottom = max((y + 1) * source.height / target.height, top + 1)
            let line = target.row(y, as: UInt8.self)
            for x in 0..<target.width {
                let left = x * source.width / target.width
                let right = max((x + 1) * source.width / target.width, left + 1)
                let area = (bottom - top) * (right - left)
                for channel in 0..<channels {
                    var sum = area / 2
                    for row in top..<bottom {
                        let from = source.row(row, as: UInt8.self)
                        for column in left..<right { sum += Int(from[column * channels + channel]) }
                    }
                    line[x * channels + channel] = UInt8(sum / area)
                }
            }
        }
    }

    /// Eight bits become the upper ones of ten.
    func toTenBits(_ picture: CVPixelBuffer, format: OSType) -> CVPixelBuffer {
        let (width, height) = picture.size
        let result = makeBuffer(width: width, height: height, format: format)
        for index in 0..<2 {
            let (source, target) = (picture.plane(index), result.plane(index))
            let count = index == 0 ? source.width : 2 * source.width
            for y in 0..<source.height {
                let (from, to) = (source.row(y, as: UInt8.self), target.row(y, as: UInt16.self))
                for x in 0..<count { to[x] = UInt16(from[x]) << 8 }
            }
        }
        return result
    }
}
