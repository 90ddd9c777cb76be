/// Triangle mesh of a figure's surface.
struct Mesh: Sendable {
    struct Vertex: Sendable {
        var position: SIMD3<Float>
        var normal: SIMD3<Float>
        /// Ambient occlusion: 1 in the open, towards 0 in creases.
        var openness: Float
        var material: Int32
    }

    var vertices: [Vertex] = []
    var triangles: [Int32] = []

    /// Adds the surface of `solid`, polygonised with cells of side `cell`; `surroundings` occlude it as well.
    mutating func add(_ solid: Solid, material: Int, cell: Float, surroundings: [Solid] = []) {
        let first = Int32(vertices.count)
        var grid = Grid(solid: solid, cell: cell)
        grid.polygonise()
        var added = Array(repeating: Vertex(position: .zero, normal: .zero, openness: 1, material: Int32(material)), count: grid.points.count)
        let points = grid.points
        added.withUnsafeMutableBufferPointer { added in
            let target = UncheckedPointer(base: added.baseAddress!)
            let all = surroundings + [solid]
            guard !points.isEmpty else { return }
            forEachBand(of: points.count) { range in
                for index in range {
                    let p = Self.projected(points[index], onto: solid, cell: cell)
                    let n = Self.normal(of: solid, at: p, step: cell * 0.5)
                    target.base[index].position = p
                    target.base[index].normal = n
                    target.base[index].openness = Self.openness(at: p, normal: n, among: all)
                }
            }
        }
        vertices += added
        triangles += grid.triangles.map { $0 + first }
    }

    private struct UncheckedPointer: @unchecked Sendable {
        let base: UnsafeMutablePointer<Vertex>
    }

    private static func projected(_ point: SIMD3<Float>, onto solid: Solid, cell: Float) -> SIMD3<Float> {
        let d = min(max(solid.distance(point.x, point.y, point.z), -cell), cell)
        return point - normal(of: solid, at: point, step: cell * 0.5) * d
    }

    private static func normal(of solid: Solid, at p: SIMD3<Float>, step e: Float) -> SIMD3<Float> {
        let x = solid.distance(p.x + e, p.y, p.z) - solid.distance(p.x - e, p.y, p.z)
        let y = solid.distance(p.x, p.y + e, p.z) - solid.distance(p.x, p.y - e, p.z)
        let z = solid.distance(p.x, p.y, p.z + e) - solid.distance(p.x, p.y, p.z - e)
        let length = (x * x + y * y + z * z).squareRoot()
        return length > 1e-9 ? SIMD3(x, y, z) / length : SIMD3(0, 0, 1)
    }

    private static func openness(at p: SIMD3<Float>, normal n: SIMD3<Float>, among solids: [Solid]) -> Float {
        var blocked: Float = 0, weight: Float = 1
        for step in 1...4 {
            let reach = 0.07 * Float(step) * Float(step)
            let q = p + n * reach
            var free = reach
            for solid in solids { free = min(free, solid.distance(q.x, q.y, q.z)) }
            blocked += weight * max(reach - free, 0) / reach
            weight *= 0.75
        }
        return max(1 - blocked / 2.73 * 1.1, 0.05)
    }
}

/// Polygoniser by naive surface nets (Gibson 1998): one vertex per cell that the surface crosses.
private struct Grid {
    let solid: Solid
    let cell: Float
    let nx: Int
    let ny: Int
    let nz: Int
    var points: [SIMD3<Float>] = []
    var triangles: [Int32] = []

    init(solid: Solid, cell: Float) {
        self.solid = solid
        self.cell = cell
        let size = (solid.upper - solid.lower) / cell
        (nx, ny, nz) = (Int(size.x) + 2, Int(size.y) + 2, Int(size.z) + 2)
    }

    mutating func polygonise() {
        let values = sampled()
        var owner = [Int32](repeating: -1, count: nx * ny * nz)
        place(values, &owner)
        connect(values, owner)
    }

