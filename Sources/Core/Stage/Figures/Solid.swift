/// Signed distance field of blended primitives, negative inside. Units are the figure's own.
struct Solid: Sendable {
    struct Primitive: Sendable {
        enum Form: Sendable { case ellipsoid, capsule, cylinder, box, torus }
        var form: Form
        var isCut = false
        /// Width of the smooth union with the parts before; 0 is a sharp edge.
        var blend: Float
        /// Centre, or the capsule's first end.
        var a: SIMD3<Float>
        /// Radii; the capsule's second end; cylinder: radius below, half height, radius above; box: half sides; torus: major, minor radius.
        var b: SIMD3<Float>
        /// The capsule's two radii; rounding of box and cylinder.
        var c = SIMD2<Float>(0, 0)
    }

    var parts: [Primitive] = []
    /// Whether only x ≥ 0 is described, the other side being its mirror image.
    var isMirrored = true
    var lower: SIMD3<Float>
    var upper: SIMD3<Float>
    /// Displacement of the surface by noise: its height, and its frequency.
    var roughness: (height: Float, frequency: Float) = (0, 1)

    init(from lower: SIMD3<Float>, to upper: SIMD3<Float>, isMirrored: Bool = true) {
        self.lower = lower
        self.upper = upper
        self.isMirrored = isMirrored
    }

    mutating func ellipsoid(_ x: Float, _ y: Float, _ z: Float, _ rx: Float, _ ry: Float, _ rz: Float, blend: Float = 0, cut: Bool = false) {
        parts.append(Primitive(form: .ellipsoid, isCut: cut, blend: blend, a: SIMD3(x, y, z), b: SIMD3(rx, ry, rz)))
    }

    mutating func capsule(_ a: SIMD3<Float>, _ b: SIMD3<Float>, _ ra: Float, _ rb: Float, blend: Float = 0, cut: Bool = false) {
        parts.append(Primitive(form: .capsule, isCut: cut, blend: blend, a: a, b: b, c: SIMD2(ra, rb)))
    }

    mutating func cylinder(
        _ center: SIMD3<Float>, below: Float, above: Float, half: Float, rounding: Float = 0.03, blend: Float = 0, cut: Bool = false
    ) {
        parts.append(
            Primitive(form: .cylinder, isCut: cut, blend: blend, a: center, b: SIMD3(below, half, above), c: SIMD2(rounding, 0)))
    }

    mutating func box(_ center: SIMD3<Float>, _ half: SIMD3<Float>, rounding: Float = 0.03, blend: Float = 0, cut: Bool = false) {
        parts.append(Primitive(form: .box, isCut: cut, blend: blend, a: center, b: half, c: SIMD2(rounding, 0)))
    }

    /// Adds a torus in the x-y plane.
    mutating func torus(_ center: SIMD3<Float>, major: Float, minor: Float, blend: Float = 0, cut: Bool = false) {
        parts.append(Primitive(form: .torus, isCut: cut, blend: blend, a: center, b: SIMD3(major, minor, 0)))
    }

    /// Eight points, or their distances, at once.
    typealias Lanes = SIMD8<Float>

    /// Signed distances of eight points.
    func distances(_ px: Lanes, _ y: Lanes, _ z: Lanes) -> Lanes {
        var result = Lanes(repeating: 1e3)
        let x = isMirrored ? Self.magnitude(px) : px
        parts.withUnsafeBufferPointer { parts in
            for index in 0..<parts.count {
                let d = Self.distances(of: parts[index], x, y, z)
                let k = parts[index].blend
                if parts[index].isCut {
                    let joined = Self.larger(result, -d)
                    result = k > 0 ? joined + Self.fillet(result + d, k) : joined
                } else {
                    let joined = Self.smaller(result, d)
                    result = k > 0 ? joined - Self.fillet(result - d, k) : joined
                }
            }
        }
        guard roughness.height > 0 else { return result }
        let f = roughness.frequency
        for lane in 0..<Lanes.scalarCount where result[lane] < 4 * roughness.height {
            result[lane] -= roughness.height * Noise.value(px[lane] * f, y[lane] * f, z[lane] * f)
        }
        return result
    }

    /// Depth that a smooth union of width `k` adds where two surfaces are `apart`.
    @inline(__always)
    private static func fillet(_ apart: Lanes, _ k: Float) -> Lanes {
        let h = larger(k - magnitude(apart), .zero)
        return h * h / (4 * k)
    }

