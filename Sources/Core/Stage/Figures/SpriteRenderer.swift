/// Material of a figure: its surface at a point in the figure's own coordinates, colours in linear light.
protocol Look: Sendable {
    func surface(_ material: Int32, at p: SIMD3<Float>, normal n: SIMD3<Float>) -> Surface
}

/// Shading parameters of one surface point.
struct Surface {
    var color: SIMD3<Float>
    /// Subsurface scattering, 0…1: width of the soft edge between light and shadow, as in skin.
    var softness: Float = 0.1
    var gloss: Float = 0.05
    var sharpness: Float = 20
    /// Emitted light.
    var glow: SIMD3<Float> = .zero
    /// Added to the normal, in the figure's coordinates.
    var bump: SIMD3<Float> = .zero
}

/// Renderer of a mesh, turned by a yaw, to a sprite: depth buffer at twice the size, soft shadows, three lights.
struct SpriteRenderer {
    let mesh: Mesh
    /// Yaw in degrees, positive to the picture's right.
    let yaw: Double
    /// Scale, pixels per unit.
    let scale: Float
    /// Left edge of the sprite in the figure's plane, units.
    let left: Float
    /// Upper edge, units, y up.
    let top: Float
    /// Size in pixels.
    let width: Int
    let height: Int

    static let distance: Float = 11
    private static let key = unit(SIMD3(-0.5, 0.55, 0.72))
    private static let fill = unit(SIMD3(0.75, 0.1, 0.6))
    private static let rim = unit(SIMD3(0.62, 0.45, -0.55))

    func render(_ look: some Look) -> Canvas {
        let sprite = Canvas(width: width, height: height)
        guard !mesh.triangles.isEmpty else { return sprite }
        let buffer = DepthBuffer(width: width * 2, height: height * 2)
        let turned = transformed()
        turned.withUnsafeBufferPointer { turned in
            mesh.vertices.withUnsafeBufferPointer { vertices in
                mesh.triangles.withUnsafeBufferPointer { triangles in
                    let shape = Shape(
                        points: turned.baseAddress!, vertices: vertices.baseAddress!, triangles: triangles.baseAddress!, count: triangles.count,
                        turn: (Float(cosine(degrees: yaw)), Float(sine(degrees: yaw))))
                    forEachBand(of: height) { rows in rasterise(shape, buffer, rows: rows.lowerBound * 2..<rows.upperBound * 2) }
                    forEachBand(of: height) { rows in
                        for y in rows { shadeRow(y, sprite, shape, buffer, look) }
                    }
                }
            }
        }
        return sprite
    }

    private struct Shape: @unchecked Sendable {
        let points: UnsafePointer<SIMD4<Float>>
        let vertices: UnsafePointer<Mesh.Vertex>
        let triangles: UnsafePointer<Int32>
        let count: Int
        let turn: (cos: Float, sin: Float)
    }

    /// Vertices in subpixels; z towards the camera in units; in w the z of the turned normal, 1 facing the camera.
    private func transformed() -> [SIMD4<Float>] {
        let (c, s) = (Float(cosine(degrees: yaw)), Float(sine(degrees: yaw)))
        return mesh.vertices.map { vertex in
            let p = vertex.position
            let z = p.z * c - p.x * s
            let zoom = Self.distance / (Self.distance - z)
            let x = (p.x * c + p.z * s) * zoom, y = p.y * zoom
            return SIMD4((x - left) * scale * 2, (top - y) * scale * 2, z, vertex.normal.z * c - vertex.normal.x * s)
        }
    }

