/// The compiled passes of the lens for one picture format and scale.
final class LensKernels {
    /// What the passes are specialised for.
    struct Variant: Hashable {
        let isPlanar: Bool
        let scale: Int
        /// The disparity map has the picture's size.
        let isDirect: Bool

        init(_ geometry: LensGeometry) {
            isPlanar = geometry.isPlanar
            scale = geometry.scale
            isDirect = geometry.isDirect
        }
    }

    /// Setup where nothing is in front of the focus, where nothing in front reaches, and where it does.
    let setups: [VulkanKernel]
    let pull: VulkanKernel
    let push: VulkanKernel
    let resolve: VulkanKernel
    let farSums: VulkanKernel
    let nearSums: VulkanKernel
    /// One per bucket of `LensPlan`.
    let discs: [VulkanKernel]
    let compositeFar: VulkanKernel
    let compositeBoth: VulkanKernel

    init(_ context: VulkanContext, _ variant: Variant) throws {
        let scale = variant.scale
        func kernel(_ shader: String, _ bindings: [VulkanKernel.Binding], _ constants: [Int] = []) throws -> VulkanKernel {
            try VulkanKernel(
                context, shader: shader, bindings: bindings, constants: constants.map(Int32.init), pushBytes: MemoryLayout<LensParameters>.size)
        }
        let format = variant.isPlanar ? 0 : 1
        func setup(_ near: Int) throws -> VulkanKernel {
            try kernel("setup", [.buffer, .texels, .buffer, .texels] + images(7), [format, scale, variant.isDirect ? 1 : 0, near])
        }
        func composite(_ near: Int) throws -> VulkanKernel {
            try kernel("composite", [.buffer, .texels, .buffer] + images(4), [format, scale, near])
        }
        func images(_ count: Int) -> [VulkanKernel.Binding] { Array(repeating: .image, count: count) }
        setups = try (0...2).map(setup)
        pull = try kernel("fill-pull", images(4))
        push = try kernel("fill-push", images(4))
        resolve = try kernel("fill-resolve", [.buffer] + images(7), [scale])
        farSums = try kernel("row-sums", [.buffer, .image], [0])
        nearSums = try kernel("row-sums", [.buffer, .image], [1])
        discs = try LensPlan.buckets.enumerated().map { index, radius in
            try kernel("disc", [.buffer] + images(3), [radius, index <= LensPlan.lastExactBucket ? 1 : 0])
        }
        compositeFar = try composite(0)
        compositeBoth = try composite(1)
    }
}
