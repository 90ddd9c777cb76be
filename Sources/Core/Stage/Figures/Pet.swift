/// Cat or dog: sitting and frontal when its box is tall, standing sideways when it is wide. One unit is about 6 cm.
struct Pet: Sendable {
    let look: PetLook
    let isDog: Bool

    /// Head box with the ears: half width, upper and lower edge, in units.
    static let head = (halfWidth: Float(0.98), top: Float(1.15), bottom: Float(-0.80))
    /// Half width, floor and position of the head, in units, of each pose.
    static let sitting = (halfWidth: Float(1.5), floor: Float(-3.65), neck: SIMD2<Float>(0, 0))
    static let standing = (halfWidth: Float(3.2), floor: Float(-3.4), neck: SIMD2<Float>(-2.2, 0))

    init(name: String, seed: UInt64, texture: String?, isDog: Bool) {
        self.isDog = isDog
        let words = (texture ?? "").lowercased().split { !$0.isLetter }.map(String.init)
        look = PetLook(stream: HashStream(seed: seed, "pet/" + name), words: words, isDog: isDog)
    }

    private var skull: Solid {
        var s = Solid(from: SIMD3(-1.2, -1.15, -1.0), to: SIMD3(1.2, 1.35, 1.5))
        s.ellipsoid(0, 0, 0, isDog ? 0.72 : 0.86, 0.74, 0.72)
        s.ellipsoid(0.45, -0.22, 0.22, 0.42, 0.36, 0.36, blend: 0.2)
        if isDog {
            s.capsule(SIMD3(0, -0.18, 0.5), SIMD3(0, -0.34, 1.02), 0.36, 0.26, blend: 0.2)
            s.ellipsoid(0, -0.25, 1.22, 0.15, 0.11, 0.12, blend: 0.03)
            s.capsule(SIMD3(0.62, 0.48, 0), SIMD3(0.88, -0.45, 0.12), 0.20, 0.26, blend: 0.1)
        } else {
            s.ellipsoid(0.15, -0.34, 0.60, 0.20, 0.16, 0.20, blend: 0.12)
            s.capsule(SIMD3(0, 0.10, 0.60), SIMD3(0, -0.18, 0.74), 0.15, 0.10, blend: 0.12)
            s.ellipsoid(0, -0.20, 0.80, 0.085, 0.06, 0.06, blend: 0.03)
            s.ellipsoid(0, -0.56, 0.50, 0.16, 0.11, 0.15, blend: 0.1)
            s.capsule(SIMD3(0.50, 0.45, -0.02), SIMD3(0.70, 1.08, -0.06), 0.32, 0.05, blend: 0.12)
            s.capsule(SIMD3(0.52, 0.52, 0.22), SIMD3(0.68, 0.96, 0.10), 0.19, 0.04, blend: 0.08, cut: true)
        }
        s.ellipsoid(0.36, 0.06, 0.78, 0.20, 0.17, 0.22, blend: 0.12, cut: true)
        s.ellipsoid(0.36, 0.05, 0.46, 0.25, 0.24, 0.25, blend: 0.06)
        s.ellipsoid(0.36, 0.04, 0.80, isDog ? 0.15 : 0.205, isDog ? 0.115 : 0.155, 0.3, blend: 0.015, cut: true)
        s.roughness = (0.014, 16)
        return s
    }

    private var eyes: Solid {
        var s = Solid(from: SIMD3(-0.7, -0.3, 0.1), to: SIMD3(0.7, 0.4, 0.8))
        s.ellipsoid(0.36, 0.05, 0.465, 0.228, 0.228, 0.228)
        return s
    }

