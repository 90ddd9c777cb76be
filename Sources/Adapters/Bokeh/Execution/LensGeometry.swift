import CoreVideo
import Optics
import Pipeline

/// Push constants of every pass, in the order of `lens.glsl`.
struct LensParameters: BitwiseCopyable {
    var size = SIMD2<Int32>.zero
    var work = SIMD2<Int32>.zero
    var map = SIMD2<Int32>.zero
    var mapPerPixel = SIMD2<Float>.zero
    var focus: Float = 0
    var radiusPerDisparity: Float = 0
    var maxRadius: Float = 0
    var knee: Float = 0
    var bend: Float = 0
    var firstTile: Int32 = 0
    var layout = PictureGeometry.Layout()
    var magnification: Float = 1
    var grainSeed: UInt32 = 0

    /// The same with what is in front of the focus taken to be behind it.
    var swappingNearAndFar: LensParameters {
        var result = self
        result.radiusPerDisparity.negate()
        return result
    }
}

/// Sizes that follow from a picture's: layers are a half of it, a quarter above 4.5 megapixels and for a preview.
struct LensGeometry: Equatable {
    let picture: PictureGeometry
    let workWidth: Int
    let workHeight: Int
    let mapWidth: Int
    let mapHeight: Int

    /// Side of a tile in layer pixels.
    static let tile = 16
    /// Largest blur radius in layer pixels; beyond it the circle of confusion is clamped.
    static let maxWorkRadius = 32

    init(image: CVPixelBuffer, disparity: DisparityMap, quality: BokehOptions.Quality = .full) throws {
        picture = try PictureGeometry(image, quality: quality)
        (mapWidth, mapHeight) = (disparity.width, disparity.height)
        guard mapWidth <= picture.width, mapHeight <= picture.height else {
            throw BokehError(
                .unsupportedPicture,
                "the disparity map (\(mapWidth)x\(mapHeight)) is larger than the picture (\(picture.width)x\(picture.height))")
        }
        workWidth = picture.paddedWidth / picture.scale
        workHeight = picture.paddedHeight / picture.scale
    }

    var width: Int { picture.width }
    var height: Int { picture.height }
    var paddedWidth: Int { picture.paddedWidth }
    var paddedHeight: Int { picture.paddedHeight }
    var format: PictureFormat { picture.format }
    var scale: Int { picture.scale }
    /// Rows of the map as the device holds it: padded like the picture's when they pair up with them, else to whole texels of four values.
    var mapBytesPerRow: Int { (isDirect ? paddedWidth : (mapWidth + 3) / 4 * 4) * 4 }
    var mapRows: Int { isDirect ? paddedHeight : mapHeight }
    /// Whether the device can read the map as it is; what pads it may be anything, and must not be interpolated.
    func isImportable(_ map: DisparityMap) -> Bool {
        let plane = map.buffer.plane(0)
        return (isDirect || mapWidth % 4 == 0) && plane.base == map.buffer.storage.base && plane.bytesPerRow == mapBytesPerRow
            && plane.height == mapRows && map.buffer.storage.byteCount >= mapBytes
    }
    var mapBytes: Int { mapBytesPerRow * mapRows }
    var isDirect: Bool { mapWidth == width && mapHeight == height }
    /// Coarse pixels are 2 × 2 layer pixels.
    var coarseWidth: Int { workWidth / 2 }
    var coarseHeight: Int { workHeight / 2 }
    /// Sizes of the fill's levels, the finest of coarse pixels, each half the one before, down to four.
    var pyramidLevels: [(width: Int, height: Int)] {
        var levels = [(width: coarseWidth, height: coarseHeight)]
        while let last = levels.last, min(last.width, last.height) > 4 { levels.append(((last.width + 1) / 2, (last.height + 1) / 2)) }
        return levels
    }
    var columns: Int { (workWidth + Self.tile - 1) / Self.tile }
    var rows: Int { (workHeight + Self.tile - 1) / Self.tile }
    /// Side of a tile in pixels of the picture.
    var tileSide: Int { Self.tile * scale }
    /// The columns or rows of the picture in and beside a column or row of tiles that its small discs read.
    func surroundings(of tile: Int) -> Range<Int> { tile * tileSide - tileSide / 2..<(tile + 1) * tileSide + tileSide / 2 }

    func parameters(circle: CircleOfConfusion, options: BokehOptions) -> LensParameters {
        let knee = 0.8
        let perDisparity = circle.diameterPerDisparity.isFinite ? max(circle.diameterPerDisparity, 0) : 0
        let strength = options.highlights > 0 && !format.isHDR ? 1 - (1 - knee) / (1 + options.highlights - knee) : 0
        return LensParameters(
            size: SIMD2(Int32(paddedWidth), Int32(paddedHeight)),
            work: SIMD2(Int32(workWidth), Int32(workHeight)),
            map: SIMD2(Int32(mapWidth), Int32(mapHeight)),
            mapPerPixel: SIMD2(Float(mapWidth) / Float(width), Float(mapHeight) / Float(height)),
            focus: circle.focusDisparity.isFinite ? Float(circle.focusDisparity) : 0,
            radiusPerDisparity: Float(perDisparity / 2),
            maxRadius: Float(Self.maxWorkRadius * scale),
            knee: Float(knee),
            bend: Float(strength / (1 - knee)), layout: picture.tightLayout,
            magnification: Float(Breathing(options)?.magnification(focusDisparity: circle.focusDisparity) ?? 1))
    }
}
