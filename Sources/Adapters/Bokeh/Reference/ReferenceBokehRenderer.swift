import CoreVideo
import Foundation
import Optics
import Pipeline

/// CPU twin of the lens: the same model, dense. Every layer pixel is blurred by itself; there is no plan, there are no tiles and no coarse discs.
///
/// Slow, and needs no device: an oracle for `VulkanBokehRenderer` on small pictures. Of its model it leaves out the cubic at the rims of lights.
public final class ReferenceBokehRenderer: BokehRenderer {
    private let options: BokehOptions

    /// Creates the CPU twin of a lens with these options.
    public init(options: BokehOptions = .init()) { self.options = options }

    /// Renders one picture on the CPU, as `BokehRenderer` has it; throws `BokehError` for a format or size it cannot take.
    public func render(_ image: CVPixelBuffer, disparity: DisparityMap, circle: CircleOfConfusion) throws -> CVPixelBuffer {
        let picture = try draw(image, disparity: disparity, circle: circle)
        guard options.axialColor > 0, let format = PictureFormat(image) else { return picture }
        let redAndBlue = AxialColor.redAndBlue(circle, shift: options.axialColor)
        AxialColor.join(picture, redAndBlue: try draw(image, disparity: disparity, circle: redAndBlue), format: format)
        return picture
    }

    private func draw(_ image: CVPixelBuffer, disparity: DisparityMap, circle: CircleOfConfusion) throws -> CVPixelBuffer {
        let geometry = try LensGeometry(image: image, disparity: disparity, quality: options.quality)
        let parameters = geometry.parameters(circle: circle, options: options)
        let picture = ReferencePicture(image, geometry, parameters)
        let radius = Self.signedRadius(disparity, geometry, parameters)
        let light = Grid(width: geometry.paddedWidth, height: geometry.paddedHeight) { picture.lit($0, $1) }
        let layers = ReferenceLayers(light: light, radius: radius, scale: geometry.scale)
        let (far, near) = blurred(layers)
        let result = CVPixelBuffer(width: geometry.width, height: geometry.height, pixelFormat: geometry.picture.pixelFormat)
        CVBufferPropagateAttachments(image, result)
        let share = { [options] x, y in options.vignetting.map { self.lightShare(x, y, image.size, $0) } }
        let grain = options.grain == .match ? Grain(image, format: geometry.format) : nil
        picture.write(to: result, grain: grain, share: share) { x, y in
            Self.compose(
                light: picture.light(x, y), radius: radius[x, y], hidden: layers.hidden[x / geometry.scale, y / geometry.scale],
                far: far.upsampled(x, y, scale: geometry.scale), near: near.upsampled(x, y, scale: geometry.scale))
        }
        return result
    }

    /// Light that vignetting leaves of a pixel's, 0…1: cos⁴ of its field angle, times the area that two circles of the opening's size share.
    private func lightShare(_ x: Int, _ y: Int, _ size: (width: Int, height: Int), _ focalLength: Double) -> Float {
        let (dx, dy) = (Double(x) + 0.5 - Double(size.width) / 2, Double(y) + 0.5 - Double(size.height) / 2)
        let (distance, halfDiagonal) = (hypot(dx, dy), hypot(Double(size.width), Double(size.height)) / 2)
        let angle = atan(distance * 36 / Double(size.width) / focalLength)
        let apart = options.catsEye * distance / halfDiagonal
        let area = 2 * acos(apart / 2) - apart / 2 * (4 - apart * apart).squareRoot()
        return Float(pow(cos(angle), 4) * area / .pi)
    }

    private func blurred(_ layers: ReferenceLayers) -> (far: Grid<SIMD4<Float>>, near: Grid<SIMD4<Float>>) {
        let (width, height) = (layers.far.width, layers.far.height)
        let farthest = (0..<height).reduce(Float(0)) { most, y in (0..<width).reduce(most) { max($0, layers.farRadius[$1, y]) } }
        let far = Grid(width: width, height: height) { x, y in
            // In focus beside blur: the colour nearby.
            let around = (y - 1...y + 1).flatMap { row in (x - 1...x + 1).map { layers.farRadius.clamped($0, row) } }
            let own = layers.farRadius[x, y]
            let radius = own > 0 ? own : around.max() ?? 0
            guard options.isRound, radius >= TileRadii.gathered else {
                return ReferenceLayers.mean(of: layers.far, x, y, radius: radius, opening: opening(x, y, layers, sign: -1))
            }
            return layers.gatheredFar(x, y, radius: radius, largest: farthest)
        }
        let near = Grid(width: width, height: height) { x, y in
            ReferenceLayers.mean(of: layers.near, x, y, radius: layers.nearRadius[x, y], opening: opening(x, y, layers, sign: 1))
        }
        return (far, near)
    }