    private var sittingBody: Solid {
        var s = Solid(from: SIMD3(-1.9, -4.15, -1.5), to: SIMD3(1.9, -0.2, 1.3))
        s.capsule(SIMD3(0, -0.5, -0.15), SIMD3(0, -1.5, -0.10), 0.58, 0.72)
        s.ellipsoid(0, -1.85, -0.05, 0.80, 1.05, 0.72, blend: 0.3)
        s.ellipsoid(0, -2.9, -0.25, 0.95, 1.05, 0.85, blend: 0.3)
        s.ellipsoid(0.72, -3.15, -0.20, 0.58, 0.80, 0.80, blend: 0.2)
        s.capsule(SIMD3(0.36, -2.0, 0.35), SIMD3(0.34, -3.7, 0.52), 0.28, 0.21, blend: 0.15)
        s.ellipsoid(0.36, -3.82, 0.66, 0.27, 0.17, 0.33, blend: 0.08)
        s.ellipsoid(0.95, -3.85, 0.38, 0.30, 0.15, 0.45, blend: 0.08)
        s.roughness = (0.022, 12)
        return s
    }

    private var standingBody: Solid {
        var s = Solid(from: SIMD3(-3.1, -3.5, -1.4), to: SIMD3(2.9, 0.6, 1.1), isMirrored: false)
        s.capsule(SIMD3(-2.15, -0.35, -0.25), SIMD3(-1.2, -1.05, -0.25), 0.55, 0.72)
        s.capsule(SIMD3(-1.2, -1.15, -0.25), SIMD3(1.7, -1.2, -0.25), 0.85, 0.88, blend: 0.3)
        for (z, step) in [(Float(0.2), Float(0)), (Float(-0.75), Float(0.35))] {
            s.capsule(SIMD3(-1.35, -1.5, z), SIMD3(-1.4 + step, -3.15, z + 0.05), 0.32, 0.20, blend: 0.15)
            s.ellipsoid(-1.5 + step, -3.25, z + 0.1, 0.32, 0.15, 0.26, blend: 0.06)
            s.capsule(SIMD3(1.7, -1.4, z), SIMD3(2.05 - step, -2.35, z), 0.52, 0.28, blend: 0.15)
            s.capsule(SIMD3(2.05 - step, -2.35, z), SIMD3(1.85 - step, -3.15, z + 0.05), 0.26, 0.19, blend: 0.08)
            s.ellipsoid(1.72 - step, -3.25, z + 0.1, 0.32, 0.15, 0.26, blend: 0.06)
        }
        s.roughness = (0.022, 12)
        return s
    }

    private func tail(isSitting: Bool) -> Solid {
        var s = Solid(from: SIMD3(0.5, -4.15, -1.2), to: SIMD3(3.5, 1.3, 1.3), isMirrored: false)
        let points: [SIMD3<Float>] =
            isSitting
            ? [SIMD3(0.8, -3.7, -0.6), SIMD3(1.45, -3.76, -0.2), SIMD3(1.55, -3.8, 0.35), SIMD3(1.15, -3.82, 0.75)]
            : [SIMD3(2.3, -0.9, -0.25), SIMD3(2.85, -0.35, -0.25), SIMD3(3.0, 0.3, -0.25), SIMD3(2.85, 0.85, -0.25)]
        for (a, b) in zip(points, points.dropFirst()) { s.capsule(a, b, 0.19, 0.17, blend: 0.05) }
        s.roughness = (0.022, 12)
        return s
    }

    func head(cell: Float) -> Mesh {
        var mesh = Mesh()
        mesh.add(skull, material: PetLook.face, cell: cell)
        mesh.add(eyes, material: PetLook.eye, cell: cell, surroundings: [skull])
        return mesh
    }

    func body(cell: Float, isSitting: Bool) -> Mesh {
        var mesh = Mesh()
        let body = isSitting ? sittingBody : standingBody
        mesh.add(body, material: isSitting ? PetLook.chest : PetLook.flank, cell: cell * 1.6, surroundings: isSitting ? [skull] : [])
        mesh.add(tail(isSitting: isSitting), material: PetLook.tail, cell: cell * 1.6, surroundings: [body])
        if isSitting {
            for index in mesh.vertices.indices { mesh.vertices[index].position.y += 0.35 }
        }
        return mesh
    }
}

/// Materials of a pet: fur, eyes and nose.
struct PetLook: Look {
    static let face = 0, eye = 1, chest = 2, flank = 3, tail = 4

    private let fur: SIMD3<Float>
    private let stripe: SIMD3<Float>
    private let white: SIMD3<Float>
    private let iris: SIMD3<Float>
    private let isDog: Bool

