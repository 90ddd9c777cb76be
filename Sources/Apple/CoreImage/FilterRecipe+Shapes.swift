import CoreVideo
import Foundation

/// Filters that draw a shape, or lay a picture out by four corners.
extension FilterRecipe {
    static let shapes: [FilterRecipe] = [
        FilterRecipe(
            "CIRoundedRectangleGenerator",
            [.vector(kCIInputExtentKey, 0, 0, 100, 100), .number(kCIInputRadiusKey, 10), .color(kCIInputColorKey, 1, 1, 1)]
        ) { values in
            guard let shape = RoundedRectangle(values), let color = values.color(kCIInputColorKey) else { return nil }
            return shape.filled(color, extent: shape.rect) { distance in 0.5 - distance }
        },
        FilterRecipe(
            "CIRoundedRectangleStrokeGenerator",
            [
                .vector(kCIInputExtentKey, 0, 0, 100, 100), .number(kCIInputRadiusKey, 10), .number("inputWidth", 10),
                .color(kCIInputColorKey, 1, 1, 1),
            ]
        ) { values in
            guard let shape = RoundedRectangle(values), let color = values.color(kCIInputColorKey), let width = values.number("inputWidth") else {
                return nil
            }
            let half = max(0, width / 2)
            return shape.filled(color, extent: shape.rect.insetBy(dx: -half, dy: -half)) { distance in half - abs(distance) + 0.5 }
        },
        FilterRecipe(
            "CILinearGradient",
            [
                .vector("inputPoint0", 0, 0, 0, 0), .vector("inputPoint1", 200, 200, 0, 0), .color("inputColor0", 1, 1, 1),
                .color("inputColor1", 0, 0, 0),
            ]
        ) { values in
            guard let start = values.vector("inputPoint0")?.cgPointValue, let end = values.vector("inputPoint1")?.cgPointValue else { return nil }
            let (dx, dy) = (end.x - start.x, end.y - start.y)
            let square = dx * dx + dy * dy
            return gradient(values) { x, y in square == 0 ? 0 : ((x - start.x) * dx + (y - start.y) * dy) / square }
        },
        FilterRecipe(
            "CIRadialGradient",
            [
                .vector(kCIInputCenterKey, 150, 150, 0, 0), .number("inputRadius0", 5), .number("inputRadius1", 100), .color("inputColor0", 1, 1, 1),
                .color("inputColor1", 0, 0, 0),
            ]
        ) { values in
            guard let centre = values.vector(kCIInputCenterKey)?.cgPointValue, let first = values.number("inputRadius0"),
                let last = values.number("inputRadius1")
            else { return nil }
            return gradient(values) { x, y in
                let distance = ((x - centre.x) * (x - centre.x) + (y - centre.y) * (y - centre.y)).squareRoot()
                return first == last ? (distance < first ? 0 : 1) : (distance - first) / (last - first)
            }
        },
        FilterRecipe("CIPerspectiveCorrection", [.needed()] + corners + [.number("inputCrop", 1)]) { values in
            guard let image = values.image(), let corners = Corners(values) else { return nil }
            return image.corrected(by: corners)
        },
        FilterRecipe("CIPerspectiveTransform", [.needed()] + corners) { values in
            guard let image = values.image(), let corners = Corners(values) else { return nil }
            return image.laid(into: corners)
        },
        FilterRecipe("CIPixellate", [.needed(), .vector(kCIInputCenterKey, 150, 150, 0, 0), .number(kCIInputScaleKey, 8)]) { values in
            guard let centre = values.vector(kCIInputCenterKey)?.cgPointValue, let scale = values.number(kCIInputScaleKey) else { return nil }
            return values.image()?.pixellated(about: centre, side: max(1, min(scale.rounded(), 4096)))
        },
    ]

    private static let corners: [Input] = [
        .vector("inputTopLeft", 118, 484, 0, 0), .vector("inputTopRight", 646, 507, 0, 0), .vector("inputBottomRight", 548, 140, 0, 0),
        .vector("inputBottomLeft", 155, 153, 0, 0),
    ]

