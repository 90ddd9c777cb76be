/// The passes of the lens over one frame under way, of one size: made once, used for every frame.
final class LensLayers {
    let geometry: LensGeometry
    let kernels: LensKernels
    private let context: VulkanContext
    private let images: LensImages
    private let tiles: VulkanBuffer
    private let noted: NotedTiles
    /// `ApertureShape.entries`.
    private let aperture: VulkanBuffer
    private let timestamps: VulkanTimestamps?
    private let submission: VulkanSubmission
    /// Workgroups a tile, of composites.
    private let parts: Int
    /// As it is, and with the near layer in the far one's place, for opaque tiles.
    private let ends: Ends
    private let turned: Ends
    private let plainComposite: VulkanBindings
    private let unknown: VulkanBindings
    private let pulls: [VulkanBindings]
    private let pushes: [VulkanBindings]
    private let resolve: VulkanBindings
    private let far: Blur
    private let near: Blur
    private let gatherSources: VulkanBindings
    private let broadSources: VulkanBindings
    private let gather: VulkanBindings
    private let gatherBroad: VulkanBindings
    private let broaden: VulkanBindings

    /// How the picture is split into layers and made from them.
    private struct Ends {
        let farSetup: VulkanBindings
        let setup: VulkanBindings
        let code: VulkanBindings
        let composite: VulkanBindings
    }

    /// How one layer is blurred.
    private struct Blur {
        let kernels: LensKernels.Discs
        let sums: VulkanBindings
        let fine: VulkanBindings
        let coarse: VulkanBindings
        let spread: VulkanBindings
    }

