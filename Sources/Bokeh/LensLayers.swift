/// Everything the lens keeps on the device for one size of picture: made once, used for every frame.
final class LensLayers {
    let geometry: LensGeometry
    let kernels: LensKernels
    let picture: VulkanBuffer
    let disparity: VulkanBuffer
    let result: VulkanBuffer
    let tiles: VulkanBuffer
    private let context: VulkanContext
    private let images: [VulkanImage]
    private let setups: [VulkanBindings]
    private let composite: (far: VulkanBindings, both: VulkanBindings)
    private let pulls: [VulkanBindings]
    private let pushes: [VulkanBindings]
    private let levels: [(width: Int, height: Int)]
    private let resolve: VulkanBindings
    private let sums: (far: VulkanBindings, near: VulkanBindings)
    private let discs: (far: VulkanBindings, near: VulkanBindings)

    init(_ context: VulkanContext, _ kernels: LensKernels, geometry: LensGeometry) throws {
        self.context = context
        self.geometry = geometry
        self.kernels = kernels
        let picture = try VulkanBuffer(context, byteCount: geometry.pictureBytes, texels: .uint1)
        let disparity = try VulkanBuffer(context, byteCount: geometry.mapBytes, texels: .float4)
        let result = try VulkanBuffer(context, byteCount: geometry.pictureBytes, readBack: true)
        let tiles = try VulkanBuffer(context, byteCount: geometry.columns * geometry.rows * 5 * 4)
        (self.picture, self.disparity, self.result, self.tiles) = (picture, disparity, result, tiles)

        let (width, height) = (geometry.workWidth, geometry.workHeight)
        let summed = geometry.columns * LensGeometry.tile + 1
        var images: [VulkanImage] = []
        func image(_ format: VulkanImage.Format, _ width: Int, _ height: Int) throws -> VulkanImage {
            images.append(try VulkanImage(context, width: width, height: height, format: format))
            return images[images.count - 1]
        }
        let marks = try image(.uint1, geometry.paddedWidth / 4, geometry.paddedHeight)
        let far = try image(.uint4, summed, height)
        let near = try image(.uint4, summed, height)
        let farRadius = try image(.float1, width, height)
        let nearRadius = try image(.float1, width, height)
        let fill = try image(.float4, width, height)
        let farBlur = try image(.float4, width, height)
        let nearBlur = try image(.float4, width, height)
        var levels: [(width: Int, height: Int)] = []
        var pyramid: [(light: VulkanImage, radii: VulkanImage)] = []
        var size = (width: (width + 1) / 2, height: (height + 1) / 2)
        repeat {
            levels.append(size)
            pyramid.append((try image(.float4, size.width, size.height), try image(.float4, size.width, size.height)))
            size = ((size.width + 1) / 2, (size.height + 1) / 2)
        } while min(levels[levels.count - 1].width, levels[levels.count - 1].height) > 4
        self.images = images
        self.levels = levels

        func bind(_ kernel: VulkanKernel, _ buffers: [Resource], _ images: [VulkanImage]) throws -> VulkanBindings {
            try VulkanBindings(context, kernel, buffers + images.map(Resource.image))
        }
        let split = [marks, far, farRadius, near, nearRadius, pyramid[0].light, pyramid[0].radii]
        setups = try kernels.setups.map { try bind($0, [.buffer(tiles), .texels(picture), .buffer(disparity), .texels(disparity)], split) }
        var pulls: [VulkanBindings] = []
        var pushes: [VulkanBindings] = []
        for (fine, coarse) in zip(pyramid, pyramid.dropFirst()) {
            pulls.append(try bind(kernels.pull, [], [fine.light, fine.radii, coarse.light, coarse.radii]))
            pushes.append(try bind(kernels.push, [], [coarse.light, coarse.radii, fine.light, fine.radii]))
        }
        self.pulls = pulls
        self.pushes = pushes
        resolve = try bind(kernels.resolve, [.buffer(tiles)], [pyramid[0].light, pyramid[0].radii, far, farRadius, near, nearRadius, fill])
        sums = (try bind(kernels.farSums, [.buffer(tiles)], [far]), try bind(kernels.nearSums, [.buffer(tiles)], [near]))
        discs = (
            try bind(kernels.discs[0], [.buffer(tiles)], [far, farRadius, farBlur]),
            try bind(kernels.discs[0], [.buffer(tiles)], [near, nearRadius, nearBlur])
        )
        let drawn: [Resource] = [.buffer(tiles), .texels(picture), .buffer(result)]
        let layers = [marks, farBlur, nearBlur, fill]
        composite = (
            try bind(kernels.compositeFar, drawn, layers), try bind(kernels.compositeBoth, drawn, layers)
        )
        try context.run { for image in images { image.prepare() } }
    }

    /// Records and runs all passes of one frame.
    func render(_ plan: LensPlan, _ parameters: LensParameters) throws {
        plan.tiles.withUnsafeBytes { tiles.contents.copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
        try context.run {
            let near = plan.hasNear
            let behind = near ? 1 : 0
            visit(plan.unreached, kernels.setups[behind], setups[behind], parameters)
            visit(plan.reached, kernels.setups[2], setups[2], parameters)
            context.barrier()
            if near { fillBehindNear(plan, parameters) }
            sumRows(plan, parameters)
            blur(plan.farDiscs, discs.far, parameters)
            if near { blur(plan.nearDiscs, discs.near, parameters) }
            context.barrier()
            let parts = (geometry.scale / 2) * (geometry.scale / 2)
            visit(plan.behind, kernels.compositeFar, composite.far, parameters, parts: parts)
            visit(plan.reached, kernels.compositeBoth, composite.both, parameters, parts: parts)
            context.barrier(toHost: true)
        }
    }

    private func fillBehindNear(_ plan: LensPlan, _ parameters: LensParameters) {
        for (level, pull) in pulls.enumerated() {
            kernels.pull.dispatch(pull, groups: Self.groups(levels[level + 1], (8, 8)), push: parameters)
            context.barrier()
        }
        for (level, push) in pushes.enumerated().reversed() {
            kernels.push.dispatch(push, groups: Self.groups(levels[level], (8, 8)), push: parameters)
            context.barrier()
        }
        visit(plan.reached, kernels.resolve, resolve, parameters)
        context.barrier()
    }

    private func sumRows(_ plan: LensPlan, _ parameters: LensParameters) {
        let groups = Self.groups((geometry.workHeight, 1), (32, 1))
        var parameters = parameters
        parameters.firstTile = Int32(plan.reachedFlags.lowerBound)
        kernels.farSums.dispatch(sums.far, groups: groups, push: parameters)
        if plan.hasNear { kernels.nearSums.dispatch(sums.near, groups: groups, push: parameters) }
        context.barrier()
    }

    private func blur(_ lists: [Range<Int>], _ bindings: VulkanBindings, _ parameters: LensParameters) {
        for (kernel, list) in zip(kernels.discs, lists) { visit(list, kernel, bindings, parameters) }
    }

    private func visit(_ list: Range<Int>, _ kernel: VulkanKernel, _ bindings: VulkanBindings, _ parameters: LensParameters, parts: Int = 1) {
        var parameters = parameters
        parameters.firstTile = Int32(list.lowerBound)
        kernel.dispatch(bindings, groups: (list.count, parts), push: parameters)
    }

    private static func groups(_ threads: (Int, Int), _ size: (Int, Int)) -> (x: Int, y: Int) {
        ((threads.0 + size.0 - 1) / size.0, (threads.1 + size.1 - 1) / size.1)
    }
}
