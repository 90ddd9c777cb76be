import CoreVideo
import Optics
import Pipeline

/// Reference scene for a lens: painted planes whose picture through a thin lens is known exactly.
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
    /// Name of the scene, as quality tables print it.
    public let name: String
    /// Width of the picture in pixels.
    public let width: Int
    /// Height of the picture in pixels.
    public let height: Int
    /// Circle of confusion that the scene is made for; disparities of the scene are in its unit.
    public let circle: CircleOfConfusion
    /// Radiance of the brightest light; 1 is white.
    public let radiance: Double
    /// Planes front to back, in this order at every pixel; the last is opaque.
    let planes: [ScenePlane]

    /// Copy of the scene with every light clipped at white.
    public func clipped() -> LensScene {
        LensScene(name: name, width: width, height: height, circle: circle, radiance: 1, planes: planes.map { $0.clipped() })
    }

    /// Picture through a pinhole: all sharp, 8-bit sRGB BGRA, clipped at white.
    public func sharp() -> CVPixelBuffer { LensOracle(self, aperture: [.zero]).picture() }

    /// Picture through a pinhole as an HDR camera records it (see `HDRPicture`): ten bits, lights above white kept.
    public func sharpHDR() -> CVPixelBuffer { LensOracle(self, aperture: [.zero]).hdrPicture() }

    /// Picture through a thin lens, the mean over `samples` points of its aperture, 8-bit sRGB BGRA.
    ///
    /// 512 samples suffice up to a radius of 10 pixels; grainless discs of bright lights need as many as the disc has pixels.
    public func truth(samples: Int) -> CVPixelBuffer { LensOracle(self, aperture: LensOracle.disc(samples)).picture() }

    /// Disparity map: at each pixel, or at the middle one of each `divisor` × `divisor`, the frontmost plane at which at least half of it is covered;
    /// larger is nearer.
    public func disparity(dividedBy divisor: Int = 1) -> DisparityMap {
        let size = (width: width / divisor, height: height / divisor)
        let map = DisparityMap(buffer: CVPixelBuffer(width: size.width, height: size.height, pixelFormat: kCVPixelFormatType_DisparityFloat32))
        for row in 0..<size.height {
            let line = map.row(row)
            for column in 0..<size.width {
                let (x, y) = (column * divisor + divisor / 2, row * divisor + divisor / 2)
                var open: Float = 1
                for plane in planes {
                    open *= 1 - plane[x, y].w
                    line[column] = plane.disparity(Float(x), Float(y))
                    if open <= 0.5 { break }
                }
            }
        }
        return map
    }

    /// Mask of pixels within the largest blur radius of a jump in disparity, row after row.
    public func edges() -> [Bool] { PictureScore.edges(of: disparity(), within: Int(largestRadius.rounded(.up))) }

    /// Largest blur radius of the scene, pixels.
    public var largestRadius: Double {
        let corners = [(0, 0), (width - 1, 0), (0, height - 1), (width - 1, height - 1)]
        let all = planes.flatMap { plane in corners.map { Double(plane.disparity(Float($0.0), Float($0.1))) } }
        return all.map { abs(circle.diameter(at: $0)) / 2 }.max() ?? 0
    }
}