    private func rasterise(_ shape: Shape, _ buffer: DepthBuffer, rows: Range<Int>) {
        let (points, triangles) = (shape.points, shape.triangles)
        for index in stride(from: 0, to: shape.count, by: 3) {
            let a = points[Int(triangles[index])], b = points[Int(triangles[index + 1])], c = points[Int(triangles[index + 2])]
            let low = min(a.y, min(b.y, c.y)), high = max(a.y, max(b.y, c.y))
            guard high >= Float(rows.lowerBound), low < Float(rows.upperBound) else { continue }
            guard a.w > -0.35 || b.w > -0.35 || c.w > -0.35 else { continue }
            let corners = Corners(a, b, c)
            guard abs(corners.area) > 1e-6 else { continue }
            let firstY = max(rows.lowerBound, Int(max(low - 0.5, 0))), endY = min(rows.upperBound, Int(high + 1.5))
            let firstX = max(0, Int(max(min(a.x, min(b.x, c.x)) - 0.5, 0))), endX = min(buffer.width, Int(max(a.x, max(b.x, c.x), 0) + 1.5))
            guard firstX < endX, firstY < endY else { continue }
            let triangle = SIMD4(repeating: Int32(index))
            for y in firstY..<endY {
                let py = SIMD4(repeating: Float(y) + 0.5)
                for x in stride(from: firstX & ~3, to: endX, by: 4) {
                    let px = SIMD4(0, 1, 2, 3) + (Float(x) + 0.5)
                    let (v, w) = corners.weights(px, py)
                    let z = a.z + (b.z - a.z) * v + (c.z - a.z) * w
                    let slot = UnsafeMutableRawPointer(buffer.depth + y * buffer.stride + x).assumingMemoryBound(to: SIMD4<Float>.self)
                    let hits = UnsafeMutableRawPointer(buffer.triangles + y * buffer.stride + x).assumingMemoryBound(to: SIMD4<Int32>.self)
                    let isSeen =
                        (v .>= -1e-4) .& (w .>= -1e-4) .& (v + w .<= 1.0001) .& (z .> slot.pointee)
                        .& (px .> Float(firstX)) .& (px .< Float(endX))
                    slot.pointee.replace(with: z, where: isSeen)
                    hits.pointee.replace(with: triangle, where: isSeen)
                }
            }
        }
    }

    /// Corners of a triangle, for barycentric coordinates.
    private struct Corners {
        /// Twice the area.
        let area: Float
        private let a, ab, ac: SIMD4<Float>

        init(_ a: SIMD4<Float>, _ b: SIMD4<Float>, _ c: SIMD4<Float>) {
            (self.a, ab, ac) = (a, b - a, c - a)
            area = ab.x * ac.y - ab.y * ac.x
        }

        /// Weights of the second and the third corner at four points.
        @inline(__always)
        func weights(_ px: SIMD4<Float>, _ py: SIMD4<Float>) -> (v: SIMD4<Float>, w: SIMD4<Float>) {
            let (x, y, scale) = (px - a.x, py - a.y, 1 / area)
            return ((x * ac.y - y * ac.x) * scale, (ab.x * y - ab.y * x) * scale)
        }
    }

    private func shadeRow(_ y: Int, _ sprite: Canvas, _ shape: Shape, _ buffer: DepthBuffer, _ look: some Look) {
        let upper = y * 2 * buffer.stride, lower = upper + buffer.stride
        for x in 0..<width {
            let slots = (upper + 2 * x, upper + 2 * x + 1, lower + 2 * x, lower + 2 * x + 1)
            let z = SIMD4(buffer.depth[slots.0], buffer.depth[slots.1], buffer.depth[slots.2], buffer.depth[slots.3])
            if z.max() < -900 { continue }
            if z.max() - z.min() < 0.08, isOneMaterial(slots, shape, buffer) {
                sprite.row(y)[x] = Packed.color(encoded(shade(slots.0, shape, buffer, look)), fourth: 1)
                continue
            }
            var sum = SIMD3<Float>.zero, coverage: Float = 0
            for slot in [slots.0, slots.1, slots.2, slots.3] where buffer.depth[slot] > -900 {
                sum += encoded(shade(slot, shape, buffer, look))
                coverage += 1
            }
            sprite.row(y)[x] = Packed.color(sum / 4, fourth: coverage / 4)
        }
    }

