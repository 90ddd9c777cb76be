import CoreVideo
import Metal

extension CNRenderingSession {
    /// Encodes the rendering of a frame into a texture of `bgra8Unorm`, `rgba8Unorm` or `rgba16Float`, as coded values; see the rendering into a picture.
    ///
    /// False also for a texture of another format or size.
    @discardableResult
    public func encodeRender(
        to commandBuffer: any MTLCommandBuffer, frameAttributes: FrameAttributes, sourceImage: CVPixelBuffer, sourceDisparity: CVPixelBuffer,
        destinationRGBA: any MTLTexture
    ) -> Bool {
        let format: OSType
        switch destinationRGBA.pixelFormat {
        case .bgra8Unorm, .rgba8Unorm: format = kCVPixelFormatType_32BGRA
        case .rgba16Float: format = kCVPixelFormatType_64RGBAHalf
        default: return false
        }
        let picture = CVPixelBuffer(width: destinationRGBA.width, height: destinationRGBA.height, pixelFormat: format)
        return encode(to: commandBuffer, frameAttributes, sourceImage, sourceDisparity, picture) { rendered in
            if destinationRGBA.pixelFormat == .rgba8Unorm { rendered.exchangeRedAndBlue() }
            destinationRGBA.fill(with: rendered.plane(0))
        }
    }

    /// Encodes the rendering of a frame into two textures in the format of the source: `r8Unorm` and `rg8Unorm` for pictures of 8 bits, `r16Unorm` and
    /// `rg16Unorm` for those of 10; see the rendering into a picture.
    ///
    /// False also for textures of other formats, and of another size than the picture and half of it.
    @discardableResult
    public func encodeRender(
        to commandBuffer: any MTLCommandBuffer, frameAttributes: FrameAttributes, sourceImage: CVPixelBuffer, sourceDisparity: CVPixelBuffer,
        destinationLuma: any MTLTexture, destinationChroma: any MTLTexture
    ) -> Bool {
        let isTenBit = sourceImage.format == kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange
        guard Self.sourcePixelFormatTypes.contains(sourceImage.format), destinationLuma.pixelFormat == (isTenBit ? .r16Unorm : .r8Unorm),
            destinationChroma.pixelFormat == (isTenBit ? .rg16Unorm : .rg8Unorm)
        else { return false }
        let picture = CVPixelBuffer(width: destinationLuma.width, height: destinationLuma.height, pixelFormat: sourceImage.format)
        guard destinationChroma.width == picture.plane(1).width, destinationChroma.height == picture.plane(1).height else { return false }
        return encode(to: commandBuffer, frameAttributes, sourceImage, sourceDisparity, picture) { rendered in
            destinationLuma.fill(with: rendered.plane(0))
            destinationChroma.fill(with: rendered.plane(1))
        }
    }
}

extension MTLTexture {
    /// Copies the pixels of a plane of the texture's size and format.
    fileprivate func fill(with plane: CVPixelBuffer.Plane) {
        replace(region: MTLRegionMake2D(0, 0, width, height), mipmapLevel: 0, withBytes: plane.base, bytesPerRow: plane.bytesPerRow)
    }
}

extension CVBuffer {
    /// Turns a `BGRA` picture into one whose first byte is red.
    fileprivate func exchangeRedAndBlue() {
        for y in 0..<size.height {
            let row = plane(0).row(y, as: UInt8.self)
            for x in 0..<size.width { swap(&row[4 * x], &row[4 * x + 2]) }
        }
    }
}
