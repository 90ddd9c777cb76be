import CoreVideo

/// A picture as the lens holds it: rows without gaps, edges repeated to whole pairs of layer pixels.
struct PictureGeometry: Equatable {
    let width: Int
    let height: Int
    let format: PictureFormat
    /// The pixel format of what comes out.
    let pixelFormat: OSType
    let paddedWidth: Int
    let paddedHeight: Int
    /// Pixels of the picture per layer pixel.
    let scale: Int

    /// Throws `unsupportedPicture` for a format or a size that cannot be drawn.
    init(_ image: CVPixelBuffer) throws {
        (width, height) = image.size
        pixelFormat = image.format
        guard let format = PictureFormat(image) else {
            throw BokehError(
                .unsupportedPicture, "the lens takes \(PictureFormat.known) pictures, not the format 0x\(String(image.format, radix: 16))")
        }
        self.format = format
        guard width % 2 == 0, height % 2 == 0, width <= 8192, height <= 8192 else {
            throw BokehError(.unsupportedPicture, "the lens takes pictures of even size up to 8192, not \(width)x\(height)")
        }
        scale = width * height > 4_500_000 ? 4 : 2
        let unit = 2 * scale
        paddedWidth = (width + unit - 1) / unit * unit
        paddedHeight = (height + unit - 1) / unit * unit
    }

    var pictureBytes: Int { format.isPlanar ? paddedWidth * paddedHeight * format.sampleBytes * 3 / 2 : paddedWidth * paddedHeight * 4 }
}