    init(stream: HashStream, words: [String], isDog: Bool) {
        let coat = Palette.pick(Palette.furs, name: \.name, words: words, stream, 1)
        fur = Palette.rgb(isDog && words.isEmpty ? 0xA8743F : coat.fur)
        stripe = isDog ? Palette.rgb(0x6E4526) : Palette.rgb(coat.stripe)
        white = coat.white || isDog ? Palette.rgb(0xF0E8DC) : Palette.rgb(coat.fur) * 1.25
        iris = Palette.rgb(isDog ? 0x4A2A14 : [0xA8B23C, 0xC9962E, 0x6FA58C][Int(stream.bits(2) >> 33) % 3])
        self.isDog = isDog
    }

    func surface(_ material: Int32, at p: SIMD3<Float>, normal n: SIMD3<Float>) -> Surface {
        switch Int(material) {
        case Self.face: return isDog ? dogFace(p, n) : catFace(p, n)
        case Self.eye: return eye(p)
        case Self.chest:
            let bib = smooth(0.62, 0.3, abs(p.x)) * smooth(0.1, 0.5, n.z) * smooth(-3.3, -2.4, p.y)
            let sock = smooth(-3.45, -3.65, p.y)
            return coat(mix(striped(p.y * 2.1 + 0.25 * abs(p.x), p), white, max(bib, sock)), p)
        case Self.flank:
            return coat(mix(striped(p.x * 1.9 + 0.3 * p.y, p), white, max(smooth(-2.75, -3.0, p.y), smooth(-1.75, -2.1, p.y) * 0.5)), p)
        default: return coat(striped((p.x + p.y) * 2.2, p), p)
        }
    }

    private func striped(_ phase: Float, _ p: SIMD3<Float>) -> SIMD3<Float> {
        let wave = phase + 0.35 * Noise.value(p.x * 2, p.y * 2, p.z * 2)
        let t = abs(wave - wave.rounded()) * 2
        return mix(fur, stripe, (isDog ? 0.15 : 0.75) * smooth(0.45, 0.25, t))
    }

    private func coat(_ color: SIMD3<Float>, _ p: SIMD3<Float>) -> Surface {
        let hair = Noise.value(p.x * 34, p.y * 14, p.z * 34)
        let fine = Noise.value(p.x * 70, p.y * 26, p.z * 70)
        return Surface(
            color: color * (0.92 + 0.16 * hair + 0.14 * fine), softness: 0.4, gloss: 0.02, sharpness: 6,
            bump: SIMD3(0.20 * hair + 0.12 * fine, -0.08 * hair, 0))
    }

