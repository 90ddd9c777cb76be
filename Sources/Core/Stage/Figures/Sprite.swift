import Foundation

/// Rendered figure, and the position of its origin in it.
struct Sprite: Sendable {
    let canvas: Canvas
    /// Left edge in units.
    let left: Double
    /// Upper edge in units, y up.
    let top: Double
    /// Pixels per unit as rendered.
    let scale: Double

    init(mesh: Mesh, yaw: Double, scale: Float, bottom: Float, look: some Look) {
        let (c, s) = (Float(cosine(degrees: yaw)), Float(sine(degrees: yaw)))
        var (low, high) = (SIMD2<Float>(1e3, 1e3), SIMD2<Float>(-1e3, -1e3))
        for vertex in mesh.vertices {
            let p = vertex.position
            let zoom = SpriteRenderer.distance / (SpriteRenderer.distance - (p.z * c - p.x * s))
            let q = SIMD2((p.x * c + p.z * s) * zoom, p.y * zoom)
            low = pointwiseMin(low, q)
            high = pointwiseMax(high, q)
        }
        low.y = max(low.y, bottom)
        let margin = 2 / scale
        let width = max(Int(((high.x - low.x + 2 * margin) * scale).rounded(.up)), 2)
        let height = max(Int(((high.y - low.y + 2 * margin) * scale).rounded(.up)), 2)
        left = Double(low.x - margin)
        top = Double(high.y + margin)
        self.scale = Double(scale)
        canvas = SpriteRenderer(
            mesh: mesh, yaw: yaw, scale: scale, left: low.x - margin, top: high.y + margin, width: width, height: height
        ).render(look)
    }

    /// Rectangle it covers in the picture, pixels, with its origin at `origin` and `scale` pixels per unit.
    func frame(origin: CGPoint, scale: Double) -> CGRect {
        CGRect(
            x: origin.x + left * scale, y: origin.y - top * scale, width: Double(canvas.width) * scale / self.scale,
            height: Double(canvas.height) * scale / self.scale)
    }
}

/// Least-recently-used cache of sprites, bounded in bytes.
struct SpriteCache {
    struct Key: Hashable {
        let subject: Int
        let part: Int
        let yaw: Int
        let size: Int
        let bottom: Int
    }

    private let limit: Int
    private var entries: [(key: Key, sprite: Sprite)] = []
    private var bytes = 0

    init(limit: Int) { self.limit = limit }

    subscript(key: Key) -> Sprite? {
        mutating get {
            guard let index = entries.lastIndex(where: { $0.key == key }) else { return nil }
            let entry = entries.remove(at: index)
            entries.append(entry)
            return entry.sprite
        }
        set {
            guard let newValue else { return }
            entries.append((key, newValue))
            bytes += newValue.canvas.byteCount
            while bytes > limit, entries.count > 1 { bytes -= entries.removeFirst().sprite.canvas.byteCount }
        }
    }
}
