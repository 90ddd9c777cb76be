import CoreVideo
import Foundation
import Optics
import Pipeline
import Support
import Synchronization

/// The lens: draws the shallow depth of field of a wide aperture, in Vulkan compute shaders.
///
/// It takes a sharp picture (`420v`, `420f`, `x420` or `BGRA`; even size), its disparity and a circle of confusion. Light is
/// blurred linearly, in discs; what is in front of the focus and what is behind it are two layers, and the scene hidden by the front layer is
/// filled in from around it, so that nothing sharp bleeds. It does not estimate disparity, choose the focus or smooth anything over time.
///
///     let lens = try VulkanBokehRenderer(gpu: GPUChoice("auto"))
///     let circle = Lens(focalLength: 50, fNumber: 2).circleOfConfusion(focusDisparity: 0.5, pictureWidth: 1920)
///     let shallow = try lens.render(frame.image, disparity: frame.disparity!, circle: circle)
///
/// Pictures of ten bits with HLG's or PQ's transfer are blurred as the light they code, above white too. Matrix, range and transfer are read
/// from the format and the attachments, which the result gets again. `BokehOptions` shapes the opening and may name a filter of the user's.
///
/// `TileRadii` and `LensPlan` decide on the host where each pass has work; `LensLayers` records the passes; the `…+C` files are the C boundary
/// to Vulkan. `ApertureShape` is the table of the opening's rows, `FilterStage` has a `UserShader` run in a process of its own. `ReferenceBokehRenderer` is the same method
/// in plain Swift.
///
/// Two pictures may be under way (`begin`): while the device draws one, `PictureStaging` brings the next and takes away the one before. Each has
/// a `LensFrame` of buffers, all share the layers' images, and `LensQueue` keeps their order. A device that works in the host's memory anyway
/// draws from picture to picture (`HostMemory`), where sizes need no padding. Everything is allocated with the first picture of a size.
///
/// Large discs are drawn coarsely, one value for 2 × 2 layer pixels, from running sums over pairs of rows; tiles that are blurred so all over
/// are finished as coarse pixels in the picture's own codes and only interpolated. A clipped light is expanded (`IsolatedLights`), less at its rim. Where discs
/// of something white reach (`TileLights`) and codes differ much, as at the rim of a light's disc, light is interpolated by a cubic. Where the far layer's depth jumps, coarse pixels gather, or
/// broad ones of 4 × 4 layer pixels where all discs are large (`BroadBlocks`).
///
/// `Measurements.md` beside this file has what was tried, with figures.
///
/// Limits: the radius of the blur is clamped at 32 layer pixels, that is 64 pixels of the picture, or 128 above 4.5 megapixels and for a preview,
/// where layers are a quarter of the picture's size. Two things at different depths in front of the focus share one layer; so do two behind it where the
/// opening is not round or the radius is below 4 layer pixels. What the near layer hides is guessed from a pyramid whose grid stays when the
/// picture moves.
public final class VulkanBokehRenderer: BokehRenderer {
    /// The device in use.
    public let device: VulkanDevice
    private let options: BokehOptions
    private let timings: Timings?
    let messages: ValidationMessages?
    private let state: Mutex<State>
    private let queue = LensQueue()
    /// Nil where the options name no filter.
    private let filter: FilterStage?

    private struct State: ~Copyable {
        let context: VulkanContext
        /// Nil where pictures are copied to and from the device.
        var host: HostMemory?
        /// Whether many threads sum a row of the layers: a processor has few.
        var hasWideSums: Bool
        let kernels: LensKernels
        var marksEverything = false
        /// For pictures under way, in turn.
        var frames: [LensFrame] = []
        var pool: CVPixelBufferPool?
        /// Pictures begun so far.
        var count: Int32 = 0
    }

    /// Pictures under way at most.
    private static let depth = 2

    /// Opens a device. Throws `BokehError` when there is none, when `gpu` names none, when the validation layer was asked for and is missing, or the shaders
    /// are.
    ///
    /// Compiled pipelines are kept in `cacheFolder`, nil for `$XDG_CACHE_HOME/rackfocus`. `timings` gets the time of each step and pass.
    public init(
        gpu: GPUChoice = .automatic, options: BokehOptions = .init(), validation: Bool = false, timings: Timings? = nil, cacheFolder: String? = nil
    ) throws {
        try LibraryShader.checkInstallation()
        let context = try VulkanContext(gpu: gpu, validation: validation, cacheFolder: cacheFolder)
        device = context.description
        self.options = options
        self.timings = timings
        messages = context.instance.messages
        filter = options.shader.map { FilterStage($0, device: context.description.index, validation: validation) }
        state = Mutex(State(context: context, host: HostMemory(context), hasWideSums: device.type != .software, kernels: LensKernels(context)))
    }

