import Dispatch

/// Painted plane of a scene: premultiplied linear light and alpha, a margin around the picture, and its disparity.
struct ScenePlane: Sendable {
    /// Disparity at pixel (0, 0).
    let first: Float
    /// Change of disparity per pixel, across and down.
    let slope: SIMD2<Float>
    /// Margin painted beyond each edge of the picture, pixels.
    let margin: Int
    /// Painted pixels per row, margins included.
    let columns: Int
    /// Painted rows, margins included.
    let rows: Int
    /// Premultiplied red, green, blue and alpha, row after row.
    private(set) var texels: [SIMD4<Float>]
    /// Bounds of the pixels that are not empty, in painted pixels; nil when all are.
    let filled: (x: ClosedRange<Int>, y: ClosedRange<Int>)?

    /// Straight colour (linear light) and alpha at a place; x from 0 to the aspect ratio, y from 0 (top) to 1, and beyond both in the margin.
    typealias Painter = @Sendable (SIMD2<Float>) -> SIMD4<Float>

    /// Paints with nine samples a pixel. `disparity` is at the top and at the bottom edge of the picture.
    init(width: Int, height: Int, margin: Int, disparity: (top: Float, bottom: Float), _ paint: Painter) {
        first = disparity.top
        slope = SIMD2(0, (disparity.bottom - disparity.top) / Float(max(height - 1, 1)))
        self.margin = margin
        let (columns, rows) = (width + 2 * margin, height + 2 * margin)
        (self.columns, self.rows) = (columns, rows)
        let unit = 1 / Float(height)
        let painted = [SIMD4<Float>](unsafeUninitializedCapacity: columns * rows) { texels, count in
            nonisolated(unsafe) let texels = texels
            DispatchQueue.concurrentPerform(iterations: rows) { row in
                for column in 0..<columns {
                    var sum = SIMD4<Float>.zero
                    for sample in 0..<9 {
                        let part = SIMD2(Float(sample % 3), Float(sample / 3)) / 3 + 1 / 6
                        let colour = paint((SIMD2(Float(column - margin), Float(row - margin)) + part) * unit)
                        sum += SIMD4(lowHalf: colour.lowHalf, highHalf: SIMD2(colour.z, 1)) * colour.w
                    }
                    texels[row * columns + column] = sum / 9
                }
            }
            count = columns * rows
        }
        texels = painted
        filled = Self.filled(painted, columns: columns)
    }

    /// Texel at a pixel of the picture.
    subscript(x: Int, y: Int) -> SIMD4<Float> { texels[(y + margin) * columns + x + margin] }

    func disparity(_ x: Float, _ y: Float) -> Float { first + slope.x * x + slope.y * y }

    func clipped() -> ScenePlane {
        var result = self
        for index in texels.indices {
            let texel = texels[index]
            result.texels[index] = SIMD4(min(texel.x, texel.w), min(texel.y, texel.w), min(texel.z, texel.w), texel.w)
        }
        return result
    }

    private static func filled(_ texels: [SIMD4<Float>], columns: Int) -> (x: ClosedRange<Int>, y: ClosedRange<Int>)? {
        var low = SIMD2(Int.max, Int.max)
        var high = SIMD2(-1, -1)
        for index in texels.indices where texels[index].w > 0 {
            let at = SIMD2(index % columns, index / columns)
            low = pointwiseMin(low, at)
            high = pointwiseMax(high, at)
        }
        return high.x < 0 ? nil : (low.x...high.x, low.y...high.y)
    }
}
