import CoreVideo
import Foundation
import Pipeline

/// Conversion of a disparity map to the size, the rotation and the kind of values that an output asks for.
package enum DepthConverter {
    /// Makes a map of `format`'s size and kind, rotated and mirrored as pictures are; values are the source's, never a mean of near and far.
    static func make(_ source: DisparityMap, like format: CMFormatDescription, rotation: Int, isMirrored: Bool) -> CVPixelBuffer {
        let (width, height) = (Int(format.dimensions.width), Int(format.dimensions.height))
        var map = sample(source.buffer, as: Float.self, part: CGRect(x: 0, y: 0, width: 1, height: 1), width: width, height: height)
        if rotation != 0 || isMirrored {
            let isSideways = rotation % 180 != 0
            let rotated = CVPixelBuffer(
                width: isSideways ? height : width, height: isSideways ? width : height, pixelFormat: kCVPixelFormatType_DisparityFloat32)
            PictureConverter.rotate(map.plane(0), into: rotated.plane(0), bytesPerPixel: 4, rotation: rotation, isMirrored: isMirrored)
            map = rotated
        }
        return convert(map, to: format.mediaSubType.rawValue)
    }

    /// Resamples a part (0…1) of a map to another size by nearest neighbour.
    package static func sample<Value>(_ map: CVPixelBuffer, as type: Value.Type, part: CGRect, width: Int, height: Int) -> CVPixelBuffer {
        let result = CVPixelBuffer(width: width, height: height, pixelFormat: map.format)
        func index(_ i: Int, of count: Int, from start: Double, _ share: Double, in length: Int) -> Int {
            min(Int((start + share * (Double(i) + 0.5) / Double(count)) * Double(length)), length - 1)
        }
        let columns = (0..<width).map { index($0, of: width, from: part.minX, part.width, in: map.size.width) }
        for y in 0..<height {
            let from = map.plane(0).row(index(y, of: height, from: part.minY, part.height, in: map.size.height), as: Value.self)
            let to = result.plane(0).row(y, as: Value.self)
            for x in 0..<width { to[x] = from[columns[x]] }
        }
        return result
    }

    /// Converts the values of a map to another kind; the map itself where it is of that kind already.
    package static func convert(_ source: CVPixelBuffer, to type: OSType) -> CVPixelBuffer {
        guard source.format != type else { return source }
        let result = CVPixelBuffer(width: source.size.width, height: source.size.height, pixelFormat: type)
        let isInverse = isDepth(source.format) != isDepth(type)
        let (fromHalf, toHalf) = (isHalf(source.format), isHalf(type))
        let (from, to) = (source.plane(0), result.plane(0))
        for y in 0..<from.height {
            for x in 0..<from.width {
                let value = fromHalf ? Float(from.row(y, as: Float16.self)[x]) : from.row(y, as: Float.self)[x]
                let converted = isInverse ? 1 / value : value
                if toHalf { to.row(y, as: Float16.self)[x] = Float16(converted) } else { to.row(y, as: Float.self)[x] = converted }
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
