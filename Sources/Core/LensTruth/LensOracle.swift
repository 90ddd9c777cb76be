import CoreVideo
import Dispatch
import Foundation
import Optics

/// Ray-traced picture of a scene through a thin lens: exact intersections of each pixel's rays with every plane.
///
/// One ray per pixel and point of the aperture. A plane with blur radius r(x, y), affine in the picture, is seen through the aperture's point u at X
/// = x + r(x, y) u; solved for x, each ray reads the plane at X − s u with s = r(X) / (1 + ∇r · u). Planes are composited front to back for each ray,
/// and rays averaged in linear light.
struct LensOracle: Sendable {
    private let scene: LensScene
    private let aperture: [SIMD2<Float>]
    private let planes: [Plane]

    /// Plane as the inner loop reads it.
    private struct Plane: Sendable {
        /// Blur radius in pixels at (0, 0), positive in front of the focus, and its change per pixel.
        var radius: Float
        var slope: SIMD2<Float>
        var margin: Float
        var columns: Int
        /// Upper left corner of the filled part that bilinear samples can reach, in painted pixels.
        var low: SIMD2<Float>
        /// Lower right corner of it.
        var high: SIMD2<Float>
        /// Last position of a bilinear sample, in painted pixels.
        var last: SIMD2<Float>
        var isBackground: Bool
    }

    init(_ scene: LensScene, aperture: [SIMD2<Float>]) {
        self.scene = scene
        self.aperture = aperture
        let perDisparity = Float(scene.circle.diameterPerDisparity / 2)
        let lastPlane = scene.planes.count - 1
        planes = scene.planes.enumerated().map { index, plane in
            Plane(
                radius: (plane.first - Float(scene.circle.focusDisparity)) * perDisparity, slope: plane.slope * perDisparity,
                margin: Float(plane.margin), columns: plane.columns,
                low: SIMD2(Float(plane.filled?.x.lowerBound ?? 1), Float(plane.filled?.y.lowerBound ?? 1)) - 1,
                high: SIMD2(Float(plane.filled?.x.upperBound ?? -1), Float(plane.filled?.y.upperBound ?? -1)) + 1,
                last: SIMD2(Float(plane.columns) - 1.001, Float(plane.rows) - 1.001), isBackground: index == lastPlane)
        }
    }

    /// Samples of the unit disc: `count` points of equal area on a golden-angle (Vogel) spiral.
    static func disc(_ count: Int) -> [SIMD2<Float>] {
        (0..<count).map { index in
            let radius = ((Double(index) + 0.5) / Double(count)).squareRoot()
            let angle = Double(index) * Double.pi * (3 - 5.0.squareRoot())
            return SIMD2(Float(radius * cos(angle)), Float(radius * sin(angle)))
        }
    }

    /// Rendered picture, 8-bit sRGB BGRA, clipped at white.
    func picture() -> CVPixelBuffer {
        let result = CVPixelBuffer(width: scene.width, height: scene.height, pixelFormat: kCVPixelFormatType_32BGRA)
        DispatchQueue.concurrentPerform(iterations: scene.height) { y in
            let light = row(y)
            let target = result.plane(0).row(y, as: UInt8.self)
            for x in 0..<scene.width {
                target[4 * x] = Self.code(light[x].z)
                target[4 * x + 1] = Self.code(light[x].y)
                target[4 * x + 2] = Self.code(light[x].x)
                target[4 * x + 3] = 255
            }
        }
        return result
    }

    /// Rendered picture, ten bits of PQ, lights above white kept.
    func hdrPicture() -> CVPixelBuffer { HDRPicture.picture(width: scene.width, height: scene.height) { row($0) } }

    /// Linear light of row `y`, white 1; red, green, blue and alpha of each pixel.
    func row(_ y: Int) -> [SIMD4<Float>] {
        var sums = [SIMD4<Float>](repeating: .zero, count: scene.width)
        sums.withUnsafeMutableBufferPointer { sums in
            Self.withTexels(of: scene.planes[...], []) { texels in
                for point in aperture { add(point, y: Float(y), texels, to: sums) }
            }
        }
        let share = 1 / Float(aperture.count)
        return sums.map { $0 * share }
    }

    private func add(_ point: SIMD2<Float>, y: Float, _ texels: [UnsafePointer<SIMD4<Float>>], to sums: UnsafeMutableBufferPointer<SIMD4<Float>>) {
        planes.withUnsafeBufferPointer { planes in
            texels.withUnsafeBufferPointer { texels in
                for x in sums.indices {
                    var open: Float = 1
                    var light = SIMD4<Float>.zero
                    for index in planes.indices where open > 0x1p-12 {
                        let texel = Self.read(planes[index], texels[index], at: SIMD2(Float(x), y), through: point)
                        light += texel * open
                        open *= 1 - texel.w
                    }
                    sums[x] += light
                }
            }
        }
    }

    @inline(__always)
    private static func read(
        _ plane: Plane, _ texels: UnsafePointer<SIMD4<Float>>, at pixel: SIMD2<Float>, through point: SIMD2<Float>
    ) -> SIMD4<Float> {
        let radius = plane.radius + plane.slope.x * pixel.x + plane.slope.y * pixel.y
        let shift = radius / (1 + plane.slope.x * point.x + plane.slope.y * point.y)
        var at = pixel - shift * point + plane.margin
        if !plane.isBackground, at.x <= plane.low.x || at.y <= plane.low.y || at.x >= plane.high.x || at.y >= plane.high.y { return .zero }
        at = at.clamped(lowerBound: .zero, upperBound: plane.last)
        let (column, line) = (Int(at.x), Int(at.y))
        let (partX, partY) = (at.x - Float(column), at.y - Float(line))
        let upper = texels + line * plane.columns + column
        let lower = upper + plane.columns
        let top = upper[0] + (upper[1] - upper[0]) * partX
        let bottom = lower[0] + (lower[1] - lower[0]) * partX
        return top + (bottom - top) * partY
    }

    /// Calls `body` with the texels of all planes in place.
    private static func withTexels(
        of planes: ArraySlice<ScenePlane>, _ found: [UnsafePointer<SIMD4<Float>>], _ body: ([UnsafePointer<SIMD4<Float>>]) -> Void
    ) {
        guard let plane = planes.first else { return body(found) }
        plane.texels.withUnsafeBufferPointer { withTexels(of: planes.dropFirst(), found + [$0.baseAddress!], body) }
    }

    static func code(_ light: Float) -> UInt8 {
        UInt8((TransferFunction.sRGB.code(of: Double(min(max(light, 0), 1))) * 255).rounded())
    }
}
