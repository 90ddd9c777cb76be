import CoreVideo
import Foundation
import Pipeline

/// Gives a disparity map the size, the posture and the kind of values that an output asks for.
enum DepthConverter {
    /// A map of `format`'s size and kind, turned and mirrored as pictures are; each value is one of the source's, never a mean of near and far.
    static func make(_ source: DisparityMap, like format: CMFormatDescription, rotation: Int, isMirrored: Bool) -> CVPixelBuffer {
        let (width, height) = (Int(format.dimensions.width), Int(format.dimensions.height))
        var map = CVPixelBuffer(width: width, height: height, pixelFormat: kCVPixelFormatType_DisparityFloat32)
        for y in 0..<height {
            let from = source.row((2 * y + 1) * source.height / (2 * height))
            let to = map.plane(0).row(y, as: Float.self)
            for x in 0..<width { to[x] = from[(2 * x + 1) * source.width / (2 * width)] }
        }
        if rotation != 0 || isMirrored {
            let isSideways = rotation % 180 != 0
            let turned = CVPixelBuffer(
                width: isSideways ? height : width, height: isSideways ? width : height, pixelFormat: kCVPixelFormatType_DisparityFloat32)
            PictureConverter.turn(map.plane(0), into: turned.plane(0), as: Float.self, rotation: rotation, isMirrored: isMirrored)
            map = turned
        }
        return convert(map, to: format.mediaSubType.rawValue)
    }

    /// The map itself where it is of that kind already.
    static func convert(_ source: CVPixelBuffer, to type: OSType) -> CVPixelBuffer {
        guard source.format != type else { return source }
        let result = CVPixelBuffer(width: source.size.width, height: source.size.height, pixelFormat: type)
        let isInverse = isDepth(source.format) != isDepth(type)
        let (from, to) = (source.plane(0), result.plane(0))
        for y in 0..<from.height {
            for x in 0..<from.width {
                let value = isHalf(source.format) ? Float(from.row(y, as: Float16.self)[x]) : from.row(y, as: Float.self)[x]
                let converted = isInverse ? 1 / value : value
                if isHalf(type) { to.row(y, as: Float16.self)[x] = Float16(converted) } else { to.row(y, as: Float.self)[x] = converted }
            }
        }
        return result
    }

    private static func isDepth(_ type: OSType) -> Bool {
        type == kCVPixelFormatType_DepthFloat16 || type == kCVPixelFormatType_DepthFloat32
    }

    private static func isHalf(_ type: OSType) -> Bool {
        type == kCVPixelFormatType_DisparityFloat16 || type == kCVPixelFormatType_DepthFloat16
    }
}
