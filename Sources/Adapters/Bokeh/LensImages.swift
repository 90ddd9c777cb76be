/// The images in which passes of the lens leave their work for the next, row after row in buffers: only the device touches them, one frame after
/// the other, so that frames under way share them. Texels of words hold halves.
final class LensImages {
    /// What is in front of the focus, or behind it.
    struct Layer {
        /// Light times coverage, and coverage, of two pixels in a row.
        let light: VulkanBuffer
        /// Running sums of a row's light, and of two rows', in fixed point.
        let sums, pairs: VulkanBuffer
        /// The blur's radius at 2 × 2 pixels, and their mean.
        let radii, coarseRadius: VulkanBuffer
        /// The layer blurred, for each pixel and for 2 × 2.
        let blur, coarseBlur: VulkanBuffer
    }

    /// A level of the fill.
    struct Level {
        let texels: VulkanBuffer
        let width, height: Int
    }

    let far, near: Layer
    /// Of 2 × 2 pixels of the far layer, what those around them gather: light, the disc's radius and one by its square.
    let sources: VulkanBuffer
    /// The same of 4 × 4, with the blur's radius in pixels of that size, and what they gathered.
    let broadSources, broadRadius, broad: VulkanBuffer
    /// How much each picture's pixel is of the near layer (positive) or the far one, of 4 × 4 pixels.
    let marks: VulkanBuffer
    /// What the near layer does not hide, completed: each level has half the size of the one before.
    let known: [Level]
    /// The hidden scene behind the near layer, of two pixels in a row and of 2 × 2.
    let fill, coarseFill: VulkanBuffer
    /// The finished picture where all of it is blurred, one value for 2 × 2 pixels: in its own codes, and as light.
    let coded, finished: VulkanBuffer

    init(_ context: VulkanContext, _ geometry: LensGeometry) throws {
        func image(_ format: TexelFormat, _ width: Int, _ height: Int) throws -> VulkanBuffer {
            try VulkanBuffer(context, texels: format, count: width * height)
        }
        let (width, height) = (geometry.workWidth, geometry.workHeight)
        let (coarseWidth, coarseHeight) = (geometry.coarseWidth, geometry.coarseHeight)
        let padded = geometry.columns * LensGeometry.tile
        func layer() throws -> Layer {
            try Layer(
                // Sums are of whole tiles: at the end of the last row they read on.
                light: image(.uint4, padded / 2, height), sums: image(.uint4, padded + 1, height), pairs: image(.uint4, padded + 1, coarseHeight),
                radii: image(.uint2, coarseWidth, coarseHeight), coarseRadius: image(.float1, coarseWidth, coarseHeight),
                blur: image(.uint2, width, height), coarseBlur: image(.uint2, coarseWidth, coarseHeight))
        }
        (far, near) = (try layer(), try layer())
        sources = try image(.uint4, coarseWidth, coarseHeight)
        let (broadWidth, broadHeight) = ((coarseWidth + 1) / 2, (coarseHeight + 1) / 2)
        (broadSources, broadRadius) = (try image(.uint4, broadWidth, broadHeight), try image(.float1, broadWidth, broadHeight))
        broad = try image(.uint2, broadWidth, broadHeight)
        marks = try image(.uint4, geometry.paddedWidth / 4, geometry.paddedHeight / 4)
        (fill, coarseFill) = (try image(.uint4, coarseWidth, height), try image(.uint2, coarseWidth, coarseHeight))
        (coded, finished) = (try image(.uint2, coarseWidth, coarseHeight), try image(.uint2, coarseWidth, coarseHeight))
        func level(_ width: Int, _ height: Int) throws -> Level {
            try Level(texels: image(.uint4, width, height), width: width, height: height)
        }
        var known = [try level(coarseWidth, coarseHeight)]
        while let last = known.last, min(last.width, last.height) > 4 { known.append(try level((last.width + 1) / 2, (last.height + 1) / 2)) }
        self.known = known
    }
}