    private func isOneMaterial(_ s: (Int, Int, Int, Int), _ shape: Shape, _ buffer: DepthBuffer) -> Bool {
        func material(_ slot: Int) -> Int32 { shape.vertices[Int(shape.triangles[Int(buffer.triangles[slot])])].material }
        let first = material(s.0)
        return material(s.1) == first && material(s.2) == first && material(s.3) == first
    }

    private func shade(_ slot: Int, _ shape: Shape, _ buffer: DepthBuffer, _ look: some Look) -> SIMD3<Float> {
        let first = shape.triangles + Int(buffer.triangles[slot])
        let (i, j, k) = (Int(first[0]), Int(first[1]), Int(first[2]))
        let (a, b, c) = (shape.vertices[i], shape.vertices[j], shape.vertices[k])
        let weights = Corners(shape.points[i], shape.points[j], shape.points[k]).weights(
            SIMD4(repeating: Float(slot % buffer.stride) + 0.5), SIMD4(repeating: Float(slot / buffer.stride) + 0.5))
        let (v, w) = (weights.v.x, weights.w.x)
        let u = 1 - v - w
        let p = a.position * u + b.position * v + c.position * w
        let raw = Self.unit(a.normal * u + b.normal * v + c.normal * w)
        let open = a.openness * u + b.openness * v + c.openness * w
        let surface = look.surface(a.material, at: p, normal: raw)
        let own = Self.unit(raw + surface.bump)
        let (cs, sn) = shape.turn
        let n = SIMD3(own.x * cs + own.z * sn, own.y, own.z * cs - own.x * sn)
        return Self.lit(surface, normal: n, open: open, shadow: shadow(slot, buffer))
    }

    private static func lit(_ s: Surface, normal n: SIMD3<Float>, open: Float, shadow: Float) -> SIMD3<Float> {
        let towards = dot(n, key)
        let wrap = SIMD3<Float>(0.9, 0.5, 0.35) * s.softness
        let (over, under): (SIMD3<Float>, SIMD3<Float>) = (SIMD3<Float>(repeating: towards) + wrap, wrap + 1)
        let soft: SIMD3<Float> = (over / under).clamped(lowerBound: .zero, upperBound: .one)
        let (lit, free): (Float, Float) = (0.25 + 0.75 * shadow, 0.4 + 0.6 * open)
        let direct: SIMD3<Float> = soft * lit * free
        let side: Float = max(dot(n, fill) * 0.6 + 0.4, 0)
        let sky: Float = 0.5 + 0.5 * n.y
        let edge: Float = max(1 - max(n.z, 0), 0)
        let glint: Float = max(dot(n, rim), 0) * edge
        let (high, low): (Float, Float) = (0.45 + 0.55 * sky, 1 - sky)
        let ambient: SIMD3<Float> = SIMD3<Float>(0.20, 0.22, 0.27) * high + SIMD3<Float>(0.14, 0.09, 0.06) * low
        let sun: SIMD3<Float> = SIMD3<Float>(1.12, 1.02, 0.88) * direct
        let filled: SIMD3<Float> = ambient + SIMD3<Float>(0.13, 0.15, 0.19) * side
        var color: SIMD3<Float> = s.color * (sun + filled * open)
        let sheen: SIMD3<Float> = s.color * 0.6 + 0.12
        let rimLight: Float = glint * glint * 1.1 * open
        color += sheen * SIMD3<Float>(0.75, 0.85, 1.0) * rimLight
        let half = unit(key + SIMD3<Float>(0, 0, 1))
        let highlight: Float = power(max(dot(n, half), 0), s.sharpness)
        let clear: Float = 0.2 + 0.8 * shadow
        let gleam: Float = s.gloss * highlight * clear * open
        color += SIMD3<Float>(1.0, 0.96, 0.9) * gleam
        return color + s.glow
    }

