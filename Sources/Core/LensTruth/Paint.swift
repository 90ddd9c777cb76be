import Foundation

/// Procedural textures of the scenes: functions of a position, the same bits every time.
enum Paint {
    static let clear = SIMD4<Float>.zero

    /// Hash of a grid cell and a texture's seed, 0 ..< 1.
    static func hash(_ x: Int, _ y: Int, _ seed: UInt64) -> Float {
        var z = (UInt64(bitPattern: Int64(x)) &* 0x9E37_79B9_7F4A_7C15) ^ (UInt64(bitPattern: Int64(y)) &* 0xC2B2_AE3D_27D4_EB4F) &+ seed
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return Float((z ^ (z >> 31)) >> 40) * 0x1p-24
    }

    /// Value noise, 0…1; one cell is `1 / frequency` of the picture's height.
    static func noise(_ p: SIMD2<Float>, _ frequency: Float, _ seed: UInt64) -> Float {
        let q = p * frequency
        let cell = q.rounded(.down)
        let f = q - cell
        let t = f * f * (3 - 2 * f)
        let (x, y) = (Int(cell.x), Int(cell.y))
        let top = hash(x, y, seed) * (1 - t.x) + hash(x + 1, y, seed) * t.x
        let bottom = hash(x, y + 1, seed) * (1 - t.x) + hash(x + 1, y + 1, seed) * t.x
        return top * (1 - t.y) + bottom * t.y
    }

    /// Plaster: three octaves of noise between two colours, opaque.
    static func plaster(_ p: SIMD2<Float>, _ dark: SIMD3<Float>, _ bright: SIMD3<Float>, _ seed: UInt64) -> SIMD4<Float> {
        let part = 0.5 * noise(p, 6, seed) + 0.3 * noise(p, 23, seed &+ 1) + 0.2 * noise(p, 71, seed &+ 2)
        return SIMD4(dark + (bright - dark) * part, 1)
    }

    /// Bricks with mortar, opaque; `size` is a brick's width and height.
    static func bricks(_ p: SIMD2<Float>, _ size: SIMD2<Float>, _ seed: UInt64) -> SIMD4<Float> {
        let row = (p.y / size.y).rounded(.down)
        let q = SIMD2(p.x / size.x + 0.5 * row, p.y / size.y)
        let cell = q.rounded(.down)
        let inside = q - cell
        if inside.x < 0.06 || inside.y < 0.12 { return SIMD4(0.42, 0.40, 0.36, 1) }
        let shade = 0.5 + 0.5 * hash(Int(cell.x), Int(cell.y), seed) + 0.2 * (noise(p, 60, seed) - 0.5)
        return SIMD4(SIMD3(0.55, 0.24, 0.15) * shade, 1)
    }

    /// Tiles of a floor in perspective: `depth` is the disparity at p over that at the bottom.
    static func tiles(_ p: SIMD2<Float>, depth: Float, middle: Float) -> SIMD4<Float> {
        let far = 1 / max(depth, 0.02)
        let column = Int(((p.x - middle) * far * 6).rounded(.down)), row = Int((far * 6).rounded(.down))
        let bright = (column + row) & 1 == 0
        let shade = 0.8 + 0.4 * hash(column, row, 77)
        return SIMD4((bright ? SIMD3(0.52, 0.49, 0.42) : SIMD3(0.10, 0.12, 0.15)) * shade, 1)
    }

    /// Person: a head on shoulders around `x`, `size` tall, standing on the bottom edge; skin and cloth.
    static func figure(_ p: SIMD2<Float>, x: Float, size: Float) -> SIMD4<Float> {
        let q = SIMD2((p.x - x) / size, (p.y - 1) / size)
        let head = (q - SIMD2(0, -0.80)) / SIMD2(0.135, 0.18)
        let cheek = 0.75 + 0.25 * noise(p, 38, 5)
        if (head * head).sum() < 1 { return SIMD4(SIMD3(0.62, 0.36, 0.25) * cheek, 1) }
        let body = SIMD2(q.x / 0.30, (q.y + 0.10) / 0.48)
        guard body.y > 0 ? abs(body.x) < 1 : (body * body).sum() < 1 else { return clear }
        let stripe: Float = (q.y * 26 + 3 * q.x).truncatingRemainder(dividingBy: 1) < -0.5 ? 0.55 : 1
        return SIMD4(SIMD3(0.12, 0.22, 0.50) * stripe * (0.7 + 0.6 * noise(p, 44, 6)), 1)
    }

    /// Strands of hair fanning out from a head at `x`, thinner than a pixel at small sizes.
    static func hair(_ p: SIMD2<Float>, x: Float, size: Float) -> SIMD4<Float> {
        let q = SIMD2((p.x - x) / size, (p.y - 1) / size + 0.80)
        let distance = (q * q).sum().squareRoot()
        guard distance < 0.34, q.y < 0.16 else { return clear }
        let turns = atan2(q.x, -q.y) * 22 + 0.8 * noise(p, 14, 9)
        let strand = turns.rounded(.down)
        let reach = 0.20 + 0.14 * hash(Int(strand), 3, 11)
        guard distance < reach, abs(turns - strand - 0.5) < 0.20 else { return clear }
        return SIMD4(SIMD3(0.16, 0.09, 0.05) * (0.6 + 0.8 * hash(Int(strand), 4, 11)), 1)
    }

    /// Leaves, one in a cell where `density` allows it; alpha ends sharply at the leaf's edge.
    static func leaves(_ p: SIMD2<Float>, cell side: Float, density: Float, _ seed: UInt64) -> SIMD4<Float> {
        let cell = (p / side).rounded(.down)
        let (x, y) = (Int(cell.x), Int(cell.y))
        guard hash(x, y, seed) < density else { return clear }
        let angle = 6.2831853 * hash(x, y, seed &+ 1)
        let (c, s) = (cos(angle), sin(angle))
        let q = p / side - cell - 0.5
        let turned = SIMD2(q.x * c + q.y * s, q.y * c - q.x * s) / SIMD2(0.46, 0.19)
        guard (turned * turned).sum() < 1 else { return clear }
        let vein: Float = abs(turned.y) < 0.1 ? 1.5 : 1
        return SIMD4(SIMD3(0.10, 0.33, 0.06) * vein * (0.5 + hash(x, y, seed &+ 2)), 1)
    }

    /// Round lights of `radiance`, one in a cell where `density` allows it and its middle is in a place that `isFree`.
    static func lights(
        _ p: SIMD2<Float>, cell side: Float, radius: Float, density: Float, radiance: Float, _ seed: UInt64, isFree: (SIMD2<Float>) -> Bool
    ) -> SIMD4<Float> {
        let cell = (p / side).rounded(.down)
        let (x, y) = (Int(cell.x), Int(cell.y))
        guard hash(x, y, seed) < density else { return clear }
        let centre = (cell + 0.25 + 0.5 * SIMD2(hash(x, y, seed &+ 1), hash(x, y, seed &+ 2))) * side
        let away = p - centre
        guard (away * away).sum() < radius * radius, isFree(centre) else { return clear }
        let colours: [SIMD3<Float>] = [SIMD3(1, 1, 1), SIMD3(1, 1, 0.9), SIMD3(0.95, 1, 1)]
        return SIMD4(colours[Int(hash(x, y, seed &+ 3) * 3)] * radiance, 1)
    }
}
