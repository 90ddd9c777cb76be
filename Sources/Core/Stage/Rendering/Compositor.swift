import Foundation

/// Layer of the picture at one disparity: a sprite, a light or the table.
struct Layer {
    enum Content {
        /// Sprite stretched over `frame`, in pixels of the picture.
        case sprite(Canvas, frame: CGRect)
        /// Self-luminous disc: centre and radius in pixels, colour 0…1.
        case light(center: CGPoint, radius: Double, color: SIMD3<Float>)
        case table
    }

    let content: Content
    /// Disparity, 1/m; the table's is that of its far edge.
    let disparity: Double
}

/// Compositor of backdrop and layers, farthest first (painter's algorithm), in colour and in disparity.
struct Compositor {
    let canvas: Canvas
    let backdrop: Backcloth
    let geometry: BackdropGeometry

    /// Paints backdrop and layers. `disparity` gives the start of each row, `canvas.width` values; `parallax` shifts to the left, in picture widths
    /// per 1/m: 0 for the left picture.
    func paint(_ layers: [Layer], shift: CGPoint, parallax: Double = 0, disparity: @escaping (Int) -> UnsafeMutablePointer<Float>) {
        forEachBand(of: canvas.height) { rows in
            for y in rows {
                let value = geometry.disparity(at: (Double(y) + 0.5) / Double(canvas.height) - shift.y)
                backdrop.copy(to: canvas, y: y, shift: CGPoint(x: shift.x - parallax * value, y: shift.y))
                disparity(y).update(repeating: Float(value), count: canvas.width)
            }
            for layer in layers { paint(layer, rows: rows, shift: shift, parallax: parallax, disparity: disparity) }
        }
    }

    private func paint(
        _ layer: Layer, rows: Range<Int>, shift: CGPoint, parallax: Double, disparity: (Int) -> UnsafeMutablePointer<Float>
    ) {
        let left = -parallax * layer.disparity * Double(canvas.width)
        switch layer.content {
        case .sprite(let sprite, let frame):
            blit(sprite, to: frame.offsetBy(dx: left, dy: 0), rows: rows, value: Float(layer.disparity), disparity: disparity)
        case .light(let center, let radius, let color):
            disc(
                center: CGPoint(x: center.x + left, y: center.y), radius: radius, color: color, rows: rows, value: Float(layer.disparity),
                disparity: disparity)
        case .table:
            for y in rows {
                let value = geometry.tableDisparity(at: (Double(y) + 0.5) / Double(canvas.height) - shift.y)
                guard backdrop.copyTable(to: canvas, y: y, shift: CGPoint(x: shift.x - parallax * value, y: shift.y)) else { continue }
                disparity(y).update(repeating: Float(value), count: canvas.width)
            }
        }
    }

    private func blit(_ sprite: Canvas, to frame: CGRect, rows: Range<Int>, value: Float, disparity: (Int) -> UnsafeMutablePointer<Float>) {
        let firstRow = max(rows.lowerBound, Int(frame.minY.rounded(.down))), endRow = min(rows.upperBound, Int(frame.maxY.rounded(.up)))
        let firstX = max(0, Int(frame.minX.rounded(.down))), endX = min(canvas.width, Int(frame.maxX.rounded(.up)))
        guard firstRow < endRow, firstX < endX, sprite.width > 1, sprite.height > 1 else { return }
        let stepY = Double(sprite.height) / frame.height
        let columns = Self.columns(firstX..<endX, of: sprite, to: frame)
        for y in firstRow..<endRow {
            let v = min(max(Int(((Double(y) + 0.5 - frame.minY) * stepY - 0.5) * 65536), 0), (sprite.height - 1) << 16)
            let upper = sprite.row(v >> 16), lower = sprite.row(min((v >> 16) + 1, sprite.height - 1))
            let weightY = SIMD4(repeating: UInt32(v >> 8 & 255))
            let target = canvas.row(y), depth = disparity(y)
            for (group, x) in stride(from: firstX, to: endX, by: 4).enumerated() {
                let (left, right) = (columns[group].left, columns[group].right)
                let a = SIMD4(upper[left.x], upper[left.y], upper[left.z], upper[left.w])
                let b = SIMD4(upper[right.x], upper[right.y], upper[right.z], upper[right.w])
                let c = SIMD4(lower[left.x], lower[left.y], lower[left.z], lower[left.w])
                let d = SIMD4(lower[right.x], lower[right.y], lower[right.z], lower[right.w])
                if a | b | c | d == .zero { continue }
                let weightX = columns[group].weight
                let color = Packed.lerp(Packed.lerp(a, b, weightX), Packed.lerp(c, d, weightX), weightY)
                let alpha = color &>> 24, below = 256 &- alpha &- alpha &>> 7
                let lanes = min(4, endX - x)
                for lane in 0..<lanes where alpha[lane] >= 128 { depth[x + lane] = value }
                var behind = SIMD4<UInt32>()
                for lane in 0..<lanes { behind[lane] = target[x + lane] }
                let mixed = Packed.scale(behind, below) &+ (color & 0x00FF_FFFF)
                for lane in 0..<lanes { target[x + lane] = mixed[lane] }
            }
        }
    }

    /// Four pixels side by side: the sprite's columns that each lies between, and the weight of the right one, 0…255.
    private struct Columns {
        var left = SIMD4<Int>(), right = SIMD4<Int>()
        var weight = SIMD4<UInt32>()
    }

    private static func columns(_ pixels: Range<Int>, of sprite: Canvas, to frame: CGRect) -> [Columns] {
        let step = Double(sprite.width) / frame.width, last = (sprite.width - 1) << 16
        let start = Int(((Double(pixels.lowerBound) + 0.5 - frame.minX) * step - 0.5) * 65536), delta = Int(step * 65536)
        return stride(from: 0, to: pixels.count, by: 4).map { first in
            var columns = Columns()
            for lane in 0..<4 {
                let place = min(max(start + (first + lane) * delta, 0), last)
                columns.left[lane] = place >> 16
                columns.right[lane] = min((place >> 16) + 1, sprite.width - 1)
                columns.weight[lane] = UInt32(place >> 8 & 255)
            }
            return columns
        }
    }

    private func disc(
        center: CGPoint, radius: Double, color: SIMD3<Float>, rows: Range<Int>, value: Float, disparity: (Int) -> UnsafeMutablePointer<Float>
    ) {
        let firstRow = max(rows.lowerBound, Int(center.y - radius - 1)), endRow = min(rows.upperBound, Int(center.y + radius + 2))
        let firstX = max(0, Int(center.x - radius - 1)), endX = min(canvas.width, Int(center.x + radius + 2))
        guard firstRow < endRow, firstX < endX else { return }
        let paint = Packed.color(color, fourth: 1)
        for y in firstRow..<endRow {
            for x in firstX..<endX {
                let (dx, dy) = (Double(x) + 0.5 - center.x, Double(y) + 0.5 - center.y)
                let coverage = min(max(radius + 0.5 - (dx * dx + dy * dy).squareRoot(), 0), 1)
                guard coverage > 0 else { continue }
                canvas.row(y)[x] = Packed.lerp(canvas.row(y)[x], paint, UInt32(coverage * 256))
                if coverage >= 0.5 { disparity(y)[x] = value }
            }
        }
    }
}