    /// The devices Vulkan offers, in the order of their indices. Throws `BokehError.noDevice` when no driver is installed.
    public static func devices() throws -> [VulkanDevice] {
        try VulkanInstance(validation: false).physicalDevices().map(\.device)
    }

    /// Messages of the validation layer so far; empty when it was not asked for.
    public var validationMessages: [String] { messages?.all ?? [] }

    /// Why the user's filter failed: from the picture on in which it did, pictures are drawn without it. Nil while it has not.
    public var filterFailure: BokehError? { filter?.failure }

    /// Whether the device works in the memory of the pictures; settable, for the other way to be seen too.
    var importsMemory: Bool {
        get { state.withLock { $0.host != nil } }
        set { state.withLock { $0.host = newValue ? HostMemory($0.context) : nil } }
    }

    /// Has plans mark every tile for every pass: the oracle of the plan's lists. Settable by tests.
    var marksEverything: Bool {
        get { state.withLock { $0.marksEverything } }
        set { state.withLock { $0.marksEverything = newValue } }
    }

    /// Choice between the two passes that sum rows, which changes no picture; settable, for the other way to be seen too.
    var hasWideSums: Bool {
        get { state.withLock { $0.hasWideSums } }
        set {
            state.withLock { state in
                queue.wait(below: 1)
                (state.hasWideSums, state.frames) = (newValue, [])
            }
        }
    }

    /// Renders one picture and waits for it; throws `BokehError`.
    public func render(_ image: CVPixelBuffer, disparity: DisparityMap, circle: CircleOfConfusion) throws -> CVPixelBuffer {
        try begin(image, disparity: disparity, circle: circle).finish()
    }

    /// Submits one picture to the device and returns before it is drawn; throws `BokehError`.
    public func begin(_ image: CVPixelBuffer, disparity: DisparityMap, circle: CircleOfConfusion) throws -> PendingPicture {
        let number = state.withLock { state in
            defer { state.count &+= 1 }
            return state.count
        }
        guard options.axialColor > 0 else {
            return try draw(image, disparity: disparity, circle: circle) { [filter] in filter?.apply(to: $0, geometry: $1, number: number) }
        }
        let geometry = try PictureGeometry(image, quality: options.quality)
        let redAndBlue = AxialColor.redAndBlue(circle, shift: options.axialColor)
        let (green, others) = (
            try draw(image, disparity: disparity, circle: circle), try draw(image, disparity: disparity, circle: redAndBlue)
        )
        let joined = MadeOnce<CVPixelBuffer>()
        return PendingPicture { [filter] in
            try joined.get {
                let picture = try green.finish()
                AxialColor.join(picture, redAndBlue: try others.finish(), format: geometry.format)
                filter?.apply(to: picture, geometry: geometry, number: number)
                return picture
            }
        }
    }

    /// Draws one picture; `finish` is called with it and its geometry.
    private func draw(
        _ image: CVPixelBuffer, disparity: DisparityMap, circle: CircleOfConfusion,
        finish: @escaping @Sendable (CVPixelBuffer, PictureGeometry) -> Void = { _, _ in }
    ) throws -> PendingPicture {
        let geometry = try LensGeometry(image: image, disparity: disparity, quality: options.quality)
        var parameters = geometry.parameters(circle: circle, options: options)
        let radii = measure("  radii") { TileRadii(image, geometry: geometry, parameters: parameters, disparity: disparity) }
        let lights =
            parameters.bend > 0 && (radii.hasBlur || marksEverything)
            ? measure("  lights") { IsolatedLights(image, geometry: geometry, knee: parameters.knee) } : nil
        if lights?.isEmpty != false { parameters.bend = 0 }
        let plan = measure("  plan") {
            LensPlan(
                radii: radii, scale: geometry.scale, isRound: options.isRound, lights: lightTiles(lights, radii, geometry),
                drawsSharp: options.vignetting != nil || options.breathing != nil, marksEverything: marksEverything)
        }
        let grain = options.grain == .match && plan.drawsAnything ? measure("  grain") { Grain(image, format: geometry.format) } : nil
        return try state.withLock { state in
            let picture = Self.output(for: geometry.picture, &state)
            CVBufferPropagateAttachments(image, picture)
            let finish = { finish($0, geometry.picture) } as (CVPixelBuffer) -> Void
            guard plan.drawsAnything else {
                PictureStaging(geometry: geometry.picture).assemble(picture, from: nil, sharp: image, plan: plan)
                finish(picture)
                return PendingPicture { picture }
            }
            let frame = try nextFrame(for: geometry, &state)
            try measure("  upload") { () throws in try frame.bring(image, disparity, to: picture, host: state.host) }
            try frame.layers.prepare(plan, parameters) { compile in
                try measure("  compile") { () throws in try compile() }
                state.context.savePipelines()
            }
            let start = ContinuousClock.now
            try frame.start(plan, parameters.bend > 0 ? lights : nil, grain, parameters)
            // One that could not be started stays the next.
            state.frames.append(state.frames.removeFirst())
            let drawing = LensDrawing(frame, image, disparity, to: picture, plan: plan, timings: timings, start: start, finish: finish)
            queue.append(drawing)
            return PendingPicture { [queue] in try queue.finish(drawing) }
        }
    }

