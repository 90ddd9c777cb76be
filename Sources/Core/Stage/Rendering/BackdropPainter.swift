import Foundation

/// Painter of wall, floor and table, in metres, four samples to the pixel (one in pictures too small to show it).
struct BackdropPainter {
    let world: World
    let geometry: BackdropGeometry
    let marginX: Int
    let marginY: Int

    func paint(_ cloth: Canvas, table: Canvas?, tableRow: Int) {
        let scenery: any Scenery =
            switch world.backdrop.kind {
            case .room: RoomScenery(seed: world.seed)
            case .street: StreetScenery(seed: world.seed)
            case .studio: StudioScenery()
            }
        let skirting = Float(Double(world.camera.focalLength) / 36 * Double(world.width) * geometry.wall)
        forEachBand(of: cloth.height) { rows in
            for y in rows {
                for x in 0..<cloth.width {
                    cloth.row(y)[x] = sampled(x - marginX, y - marginY) { px, py in
                        let disparity = geometry.disparity(at: py)
                        let across = Float((px - 0.5) * aspect / geometry.focal / disparity)
                        if py < geometry.skirting {
                            let up = BackdropGeometry.cameraHeight - (py - BackdropGeometry.horizon) / geometry.focal / disparity
                            return scenery.wall(across, Float(up), pixel: 1 / skirting)
                        }
                        return scenery.floor(across, Float(1 / disparity), wall: Float(1 / geometry.wall))
                    }
                }
            }
        }
        guard let table else { return }
        let wood = TableTop(seed: world.seed)
        forEachBand(of: table.height) { rows in
            for y in rows {
                for x in 0..<table.width {
                    table.row(y)[x] = sampled(x - marginX, y + tableRow) { px, py in
                        let disparity = max(geometry.tableDisparity(at: py), 1e-3)
                        return wood.color(
                            Float((px - 0.5) * aspect / geometry.focal / disparity), Float(1 / disparity), edge: y < max(table.height / 60, 1))
                    }
                }
            }
        }
    }

    private var aspect: Double { Double(world.width) / Double(world.height) }

    /// Mean of four samples of a picture given in 0…1; the fourth component is emission.
    @inline(__always)
    private func sampled(_ x: Int, _ y: Int, _ color: (Double, Double) -> SIMD4<Float>) -> UInt32 {
        guard world.width * world.height > 200_000 else {
            return encoded(color((Double(x) + 0.5) / Double(world.width), (Double(y) + 0.5) / Double(world.height)))
        }
        var sum = SIMD4<Float>.zero
        for sub in 0..<4 {
            let px = (Double(x) + 0.25 + 0.5 * Double(sub & 1)) / Double(world.width)
            let py = (Double(y) + 0.25 + 0.5 * Double(sub >> 1)) / Double(world.height)
            sum += color(px, py)
        }
        return encoded(sum / 4)
    }

    @inline(__always)
    private func encoded(_ sum: SIMD4<Float>) -> UInt32 {
        var out = SIMD3<Float>.zero
        for channel in 0..<3 { out[channel] = Gamma.encode(sum[channel]) }
        return Packed.color(out, fourth: sum.w)
    }
}

/// Procedural textures of a backdrop, in metres and linear light; the fourth component is emission, 0…1.
protocol Scenery: Sendable {
    /// Colour of the wall `x` metres right of the middle and `y` above the floor; `pixel` is the size of a pixel there.
    func wall(_ x: Float, _ y: Float, pixel: Float) -> SIMD4<Float>
    /// Colour of the floor `x` metres right of the middle, `z` metres away, before a wall at `wall` metres.
    func floor(_ x: Float, _ z: Float, wall: Float) -> SIMD4<Float>
}

/// Table top in the foreground: boards that run across.
struct TableTop: Sendable {
    let seed: UInt64

    func color(_ x: Float, _ z: Float, edge: Bool) -> SIMD4<Float> {
        let board = (z / 0.16).rounded(.down)
        let shift = Noise.lattice(Int32(board), 3, Int32(truncatingIfNeeded: seed)) * 7
        let grain = Noise.value((x + shift) * 7, z * 160, board) * 0.5 + Noise.value((x + shift) * 22, z * 420, board) * 0.35
        let knot = Noise.value((x + shift) * 2.2, z * 9, board)
        let seam = smooth(0.004, 0.0015, min(z - board * 0.16, (board + 1) * 0.16 - z))
        var color = mix(Palette.rgb(0x7A4E2E), Palette.rgb(0x9C6A40), 0.5 + 0.35 * grain + 0.3 * knot)
        let (tone, line): (Float, Float) = (0.92 + 0.10 * Noise.lattice(Int32(board), 9, 1), 1 - 0.6 * seam)
        color *= tone * line
        let (near, middle): (Float, Float) = (0.5 * smooth(0.5, 1.4, z), 0.25 * smooth(1.2, -0.6, abs(x + 0.5)))
        color *= 0.72 + near + middle
        if edge { color = color * 1.5 + 0.03 }
        return SIMD4(color, 0)
    }
}
