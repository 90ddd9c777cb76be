import CoreVideo
import Optics
import Pipeline

/// The truth a lens is measured against: painted scenes whose picture through a thin lens is known exactly.
///
/// A `LensScene` is a stack of painted planes, each flat or slanted in disparity, with exact alpha and lights brighter than white. From one
/// scene come the sharp picture, its disparity, and `truth`, the picture a thin lens takes, summed over its aperture in linear light. It knows
/// nothing of how a renderer works, draws no people and moves nothing: for that there is `Stage`.
///
///     let scene = LensScene.shipped(width: 256, height: 144)[0]
///     let drawn = try lens.render(scene.sharp(), disparity: scene.disparity(), circle: scene.circle)
///     let score = PictureScore(of: drawn, against: scene.truth(samples: 512), edges: scene.edges())
///
/// `ScenePlane` is one plane, `LensOracle` the sum over the aperture, `PictureScore` the distance of two pictures.
public struct LensScene: Sendable {
    public let name: String
    /// Pixels.
    public let width: Int
    public let height: Int
    /// The lens the scene is meant for.
    public let circle: CircleOfConfusion
    /// How bright the brightest light is; 1 is white.
    public let radiance: Double
    /// Front to back, in this order at every pixel; the last is opaque.
    let planes: [ScenePlane]

    /// The same scene with every light clipped at white.
    public func clipped() -> LensScene {
        LensScene(name: name, width: width, height: height, circle: circle, radiance: 1, planes: planes.map { $0.clipped() })
    }

    /// The picture of a pinhole, 8-bit sRGB BGRA, clipped at white.
    public func sharp() -> CVPixelBuffer { LensOracle(self, aperture: [.zero]).picture() }

    /// The picture of a pinhole as an HDR camera records it (see `HDRPicture`): ten bits, lights as bright as they are.
    public func sharpHDR() -> CVPixelBuffer { LensOracle(self, aperture: [.zero]).hdrPicture() }

    /// The picture of a thin lens, summed over `samples` points of its aperture, 8-bit sRGB BGRA.
    ///
    /// 512 are enough up to a radius of 10 pixels; grainless discs of bright lights want as many as the disc has pixels.
    public func truth(samples: Int) -> CVPixelBuffer { LensOracle(self, aperture: LensOracle.disc(samples)).picture() }

    /// Disparity of what covers at least half of each pixel.
    public func disparity() -> DisparityMap {
        let map = DisparityMap(buffer: CVPixelBuffer(width: width, height: height, pixelFormat: kCVPixelFormatType_DisparityFloat32))
        for y in 0..<height {
            let row = map.row(y)
            for x in 0..<width {
                var open: Float = 1
                for plane in planes {
                    open *= 1 - plane[x, y].w
                    row[x] = plane.disparity(Float(x), Float(y))
                    if open <= 0.5 { break }
                }
            }
        }
        return map
    }

    /// Pixels within a largest blur of a jump in depth.
    public func edges() -> [Bool] { PictureScore.edges(of: disparity(), within: Int(largestRadius.rounded(.up))) }

    /// Largest radius of the blur in pixels.
    public var largestRadius: Double {
        let corners = [(0, 0), (width - 1, 0), (0, height - 1), (width - 1, height - 1)]
        let all = planes.flatMap { plane in corners.map { Double(plane.disparity(Float($0.0), Float($0.1))) } }
        return all.map { abs(circle.diameter(at: $0)) / 2 }.max() ?? 0
    }
}
