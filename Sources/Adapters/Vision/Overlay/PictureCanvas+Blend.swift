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
        let codes = coding.codes(of: color)
        // Ten bits are the upper ones of sixteen.
        if coding.isDeep {
            blend(coverage, at: x, y, codes, as: UInt16.self, spare: 6, opacity)
        } else {
            blend(coverage, at: x, y, codes, as: UInt8.self, spare: 0, opacity)
        }
    }

    private func blend<Code: FixedWidthInteger>(
        _ coverage: Raster, at x: Int, _ y: Int, _ codes: [Double], as code: Code.Type, spare: Int, _ opacity: Double
    ) {
        let codes = codes.map { Int($0.rounded()) }
        func mixed(_ old: Code, _ new: Int, _ weight: Int, of whole: Int) -> Code {
            Code((Int(old >> spare) * (whole - weight) + new * weight + whole / 2) / whole) << spare
        }
        let share = Int((min(max(opacity, 0), 1) * 256).rounded())
        let (luma, chroma) = (buffer.plane(0), buffer.plane(1))
        for j in 0..<coverage.height {
            let row = luma.row(y + j, as: Code.self) + x
            let mask = coverage.bytes + j * coverage.width
            for i in 0..<coverage.width where mask[i] != 0 { row[i] = mixed(row[i], codes[0], Int(mask[i]) * share, of: 255 * 256) }
        }
        for j in 0..<(coverage.height + 1) / 2 where y / 2 + j < chroma.height {
            let row = chroma.row(y / 2 + j, as: Code.self) + x / 2 * 2
            for i in 0..<(coverage.width + 1) / 2 where x / 2 + i < chroma.width {
                var sum = 0
                for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] where 2 * i + dx < coverage.width && 2 * j + dy < coverage.height {
                    sum += Int(coverage.bytes[(2 * j + dy) * coverage.width + 2 * i + dx])
                }
                guard sum != 0 else { continue }
                row[2 * i] = mixed(row[2 * i], codes[1], sum * share, of: 4 * 255 * 256)
                row[2 * i + 1] = mixed(row[2 * i + 1], codes[2], sum * share, of: 4 * 255 * 256)
            }
        }
    }
}
