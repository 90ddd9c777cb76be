import CoreVideo
import Optics
import Pipeline

/// What every pass knows; the push constants of `lens.glsl`, in their order.
struct LensParameters: BitwiseCopyable {
    var size: SIMD2<Int32>
    var work: SIMD2<Int32>
    var map: SIMD2<Int32>
    var mapPerPixel: SIMD2<Float>
    var focus: Float
    var radiusPerDisparity: Float
    var maxRadius: Float
    var knee: Float
    var bend: Float
    var firstTile: Int32 = 0
}

/// Sizes that follow from a picture's: layers are a half of it, a quarter above 4.5 megapixels.
struct LensGeometry: Equatable {
    /// The picture.
    let width: Int
    let height: Int
    let format: OSType
    /// The picture, edges repeated to whole pairs of layer pixels.
    let paddedWidth: Int
    let paddedHeight: Int
    /// Pixels of the picture per layer pixel.
    let scale: Int
    let workWidth: Int
    let workHeight: Int
    let mapWidth: Int
    let mapHeight: Int

    /// Side of a tile in layer pixels.
    static let tile = 16
    /// Largest blur radius in layer pixels; beyond it the circle of confusion is clamped.
    static let maxWorkRadius = 32

    init(image: CVPixelBuffer, disparity: DisparityMap) throws {
        (width, height) = image.size
        format = image.format
        guard Self.formats.contains(format) else {
            throw BokehError(.unsupportedPicture, "the lens takes 420v and BGRA pictures, not the format 0x\(String(format, radix: 16))")
        }
        guard width % 2 == 0, height % 2 == 0, width <= 8192, height <= 8192 else {
            throw BokehError(.unsupportedPicture, "the lens takes pictures of even size up to 8192, not \(width)x\(height)")
        }
        (mapWidth, mapHeight) = (disparity.width, disparity.height)
        guard mapWidth <= width, mapHeight <= height else {
            throw BokehError(
                .unsupportedPicture, "the disparity map (\(mapWidth)x\(mapHeight)) is larger than the picture (\(width)x\(height))")
        }
        scale = width * height > 4_500_000 ? 4 : 2
        let unit = 2 * scale
        paddedWidth = (width + unit - 1) / unit * unit
        paddedHeight = (height + unit - 1) / unit * unit
        workWidth = paddedWidth / scale
        workHeight = paddedHeight / scale
    }

    private static let formats = [kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_32BGRA]

    /// Rows of the map as the device holds it: padded like the picture's when they pair up with them.
    var mapBytesPerRow: Int { (isDirect ? paddedWidth : mapWidth) * 4 }
    var mapRows: Int { isDirect ? paddedHeight : mapHeight }
    /// Whole texels of four values.
    var mapBytes: Int { (mapBytesPerRow * mapRows + 15) / 16 * 16 }
    var isPlanar: Bool { format == kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange }
    var isDirect: Bool { mapWidth == width && mapHeight == height }
    /// Coarse pixels are 2 × 2 layer pixels.
    var coarseWidth: Int { workWidth / 2 }
    var coarseHeight: Int { workHeight / 2 }
    var columns: Int { (workWidth + Self.tile - 1) / Self.tile }
    var rows: Int { (workHeight + Self.tile - 1) / Self.tile }
    /// Side of a tile in pixels of the picture.
    var tileSide: Int { Self.tile * scale }
    /// Bytes of the padded picture without gaps between rows.
    var pictureBytes: Int { isPlanar ? paddedWidth * paddedHeight * 3 / 2 : paddedWidth * paddedHeight * 4 }

    func parameters(circle: CircleOfConfusion, options: BokehOptions) -> LensParameters {
        let knee = 0.8
        let perDisparity = circle.diameterPerDisparity.isFinite ? max(circle.diameterPerDisparity, 0) : 0
        let strength = options.highlights > 0 ? 1 - (1 - knee) / (1 + options.highlights - knee) : 0
        return LensParameters(
            size: SIMD2(Int32(paddedWidth), Int32(paddedHeight)),
            work: SIMD2(Int32(workWidth), Int32(workHeight)),
            map: SIMD2(Int32(mapWidth), Int32(mapHeight)),
            mapPerPixel: SIMD2(Float(mapWidth) / Float(width), Float(mapHeight) / Float(height)),
            focus: circle.focusDisparity.isFinite ? Float(circle.focusDisparity) : 0,
            radiusPerDisparity: Float(perDisparity / 2),
            maxRadius: Float(Self.maxWorkRadius * scale),
            knee: Float(knee),
            bend: Float(strength / (1 - knee)))
    }
}