    @inline(__always)
    private static func distances(of part: Primitive, _ px: Lanes, _ py: Lanes, _ pz: Lanes) -> Lanes {
        let x = px - part.a.x, y = py - part.a.y, z = pz - part.a.z
        switch part.form {
        case .ellipsoid:
            let ux = x / part.b.x, uy = y / part.b.y, uz = z / part.b.z
            let k0 = (ux * ux + uy * uy + uz * uz).squareRoot()
            let vx = ux / part.b.x, vy = uy / part.b.y, vz = uz / part.b.z
            let k1 = (vx * vx + vy * vy + vz * vz).squareRoot()
            let middle = Lanes(repeating: -min(part.b.x, min(part.b.y, part.b.z)))
            return middle.replacing(with: k0 * (k0 - 1) / k1, where: k1 .> 1e-6)
        case .capsule:
            let bx = part.b.x - part.a.x, by = part.b.y - part.a.y, bz = part.b.z - part.a.z
            let t = clamped((x * bx + y * by + z * bz) / (bx * bx + by * by + bz * bz))
            let dx = x - bx * t, dy = y - by * t, dz = z - bz * t
            return (dx * dx + dy * dy + dz * dz).squareRoot() - (part.c.x + (part.c.y - part.c.x) * t)
        case .cylinder:
            let t = clamped(y / part.b.y * 0.5 + 0.5)
            let across = (x * x + z * z).squareRoot() - (part.b.x + (part.b.z - part.b.x) * t) + part.c.x
            let along = magnitude(y) - part.b.y + part.c.x
            let (ox, oy) = (larger(across, .zero), larger(along, .zero))
            return (ox * ox + oy * oy).squareRoot() + smaller(larger(across, along), .zero) - part.c.x
        case .box:
            let dx = magnitude(x) - part.b.x + part.c.x, dy = magnitude(y) - part.b.y + part.c.x, dz = magnitude(z) - part.b.z + part.c.x
            let (ox, oy, oz) = (larger(dx, .zero), larger(dy, .zero), larger(dz, .zero))
            return (ox * ox + oy * oy + oz * oz).squareRoot() + smaller(larger(dx, larger(dy, dz)), .zero) - part.c.x
        case .torus:
            let ring = (x * x + y * y).squareRoot() - part.b.x
            return (ring * ring + z * z).squareRoot() - part.b.y
        }
    }

    @inline(__always)
    private static func larger(_ a: Lanes, _ b: Lanes) -> Lanes { a.replacing(with: b, where: b .> a) }

    @inline(__always)
    private static func smaller(_ a: Lanes, _ b: Lanes) -> Lanes { a.replacing(with: b, where: b .< a) }

    @inline(__always)
    private static func magnitude(_ a: Lanes) -> Lanes { a.replacing(with: -a, where: a .< 0) }

    @inline(__always)
    private static func clamped(_ a: Lanes) -> Lanes { smaller(larger(a, .zero), .one) }
}

/// Smooth noise over space.
enum Noise {
    @inline(__always)
    static func lattice(_ x: Int32, _ y: Int32, _ z: Int32) -> Float {
        var h = UInt32(bitPattern: x) &* 0x8DA6_B343 ^ UInt32(bitPattern: y) &* 0xD816_3841 ^ UInt32(bitPattern: z) &* 0xCB1A_B31F
        h = (h ^ (h >> 15)) &* 0x2C1B_3C6D
        h = (h ^ (h >> 12)) &* 0x297A_2D39
        return Float((h ^ (h >> 15)) >> 8) * 0x1p-23 - 1
    }

    /// Value noise, −1…1, one random value per unit cube.
    @inline(__always)
    static func value(_ x: Float, _ y: Float, _ z: Float) -> Float {
        let fx = x.rounded(.down), fy = y.rounded(.down), fz = z.rounded(.down)
        let (ix, iy, iz) = (Int32(fx), Int32(fy), Int32(fz))
        var (u, v, w) = (x - fx, y - fy, z - fz)
        (u, v, w) = (u * u * (3 - 2 * u), v * v * (3 - 2 * v), w * w * (3 - 2 * w))
        let a = lattice(ix, iy, iz) * (1 - u) + lattice(ix + 1, iy, iz) * u
        let b = lattice(ix, iy + 1, iz) * (1 - u) + lattice(ix + 1, iy + 1, iz) * u
        guard w > 0 else { return a * (1 - v) + b * v }
        let c = lattice(ix, iy, iz + 1) * (1 - u) + lattice(ix + 1, iy, iz + 1) * u
        let d = lattice(ix, iy + 1, iz + 1) * (1 - u) + lattice(ix + 1, iy + 1, iz + 1) * u
        return (a * (1 - v) + b * v) * (1 - w) + (c * (1 - v) + d * v) * w
    }
}