    /// `isTimed` has the device tell how long each pass takes, where it can.
    init(
        _ context: VulkanContext, _ kernels: LensKernels, _ images: LensImages, geometry: LensGeometry, shape: ApertureShape?, isTimed: Bool
    ) throws {
        self.context = context
        self.images = images
        self.geometry = geometry
        self.kernels = kernels
        let tileCount = geometry.columns * geometry.rows
        // Flags, and lists in which a tile is once each: five of setup, fill and finish, nine of discs, four of runs, two of blocks.
        let tiles = try VulkanBuffer(context, byteCount: tileCount * 21 * 4, texels: .uint1)
        parts = (geometry.scale / 2) * (geometry.scale / 2)
        let noted = try NotedTiles(context, tiles: tileCount, compositeParts: parts)
        let entries = shape?.entries ?? [.zero]
        let aperture = try VulkanBuffer(context, byteCount: entries.count * 16, texels: .float4)
        entries.withUnsafeBytes { aperture.contents.copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
        self.aperture = aperture
        timestamps = isTimed ? try VulkanTimestamps(context) : nil
        submission = try VulkanSubmission(context)
        (self.tiles, self.noted) = (tiles, noted)

        func bind(
            _ kernel: VulkanKernel, _ first: [Resource] = [], reads: [VulkanBuffer] = [], writes: [VulkanBuffer] = [], _ last: [Resource] = []
        ) throws -> VulkanBindings {
            try VulkanBindings(context, kernel, [.texels(tiles)] + first + reads.map(Resource.texels) + writes.map(Resource.buffer) + last)
        }
        func blur(_ layer: LensImages.Layer, _ sums: VulkanKernel, _ discs: LensKernels.Discs) throws -> Blur {
            try Blur(
                kernels: discs,
                sums: bind(sums, reads: [layer.light], writes: [layer.sums, layer.pairs]),
                fine: bind(discs.fine[0], reads: [layer.sums, layer.radii], writes: [layer.blur], [.texels(aperture)]),
                coarse: bind(discs.coarse[0], reads: [layer.pairs, layer.coarseRadius], writes: [layer.coarseBlur], [.texels(aperture)]),
                spread: bind(kernels.spread, reads: [layer.coarseBlur, layer.radii, layer.blur], writes: [layer.blur]))
        }
        let (far, near, known) = (images.far, images.near, images.known.map(\.texels))
        func ends(_ far: LensImages.Layer, _ near: LensImages.Layer) throws -> Ends {
            try Ends(
                farSetup: bind(
                    kernels.farSetups[0][0], [.later, .later, .later],
                    writes: [far.light, far.coarseRadius, known[0], images.marks, noted.buffer]),
                setup: bind(
                    kernels.setups[0].again, [.later, .later, .later],
                    writes: [images.marks, far.light, far.radii, near.light, near.radii, known[0], far.coarseRadius, noted.buffer]),
                code: bind(
                    kernels.codes[1][0], reads: [far.coarseBlur, near.coarseBlur, images.coarseFill, known[0]],
                    writes: [images.coded, images.finished]),
                composite: bind(
                    kernels.composites[0].again, [.later, .later], reads: [images.marks, far.blur, near.blur, images.fill],
                    writes: [noted.buffer]))
        }
        self.ends = try ends(far, near)
        turned = try ends(near, far)
        plainComposite = try bind(
            kernels.compositePlain.again, [.later, .later], reads: [images.coded, images.finished], writes: [noted.buffer])
        unknown = try bind(kernels.unknown, writes: [known[0]])
        var pulls: [VulkanBindings] = []
        var pushes: [VulkanBindings] = []
        for (fine, coarse) in zip(known, known.dropFirst()) {
            pulls.append(try bind(kernels.pull, reads: [fine], writes: [coarse]))
            pushes.append(try bind(kernels.push, reads: [coarse, fine], writes: [fine]))
        }
        self.pulls = pulls
        self.pushes = pushes
        resolve = try bind(
            kernels.resolves[0], reads: [known[0], far.light, near.light, far.radii, near.radii],
            writes: [far.light, far.radii, near.radii, images.fill, far.coarseRadius, near.coarseRadius, images.coarseFill])
        self.far = try blur(far, kernels.farSums[0], kernels.farDiscs)
        self.near = try blur(near, kernels.nearSums[0], kernels.nearDiscs)
        gatherSources = try bind(kernels.gatherSources, reads: [far.light, far.coarseRadius], writes: [images.sources])
        gather = try bind(kernels.gather, reads: [images.sources, far.coarseRadius], writes: [far.coarseBlur])
        broadSources = try bind(
            kernels.broadSources, reads: [images.sources, far.coarseRadius], writes: [images.broadSources, images.broadRadius])
        gatherBroad = try bind(kernels.gatherBroad, reads: [images.broadSources, images.broadRadius], writes: [images.broad])
        broaden = try bind(kernels.broaden, reads: [images.broad], writes: [far.coarseBlur])
    }

    /// Where the next frame comes from and goes to; not while one is under way.
    func use(_ buffers: LensBuffers) {
        for bindings in [ends.farSetup, ends.setup, turned.farSetup, turned.setup] {
            bindings.bind(.texels(buffers.picture), at: 1)
            bindings.bind(.buffer(buffers.disparity), at: 2)
            bindings.bind(.texels(buffers.disparity), at: 3)
        }
        for bindings in [plainComposite, ends.composite, turned.composite] {
            bindings.bind(.texels(buffers.picture), at: 1)
            bindings.bind(.buffer(buffers.result), at: 2)
        }
    }

    /// Starts all passes of one frame; brings what the host will read, where it is not in the host's memory already.
    func start(_ plan: LensPlan, _ parameters: LensParameters, readBack result: ReadBackBuffer?) throws {
        plan.tiles.withUnsafeBytes { tiles.contents.copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
        noted.clear()
        try context.submit(submission) {
            timestamps?.begin()
            blur(plan, parameters)
            if let result, result.recordCopy() {
                timestamps?.mark("read back")
            } else {
                context.barrier(.passes, .host)
            }
        }
    }

    /// Nobody may have asked for the last picture: its buffers are not taken away from under the device.
    deinit { try? submission.wait() }

    /// Waits until the device is through with what was started.
    func finish() throws { try submission.wait() }

    private func blur(_ plan: LensPlan, _ parameters: LensParameters) {
        split(plan, parameters)
        timestamps?.mark("setup")
        if plan.hasHidden {
            fillBehindNear(plan, parameters)
            timestamps?.mark("fill")
        }
        sumRows(plan, parameters)
        timestamps?.mark("row sums")
        blur(plan.far, far, parameters)
        visit(plan.far.gathered, kernels.gather, gather, parameters)
        visit(plan.far.broadSources, kernels.broadSources, broadSources, parameters)
        timestamps?.mark("far discs")
        if plan.hasNear {
            blur(plan.near, near, parameters)
            timestamps?.mark("near discs")
        }
        context.barrier()
        if !plan.far.broad.isEmpty {
            visit(plan.far.broad, kernels.gatherBroad, gatherBroad, parameters)
            context.barrier()
            visit(plan.far.broadened, kernels.broaden, broaden, parameters)
            context.barrier()
            timestamps?.mark("broad discs")
        }
        visit(plan.far.spread, kernels.spread, far.spread, parameters)
        visit(plan.far.blended, kernels.blend, far.spread, parameters)
        if plan.hasNear { visit(plan.near.spread, kernels.spread, near.spread, parameters) }
        let codes = kernels.codes[geometry.hasLights(parameters) ? 1 : 0]
        forEachKind(plan.coded, parameters) { visit($1, codes[$0.kernel], $2.code, $3) }
        context.barrier()
        compose(plan, parameters)
        timestamps?.mark("composite")
    }

    private func compose(_ plan: LensPlan, _ parameters: LensParameters) {
        let round = geometry.hasLights(parameters) ? 1 : 0
        visit(plan.plain, kernels.compositePlain.first[round], plainComposite, parameters, parts: parts)
        forEachKind(plan.mixed, parameters) { visit($1, kernels.composites[$0.kernel].first[round], $2.composite, $3, parts: parts) }
        guard round == 1 else { return }
        context.barrier(.passes, .indirectPasses)
        noted.visit(NotedTiles.plainComposite, kernels.compositePlain.again, plainComposite, parameters)
        forEachKind(NotedTiles.composites, parameters) { noted.visit($1, kernels.composites[$0.kernel].again, $2.composite, $3) }
    }

    /// What the passes of the last frame took on the device, in their order; empty where that was not asked for or the device has no clock.
    func durations() throws -> [(pass: String, duration: Duration)] { try timestamps?.read() ?? [] }

    /// Runs every pass once on one tile of nothing, so that no frame waits for the driver to compile it.
    func warmUp(_ layout: PictureGeometry.Layout) throws {
        var passes = [(kernels.firstPull, pulls.first), (kernels.pull, pulls.last), (kernels.push, pushes.last), (kernels.lastPush, pushes.first)]
        passes +=
            kernels.farSetups.joined().map { ($0, ends.farSetup) } + kernels.resolves.map { ($0, resolve) }
            + kernels.codes.joined().map { ($0, ends.code) } + [(kernels.unknown, unknown)]
        for (rounds, bindings) in [(kernels.setups, ends.setup), (kernels.composites, ends.composite), ([kernels.compositePlain], plainComposite)] {
            passes += rounds.flatMap { $0.first + [$0.again] }.map { ($0, bindings) }
        }
        for (blur, sums) in [(far, kernels.farSums), (near, kernels.nearSums)] {
            passes += sums.map { ($0, blur.sums) } + blur.kernels.fine.map { ($0, blur.fine) } + blur.kernels.coarse.map { ($0, blur.coarse) }
            passes.append((kernels.spread, blur.spread))
        }
        passes += [
            (kernels.gatherSources, gatherSources), (kernels.broadSources, broadSources), (kernels.gather, gather),
            (kernels.gatherBroad, gatherBroad), (kernels.broaden, broaden), (kernels.blend, far.spread),
        ]
        for buffer in [tiles, noted.buffer] { buffer.contents.initializeMemory(as: UInt8.self, repeating: 0, count: buffer.byteCount) }
        var parameters = LensParameters()
        parameters.size = SIMD2(Int32(geometry.paddedWidth), Int32(geometry.paddedHeight))
        parameters.layout = layout
        parameters.work = SIMD2(Int32(geometry.workWidth), Int32(geometry.workHeight))
        parameters.map = SIMD2(Int32(geometry.mapWidth), Int32(geometry.mapHeight))
        try context.run {
            for (kernel, bindings) in passes {
                guard let bindings else { continue }
                kernel.dispatch(bindings, groups: (1, 1), push: parameters)
                context.barrier()
            }
        }
    }

    private func split(_ plan: LensPlan, _ parameters: LensParameters) {
        let round = parameters.bend > 0 ? 1 : 0
        forEachKind([plan.farSetup, plan.farKnown, plan.evenOpaque], of: [.unreached, .reached, .opaque], parameters) {
            visit($1, kernels.farSetups[round][$0.kernel], $2.farSetup, $3)
        }
        forEachKind([plan.mixedSetup, plan.mixedKnown, plan.inFront, plan.mixedOpaque], parameters) {
            visit($1, kernels.setups[$0.kernel].first[round], $2.setup, $3)
        }
        visit(plan.unknown, kernels.unknown, unknown, parameters)
        guard round == 1 else { return context.barrier() }
        context.barrier(.passes, .indirectPasses)
        forEachKind(NotedTiles.setups, parameters) { noted.visit($1, kernels.setups[$0.kernel].again, $2.setup, $3) }
        context.barrier()
    }

    /// A list of each kind of tiles, with how they are split and made: in opaque ones the near layer takes the far one's place.
    private func forEachKind<Lists: Sequence>(
        _ lists: Lists, of kinds: [TileKind] = TileKind.allCases, _ parameters: LensParameters,
        _ body: (TileKind, Lists.Element, Ends, LensParameters) -> Void
    ) {
        for (kind, list) in zip(kinds, lists) {
            let isTurned = kind == .opaque
            body(kind, list, isTurned ? turned : ends, isTurned ? parameters.turned : parameters)
        }
    }

    private func fillBehindNear(_ plan: LensPlan, _ parameters: LensParameters) {
        /// All of a level, whose number takes the place of the first tile's.
        func visitAll(_ level: Int, _ kernel: VulkanKernel, _ bindings: VulkanBindings) {
            var parameters = parameters
            parameters.firstTile = Int32(level)
            let coarser = images.known[level + 1]
            kernel.dispatch(bindings, groups: ((coarser.width + 7) / 8, (coarser.height + 7) / 8), push: parameters)
        }
        for (level, pull) in pulls.enumerated() {
            if level == 0 { visit(plan.known, kernels.firstPull, pull, parameters) } else { visitAll(level, kernels.pull, pull) }
            context.barrier()
        }
        for (level, push) in pushes.enumerated().reversed() {
            if level == 0 {
                for list in plan.reached { visit(list, kernels.lastPush, push, parameters) }
            } else {
                visitAll(level, kernels.push, push)
            }
            context.barrier()
        }
        for (kernel, list) in zip(kernels.resolves, plan.reached) { visit(list, kernel, resolve, parameters) }
        context.barrier()
    }

    private func sumRows(_ plan: LensPlan, _ parameters: LensParameters) {
        func sum(_ discs: LensPlan.Discs, _ kernels: [VulkanKernel], _ blur: Blur) {
            for (kernel, list) in zip(kernels, [discs.fineRuns, discs.coarseRuns]) {
                visit(list, kernel, blur.sums, parameters, parts: self.kernels.sumGroups)
            }
        }
        sum(plan.far, kernels.farSums, far)
        if plan.hasNear { sum(plan.near, kernels.nearSums, near) }
        visit(plan.far.sources, kernels.gatherSources, gatherSources, parameters)
        context.barrier()
    }

    private func blur(_ discs: LensPlan.Discs, _ blur: Blur, _ parameters: LensParameters) {
        for (kernel, list) in zip(blur.kernels.fine, discs.fine) { visit(list, kernel, blur.fine, parameters) }
        for (kernel, list) in zip(blur.kernels.coarse, discs.coarse) { visit(list, kernel, blur.coarse, parameters) }
    }

    private func visit(_ list: Range<Int>, _ kernel: VulkanKernel, _ bindings: VulkanBindings, _ parameters: LensParameters, parts: Int = 1) {
        var parameters = parameters
        parameters.firstTile = Int32(list.lowerBound)
        kernel.dispatch(bindings, groups: (list.count, parts), push: parameters)
    }
}