    /// Picture without end between two colours, by a share that is 0 at the first.
    private static func gradient(_ values: FilterInputs, _ share: @escaping @Sendable (CGFloat, CGFloat) -> CGFloat) -> CIImage? {
        guard let first = values.color("inputColor0"), let last = values.color("inputColor1") else { return nil }
        return CIImage(extent: .infinite) { region, isLinear in
            let (start, end) = (first.pixel(isLinear: isLinear), last.pixel(isLinear: isLinear))
            var tile = Tile(region)
            tile.fill { x, y in start + (end - start) * Float(max(0, min(1, share(CGFloat(x) + 0.5, CGFloat(y) + 0.5)))) }
            return tile
        }
    }
}

/// Rectangle with round corners, by the distance to its edge: negative within.
private struct RoundedRectangle: Sendable {
    let rect: CGRect
    let radius: CGFloat

    init?(_ values: FilterInputs) {
        guard let rect = values.vector(kCIInputExtentKey)?.cgRectValue, let radius = values.number(kCIInputRadiusKey) else { return nil }
        self.rect = rect
        self.radius = max(0, min(radius, min(rect.width, rect.height) / 2))
    }

    private func distance(_ x: CGFloat, _ y: CGFloat) -> CGFloat {
        let across = abs(x - rect.midX) - rect.width / 2 + radius
        let upwards = abs(y - rect.midY) - rect.height / 2 + radius
        let (outwards, up) = (max(across, 0), max(upwards, 0))
        return (outwards * outwards + up * up).squareRoot() + min(max(across, upwards), 0) - radius
    }

    /// Colour with a cover of 0…1 by the distance to the edge.
    func filled(_ color: CIColor, extent: CGRect, _ cover: @escaping @Sendable (CGFloat) -> CGFloat) -> CIImage {
        CIImage(extent: extent) { region, isLinear in
            let full = color.pixel(isLinear: isLinear)
            var tile = Tile(region)
            tile.fill { x, y in full * Float(max(0, min(1, cover(self.distance(CGFloat(x) + 0.5, CGFloat(y) + 0.5))))) }
            return tile
        }
    }
}

/// Four corners in a picture, and the map from the unit square onto them.
private struct Corners: Sendable {
    let topLeft: CGPoint
    let topRight: CGPoint
    let bottomRight: CGPoint
    let bottomLeft: CGPoint
    /// Rows of the projective map: the unit square's (0, 0) comes to the bottom left, (1, 1) to the top right (Heckbert 1989, 2.2.3).
    private let rows: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)
    /// Columns of its adjugate, the cross products of its rows.
    private let columns: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)

    init?(_ values: FilterInputs) {
        guard let topLeft = values.vector("inputTopLeft")?.cgPointValue, let topRight = values.vector("inputTopRight")?.cgPointValue,
            let bottomRight = values.vector("inputBottomRight")?.cgPointValue, let bottomLeft = values.vector("inputBottomLeft")?.cgPointValue
        else { return nil }
        (self.topLeft, self.topRight, self.bottomRight, self.bottomLeft) = (topLeft, topRight, bottomRight, bottomLeft)
        let (x0, x1, x2, x3) = (bottomLeft.x, bottomRight.x, topRight.x, topLeft.x)
        let (y0, y1, y2, y3) = (bottomLeft.y, bottomRight.y, topRight.y, topLeft.y)
        let (dx1, dx2, sumX) = (x1 - x2, x3 - x2, x0 - x1 + x2 - x3)
        let (dy1, dy2, sumY) = (y1 - y2, y3 - y2, y0 - y1 + y2 - y3)
        let determinant = dx1 * dy2 - dx2 * dy1
        guard abs(determinant) > 1e-9 else { return nil }
        let g = (sumX * dy2 - dx2 * sumY) / determinant
        let h = (dx1 * sumY - sumX * dy1) / determinant
        let rows: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>) = (
            SIMD3(x1 - x0 + g * x1, x3 - x0 + h * x3, x0), SIMD3(y1 - y0 + g * y1, y3 - y0 + h * y3, y0), SIMD3(g, h, 1)
        )
        func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
            SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
        }
        self.rows = rows
        columns = (cross(rows.1, rows.2), cross(rows.2, rows.0), cross(rows.0, rows.1))
    }

    var bounds: CGRect {
        let (x, y) = ([topLeft.x, topRight.x, bottomRight.x, bottomLeft.x], [topLeft.y, topRight.y, bottomRight.y, bottomLeft.y])
        return CGRect(x: x.min()!, y: y.min()!, width: x.max()! - x.min()!, height: y.max()! - y.min()!)
    }

    /// Lengths of the longer of the two sides across and upwards.
    var size: CGSize {
        func length(_ from: CGPoint, _ to: CGPoint) -> CGFloat {
            let (across, up) = (to.x - from.x, to.y - from.y)
            return (across * across + up * up).squareRoot()
        }
        return CGSize(
            width: max(length(topLeft, topRight), length(bottomLeft, bottomRight)).rounded(),
            height: max(length(bottomLeft, topLeft), length(bottomRight, topRight)).rounded())
    }

    /// Place in the picture of a place in the unit square.
    func place(_ u: Double, _ v: Double) -> CGPoint {
        let from = SIMD3(u, v, 1)
        let weight = (rows.2 * from).sum()
        return CGPoint(x: (rows.0 * from).sum() / weight, y: (rows.1 * from).sum() / weight)
    }

    /// Place in the unit square of a place in the picture; nil where there is none.
    func share(_ x: Double, _ y: Double) -> CGPoint? {
        let from = columns.0 * x + columns.1 * y + columns.2
        return from.z == 0 ? nil : CGPoint(x: from.x / from.z, y: from.y / from.z)
    }
}

