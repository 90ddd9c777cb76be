/// A user's shader with what it works on, made once for one size and format of picture.
final class PictureFilter {
    private let context: VulkanContext
    private let geometry: PictureGeometry
    private let images: [VulkanImage]
    private let kernels: (read: VulkanKernel, user: VulkanKernel, write: VulkanKernel)
    private let bindings: VulkanBindings
    private let localSize: (x: Int, y: Int)
    /// Pictures filtered so far.
    private var count: Int32 = 0

    init(_ context: VulkanContext, _ shader: UserShader, geometry: PictureGeometry) throws {
        self.context = context
        self.geometry = geometry
        localSize = (shader.interface.localSize.x, shader.interface.localSize.y)
        images = try (0..<2).map { _ in try VulkanImage(context, width: geometry.width, height: geometry.height) }
        func kernel(_ name: String, _ bindings: [VulkanKernel.Binding]) throws -> VulkanKernel {
            try VulkanKernel(
                context, shader: name, bindings: bindings, constants: [], coding: geometry.format, pushBytes: MemoryLayout<LensParameters>.size)
        }
        let user = try VulkanKernel(
            context, words: shader.words, name: shader.path, bindings: [.image, .image], constants: [], coding: nil,
            pushBytes: MemoryLayout<Int32>.size)
        kernels = (try kernel("filter-read", [.texels, .image, .image]), user, try kernel("filter-write", [.texels, .buffer, .image]))
        bindings = try VulkanBindings(context, user, images.map(Resource.image))
        try context.run { for image in images { image.prepare() } }
    }

    /// The filter over one frame under way.
    final class Pass {
        /// The filtered picture, all of it.
        let result: ReadBackBuffer
        private let sharp: VulkanBuffer
        private let picture: VulkanBuffer
        private let filter: PictureFilter
        private let read: VulkanBindings
        private let write: VulkanBindings

        /// `picture` is filtered, in which the passes before draw over `sharp`.
        init(_ filter: PictureFilter, of picture: VulkanBuffer, over sharp: VulkanBuffer) throws {
            let result = try ReadBackBuffer(filter.context, byteCount: filter.geometry.pictureBytes)
            let images = filter.images.map(Resource.image)
            read = try VulkanBindings(filter.context, filter.kernels.read, [.texels(picture)] + images)
            write = try VulkanBindings(filter.context, filter.kernels.write, [.texels(picture), .buffer(result.texels), images[1]])
            (self.filter, self.sharp, self.picture, self.result) = (filter, sharp, picture, result)
        }

        /// The filter wants all of the picture, what no pass before it touches too.
        func recordSharp() {
            filter.context.copy(sharp, to: picture)
            filter.context.barrier(.copies, .passes)
        }

        func record() {
            let (geometry, kernels) = (filter.geometry, filter.kernels)
            var parameters = LensParameters()
            parameters.size = SIMD2(Int32(geometry.paddedWidth), Int32(geometry.paddedHeight))
            parameters.layout = geometry.tightLayout
            func groups(_ x: Int, _ y: Int) -> (x: Int, y: Int) { ((geometry.paddedWidth + x - 1) / x, (geometry.paddedHeight + y - 1) / y) }
            kernels.read.dispatch(read, groups: groups(32, 8), push: parameters)
            filter.context.barrier()
            kernels.user.dispatch(filter.bindings, groups: groups(filter.localSize.x, filter.localSize.y), push: filter.count)
            filter.context.barrier()
            kernels.write.dispatch(write, groups: groups(32, 16), push: parameters)
            filter.count += 1
        }
    }
}
