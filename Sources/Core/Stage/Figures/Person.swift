/// Person: proportions, solids and meshes. One unit is about 9 cm; the origin lies between the eyes, deep in the head.
struct Person: Sendable {
    enum Hair: String, Sendable, CaseIterable { case short, long, bun, curly, bob }

    let look: PersonLook
    let hair: Hair
    private let jaw: Float
    private let nose: Float

    /// Face box in units: half width, upper and lower edge.
    static let face = (halfWidth: Float(0.82), top: Float(0.83), bottom: Float(-1.12))
    static let crown: Float = 1.4
    static let sole: Float = -16.9
    /// Upward offset of the body against its solids, units.
    private static let lift: Float = 0.3

    init(name: String, seed: UInt64, texture: String?) {
        let stream = HashStream(seed: seed, "person/" + name)
        let words = (texture ?? "").lowercased().split { !$0.isLetter && $0 != "-" }.map(String.init)
        hair = Palette.pick(Hair.allCases, name: \.rawValue, words: words, stream, 1)
        jaw = Float(stream.unit(2) * 0.12 - 0.05)
        nose = Float(stream.unit(3) * 0.06 - 0.02)
        look = PersonLook(stream: stream, words: words, hair: hair)
    }

    private var skin: Solid { skin(areEyesOpen: true) }

    private func skin(areEyesOpen: Bool) -> Solid {
        var s = Solid(from: SIMD3(-1.1, -1.45, -1.2), to: SIMD3(1.1, 1.45, 1.3))
        s.ellipsoid(0, 0.42, -0.12, 0.80, 0.95, 0.98)
        s.ellipsoid(0, -0.36, 0.12, 0.62 + jaw, 0.80, 0.70, blend: 0.3)
        s.ellipsoid(0, -0.62, -0.05, 0.56 + jaw, 0.42, 0.55, blend: 0.2)
        s.ellipsoid(0, -0.96, 0.50, 0.18 + jaw * 0.5, 0.15, 0.17, blend: 0.25)
        s.ellipsoid(0.38, -0.26, 0.46, 0.22, 0.20, 0.20, blend: 0.25)
        s.ellipsoid(0.30, 0.26, 0.66, 0.28, 0.08, 0.12, blend: 0.16)
        s.ellipsoid(0.31, 0.06, 0.95, 0.19, 0.13, 0.24, blend: 0.16, cut: true)
        s.capsule(SIMD3(0, 0.14, 0.74), SIMD3(0, -0.22, 0.92 + nose), 0.075, 0.10, blend: 0.10)
        s.ellipsoid(0, -0.27, 0.93 + nose, 0.12, 0.10, 0.12, blend: 0.06)
        s.ellipsoid(0.115, -0.29, 0.83 + nose, 0.085, 0.075, 0.10, blend: 0.05)
        s.ellipsoid(0.06, -0.37, 0.90 + nose, 0.04, 0.045, 0.06, blend: 0.03, cut: true)
        s.ellipsoid(0, -0.62, 0.60, 0.28, 0.17, 0.20, blend: 0.14)
        s.ellipsoid(0.08, -0.575, 0.765, 0.15, 0.055, 0.07, blend: 0.06)
        s.ellipsoid(0, -0.695, 0.755, 0.19, 0.062, 0.075, blend: 0.06)
        s.ellipsoid(0.31, 0.045, 0.585, 0.205, 0.195, 0.205, blend: 0.05)
        if areEyesOpen { s.ellipsoid(0.31, 0.026, 0.83, 0.160, 0.066, 0.20, blend: 0.015, cut: true) }
        s.ellipsoid(0.80, -0.06, -0.10, 0.075, 0.21, 0.15, blend: 0.06)
        s.ellipsoid(0.87, -0.04, -0.03, 0.04, 0.13, 0.09, blend: 0.05, cut: true)
        return s
    }

    private var eyes: Solid {
        var s = Solid(from: SIMD3(-0.55, -0.2, 0.3), to: SIMD3(0.55, 0.3, 0.85))
        s.ellipsoid(0.31, 0.04, 0.59, 0.185, 0.185, 0.185)
        return s
    }

