import CoreVideo
import Optics
import Pipeline

/// The lens's CPU twin: the same layers and the same maths in plain Swift, for tests on small pictures. Slow; needs no device.
///
/// It differs from `VulkanBokehRenderer` only in exact transfer curves and in light kept as floats, less than two codes of 255.
public final class ReferenceBokehRenderer: BokehRenderer {
    private let options: BokehOptions

    /// Creates the CPU twin of a lens with these options.
    public init(options: BokehOptions = .init()) { self.options = options }

    /// Renders one picture on the CPU, as `BokehRenderer` has it; throws `BokehError` for a format or size it cannot take.
    public func render(_ image: CVPixelBuffer, disparity: DisparityMap, circle: CircleOfConfusion) throws -> CVPixelBuffer {
        let geometry = try LensGeometry(image: image, disparity: disparity)
        let parameters = geometry.parameters(circle: circle, options: options)
        let hasHighlights = geometry.hasHighlights(parameters)
        let plan = LensPlan(
            radii: TileRadii(image, geometry: geometry, parameters: parameters, disparity: disparity),
            scale: geometry.scale, isRound: options.isRound, hasHighlights: hasHighlights)
        let picture = ReferencePicture(image, geometry: geometry)
        let radius = Self.signedRadius(disparity, geometry, parameters)
        var layers = ReferenceLayers(
            picture: picture, radius: radius, geometry: geometry, parameters: parameters,
            shape: ApertureShape(options, geometry))
        layers.fillBehindNear(plan)
        let (far, near) = (layers.blurFar(plan), layers.blurNear(plan))
        let plain = ReferenceFinish(
            light: Grid(width: far.coarse.width, height: far.coarse.height) { x, y in
                layers.plain(x, y, far: far.coarse, near: near.coarse, plan)
            }, picture: picture, parameters: parameters, geometry: geometry)
        let result = CVPixelBuffer(width: geometry.width, height: geometry.height, pixelFormat: geometry.picture.pixelFormat)
        CVBufferPropagateAttachments(image, result)
        picture.write(to: result, sharp: image) { x, y in
            guard !plan.isUniformCoarse[plan.tile(x / geometry.scale, y / geometry.scale)] else { return plain.colour(x, y) }
            return layers.compose(
                x, y, light: picture.light(x, y, parameters), radius: radius[x, y],
                far: far.fine.finished(x, y, scale: geometry.scale, hasHighlights: hasHighlights),
                near: near.fine.finished(x, y, scale: geometry.scale, hasHighlights: hasHighlights)
            )
            .map { picture.coded($0, parameters) }
        }
        return result
    }

    /// Blur radius in pixels, positive in front of the focus, of every pixel of the padded picture.
    private static func signedRadius(_ map: DisparityMap, _ geometry: LensGeometry, _ parameters: LensParameters) -> Grid<Float> {
        Grid(width: geometry.paddedWidth, height: geometry.paddedHeight) { x, y in
            let last = (x: geometry.mapWidth - 1, y: geometry.mapHeight - 1)
            let atX = min(max((Float(x) + 0.5) * parameters.mapPerPixel.x - 0.5, 0), Float(last.x))
            let atY = min(max((Float(y) + 0.5) * parameters.mapPerPixel.y - 0.5, 0), Float(last.y))
            let (low, top) = (Int(atX), Int(atY))
            let (high, bottom) = (min(low + 1, last.x), min(top + 1, last.y))
            let (partX, partY) = (atX - Float(low), atY - Float(top))
            let upper = map.row(top)[low] * (1 - partX) + map.row(top)[high] * partX
            let lower = map.row(bottom)[low] * (1 - partX) + map.row(bottom)[high] * partX
            let disparity = upper * (1 - partY) + lower * partY
            return min(max((disparity - parameters.focus) * parameters.radiusPerDisparity, -parameters.maxRadius), parameters.maxRadius)
        }
    }
}
