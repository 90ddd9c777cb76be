/// Executor of the lens over one frame under way, of one size: records the passes of `LensStage.all` for every frame.
///
/// A pass is compiled when a frame first has work for it, all that a frame lacks at once: of some ninety pipelines a scene takes a third.
final class LensLayers {
    let geometry: LensGeometry
    private let context: VulkanContext
    private let kernels: LensKernels
    private let variant: LensVariant
    private let stages: [Stage]
    /// `LensPlan.tiles`.
    private let tiles: VulkanBuffer
    private let highlightTiles: HighlightTiles
    /// `IsolatedLights.weights`.
    private let lightWeights: VulkanBuffer
    /// `SourceNoise.deviations` and `GrainField.values`; nil where none is asked for.
    private let grain: (levels: VulkanBuffer, field: VulkanBuffer)?
    private let timestamps: VulkanTimestamps?
    private let submission: VulkanSubmission
    /// Kept, as are the memory and the aperture.
    private let memory: LensMemory
    private let aperture: VulkanBuffer
    private var sets: [Key: VulkanBindings] = [:]
    /// Bindings that change with each frame, and what they are bound to.
    private var changing: [(bindings: VulkanBindings, index: Int, buffer: LensBuffer)] = []
    private var bound: LensBuffers?

    private struct Stage {
        let stage: LensStage
        let groups: [[Prepared]]
    }

    /// A pass; pipeline and buffers are nil until a frame needs it.
    private final class Prepared {
        let pass: LensPass
        var ready: (kernel: VulkanKernel, bindings: VulkanBindings)?

        init(_ pass: LensPass) { self.pass = pass }
    }