    private var hairSolid: Solid {
        var s = Solid(from: SIMD3(-1.5, -2.7, -1.75), to: SIMD3(1.5, 1.95, 1.25), isMirrored: false)
        switch hair {
        case .short: s.ellipsoid(0, 0.50, -0.16, 0.87, 0.97, 1.03)
        case .bun: s.ellipsoid(0, 0.48, -0.16, 0.87, 0.95, 1.03)
        case .long, .bob: s.ellipsoid(0, 0.50, -0.18, 0.92, 0.98, 1.05)
        case .curly:
            s.ellipsoid(0, 0.60, -0.24, 1.12, 1.08, 1.15)
            for side: Float in [-1, 1] { s.ellipsoid(side * 0.75, 0.0, -0.38, 0.42, 0.55, 0.5, blend: 0.3) }
        }
        s.ellipsoid(0, -0.20, 0.85, 0.74, 1.04, 0.98, blend: 0.10, cut: true)
        switch hair {
        case .short, .bun:
            s.box(SIMD3(0, -1.42, 0), SIMD3(2, 0.95, 2), blend: 0.1, cut: true)
            for side: Float in [-1, 1] { s.ellipsoid(side * 0.88, -0.36, 0.20, 0.3, 0.58, 0.36, blend: 0.08, cut: true) }
            if hair == .short { quiff(&s) }
        case .long, .bob: curtains(&s)
        case .curly: break
        }
        if hair == .bun { s.ellipsoid(0, 1.42, -0.50, 0.40, 0.36, 0.40, blend: 0.08) }
        s.roughness = hair == .curly ? (0.085, 4.5) : (0.012, 7)
        return s
    }

    /// A swept front: locks that start at the parting and end over the forehead.
    private func quiff(_ s: inout Solid) {
        for lock in 0..<7 {
            let t = Float(lock) / 6
            let x = -0.52 + 1.0 * t
            s.capsule(
                SIMD3(x * 0.8 + 0.10, 1.10, 0.22), SIMD3(x, 0.88 + 0.10 * (1 - (2 * t - 1) * (2 * t - 1)), 0.66 - 0.30 * x * x), 0.27, 0.10,
                blend: 0.09)
        }
    }

    /// Hair parted a little beside the middle that frames the face down to its end.
    private func curtains(_ s: inout Solid) {
        let end: Float = hair == .long ? -1.75 : -0.85
        for side: Float in [-1, 1] {
            for lock in 0..<3 {
                let out = Float(lock) * 0.10
                let top = SIMD3<Float>(0.14 + side * 0.10, 1.20, 0.34 - out)
                let temple = SIMD3<Float>(side * (0.60 + out), 0.58 - out, 0.58 - 2.2 * out)
                let cheek = SIMD3<Float>(side * (0.80 + 0.5 * out), -0.30, 0.20 - 2 * out)
                s.capsule(top, temple, 0.20, 0.15, blend: 0.12)
                s.capsule(temple, cheek, 0.15, 0.18, blend: 0.14)
                s.capsule(cheek, SIMD3(side * (0.84 + 0.9 * out), end - 1.5 * out, 0.10 - 2.4 * out), 0.20, hair == .long ? 0.08 : 0.2, blend: 0.16)
            }
        }
    }

    /// Hair that hangs down behind the neck; nil for short hair.
    private var mane: Solid? {
        guard hair == .long || hair == .bob else { return nil }
        let end: Float = hair == .long ? -1.8 : -0.7
        var s = Solid(from: SIMD3(-1.5, -2.7, -1.75), to: SIMD3(1.5, 1.0, 0.4))
        s.capsule(SIMD3(0.1, 0.2, -0.5), SIMD3(0.28, end, -0.62), 0.7, 0.5)
        s.capsule(SIMD3(0.7, -0.2, -0.3), SIMD3(0.72, end, -0.5), 0.2, 0.3, blend: 0.15)
        s.roughness = (0.012, 7)
        return s
    }

    /// Mesh of the hair behind the neck, painted before the body when the camera sees the face; nil when there is none.
    func back(cell: Float) -> Mesh? {
        guard let mane else { return nil }
        var mesh = Mesh()
        mesh.add(mane, material: PersonLook.hair, cell: cell * 1.5, surroundings: [skin])
        return mesh
    }

