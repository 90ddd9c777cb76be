/// The images in which passes of the lens leave their work for the next, of one size: only the device touches them, one frame after the other,
/// so that frames under way share them. Texels of words hold halves.
final class LensImages {
    /// What is in front of the focus, or behind it.
    struct Layer {
        /// Light times coverage, and coverage, of two pixels in a row.
        let light: VulkanImage
        /// Running sums of a row's light, and of two rows', in fixed point.
        let sums, pairs: VulkanImage
        /// The blur's radius at 2 × 2 pixels, and their mean.
        let radii, coarseRadius: VulkanImage
        /// The layer blurred, for each pixel and for 2 × 2.
        let blur, coarseBlur: VulkanImage
    }

    let far, near: Layer
    /// Of 2 × 2 pixels of the far layer, what those around them gather: light, the disc's radius and one by its square.
    let sources: VulkanImage
    /// How much each picture's pixel is of the near layer (positive) or the far one, of 4 × 4 pixels.
    let marks: VulkanImage
    /// What the near layer does not hide, completed: each level has half the size of the one before.
    let known: [VulkanImage]
    /// The hidden scene behind the near layer, of two pixels in a row and of 2 × 2.
    let fill, coarseFill: VulkanImage
    /// The finished picture where all of it is blurred, one value for 2 × 2 pixels: in its own codes, and as light.
    let coded, finished: VulkanImage

    init(_ context: VulkanContext, _ geometry: LensGeometry) throws {
        var all: [VulkanImage] = []
        func image(_ format: VulkanImage.Format, _ width: Int, _ height: Int) throws -> VulkanImage {
            all.append(try VulkanImage(context, width: width, height: height, format: format))
            return all[all.count - 1]
        }
        let (width, height) = (geometry.workWidth, geometry.workHeight)
        let (coarseWidth, coarseHeight) = (geometry.coarseWidth, geometry.coarseHeight)
        let padded = geometry.columns * LensGeometry.tile
        func layer() throws -> Layer {
            try Layer(
                light: image(.uint4, padded / 2, height),
                sums: image(.uint4, padded + 1, height), pairs: image(.uint4, padded + 1, coarseHeight),
                radii: image(.uint2, coarseWidth, coarseHeight), coarseRadius: image(.float1, coarseWidth, coarseHeight),
                blur: image(.uint2, width, height), coarseBlur: image(.uint2, coarseWidth, coarseHeight))
        }
        (far, near) = (try layer(), try layer())
        sources = try image(.uint4, coarseWidth, coarseHeight)
        marks = try image(.uint4, geometry.paddedWidth / 4, geometry.paddedHeight / 4)
        (fill, coarseFill) = (try image(.uint4, coarseWidth, height), try image(.uint2, coarseWidth, coarseHeight))
        (coded, finished) = (try image(.uint2, coarseWidth, coarseHeight), try image(.uint2, coarseWidth, coarseHeight))
        var known = [try image(.uint4, coarseWidth, coarseHeight)]
        while let last = known.last, min(last.width, last.height) > 4 {
            known.append(try image(.uint4, (last.width + 1) / 2, (last.height + 1) / 2))
        }
        self.known = known
        try context.run { for image in all { image.prepare() } }
    }
}
