import CoreVideo

/// A picture as the lens holds it: rows without gaps, edges repeated to whole pairs of layer pixels.
struct PictureGeometry: Equatable, Codable {
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
    init(_ image: CVPixelBuffer, quality: BokehOptions.Quality) throws {
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
        scale = quality == .preview || width * height > 4_500_000 ? 4 : 2
        let unit = 2 * scale
        paddedWidth = (width + unit - 1) / unit * unit
        paddedHeight = (height + unit - 1) / unit * unit
    }

    var pictureBytes: Int {
        format.isPlanar ? paddedWidth * paddedHeight * format.sampleBytes * 3 / 2 : paddedWidth * paddedHeight * format.pixelBytes
    }

    /// Place of rows in a buffer, in samples, or in words of four bytes where pixels are not in planes.
    struct Layout: BitwiseCopyable, Equatable {
        /// From one row to the next, of both planes.
        var stride: Int32 = 0
        /// From the first row of luma to the first of chroma.
        var chroma: Int32 = 0
    }

    /// Rows without gaps.
    var tightLayout: Layout {
        Layout(stride: Int32(format.layout == .wide ? 2 * paddedWidth : paddedWidth), chroma: Int32(paddedWidth * paddedHeight))
    }

    /// As `image` has its rows, when the lens can work in its memory: nothing is to be padded.
    func layout(of image: CVPixelBuffer) -> Layout? {
        guard width == paddedWidth, height == paddedHeight, image.plane(0).base == image.storage.base else { return nil }
        let first = image.plane(0)
        guard format.isPlanar else { return Layout(stride: Int32(first.bytesPerRow / 4)) }
        let (second, unit) = (image.plane(1), format.sampleBytes)
        guard second.bytesPerRow == first.bytesPerRow else { return nil }
        return Layout(stride: Int32(first.bytesPerRow / unit), chroma: Int32((second.base - first.base) / unit))
    }
}