    /// `isTimed` has the device tell how long each stage takes, where it can.
    init(
        _ context: VulkanContext, _ kernels: LensKernels, _ memory: LensMemory, _ stages: [LensStage], _ variant: LensVariant,
        geometry: LensGeometry, shape: ApertureShape?, isTimed: Bool
    ) throws {
        self.context = context
        self.kernels = kernels
        self.variant = variant
        self.memory = memory
        self.geometry = geometry
        let tileCount = geometry.columns * geometry.rows
        let passes = stages.flatMap(\.groups).joined()
        // A word of flags for each tile, and lists of the passes, in which a tile stands once at most.
        let listCount = passes.count(where: { if case .tiles = $0.grid { true } else { false } })
        tiles = try VulkanBuffer(context, byteCount: tileCount * (1 + listCount) * 4, texels: .uint1)
        highlightTiles = try HighlightTiles(context, tiles: tileCount, compositeParts: variant.compositeParts)
        lightWeights = try VulkanBuffer(context, byteCount: geometry.coarseWidth * geometry.coarseHeight * 4, texels: .float1)
        grain =
            variant.hasGrain
            ? (
                try VulkanBuffer(context, byteCount: SourceNoise.levels * 16, texels: .float4),
                try VulkanBuffer(context, byteCount: 3 * GrainField.words * 4, texels: .uint1)
            ) : nil
        let entries = shape?.entries ?? [.zero]
        aperture = try VulkanBuffer(context, byteCount: entries.count * 16, texels: .float4)
        entries.withUnsafeBytes { [aperture] in aperture.contents.copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
        timestamps = isTimed ? try VulkanTimestamps(context) : nil
        submission = try VulkanSubmission(context)
        self.stages = stages.map { Stage(stage: $0, groups: $0.groups.map { $0.map(Prepared.init) }) }
    }

    /// Makes the pipelines and bindings that a frame needs and that none has needed before; `onCompile` as of `LensKernels`. Throws `BokehError`.
    func prepare(_ plan: LensPlan, _ parameters: LensParameters, onCompile: (() throws -> Void) throws -> Void) throws {
        let work = work(plan, parameters, hasGrain: variant.hasGrain)
        let needed = stages.lazy.filter { $0.stage.isNeeded(work) }.flatMap(\.groups).joined().filter {
            $0.ready == nil && $0.pass.isNeeded(work) && !$0.pass.grid.isEmpty(plan)
        }
        let passes = Array(needed)
        if !passes.isEmpty { try prepare(passes, onCompile) }
    }

    private func work(_ plan: LensPlan, _ parameters: LensParameters, hasGrain: Bool) -> LensWork {
        LensWork(plan: plan, expandsHighlights: parameters.bend > 0, hasGrain: hasGrain)
    }

    private func prepare(_ passes: [Prepared], _ onCompile: (() throws -> Void) throws -> Void) throws {
        for (pass, kernel) in zip(passes, try kernels.kernels(of: passes.map(\.pass), variant, onCompile: onCompile)) {
            pass.ready = (kernel, try bindings(of: pass.pass, kernel))
        }
    }

    private func bindings(of pass: LensPass, _ kernel: VulkanKernel) throws -> VulkanBindings {
        let buffers = kernel.names.map { pass.reads[$0] ?? pass.writes[$0]! }
        let key = Key(kinds: kernel.bindings, buffers: buffers)
        if let bindings = sets[key] { return bindings }
        var own: [LensBuffer: VulkanBuffer] = [
            .tiles: tiles, .highlightTiles: highlightTiles.buffer, .aperture: aperture, .lightWeights: lightWeights,
        ]
        if let grain { (own[.grainLevels], own[.grainField]) = (grain.levels, grain.field) }
        let resources = zip(kernel.bindings, buffers).map { kind, buffer in
            (own[buffer] ?? memory[buffer] ?? bound?[buffer]).map { kind == .texels ? Resource.texels($0) : .buffer($0) } ?? .later
        }
        let bindings = try VulkanBindings(context, kernel, resources)
        for (index, buffer) in buffers.enumerated() where LensBuffers.names.contains(buffer) { changing.append((bindings, index, buffer)) }
        sets[key] = bindings
        return bindings
    }

    /// Passes with the same buffers of the same kinds share a set of bindings.
    private struct Key: Hashable {
        let kinds: [VulkanKernel.Binding]
        let buffers: [LensBuffer]
    }

    /// Binds the picture, the map and the result of the next frame; not while one is under way.
    func use(_ buffers: LensBuffers) {
        bound = buffers
        for (bindings, index, name) in changing {
            guard let buffer = buffers[name] else { continue }
            bindings.bind(bindings.kinds[index] == .texels ? .texels(buffer) : .buffer(buffer), at: index)
        }
    }

    /// Starts all passes of one frame that `prepare` was called for, with its `lights` where they are expanded and its `grain` where it gets some; brings what the host will read, where it is not in the host's memory already.
    func start(_ plan: LensPlan, _ lights: IsolatedLights?, _ grain: Grain?, _ parameters: LensParameters, readBack result: ReadBackBuffer?) throws {
        precondition(plan.tiles.count * 4 <= tiles.byteCount, "a plan of \(plan.tiles.count) words for \(tiles.byteCount) bytes")
        plan.tiles.withUnsafeBytes { tiles.contents.copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
        highlightTiles.clear()
        lights?.weights.withUnsafeBytes { [lightWeights] in lightWeights.contents.copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
        if let grain, let buffers = self.grain {
            grain.noise.deviations.withUnsafeBytes { buffers.levels.contents.copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
            grain.field.values.withUnsafeBytes { buffers.field.contents.copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
        }
        var parameters = parameters
        parameters.grainSeed = grain?.noise.seed ?? 0
        let work = work(plan, parameters, hasGrain: grain != nil)
        try context.submit(submission) {
            timestamps?.begin()
            for stage in stages where stage.stage.isNeeded(work) { record(stage, work, parameters) }
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

    /// Times of the last frame's stages on the device, in their order; empty where that was not asked for or the device has no clock.
    func durations() throws -> [(pass: String, duration: Duration)] { try timestamps?.read() ?? [] }

    private func record(_ stage: Stage, _ work: LensWork, _ parameters: LensParameters) {
        for (index, group) in stage.groups.enumerated() {
            let passes = group.filter { $0.pass.isNeeded(work) }
            guard !passes.isEmpty else { continue }
            let isIndirect = passes.contains { if case .highlightTiles = $0.pass.grid { true } else { false } }
            if index > 0 || !stage.stage.runsBeside { context.barrier(.passes, isIndirect ? .indirectPasses : .passes) }
            for pass in passes { record(pass, work.plan, parameters) }
        }
        if let name = stage.stage.name { timestamps?.mark(name) }
    }

    private func record(_ prepared: Prepared, _ plan: LensPlan, _ parameters: LensParameters) {
        guard let (kernel, bindings) = prepared.ready else { return }
        var parameters = prepared.pass.swapsNearAndFar ? parameters.swappingNearAndFar : parameters
        switch prepared.pass.grid {
        case .tiles(let parts, let list):
            let list = list(plan)
            parameters.firstTile = Int32(list.lowerBound)
            kernel.dispatch(bindings, groups: (list.count, parts), push: parameters)
        case .pyramid(let level):
            parameters.firstTile = Int32(level)
            let coarser = geometry.pyramidLevels[level + 1]
            kernel.dispatch(bindings, groups: ((coarser.width + 7) / 8, (coarser.height + 7) / 8), push: parameters)
        case .highlightTiles(let list):
            kernel.dispatch(bindings, groupsIn: highlightTiles.buffer, at: HighlightTiles.dispatchOffset(of: list), push: parameters)
        }
    }

    /// Runs every pipeline once on one tile of nothing, so that no frame waits for the driver to compile it.
    func warmUp(_ layout: PictureGeometry.Layout) throws {
        for buffer in [tiles, highlightTiles.buffer, lightWeights] + (grain.map { [$0.levels, $0.field] } ?? []) {
            buffer.contents.initializeMemory(as: UInt8.self, repeating: 0, count: buffer.byteCount)
        }
        var parameters = LensParameters()
        parameters.size = SIMD2(Int32(geometry.paddedWidth), Int32(geometry.paddedHeight))
        parameters.layout = layout
        parameters.work = SIMD2(Int32(geometry.workWidth), Int32(geometry.workHeight))
        parameters.map = SIMD2(Int32(geometry.mapWidth), Int32(geometry.mapHeight))
        let passes = stages.flatMap(\.groups).flatMap { $0 }
        try prepare(passes.filter { $0.ready == nil }) { try $0() }
        var done: Set<ObjectIdentifier> = []
        try context.run {
            for pass in passes {
                guard let (kernel, bindings) = pass.ready, done.insert(ObjectIdentifier(kernel)).inserted else { continue }
                if case .pyramid(let level) = pass.pass.grid { parameters.firstTile = Int32(level) } else { parameters.firstTile = 0 }
                kernel.dispatch(bindings, groups: (1, 1), push: parameters)
                context.barrier()
            }
        }
    }
}