extension CIImage {
    /// The part between four corners, laid out straight, in the size of the longer sides.
    fileprivate func corrected(by corners: Corners) -> CIImage {
        let size = corners.size
        guard size.width >= 1, size.height >= 1 else { return .empty() }
        let needed = PixelRegion(corners.bounds).insetBy(-1)
        return CIImage(extent: CGRect(origin: .zero, size: size)) { region, isLinear in
            let source = self.tile(needed, isLinear: isLinear)
            var tile = Tile(region)
            tile.fill { x, y in source.linear(at: corners.place((Double(x) + 0.5) / size.width, (Double(y) + 0.5) / size.height)) }
            return tile
        }
    }

    /// The picture between four corners.
    fileprivate func laid(into corners: Corners) -> CIImage {
        guard !extent.isInfinite, !extent.isEmpty else { return self }
        let extent = extent
        return CIImage(extent: corners.bounds) { region, isLinear in
            let source = self.tile(PixelRegion(extent), isLinear: isLinear)
            var tile = Tile(region)
            tile.fill { x, y in
                guard let share = corners.share(Double(x) + 0.5, Double(y) + 0.5), (0...1).contains(share.x), (0...1).contains(share.y) else {
                    return .zero
                }
                return source.linear(at: CGPoint(x: extent.minX + share.x * extent.width, y: extent.minY + share.y * extent.height))
            }
            return tile
        }
    }

    /// Squares of the mean of what they cover, a corner of one at a point.
    fileprivate func pixellated(about centre: CGPoint, side: CGFloat) -> CIImage {
        let side = Int(side)
        let (offsetX, offsetY) = (Int(centre.x.rounded(.down)), Int(centre.y.rounded(.down)))
        @Sendable func first(_ place: Int, _ offset: Int) -> Int { Int((Double(place - offset) / Double(side)).rounded(.down)) * side + offset }
        return CIImage(extent: extent) { region, isLinear in
            let needed = PixelRegion(
                minX: first(region.minX, offsetX), minY: first(region.minY, offsetY), maxX: first(region.maxX - 1, offsetX) + side,
                maxY: first(region.maxY - 1, offsetY) + side)
            let source = self.tile(needed, isLinear: isLinear)
            var means: [SIMD2<Int>: SIMD4<Float>] = [:]
            var tile = Tile(region)
            tile.fill { x, y in
                let square = SIMD2(first(x, offsetX), first(y, offsetY))
                if let mean = means[square] { return mean }
                let covered = PixelRegion(minX: square.x, minY: square.y, maxX: square.x + side, maxY: square.y + side).intersection(source.region)
                var sum = SIMD4<Float>.zero
                for row in covered.minY..<covered.maxY { for column in covered.minX..<covered.maxX { sum += source[column, row] } }
                let mean = sum / Float(max(1, covered.width * covered.height))
                means[square] = mean
                return mean
            }
            return tile
        }
    }
}