    /// Screen-space shadow of the key light: 1 lit … 0 behind something nearer to the light.
    private func shadow(_ slot: Int, _ buffer: DepthBuffer) -> Float {
        let x = Float(slot % buffer.stride), y = Float(slot / buffer.stride)
        let z = buffer.depth[slot]
        var light: Float = 1
        for step in 1...9 {
            let reach = 0.035 * Float(step) + 0.012 * Float(step * step)
            let px = Int(x + Self.key.x * reach * scale * 2), py = Int(y - Self.key.y * reach * scale * 2)
            guard px >= 0, py >= 0, px < buffer.width, py < buffer.height else { break }
            let over = buffer.depth[py * buffer.stride + px] - (z + Self.key.z * reach)
            if over > 0.01, over < 1.2 { light = min(light, max(1 - (over - 0.01) * 10, 0)) }
        }
        return light
    }

    /// Tone curve with a soft shoulder, then display gamma.
    private func encoded(_ color: SIMD3<Float>) -> SIMD3<Float> {
        let x = color * 1.12
        let (rise, shoulder): (SIMD3<Float>, SIMD3<Float>) = (x * 0.22 + 1, x * 0.85 + 1)
        let y: SIMD3<Float> = x * rise / shoulder * 1.12
        var result = SIMD3<Float>.zero
        for channel in 0..<3 { result[channel] = Gamma.encode(y[channel]) }
        return result
    }

    static func unit(_ v: SIMD3<Float>) -> SIMD3<Float> {
        let l = dot(v, v).squareRoot()
        return l > 1e-9 ? v / l : SIMD3(0, 0, 1)
    }

    @inline(__always)
    static func dot(_ a: SIMD3<Float>, _ b: SIMD3<Float>) -> Float { a.x * b.x + a.y * b.y + a.z * b.z }

    /// Approximation of x to the power of n, a polynomial that needs no libm.
    @inline(__always)
    private static func power(_ x: Float, _ n: Float) -> Float {
        let t = max(1 - (1 - x) * n * 0.25, 0)
        return t * t * t * t
    }
}

/// Depth buffer with the triangle of each subpixel, by the place of its first corner in the list.
final class DepthBuffer: @unchecked Sendable {
    let width: Int
    let height: Int
    /// Distance from row to row, a multiple of four.
    let stride: Int
    let depth: UnsafeMutablePointer<Float>
    let triangles: UnsafeMutablePointer<Int32>

    init(width: Int, height: Int) {
        (self.width, self.height, stride) = (width, height, (width + 3) & ~3)
        (depth, triangles) = (Self.memory(stride / 4 * height, of: -1000), Self.memory(stride / 4 * height, of: 0))
    }

    private static func memory<Value: SIMDScalar>(_ fours: Int, of value: Value) -> UnsafeMutablePointer<Value> {
        let memory = UnsafeMutablePointer<SIMD4<Value>>.allocate(capacity: fours)
        memory.initialize(repeating: SIMD4(repeating: value), count: fours)
        return UnsafeMutableRawPointer(memory).assumingMemoryBound(to: Value.self)
    }

    deinit {
        depth.deallocate()
        triangles.deallocate()
    }
}

/// Display gamma by table.
enum Gamma {
    private static let table: [Float] = (0...4096).map { Float((Double($0) / 4096).squareRoot()) * 0.55 + Float(cubeRoot(Double($0) / 4096)) * 0.45 }

    /// 0…1 linear light to 0…1 code value, clipped.
    @inline(__always)
    static func encode(_ x: Float) -> Float { table[Int(min(max(x, 0), 1) * 4096)] }

    private static func cubeRoot(_ x: Double) -> Double {
        var y = x > 0 ? max(x, 0.05) : 0
        for _ in 0..<40 where y > 0 { y -= (y * y * y - x) / (3 * y * y) }
        return y
    }
}