    private func catFace(_ p: SIMD3<Float>, _ n: SIMD3<Float>) -> Surface {
        let x = abs(p.x)
        var color = fur
        // The M on the forehead, stripes on the cheeks, darker ear backs.
        let forehead: Float = smooth(0.16, 0.3, p.y) * smooth(0.75, 0.55, p.y)
        let m: Float = x * 7.2 + (p.y - 0.2) * 1.4
        let letter: Float = 0.8 * forehead * smooth(0.32, 0.12, abs(m - m.rounded())) * smooth(0.62, 0.45, x)
        color = mix(color, stripe, letter)
        let cheek: Float = (p.y + 0.55 * x) * 7
        let stripes: Float = 0.6 * smooth(0.5, 0.65, x) * smooth(0.3, 0.12, abs(cheek - cheek.rounded())) * smooth(0.15, 0, p.y)
        color = mix(color, stripe, stripes)
        color = mix(color, stripe * 0.8, 0.5 * smooth(0.1, -0.3, p.z) * smooth(0.5, 0.7, p.y))
        let blaze: Float = smooth(0.085, 0.03, x - 0.05) * smooth(0.55, 0.2, p.y) * smooth(-0.3, -0.1, p.y) * smooth(0.4, 0.55, p.z)
        let mx = x - 0.14, my = p.y + 0.40
        let muzzle: Float = smooth(1.25, 0.75, (mx * mx * 8 + my * my * 16)) * smooth(0.25, 0.45, p.z)
        color = mix(color, white, max(muzzle, blaze * 0.55))
        var s = coat(color, p)
        // Pink in the ears, dark around the eyes, nose and mouth.
        let ear: Float =
            smooth(0.55, 0.68, p.y) * smooth(0.55, 0.75, n.z + 0.3) * smooth(-0.12, 0.0, p.z) * smooth(0.20, 0.08, abs(x - 0.5 - 0.30 * (p.y - 0.5)))
        s.color = mix(s.color, Palette.rgb(0xD09A8C), ear * 0.8)
        let ex = (x - 0.36) / 0.235, ey = (p.y - 0.04) / 0.185
        s.color = mix(s.color, Palette.rgb(0x1E1612), smooth(1.25, 0.95, ex * ex + ey * ey) * smooth(0.3, 0.4, p.z))
        let nose: Float =
            smooth(0.115, 0.085, x + max(-0.17 - p.y, 0) * 0.9) * smooth(-0.295, -0.265, p.y) * smooth(-0.115, -0.145, p.y) * smooth(0.6, 0.68, p.z)
        s.color = mix(s.color, Palette.rgb(0xB8675E), nose)
        s.gloss += 0.2 * nose
        let line: Float = smooth(0.020, 0.006, x) * smooth(-0.28, -0.30, p.y) * smooth(-0.46, -0.43, p.y)
        let smile: Float = smooth(0.024, 0.008, abs(p.y + 0.455 - 0.9 * (x - 0.13) * (x - 0.13) * 2)) * smooth(0.30, 0.24, x)
        s.color = mix(s.color, Palette.rgb(0x2A1A16), max(line, smile) * 0.85 * smooth(0.4, 0.5, p.z))
        let dots = Noise.value(p.x * 24, p.y * 24, 2)
        let whiskers: Float = 0.3 * smooth(0.45, 0.6, dots) * muzzle * smooth(0.08, 0.14, x) * smooth(-0.30, -0.34, p.y)
        s.color *= 1 - whiskers
        return s
    }

    private func dogFace(_ p: SIMD3<Float>, _ n: SIMD3<Float>) -> Surface {
        let x = abs(p.x)
        var color = mix(fur, stripe, smooth(0.58, 0.7, x) * 0.85)
        color = mix(color, white, max(smooth(0.62, 0.8, p.z) * smooth(0.0, -0.15, p.y), smooth(0.14, 0.05, x) * smooth(0.3, 0.45, p.z)) * 0.8)
        var s = coat(color, p)
        let nose = smooth(1.12, 1.18, p.z) * smooth(-0.42, -0.36, p.y)
        s.color = mix(s.color, SIMD3(repeating: 0.012), nose)
        s.gloss += 0.35 * nose
        s.color = mix(s.color, SIMD3(repeating: 0.02), smooth(0.03, 0.01, abs(p.y + 0.46 - 0.35 * x)) * smooth(0.5, 0.62, p.z) * smooth(0.4, 0.3, x))
        let ex = (x - 0.36) / 0.18, ey = (p.y - 0.04) / 0.145
        s.color = mix(s.color, SIMD3(repeating: 0.015), smooth(1.3, 0.95, ex * ex + ey * ey) * smooth(0.3, 0.4, p.z))
        return s
    }

    private func eye(_ p: SIMD3<Float>) -> Surface {
        let x = abs(p.x) - 0.35, y = p.y - 0.045
        let r = (x * x + y * y).squareRoot()
        var color = iris * (1.25 - 0.9 * smooth(0.05, 0.20, r)) * (1.1 - 0.6 * smooth(0.02, 0.14, y))
        let slit = isDog ? r / 0.075 : ((x / 0.055) * (x / 0.055) + (y / 0.14) * (y / 0.14)).squareRoot()
        color = mix(color, SIMD3(repeating: 0.006), smooth(1.1, 0.9, slit))
        let sx = p.x - (p.x > 0 ? 0.35 : -0.35) + 0.055
        let spark = smooth(0.045, 0.028, (sx * sx + (y - 0.065) * (y - 0.065)).squareRoot())
        return Surface(color: color, softness: 0.2, gloss: 0.3, sharpness: 50, glow: SIMD3(repeating: 0.8 * spark))
    }
}
