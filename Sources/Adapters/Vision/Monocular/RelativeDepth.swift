import CoreVideo
import Foundation

/// Depth that a network guesses from one picture, put on a scale by whatever distance is known.
struct RelativeDepth {
    private let net: DepthNet
    /// Disparity of the far end, and of the near one where no face says better, 1/m.
    private static let (farthest, nearest) = (0.1, 0.8)
    /// Share of the last scale kept, so that it does not pump.
    private static let inertia = 0.9
    /// The network's value of the far end, and 1/m per value above it.
    private var scale: (far: Double, unit: Double)?

    init(model path: String) throws(VisionError) { net = try DepthNet(path: path) }

    /// The next picture is the first of another shot.
    mutating func forget() { scale = nil }

    /// 1/m for each pixel of `guide`; `known` are places (0…1) and their disparities.
    mutating func values(of frame: CVPixelBuffer, along guide: Raster, known: [(place: CGRect, disparity: Double)]) throws(VisionError) -> [Float] {
        let picture = try ReducedPicture(frame)
        let raw = try net.nearness(in: picture)
        let sorted = raw.sorted()
        let (low, high) = (Double(sorted[sorted.count / 50]), Double(sorted[sorted.count - 1 - sorted.count / 50]))
        var unit = (Self.nearest - Self.farthest) / max(high - low, 1e-6)
        // The nearest known thing is the one that the lens cares for; one the network takes for far away says nothing.
        if let face = known.max(by: { $0.disparity < $1.disparity }) {
            let value = median(of: raw, in: face.place)
            if value - low > 0.1 * (high - low) { unit = max(face.disparity - Self.farthest, 0.05) / (value - low) }
        }
        func mix(_ old: Double, _ new: Double) -> Double { old * Self.inertia + new * (1 - Self.inertia) }
        let now = scale.map { (far: mix($0.far, low), unit: mix($0.unit, unit)) } ?? (far: low, unit: unit)
        scale = now
        let small = Raster(width: net.side, height: net.side)
        try small.fill(reducing: picture.luma.image)
        return upsample(raw, of: small, along: guide).map { Float(min(max(Self.farthest + (Double($0) - now.far) * now.unit, 0), 20)) }
    }

    private func median(of values: [Float], in place: CGRect) -> Double {
        let side = Double(net.side)
        func cells(_ low: Double, _ high: Double) -> ClosedRange<Int> {
            let first = min(max(Int(low * side), 0), net.side - 1)
            return first...min(max(Int(high * side), first), net.side - 1)
        }
        let (columns, rows) = (cells(place.minX, place.maxX), cells(place.minY, place.maxY))
        let inside = rows.flatMap { row in columns.map { values[row * net.side + $0] } }.sorted()
        return Double(inside[inside.count / 2])
    }
}
