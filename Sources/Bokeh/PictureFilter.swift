import CoreVideo

/// A user's shader with what it works on, made once for one size and format of picture.
final class PictureFilter {
    let geometry: PictureGeometry
    private let context: VulkanContext
    private let picture: VulkanBuffer
    private let result: VulkanBuffer
    private let images: [VulkanImage]
    private let passes: (read: Pass, user: Pass, write: Pass)
    private let localSize: (x: Int, y: Int)
    /// Pictures filtered so far.
    private var count: Int32 = 0

    private struct Pass {
        let kernel: VulkanKernel
        let bindings: VulkanBindings
    }

    init(_ context: VulkanContext, _ shader: UserShader, geometry: PictureGeometry) throws {
        self.context = context
        self.geometry = geometry
        localSize = (shader.interface.localSize.x, shader.interface.localSize.y)
        let picture = try VulkanBuffer(context, byteCount: geometry.pictureBytes, texels: .uint1)
        let result = try VulkanBuffer(context, byteCount: geometry.pictureBytes, readBack: true)
        let colours = try VulkanImage(context, width: geometry.width, height: geometry.height, format: .float4)
        let filtered = try VulkanImage(context, width: geometry.width, height: geometry.height, format: .float4)
        (self.picture, self.result, images) = (picture, result, [colours, filtered])
        func pass(_ name: String, _ bindings: [VulkanKernel.Binding], _ resources: [Resource]) throws -> Pass {
            let kernel = try VulkanKernel(
                context, shader: name, bindings: bindings, constants: [], coding: geometry.format, pushBytes: MemoryLayout<LensParameters>.size)
            return Pass(kernel: kernel, bindings: try VulkanBindings(context, kernel, resources))
        }
        let user = try VulkanKernel(
            context, words: shader.words, name: shader.path, bindings: [.image, .image], constants: [], coding: nil,
            pushBytes: MemoryLayout<Int32>.size)
        passes = (
            try pass("filter-read", [.texels, .image, .image], [.texels(picture), .image(colours), .image(filtered)]),
            Pass(kernel: user, bindings: try VulkanBindings(context, user, [.image(colours), .image(filtered)])),
            try pass("filter-write", [.texels, .buffer, .image], [.texels(picture), .buffer(result), .image(filtered)])
        )
        try context.run { for image in images { image.prepare() } }
    }

    /// Filters `image` in place.
    func apply(to image: CVPixelBuffer) throws {
        let staging = PictureStaging(geometry: geometry)
        staging.copy(image, to: picture.contents)
        var parameters = LensParameters()
        parameters.size = SIMD2(Int32(geometry.paddedWidth), Int32(geometry.paddedHeight))
        func groups(_ x: Int, _ y: Int) -> (x: Int, y: Int) { ((geometry.paddedWidth + x - 1) / x, (geometry.paddedHeight + y - 1) / y) }
        try context.run {
            passes.read.kernel.dispatch(passes.read.bindings, groups: groups(32, 8), push: parameters)
            context.barrier()
            passes.user.kernel.dispatch(passes.user.bindings, groups: groups(localSize.x, localSize.y), push: count)
            context.barrier()
            passes.write.kernel.dispatch(passes.write.bindings, groups: groups(32, 16), push: parameters)
            context.barrier(toHost: true)
        }
        count += 1
        staging.copy(result.contents, to: image)
    }
}
