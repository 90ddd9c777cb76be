import CoreVideo
import Foundation

/// Pictures resampled: by a map, by Lanczos' window, by a Gaussian, by a box.
extension CIImage {
    /// Returns the picture mapped by `matrix`, resampled linearly.
    public func transformed(by matrix: CGAffineTransform) -> CIImage {
        let determinant = matrix.a * matrix.d - matrix.b * matrix.c
        guard abs(determinant) > 1e-12, determinant.isFinite else { return .empty() }
        let inverse = matrix.inverted()
        let bounds = extent.isInfinite ? .infinite : extent.isNull ? extent : extent.applying(matrix)
        // A pixel of a shrunk picture covers several: as many samples.
        let reach = max(abs(inverse.a) + abs(inverse.c), abs(inverse.b) + abs(inverse.d))
        let samples = max(1, min(16, Int((reach - 0.01).rounded(.up))))
        let steps = (0..<samples).map { (CGFloat($0) + 0.5) / CGFloat(samples) }
        return CIImage(extent: bounds) { region, isLinear in
            let target = CGRect(x: region.minX, y: region.minY, width: region.width, height: region.height)
            let source = self.tile(PixelRegion(target.applying(inverse)).insetBy(-1), isLinear: isLinear)
            var tile = Tile(region)
            let scale = 1 / Float(steps.count * steps.count)
            tile.fill { x, y in
                var sum = SIMD4<Float>.zero
                for dy in steps {
                    for dx in steps { sum += source.linear(at: CGPoint(x: CGFloat(x) + dx, y: CGFloat(y) + dy).applying(inverse)) }
                }
                return sum * scale
            }
            return tile
        }
    }

    /// Returns the picture mapped by `matrix`; pixels of a shrunk picture are always averaged.
    public func transformed(by matrix: CGAffineTransform, highQualityDownsample: Bool) -> CIImage { transformed(by: matrix) }

    /// Picture scaled by Lanczos' window of three lobes (Duchon 1979), which widens where the picture shrinks; its edges are repeated.
    func lanczosScaled(_ scaleX: Double, _ scaleY: Double) -> CIImage {
        guard scaleX > 0, scaleY > 0, !extent.isInfinite, !extent.isNull else { return self }
        let bounds = PixelRegion(extent.applying(CGAffineTransform(scaleX: scaleX, y: scaleY)))
        let source = clampedToExtent()
        let target = CGRect(x: bounds.minX, y: bounds.minY, width: bounds.width, height: bounds.height)
        return CIImage(extent: target) { region, isLinear in
            let columns = Taps.lanczos(region.minX..<region.maxX, scale: scaleX)
            let rows = Taps.lanczos(region.minY..<region.maxY, scale: scaleY)
            let needed = PixelRegion(
                minX: columns.first!.start, minY: rows.first!.start, maxX: columns.last!.end, maxY: rows.last!.end)
            return source.tile(needed, isLinear: isLinear).filtered(columns: columns, rows: rows, into: region)
        }
    }

    /// Picture blurred by a Gaussian; beyond the extent it is clear.
    func gaussianBlurred(sigma: Double) -> CIImage {
        guard sigma > 0.05 else { return self }
        let reach = Int((3 * sigma).rounded(.up))
        return spread(by: reach, weights: (-reach...reach).map { exp(-0.5 * pow(Double($0) / sigma, 2)) })
    }

    /// Picture blurred by a box of `2 · radius + 1` pixels.
    func boxBlurred(radius: Double) -> CIImage {
        let reach = Int(radius.rounded())
        return reach < 1 ? self : spread(by: reach, weights: [Double](repeating: 1, count: 2 * reach + 1))
    }

    private func spread(by reach: Int, weights: [Double]) -> CIImage {
        let sum = weights.reduce(0, +)
        let taps = weights.map { Float($0 / sum) }
        let bounds = extent.isInfinite || extent.isNull ? extent : extent.insetBy(dx: CGFloat(-reach), dy: CGFloat(-reach))
        return CIImage(extent: bounds) { region, isLinear in
            let source = self.tile(region.insetBy(-reach), isLinear: isLinear)
            return source.filtered(
                columns: (region.minX..<region.maxX).map { Taps(start: $0 - reach, weights: taps) },
                rows: (region.minY..<region.maxY).map { Taps(start: $0 - reach, weights: taps) }, into: region)
        }
    }
}

extension Tile {
    /// Value between the four nearest pixels; a pixel's value is that at its middle.
    func linear(at point: CGPoint) -> SIMD4<Float> {
        let (left, bottom) = ((point.x - 0.5).rounded(.down), (point.y - 0.5).rounded(.down))
        let (right, up) = (Float(point.x - 0.5 - left), Float(point.y - 0.5 - bottom))
        let (x, y) = (Int(left), Int(bottom))
        let lower = right == 0 ? self[x, y] : self[x, y] * (1 - right) + self[x + 1, y] * right
        guard up != 0 else { return lower }
        let upper = right == 0 ? self[x, y + 1] : self[x, y + 1] * (1 - right) + self[x + 1, y + 1] * right
        return lower * (1 - up) + upper * up
    }

    /// Sums of columns, then of rows.
    func filtered(columns: [Taps], rows: [Taps], into target: PixelRegion) -> Tile {
        var across = Tile(PixelRegion(minX: target.minX, minY: region.minY, maxX: target.maxX, maxY: region.maxY))
        across.fill { x, y in
            let taps = columns[x - target.minX]
            var sum = SIMD4<Float>.zero
            for (index, weight) in taps.weights.enumerated() { sum += self[taps.start + index, y] * weight }
            return sum
        }
        var result = Tile(target)
        result.fill { x, y in
            let taps = rows[y - target.minY]
            var sum = SIMD4<Float>.zero
            for (index, weight) in taps.weights.enumerated() { sum += across[x, taps.start + index] * weight }
            return sum
        }
        return result
    }
}
