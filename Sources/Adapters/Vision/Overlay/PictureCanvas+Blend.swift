import CoreVideo
import Foundation

extension PictureCanvas {
    /// The part of a rectangle inside the picture, its corner on even pixels so that it owns whole chroma pixels.
    func visible(_ rect: CGRect) -> (x: Int, y: Int, width: Int, height: Int)? {
        let inside = rect.integral.intersection(CGRect(x: 0, y: 0, width: width, height: height))
        guard !inside.isNull, inside.width >= 1, inside.height >= 1 else { return nil }
        let (x, y) = (Int(inside.minX), Int(inside.minY))
        return (x & ~1, y & ~1, Int(inside.maxX) - (x & ~1), Int(inside.maxY) - (y & ~1))
    }

    /// Mixes a colour in where `coverage` says so, luma per pixel, chroma per two by two.
    func blend(_ coverage: Raster, at x: Int, _ y: Int, _ color: Color, _ opacity: Double) {
        let codes = color.codes
        let share = Int((min(max(opacity, 0), 1) * 256).rounded())
        let (luma, chroma) = (buffer.plane(0), buffer.plane(1))
        let code = Int(codes.luma.rounded())
        for j in 0..<coverage.height {
            let row = luma.row(y + j, as: UInt8.self) + x
            let mask = coverage.bytes + j * coverage.width
            for i in 0..<coverage.width where mask[i] != 0 { row[i] = Self.mixed(row[i], code, Int(mask[i]) * share, of: 255 * 256) }
        }
        let (cb, cr) = (Int(codes.cb.rounded()), Int(codes.cr.rounded()))
        for j in 0..<(coverage.height + 1) / 2 where y / 2 + j < chroma.height {
            let row = chroma.row(y / 2 + j, as: UInt8.self) + x / 2 * 2
            for i in 0..<(coverage.width + 1) / 2 where x / 2 + i < chroma.width {
                var sum = 0
                for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] where 2 * i + dx < coverage.width && 2 * j + dy < coverage.height {
                    sum += Int(coverage.bytes[(2 * j + dy) * coverage.width + 2 * i + dx])
                }
                guard sum != 0 else { continue }
                row[2 * i] = Self.mixed(row[2 * i], cb, sum * share, of: 4 * 255 * 256)
                row[2 * i + 1] = Self.mixed(row[2 * i + 1], cr, sum * share, of: 4 * 255 * 256)
            }
        }
    }

    private static func mixed(_ old: UInt8, _ new: Int, _ weight: Int, of whole: Int) -> UInt8 {
        UInt8((Int(old) * (whole - weight) + new * weight + whole / 2) / whole)
    }
}
