/// Living room: plaster, a window at dusk, framed prints, a bookshelf, floor boards and a rug.
struct RoomScenery: Scenery {
    let seed: UInt64
    private static let shelf = (x: Float(2.55), width: Float(1.9), height: Float(2.5))

    func wall(_ x: Float, _ y: Float, pixel: Float) -> SIMD4<Float> {
        if let book = shelf(x, y) { return book }
        if let pane = window(x + 2.35, y - 1.75) { return pane }
        for (cx, cy, w, h, art) in Self.prints {
            if let print = print(x - cx, y - cy, w, h, art) { return print }
        }
        var color = y < 0.14 ? Palette.rgb(0xD8D2C6) : Palette.rgb(0x8FA09A)
        let fine: Float = 0.5 * Noise.value(x * 60, y * 60, 1)
        let middle: Float = 0.3 * Noise.value(x * 17, y * 17, 2)
        let plaster: Float = fine + middle + 0.4 * Noise.value(x * 2.1, y * 2.1, 3)
        color *= 1 + 0.09 * plaster
        if y < 0.14 {
            let skirting: Float = 0.8 + 0.3 * smooth(0.14, 0.12, y) - 0.35 * smooth(0.02, 0, y)
            color *= skirting
        }
        let (dx, dy): (Float, Float) = (x - 0.7, y - 1.9)
        let glow: Float = smooth(3.2, 0.3, (dx * dx + dy * dy).squareRoot())
        let shade: Float = smooth(0.5, 0, abs(x - Self.shelf.x) - Self.shelf.width / 2) * smooth(2.9, 2.4, y)
        let light: SIMD3<Float> = SIMD3<Float>(0.38, 0.40, 0.46) + SIMD3<Float>(0.62, 0.48, 0.32) * glow
        let (open, upper): (Float, Float) = (1 - 0.35 * shade, 0.8 + 0.2 * smooth(0, 0.6, y))
        color *= light * open * upper
        return SIMD4(color, 0)
    }

    func floor(_ x: Float, _ z: Float, wall: Float) -> SIMD4<Float> {
        let board = (x / 0.15).rounded(.down)
        let along = z + Noise.lattice(Int32(board), 1, 5) * 3
        let piece = (along / 1.7).rounded(.down)
        let tone = Noise.lattice(Int32(board), Int32(piece), 8)
        let grain: Float = Noise.value(x * 180, along * 6, tone) * 0.4 + Noise.value(x * 60, along * 2.2, tone * 3) * 0.4
        var color = mix(Palette.rgb(0x6B4528), Palette.rgb(0x93653C), 0.5 + 0.3 * tone + 0.3 * grain)
        let seam = max(
            smooth(0.006, 0.002, min(x - board * 0.15, (board + 1) * 0.15 - x)),
            smooth(0.006, 0.002, min(along - piece * 1.7, (piece + 1) * 1.7 - along)))
        color *= 1 - 0.6 * seam
        color += SIMD3(0.10, 0.13, 0.17) * smooth(1.3, 0.1, abs(x + 2.3)) * smooth(wall - 2.6, wall, z) * (0.7 + 0.3 * grain)
        color *= 0.55 + 0.35 * smooth(2.6, 0.4, abs(x - 0.5))
        color *= 1 - 0.5 * smooth(0.35, 0, wall - z)
        if let rug = rug(x - 0.3, z - (wall - 1.5)) { color = rug * (0.6 + 0.3 * smooth(2.6, 0.4, abs(x - 0.5))) }
        return SIMD4(color, 0)
    }

    private func rug(_ x: Float, _ z: Float) -> SIMD3<Float>? {
        let (u, v) = (x / 1.5, z / 0.85)
        let r = (u * u + v * v).squareRoot()
        guard r < 1 else { return nil }
        let ring = r * 7 - (r * 7).rounded(.down)
        let base = ring < 0.5 ? Palette.rgb(0x8C3B32) : Palette.rgb(0xC9B79A)
        return base * (0.85 + 0.25 * Noise.value(x * 90, z * 90, 4))
    }