    /// The opening as a layer pixel gathers through it, upside down behind the focus; nil for a round one.
    private func opening(_ x: Int, _ y: Int, _ layers: ReferenceLayers, sign: Double) -> ((SIMD2<Float>, Float) -> Float)? {
        guard !options.isRound else { return nil }
        let (width, height) = (Double(layers.far.width), Double(layers.far.height))
        let halfDiagonal = (width * width + height * height).squareRoot() / 2
        let cut = (SIMD2(Double(x) + 0.5, Double(y) + 0.5) - SIMD2(width, height) / 2) / halfDiagonal * options.catsEye
        return { [blades = options.blades, rings = Float(options.onionRings)] at, pixel in
            let parts = [-0.375, -0.125, 0.125, 0.375]
            let light = parts.reduce(Float(0)) { sum, dy in
                sum
                    + parts.reduce(Float(0)) { sum, dx in
                        let point = (SIMD2(Double(at.x), Double(at.y)) + SIMD2(dx, dy) * Double(pixel)) * sign
                        guard ApertureShape.contains(point, blades: blades, cut: cut) else { return sum }
                        return sum + (Int((point * point).sum() * 10) % 2 == 0 ? 1 + rings : 1 - rings)
                    }
            }
            return light / 16
        }
    }

    /// The light of a pixel of the picture, from the blurred layers over it, and how much of it is the pixel's own; nil where nothing blurred reaches it.
    private static func compose(
        light: SIMD4<Float>, radius: Float, hidden: SIMD4<Float>, far: SIMD4<Float>, near: SIMD4<Float>
    ) -> (light: SIMD4<Float>, own: Float)? {
        let front = ReferenceLayers.blurred(radius)
        let revealed = min(max((front - near.w) / max(1 - near.w, 1e-3), 0), 1)
        let share = far.w > 1e-4 ? ReferenceLayers.blurred(-radius) + revealed * hidden.w : 0
        guard share > 0 || front > 0 || near.w > 0 else { return nil }
        let base = light * (1 - revealed) + hidden * revealed
        let light = near + (base * (1 - share) + far / max(far.w, 1e-4) * share) * (1 - near.w)
        return (light, (1 - near.w) * (1 - revealed) * (1 - min(max(ReferenceLayers.blurred(-radius), 0), 1)))
    }

    /// Blur radius in pixels, positive in front of the focus, of every pixel of the padded picture. The map is interpolated bilinearly, of what is out of
    /// focus behind and of the rest each by itself.
    private static func signedRadius(_ map: DisparityMap, _ geometry: LensGeometry, _ parameters: LensParameters) -> Grid<Float> {
        let behind = parameters.focus - TileRadii.slight / parameters.radiusPerDisparity
        return Grid(width: geometry.paddedWidth, height: geometry.paddedHeight) { x, y in
            let last = SIMD2(Float(geometry.mapWidth - 1), Float(geometry.mapHeight - 1))
            let at = ((SIMD2(Float(x), Float(y)) + 0.5) * parameters.mapPerPixel - 0.5).clamped(lowerBound: .zero, upperBound: last)
            let (low, top) = (Int(at.x), Int(at.y))
            let (high, bottom) = (min(low + 1, geometry.mapWidth - 1), min(top + 1, geometry.mapHeight - 1))
            let part = at - at.rounded(.down)
            let four = SIMD4(map.row(top)[low], map.row(top)[high], map.row(bottom)[low], map.row(bottom)[high])
            let across = SIMD4(1 - part.x, part.x, 1 - part.x, part.x)
            let weights = across * SIMD4(1 - part.y, 1 - part.y, part.y, part.y)
            let front = weights.replacing(with: 0, where: four .< behind)
            let side = front.sum() > 0.5 ? front : weights - front
            let disparity = (side * four).sum() / side.sum()
            return min(max((disparity - parameters.focus) * parameters.radiusPerDisparity, -parameters.maxRadius), parameters.maxRadius)
        }
    }
}
