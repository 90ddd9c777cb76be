/// Prop: mug, plant, lamp, bottle, ball, book or board.
struct Prop: Sendable {
    enum Shape: String, Sendable, CaseIterable { case mug, plant, lamp, bottle, ball, book, board }

    let shape: Shape
    let look: PropLook

    init(name: String, seed: UInt64, texture: String?) {
        let words = (texture ?? "").lowercased().split { !$0.isLetter }.map(String.init)
        let shape = Shape.allCases.first { words.contains($0.rawValue) } ?? Shape(rawValue: name) ?? .mug
        self.shape = shape
        let color = Palette.pick(Palette.clothes, name: \.name, words: words, HashStream(seed: seed, "prop/" + name), 1).color
        look = PropLook(shape: shape, color: Palette.rgb(color))
    }

    func mesh(cell: Float) -> Mesh {
        var mesh = Mesh()
        switch shape {
        case .mug:
            var s = Solid(from: SIMD3(-1, -1, -1), to: SIMD3(1.5, 1, 1), isMirrored: false)
            s.cylinder(.zero, below: 0.72, above: 0.78, half: 0.85, rounding: 0.1)
            s.torus(SIMD3(0.82, 0, 0), major: 0.42, minor: 0.11, blend: 0.08)
            s.cylinder(SIMD3(0, 0.25, 0), below: 0.62, above: 0.68, half: 0.8, rounding: 0.1, blend: 0.03, cut: true)
            mesh.add(s, material: 0, cell: cell)
        case .bottle:
            var s = Solid(from: SIMD3(-0.7, -1.6, -0.7), to: SIMD3(0.7, 1.7, 0.7))
            s.cylinder(SIMD3(0, -0.5, 0), below: 0.48, above: 0.48, half: 1.0, rounding: 0.12)
            s.cylinder(SIMD3(0, 0.9, 0), below: 0.19, above: 0.16, half: 0.65, rounding: 0.05, blend: 0.5)
            s.torus(SIMD3(0, 1.35, 0), major: 0.02, minor: 0.19, blend: 0.02)
            mesh.add(s, material: 0, cell: cell)
        case .ball:
            var s = Solid(from: SIMD3(-1.1, -1.1, -1.1), to: SIMD3(1.1, 1.1, 1.1))
            s.ellipsoid(0, 0, 0, 1, 1, 1)
            mesh.add(s, material: 0, cell: cell)
        case .book:
            var s = Solid(from: SIMD3(-1.0, -1.2, -0.5), to: SIMD3(1.0, 1.2, 0.5), isMirrored: false)
            s.box(.zero, SIMD3(0.82, 1.05, 0.2), rounding: 0.04)
            mesh.add(s, material: 0, cell: cell)
        case .board:
            var s = Solid(from: SIMD3(-0.9, -1.2, -0.5), to: SIMD3(0.9, 1.2, 0.5), isMirrored: false)
            s.box(.zero, SIMD3(0.68, 1.05, 0.2), rounding: 0.04)
            mesh.add(s, material: 0, cell: cell)
        case .lamp: lamp(&mesh, cell)
        case .plant: plant(&mesh, cell)
        }
        return mesh
    }

    private func lamp(_ mesh: inout Mesh, _ cell: Float) {
        var foot = Solid(from: SIMD3(-0.9, -1.8, -0.9), to: SIMD3(0.9, 0.6, 0.9))
        foot.ellipsoid(0, -1.1, 0, 0.5, 0.6, 0.5)
        foot.capsule(SIMD3(0, -1.2, 0), SIMD3(0, 0.5, 0), 0.08, 0.08, blend: 0.2)
        foot.cylinder(SIMD3(0, -1.68, 0), below: 0.55, above: 0.5, half: 0.07, blend: 0.05)
        var shade = Solid(from: SIMD3(-1.3, -0.3, -1.3), to: SIMD3(1.3, 1.5, 1.3))
        shade.cylinder(SIMD3(0, 0.6, 0), below: 1.1, above: 0.68, half: 0.72, rounding: 0.05)
        mesh.add(foot, material: 0, cell: cell)
        mesh.add(shade, material: 1, cell: cell)
    }