    /// Nil where nothing is drawn with care.
    private func lightTiles(_ lights: IsolatedLights?, _ radii: TileRadii, _ geometry: LensGeometry) -> TileLights? {
        if geometry.format.isHDR { return TileLights(everywhere: radii) }
        return lights.map { TileLights($0, radii, scale: geometry.scale) }
    }

    /// Makes ready for pictures like `image` with maps of the size of `disparity`: allocates all memory and has the driver compile every pass.
    ///
    /// Without it the first pictures wait for that. On a software device all of it takes seconds, 2.5 to load the passes and 8 to compile them on
    /// one core: there it does nothing, and leaves them to the first picture that has blur. Throws as `render` does.
    public func prepare(for image: CVPixelBuffer, disparity: DisparityMap) throws {
        if device.type != .software { try warmUp(for: image, disparity: disparity) }
    }

    /// Prepares on any device.
    func warmUp(for image: CVPixelBuffer, disparity: DisparityMap) throws {
        let geometry = try LensGeometry(image: image, disparity: disparity, quality: options.quality)
        try state.withLock { state in
            let frame = try nextFrame(for: geometry, &state)
            try frame.bring(image, disparity, to: Self.output(for: geometry.picture, &state), host: state.host)
            try frame.layers.warmUp(frame.layout)
            state.context.savePipelines()
        }
    }

    private func measure<Result, Failure: Error>(_ name: String, _ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        guard let timings else { return try body() }
        return try timings.measure(name, body)
    }

    private static func output(for geometry: PictureGeometry, _ state: inout State) -> CVPixelBuffer {
        if let pool = state.pool, pool.width == geometry.width, pool.height == geometry.height, pool.pixelFormat == geometry.pixelFormat {
            return pool.makeBuffer()
        }
        let pool = CVPixelBufferPool(width: geometry.width, height: geometry.height, pixelFormat: geometry.pixelFormat)
        state.pool = pool
        return pool.makeBuffer()
    }

    /// A frame of this size that is free: the one longest not used. All are made anew when the size changed.
    private func nextFrame(for geometry: LensGeometry, _ state: inout State) throws -> LensFrame {
        if state.frames.first?.layers.geometry != geometry {
            queue.wait(below: 1)
            state.frames = []
            state.frames = try makeFrames(for: geometry, &state)
        }
        queue.wait(below: Self.depth)
        // Once more, where waiting for its last picture failed.
        try state.frames[0].layers.finish()
        return state.frames[0]
    }

    private func makeFrames(for geometry: LensGeometry, _ state: inout State) throws -> [LensFrame] {
        let shape = ApertureShape(options, geometry)
        let variant = LensVariant(
            geometry, shape, hasWideSums: state.hasWideSums, onionRings: Float(options.onionRings), vignetting: Vignetting(options, geometry),
            isBreathing: options.breathing != nil,
            hasGrain: options.grain == .match)
        let stages = LensStage.all(variant, geometry)
        let memory = try LensMemory(state.context, stages, geometry)
        return try (0..<Self.depth).map { _ in
            let layers = try LensLayers(
                state.context, state.kernels, memory, stages, variant, geometry: geometry, shape: shape, isTimed: timings != nil)
            return LensFrame(state.context, layers)
        }
    }
}