    private var neck: Solid {
        var s = Solid(from: SIMD3(-1.3, -2.9, -1.2), to: SIMD3(1.3, -0.6, 0.6))
        s.capsule(SIMD3(0, -0.7, -0.22), SIMD3(0, -2.0, -0.34), 0.37, 0.42)
        s.ellipsoid(0, -2.5, -0.45, 0.9, 0.45, 0.28, blend: 0.3)
        return s
    }

    private var torso: Solid {
        var s = Solid(from: SIMD3(-3.1, -9.2, -1.9), to: SIMD3(3.1, -1.55, 1.4))
        s.ellipsoid(0, -4.2, -0.42, 1.72, 2.3, 1.0)
        s.ellipsoid(0, -7.2, -0.42, 1.5, 2.0, 0.92, blend: 1.2)
        s.capsule(SIMD3(0.2, -2.25, -0.45), SIMD3(1.7, -2.72, -0.45), 0.34, 0.52, blend: 0.5)
        s.capsule(SIMD3(1.85, -2.9, -0.45), SIMD3(2.28, -5.6, -0.4), 0.52, 0.42, blend: 0.28)
        s.capsule(SIMD3(2.28, -5.6, -0.4), SIMD3(2.2, -8.0, 0.05), 0.42, 0.30, blend: 0.1)
        s.cylinder(SIMD3(0, -1.96, -0.32), below: 0.70, above: 0.58, half: 0.19, rounding: 0.1, blend: 0.18)
        s.roughness = (0.02, 1.3)
        return s
    }

    private var hands: Solid {
        var s = Solid(from: SIMD3(-2.7, -9.5, -0.6), to: SIMD3(2.7, -7.8, 0.8))
        s.capsule(SIMD3(2.2, -8.0, 0.05), SIMD3(2.15, -8.9, 0.15), 0.26, 0.22)
        return s
    }

    private var legs: Solid {
        var s = Solid(from: SIMD3(-2.0, -17.1, -1.7), to: SIMD3(2.0, -7.8, 1.2))
        s.ellipsoid(0, -8.9, -0.42, 1.45, 0.9, 0.9)
        s.capsule(SIMD3(0.72, -9.0, -0.42), SIMD3(0.78, -16.6, -0.45), 0.72, 0.42, blend: 0.3)
        s.roughness = (0.03, 1.8)
        return s
    }

    private var shoes: Solid {
        var s = Solid(from: SIMD3(-1.6, -17.3, -1.2), to: SIMD3(1.6, -16.3, 1.3))
        s.ellipsoid(0.8, -16.85, 0.1, 0.45, 0.36, 0.95)
        s.box(SIMD3(0, -18.2, 0), SIMD3(3, 1, 3), cut: true)
        return s
    }

    /// Face, hair and eyes; `cell` in units.
    func head(cell: Float, areEyesOpen: Bool = true) -> Mesh {
        var mesh = Mesh()
        mesh.add(skin(areEyesOpen: areEyesOpen), material: PersonLook.skin, cell: cell, surroundings: [hairSolid])
        mesh.add(eyes, material: PersonLook.eye, cell: cell, surroundings: [skin])
        mesh.add(hairSolid, material: PersonLook.hair, cell: cell * 1.3, surroundings: [skin])
        return mesh
    }

    /// Everything below the head.
    func body(cell: Float) -> Mesh {
        var mesh = Mesh()
        mesh.add(neck, material: PersonLook.neck, cell: cell, surroundings: [torso])
        mesh.add(torso, material: PersonLook.cloth, cell: cell * 1.6, surroundings: [legs])
        mesh.add(hands, material: PersonLook.neck, cell: cell * 1.6)
        mesh.add(legs, material: PersonLook.trousers, cell: cell * 2, surroundings: [torso])
        mesh.add(shoes, material: PersonLook.shoe, cell: cell * 1.6, surroundings: [legs])
        for index in mesh.vertices.indices { mesh.vertices[index].position.y += Self.lift }
        return mesh
    }
}
