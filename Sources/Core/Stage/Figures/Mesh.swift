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
                for first in stride(from: range.lowerBound, to: range.upperBound, by: Solid.Lanes.scalarCount) {
                    let count = min(range.upperBound - first, Solid.Lanes.scalarCount)
                    let p = Self.projected(Points(points, first, count), onto: solid, cell: cell)
                    let n = Self.normals(of: solid, at: p, step: cell * 0.5)
                    let openness = Self.openness(at: p, normal: n, among: all)
                    for lane in 0..<count {
                        target.base[first + lane].position = p[lane]
                        target.base[first + lane].normal = n[lane]
                        target.base[first + lane].openness = openness[lane]
                    }
                }
            }
        }
        vertices += added
        triangles += grid.triangles.map { $0 + first }
    }

    private struct UncheckedPointer: @unchecked Sendable {
        let base: UnsafeMutablePointer<Vertex>
    }

    /// Eight points or directions.
    private struct Points {
        var x, y, z: Solid.Lanes

        init(x: Solid.Lanes, y: Solid.Lanes, z: Solid.Lanes) { (self.x, self.y, self.z) = (x, y, z) }

        /// `count` points from `first` on, of which the last stands for those that are missing.
        init(_ points: [SIMD3<Float>], _ first: Int, _ count: Int) {
            self.init(x: .zero, y: .zero, z: .zero)
            for lane in 0..<Solid.Lanes.scalarCount {
                let point = points[first + min(lane, count - 1)]
                (x[lane], y[lane], z[lane]) = (point.x, point.y, point.z)
            }
        }

        subscript(lane: Int) -> SIMD3<Float> { SIMD3(x[lane], y[lane], z[lane]) }
    }

    private static func projected(_ points: Points, onto solid: Solid, cell: Float) -> Points {
        let d = solid.distances(points.x, points.y, points.z).clamped(lowerBound: .init(repeating: -cell), upperBound: .init(repeating: cell))
        let n = normals(of: solid, at: points, step: cell * 0.5)
        return Points(x: points.x - n.x * d, y: points.y - n.y * d, z: points.z - n.z * d)
    }

    private static func normals(of solid: Solid, at p: Points, step e: Float) -> Points {
        let x = solid.distances(p.x + e, p.y, p.z) - solid.distances(p.x - e, p.y, p.z)
        let y = solid.distances(p.x, p.y + e, p.z) - solid.distances(p.x, p.y - e, p.z)
        let z = solid.distances(p.x, p.y, p.z + e) - solid.distances(p.x, p.y, p.z - e)
        let length = (x * x + y * y + z * z).squareRoot()
        let hasLength = length .> 1e-9
        return Points(
            x: Solid.Lanes.zero.replacing(with: x / length, where: hasLength), y: Solid.Lanes.zero.replacing(with: y / length, where: hasLength),
            z: Solid.Lanes.one.replacing(with: z / length, where: hasLength))
    }

    private static func openness(at p: Points, normal n: Points, among solids: [Solid]) -> Solid.Lanes {
        var blocked = Solid.Lanes.zero, weight: Float = 1
        for step in 1...4 {
            let reach = 0.07 * Float(step) * Float(step)
            let (x, y, z) = (p.x + n.x * reach, p.y + n.y * reach, p.z + n.z * reach)
            var free = Solid.Lanes(repeating: reach)
            for solid in solids {
                let distances = solid.distances(x, y, z)
                free.replace(with: distances, where: distances .< free)
            }
            let short = reach - free
            blocked += weight * short.replacing(with: 0, where: short .< 0) / reach
            weight *= 0.75
        }
        let open = 1 - blocked / 2.73 * 1.1
        return open.replacing(with: 0.05, where: open .< 0.05)
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
        let center = solid.distances(
            .init(repeating: origin.x + middle), .init(repeating: origin.y + middle), .init(repeating: origin.z + middle))[0]
        let isFar = abs(center) > reach
        let count = min(block, nx - bx)
        let xs = solid.lower.x + Solid.Lanes((bx..<bx + Solid.Lanes.scalarCount).map(Float.init)) * cell
        for z in bz..<min(bz + block, nz) {
            for y in by..<min(by + block, ny) {
                let row = values + (z * ny + y) * nx + bx
                if isFar {
                    row.update(repeating: center, count: count)
                    continue
                }
                let distances = solid.distances(
                    xs, .init(repeating: solid.lower.y + Float(y) * cell), .init(repeating: solid.lower.z + Float(z) * cell))
                for index in 0..<count { row[index] = distances[index] }
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
