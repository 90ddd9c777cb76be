/// Street at night: facades with lit windows, shop fronts, and a wet floor that mirrors them.
struct StreetScenery: Scenery {
    let seed: UInt64

    func wall(_ x: Float, _ y: Float, pixel: Float) -> SIMD4<Float> {
        let house = (x / 3.1).rounded(.down), inHouse = x - house * 3.1
        let tone = Noise.lattice(Int32(house), 2, 3)
        if inHouse < 0.06 { return SIMD4(SIMD3(0.004, 0.005, 0.008), 0) }
        if y < 2.35 { return shop(inHouse - 1.58, y, house, tone) }
        let column = (inHouse / 1.02).rounded(.down), row = ((y - 2.55) / 1.35).rounded(.down)
        let (wx, wy) = (abs(inHouse - column * 1.02 - 0.53), y - 2.55 - row * 1.35)
        if wx < 0.33, wy > 0.12, wy < 1.1 {
            if wx > 0.295 || wx < 0.015 || wy < 0.16 || wy > 1.06 || abs(wy - 0.75) < 0.015 { return SIMD4(SIMD3(0.02, 0.02, 0.024), 0) }
            let chance = Noise.lattice(Int32(house * 5 + column), Int32(row), 31)
            if chance > -0.1 {
                let warm = mix(Palette.rgb(0xFFB45E), Palette.rgb(0xFFE2B0), chance)
                let curtain = 0.6 + 0.4 * Noise.value(inHouse * 16, row, chance * 9)
                return SIMD4(warm * (0.35 + 0.45 * curtain * smooth(0.1, 0.9, wy)), 0.75)
            }
            return SIMD4(SIMD3(0.012, 0.016, 0.028) * (1 + 0.6 * smooth(0.2, 1, wy)), 0)
        }
        let brick = bricks(x, y)
        let facade = mix(Palette.rgb(0x4C3A34), Palette.rgb(0x3A4250), 0.5 + 0.5 * tone)
        return SIMD4(facade * brick * (0.30 + 0.5 * smooth(4.6, 2.0, y)), 0)
    }

    private func shop(_ x: Float, _ y: Float, _ house: Float, _ tone: Float) -> SIMD4<Float> {
        let ax = abs(x)
        if y > 1.95 {
            let sign = Palette.rgb([0xE8475C, 0x3FB8C9, 0xF0A030, 0x7A5CE0][Int((tone + 1) * 1.99)])
            let stroke = ax < 1.0 && abs(y - 2.14) < 0.075 && Noise.value(x * 9, house, 2) > -0.25
            return stroke ? SIMD4(sign * 1.1, 1) : SIMD4(sign * 0.06 + 0.008, 0)
        }
        guard ax < 1.32, y > 0.35, y < 1.85 else { return SIMD4(SIMD3(0.03, 0.026, 0.026) * bricks(x, y), 0) }
        if ax > 1.27 || abs(ax - 0.42) < 0.025 || y < 0.4 || y > 1.8 { return SIMD4(SIMD3(0.018, 0.016, 0.016), 0) }
        let inside = mix(Palette.rgb(0xFFC27A), Palette.rgb(0xBFD8FF), 0.5 + 0.5 * tone) * (0.22 + 0.25 * smooth(0.4, 1.7, y))
        let goods = Noise.lattice(Int32((x / 0.16).rounded(.down)), Int32((y / 0.3).rounded(.down)), Int32(house)) * 0.5 + 0.5
        let shelf = (y / 0.3) - (y / 0.3).rounded(.down)
        return SIMD4(inside * (shelf < 0.7 * goods + 0.1 ? 0.35 + 0.5 * goods : 1), 0.6)
    }

    private func bricks(_ x: Float, _ y: Float) -> Float {
        let row = (y / 0.075).rounded(.down)
        let px = x / 0.22 + (row / 2 - (row / 2).rounded(.down))
        let column = px.rounded(.down)
        let mortar = smooth(0.10, 0.03, min(px - column, column + 1 - px) * 2) + smooth(0.14, 0.06, min(y / 0.075 - row, row + 1 - y / 0.075) * 2)
        return (0.8 + 0.3 * Noise.lattice(Int32(column), Int32(row), 4)) * (1 - 0.4 * min(mortar, 1))
    }

    func floor(_ x: Float, _ z: Float, wall: Float) -> SIMD4<Float> {
        let stone = 0.7 + 0.3 * Noise.value(x * 14, z * 14, 1) + 0.25 * Noise.value(x * 50, z * 50, 2)
        let asphalt = SIMD3<Float>(0.016, 0.018, 0.024) * stone
        let wet = smooth(-0.35, 0.35, Noise.value(x * 0.9, z * 0.7, 6) + 0.3 * Noise.value(x * 3, z * 3, 7))
        // The mirror image: the wall as high as the floor is near, from the camera's height.
        let high = (wall - z) / z * Float(BackdropGeometry.cameraHeight)
        let wave = 0.10 * Noise.value(x * 6, z * 22, 3) * (wall - z)
        let image = self.wall(x * wall / z + wave, max(high * 1.4 + 0.05 + wave * 1.5, 0.02), pixel: 0.01)
        let mirror = SIMD3(image.x, image.y, image.z) * (0.12 + 0.40 * wet) * (image.w > 0 ? 1 : 0.5)
        return SIMD4(asphalt + mirror, image.w * wet * 0.5)
    }
}

/// Studio: a grey cyclorama with a pool of light.
struct StudioScenery: Scenery {
    func wall(_ x: Float, _ y: Float, pixel: Float) -> SIMD4<Float> { SIMD4(paper(x, y, at: y * 0.5), 0) }

    func floor(_ x: Float, _ z: Float, wall: Float) -> SIMD4<Float> { SIMD4(paper(x, z, at: (z - wall) * 0.3), 0) }

    private func paper(_ x: Float, _ v: Float, at height: Float) -> SIMD3<Float> {
        let pool = smooth(4.5, 0, (x * x + (height - 0.6) * (height - 0.6) * 4).squareRoot())
        let fibre = 1 + 0.05 * Noise.value(x * 70, v * 70, 1) + 0.04 * Noise.value(x * 190, v * 190, 2) + 0.03 * Noise.value(x * 3, v * 3, 3)
        return SIMD3(0.20, 0.205, 0.215) * (0.45 + 0.95 * pool) * fibre
    }
}