    private func plant(_ mesh: inout Mesh, _ cell: Float) {
        var pot = Solid(from: SIMD3(-0.9, -1.9, -0.9), to: SIMD3(0.9, -0.5, 0.9))
        pot.cylinder(SIMD3(0, -1.25, 0), below: 0.5, above: 0.7, half: 0.58, rounding: 0.06)
        mesh.add(pot, material: 0, cell: cell)
        for leaf in 0..<13 {
            let angle = Double(leaf) * 137.5, lean = 0.25 + 0.065 * Float(leaf)
            let (c, s) = (Float(cosine(degrees: angle)), Float(sine(degrees: angle)))
            let height = 1.75 - 0.11 * Float(leaf)
            let root = SIMD3<Float>(0.12 * c, -0.7, 0.12 * s)
            let bend = SIMD3(0.6 * lean * c, -0.7 + height * 0.62, 0.6 * lean * s),
                tip = SIMD3(1.25 * lean * c, -0.7 + height * (1.1 - lean * 0.35), 1.25 * lean * s)
            let low = pointwiseMin(pointwiseMin(root, bend), tip) - 0.25, high = pointwiseMax(pointwiseMax(root, bend), tip) + 0.25
            var blade = Solid(from: low, to: high, isMirrored: false)
            blade.capsule(root, bend, 0.04, 0.17)
            blade.capsule(bend, tip, 0.17, 0.03, blend: 0.05)
            mesh.add(blade, material: 1, cell: cell)
        }
    }
}

/// Materials of a prop: glaze, glass, cloth and leaves.
struct PropLook: Look {
    let shape: Prop.Shape
    let color: SIMD3<Float>

    func surface(_ material: Int32, at p: SIMD3<Float>, normal n: SIMD3<Float>) -> Surface {
        let speck = Noise.value(p.x * 40, p.y * 40, p.z * 40)
        switch (shape, material) {
        case (.mug, _):
            let band = p.y < -0.25 ? Palette.rgb(0xE6DCCB) : color
            let inside = (p.x * p.x + p.z * p.z).squareRoot() < 0.7 && p.y > -0.5 && p.x < 0.75
            return Surface(color: (inside ? Palette.rgb(0xEDE6DA) * 0.5 : band) * (1 + 0.08 * speck), softness: 0.2, gloss: 0.45, sharpness: 45)
        case (.bottle, _):
            let label = p.y > -0.95 && p.y < -0.1
            let stripe = abs(p.y + 0.52) < 0.10
            return Surface(
                color: label ? (stripe ? color : Palette.rgb(0xE4DAC2)) * (1 + 0.06 * speck) : Palette.rgb(0x1F4A2E) * 0.7, softness: 0.1,
                gloss: label ? 0.05 : 0.7, sharpness: 60)
        case (.ball, _):
            let wedge = (p.x * 1.6 + 0.3 * p.y) - (p.x * 1.6 + 0.3 * p.y).rounded()
            return Surface(color: (wedge < 0 ? color : Palette.rgb(0xEAE2D2)) * (1 + 0.07 * speck), softness: 0.2, gloss: 0.2, sharpness: 25)
        case (.book, _):
            let isCover = abs(n.z) > 0.6 || p.x < -0.75
            let page = 0.85 + 0.15 * Noise.value(p.z * 90, p.y * 0.5, 1)
            let title = n.z > 0.6 && abs(p.x) < 0.5 && (abs(p.y - 0.55) < 0.07 || abs(p.y - 0.36) < 0.03)
            let frame = n.z > 0.6 && (abs(abs(p.x) - 0.68) < 0.015 || abs(abs(p.y) - 0.9) < 0.015) && abs(p.x) < 0.7 && abs(p.y) < 0.92
            return Surface(
                color: title || frame ? Palette.rgb(0xD9B45A) : isCover ? color * (1 + 0.1 * speck) : Palette.rgb(0xE8DFC8) * page, gloss: 0.06)
        case (.board, _):
            let grain = 1 + 0.12 * Noise.value(p.x * 22, p.y * 1.5, 2)
            return Surface(color: Palette.rgb(0xA98256) * grain, softness: 0.2, gloss: 0.05)
        case (.lamp, 1):
            let weave = 1 + 0.06 * Noise.value(p.x * 50, p.y * 50, p.z * 50)
            let warm = smooth(1.3, -0.1, abs(p.y - 0.45))
            return Surface(color: Palette.rgb(0xE8D6B0) * 0.5 * weave, softness: 1, glow: Palette.rgb(0xFFC67A) * (0.35 + 0.75 * warm) * weave)
        case (.plant, 1):
            let vein = Noise.value(p.x * 14, p.y * 5, p.z * 14)
            return Surface(
                color: mix(Palette.rgb(0x2F6B3A), Palette.rgb(0x6FA04A), 0.5 + 0.4 * vein + 0.15 * p.y), softness: 0.6, gloss: 0.14, sharpness: 16)
        case (.plant, _): return Surface(color: Palette.rgb(0xB0623C) * (1 + 0.1 * speck), softness: 0.15, gloss: 0.04)
        default: return Surface(color: color * (1 + 0.06 * speck), softness: 0.1, gloss: 0.3, sharpness: 30)
        }
    }
}