    /// Signed distances at the grid's corners; blocks that the surface cannot reach get the distance of their middle.
    private func sampled() -> [Float] {
        let block = 6
        var values = [Float](repeating: 1, count: nx * ny * nz)
        let reach = Float(block) * cell * 0.5 * 1.75 * 1.25 + solid.roughness.height
        values.withUnsafeMutableBufferPointer { buffer in
            let target = Target(base: buffer.baseAddress!)
            forEachBand(of: (nz + block - 1) / block) { slabs in
                for slab in slabs {
                    for by in stride(from: 0, to: ny, by: block) {
                        for bx in stride(from: 0, to: nx, by: block) { fill(target.base, bx, by, slab * block, block, reach) }
                    }
                }
            }
        }
        return values
    }

    private struct Target: @unchecked Sendable {
        let base: UnsafeMutablePointer<Float>
    }

    private func fill(_ values: UnsafeMutablePointer<Float>, _ bx: Int, _ by: Int, _ bz: Int, _ block: Int, _ reach: Float) {
        let middle = Float(block) * 0.5 * cell
        let origin = solid.lower + SIMD3(Float(bx), Float(by), Float(bz)) * cell
        let center = solid.distance(origin.x + middle, origin.y + middle, origin.z + middle)
        let isFar = abs(center) > reach
        for z in bz..<min(bz + block, nz) {
            for y in by..<min(by + block, ny) {
                let row = (z * ny + y) * nx
                for x in bx..<min(bx + block, nx) {
                    values[row + x] =
                        isFar
                        ? center
                        : solid.distance(solid.lower.x + Float(x) * cell, solid.lower.y + Float(y) * cell, solid.lower.z + Float(z) * cell)
                }
            }
        }
    }

    private mutating func place(_ values: [Float], _ owner: inout [Int32]) {
        let steps = [0, 1, nx, nx + 1, nx * ny, nx * ny + 1, nx * ny + nx, nx * ny + nx + 1]
        for z in 0..<nz - 1 {
            for y in 0..<ny - 1 {
                for x in 0..<nx - 1 {
                    let base = (z * ny + y) * nx + x
                    var mask = 0
                    for corner in 0..<8 where values[base + steps[corner]] < 0 { mask |= 1 << corner }
                    guard mask != 0, mask != 255 else { continue }
                    owner[base] = Int32(points.count)
                    points.append(solid.lower + (SIMD3(Float(x), Float(y), Float(z)) + crossing(values, base, steps)) * cell)
                }
            }
        }
    }

    /// Mean of the points at which the cell's edges cross the surface, 0…1 within the cell.
    private func crossing(_ values: [Float], _ base: Int, _ steps: [Int]) -> SIMD3<Float> {
        var sum = SIMD3<Float>.zero
        var count: Float = 0
        for corner in 0..<8 {
            for axis in 0..<3 where corner & (1 << axis) == 0 {
                let (a, b) = (values[base + steps[corner]], values[base + steps[corner | 1 << axis]])
                guard (a < 0) != (b < 0) else { continue }
                var p = SIMD3(Float(corner & 1), Float(corner >> 1 & 1), Float(corner >> 2 & 1))
                p[axis] = a / (a - b)
                sum += p
                count += 1
            }
        }
        return sum / count
    }

    private mutating func connect(_ values: [Float], _ owner: [Int32]) {
        let step = [1, nx, nx * ny]
        for z in 1..<nz - 1 {
            for y in 1..<ny - 1 {
                for x in 1..<nx - 1 {
                    let base = (z * ny + y) * nx + x
                    for axis in 0..<3 where (values[base] < 0) != (values[base + step[axis]] < 0) {
                        let (u, v) = (step[(axis + 1) % 3], step[(axis + 2) % 3])
                        let quad = [owner[base], owner[base - u], owner[base - u - v], owner[base - v]]
                        guard quad.allSatisfy({ $0 >= 0 }) else { continue }
                        triangles += [quad[0], quad[1], quad[2], quad[0], quad[2], quad[3]]
                    }
                }
            }
        }
    }
}
