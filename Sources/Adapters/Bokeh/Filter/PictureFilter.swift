/// A user's shader on a device, made once for one size and format of picture: the picture's codes to an image of encoded colours, the shader over
/// it, and its result back to codes.
final class PictureFilter {
    private let context: VulkanContext
    private let geometry: PictureGeometry
    private let localSize: (x: Int, y: Int)
    private let kernels: (read: VulkanKernel, user: VulkanKernel, write: VulkanKernel)
    private let bindings: (read: VulkanBindings, user: VulkanBindings, write: VulkanBindings)
    private let picture: VulkanBuffer
    private let result: ReadBackBuffer

    /// `words`: the shader's SPIR-V, which messages call `name`.
    init(_ context: VulkanContext, _ words: [UInt32], name: String, geometry: PictureGeometry) throws {
        self.context = context
        self.geometry = geometry
        let interface = SPIRVInterface(words: words)
        localSize = (interface.localSize.x, interface.localSize.y)
        let images = try (0..<2).map { _ in try VulkanImage(context, width: geometry.width, height: geometry.height) }
        picture = try VulkanBuffer(context, byteCount: geometry.pictureBytes, texels: .uint1)
        result = try ReadBackBuffer(context, byteCount: geometry.pictureBytes)
        let pushBytes = MemoryLayout<LensParameters>.size
        let read = try VulkanKernel(context, LibraryShader("filter-read"), constants: geometry.format.constants, pushBytes: pushBytes)
        let user = try VulkanKernel(context, filter: words, name: name, pushBytes: MemoryLayout<Int32>.size)
        let write = try VulkanKernel(context, LibraryShader("filter-write"), constants: geometry.format.constants, pushBytes: pushBytes)
        kernels = (read, user, write)
        bindings = (
            try VulkanBindings(context, read, ["picture": .texels(picture), "colours": .image(images[0]), "filtered": .image(images[1])]),
            try VulkanBindings(context, user, images.map(Resource.image)),
            try VulkanBindings(context, write, ["picture": .texels(picture), "result": .buffer(result.texels), "filtered": .image(images[1])])
        )
        try context.run { for image in images { image.prepare() } }
    }

    /// Filters the picture at `bytes`, rows without gaps, in place; `number` is what the shader's push constant gets.
    func run(on bytes: UnsafeMutableRawPointer, number: Int32) throws {
        picture.contents.copyMemory(from: bytes, byteCount: geometry.pictureBytes)
        var parameters = LensParameters()
        parameters.size = SIMD2(Int32(geometry.paddedWidth), Int32(geometry.paddedHeight))
        parameters.layout = geometry.tightLayout
        func groups(_ x: Int, _ y: Int) -> (x: Int, y: Int) { ((geometry.paddedWidth + x - 1) / x, (geometry.paddedHeight + y - 1) / y) }
        try context.run {
            kernels.read.dispatch(bindings.read, groups: groups(32, 8), push: parameters)
            context.barrier()
            kernels.user.dispatch(bindings.user, groups: groups(localSize.x, localSize.y), push: number)
            context.barrier()
            kernels.write.dispatch(bindings.write, groups: groups(32, 16), push: parameters)
            if !result.recordCopy() { context.barrier(.passes, .host) }
        }
        bytes.copyMemory(from: result.contents, byteCount: geometry.pictureBytes)
    }
}