    /// Bookshelf with books and a few gaps.
    private func shelf(_ px: Float, _ y: Float) -> SIMD4<Float>? {
        let x = px - Self.shelf.x + Self.shelf.width / 2
        guard x > 0, x < Self.shelf.width, y < Self.shelf.height else { return nil }
        let wood = Palette.rgb(0x4E3524) * (0.8 + 0.2 * Noise.value(px * 9, y * 70, 6))
        let level = (y / 0.41).rounded(.down), within = y - level * 0.41
        if within < 0.035 || x < 0.04 || x > Self.shelf.width - 0.04 || y > Self.shelf.height - 0.05 { return SIMD4(wood * 0.75, 0) }
        let slot = (x / 0.052).rounded(.down)
        let chance = Noise.lattice(Int32(slot), Int32(level), 21)
        let height = 0.24 + 0.075 * Noise.lattice(Int32(slot), Int32(level), 22)
        let isGap = Noise.lattice(Int32((slot / 5).rounded(.down)), Int32(level), 23) > 0.55
        guard !isGap, within < 0.035 + height else { return SIMD4(wood * (0.12 + 0.10 * smooth(0, 0.4, within)), 0) }
        let across = x / 0.052 - slot
        let color = Palette.rgb(Palette.clothes[Int((chance + 1) * 4.49)].color)
        let label = within > 0.16 && within < 0.2 && across > 0.2 && across < 0.8 && chance > -0.3
        let round = 0.35 + 0.6 * (1 - (across * 2 - 1) * (across * 2 - 1))
        return SIMD4((label ? Palette.rgb(0xD8C89A) : color) * round * (0.45 + 0.35 * smooth(3.2, 1.2, px)), 0)
    }

    /// A window onto the blue hour, with mullions and curtains.
    private func window(_ x: Float, _ y: Float) -> SIMD4<Float>? {
        let (ax, ay) = (abs(x), abs(y))
        if ax < 1.15, ax > 0.62, y > -1.6, y < 1.0 {
            let fold = Noise.value(x * 11, 0.3, 2) * 0.5 + Noise.value(x * 25, y * 0.4, 3) * 0.25
            let weave = 0.06 * Noise.value(x * 140, y * 140, 9)
            return SIMD4(Palette.rgb(0xC8B9A0) * (0.42 + 0.28 * fold + weave + 0.10 * smooth(0.9, 0.6, ax)), 0)
        }
        guard ax < 0.72, ay < 0.9 else { return ay < 1.06 && y > 0.96 && ax < 1.25 ? SIMD4(Palette.rgb(0x3A2A1E) * 0.6, 0) : nil }
        if ax > 0.66 || ay > 0.84 || abs(ax - 0.22) < 0.018 || abs(y - 0.42) < 0.018 { return SIMD4(Palette.rgb(0xD9D5CB) * 0.5, 0) }
        let sky = mix(Palette.rgb(0x9FB6D8), Palette.rgb(0xE8C9A6), smooth(0.5, -0.5, y))
        let hills = -0.38 + 0.12 * Noise.value(x * 2.5, 4, 4) + 0.03 * Noise.value(x * 12, 4, 4)
        let color = y < hills ? Palette.rgb(0x46566A) * (0.8 + 0.3 * Noise.value(x * 24, y * 24, 7)) : sky
        return SIMD4(color * 0.92, 0)
    }

    private static let prints: [(Float, Float, Float, Float, Int)] = [
        (-0.35, 1.95, 0.34, 0.45, 0), (0.55, 2.1, 0.42, 0.30, 1), (0.52, 1.38, 0.27, 0.27, 2),
    ]

    private func print(_ x: Float, _ y: Float, _ w: Float, _ h: Float, _ art: Int) -> SIMD4<Float>? {
        let (ax, ay) = (abs(x), abs(y))
        guard ax < w, ay < h else { return nil }
        if ax > w - 0.03 || ay > h - 0.03 { return SIMD4(Palette.rgb(0x2E2119) * (0.7 + 0.6 * smooth(w - 0.03, w, ax)), 0) }
        let paper = Palette.rgb(0xE4DCCB) * 0.72
        guard ax < w - 0.09, ay < h - 0.09 else { return SIMD4(paper, 0) }
        var color = paper * 0.9
        switch art {
        case 0:
            let sun = x * x + (y - 0.1) * (y - 0.1)
            color =
                sun < 0.018
                ? Palette.rgb(0xC4502E) : mix(Palette.rgb(0xD9B98C), Palette.rgb(0x4C7A86), smooth(0.02, -0.03, y + 0.05 * Noise.value(x * 8, 1, 1)))
        case 1:
            let wave = y - 0.09 * Noise.value(x * 5, 2, 2)
            color = wave > 0.05 ? Palette.rgb(0xE3C7A0) : wave > -0.06 ? Palette.rgb(0xC2703D) : Palette.rgb(0x33465C)
        default:
            color = abs(x + y) < 0.05 || abs(x - y) < 0.03 ? Palette.rgb(0x26323F) : Palette.rgb(0xD4A63C)
        }
        return SIMD4(color * 0.62 * (0.95 + 0.08 * Noise.value(x * 120, y * 120, 5)), 0)
    }
}
