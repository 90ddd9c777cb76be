import CoreVideo
import Foundation
import Optics
import Pipeline
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
/// `TileRadii` and `LensPlan` decide on the host where each pass has work; `LensLayers` records the passes; the `…+C` files are the doors to
/// Vulkan. `ApertureShape` is the table of the opening's rows, `FilterStage` has a `UserShader` run in a process of its own. `ReferenceBokehRenderer` is the same method
/// in plain Swift.
///
/// Two pictures may be under way (`begin`): while the device draws one, `PictureStaging` brings the next and takes away the one before. Each has
/// a `LensFrame` of buffers, all share the layers' images, and `LensQueue` keeps their order. A device that works in the host's memory anyway
/// draws from picture to picture (`HostMemory`), where sizes need no padding. Everything is allocated with the first picture of a size.
///
/// Large discs are drawn coarsely, one value for 2 × 2 layer pixels, from running sums over pairs of rows; tiles that are blurred so all over
/// are finished as coarse pixels in the picture's own codes and only interpolated. A clipped light is expanded less at its rim. Where codes
/// differ much, as at the rim of a light's disc, light is interpolated by a cubic. Where the far layer's depth jumps, coarse pixels gather, or
/// broad ones of 4 × 4 layer pixels where all discs are large (`BroadBlocks`).
///
/// What was tried, processor ms a frame of 1920x1080 on lavapipe 22.3.6 (near depths, mid before far wall) and PSNR at 640x360 (near depths,
/// mid before far wall, night HDR):
///
/// | variant | ms | ms | dB | dB | dB |
/// |---|---|---|---|---|---|
/// | every disc and pixel at full detail of the layers | 117 | 66 | 42.6 | 40.9 | 25.5 |
/// | coarse discs from a radius of 3 layer pixels, light decoded once for 2 × 2 pixels where all is far | 95 | 34 | 41.5 | 40.9 | 24.6 |
/// | from a radius of 4, tiles blurred all over finished as coarse pixels, fill only beside the near layer, rims expanded less | 66 | 29 | 42.6 | 40.9 | 28.8 |
/// | from a radius of 5, pairs of rows that end a disc weighed, a dead zone of 0.75 pixels | 70 | 29 | 42.6 | 40.9 | 28.8 |
///
/// Resampling taken off coarse discs, as a squared radius: 2, 3, 4, 5 give 41.4, 41.5, 41.35, 41.0 dB (near depths, coarse from 3). The rim's
/// slope hardly matters: 0.157, 0.19, 0.22 give 28.8, 28.9, 28.9 dB HDR, 20.1, 18.8, 17.8 dB where lamps are two pixels wide. The dead zone of
/// 0.75 instead of 0.5 pixels costs 0.3 dB on slanted ground and halves the flicker of a noisy disparity (0.91 to 0.49 codes).
///
/// Interpolation at the rims of lights, PSNR of night in HDR at 640x360 from eight bits and from ten of PQ:
///
/// | variant | dB | dB |
/// |---|---|---|
/// | straight lines | 32.3 | 31.2 |
/// | a cubic within the values around, where light differs by 0.25 of white | 34.5 | 35.2 |
/// | where it differs by 0.1 | 35.0 | 35.8 |
/// | where it differs by 0.25 and is above 0.8 | 33.3 | 33.7 |
/// | where it differs by 0.125 and is above 0.5 | 34.0 | 34.6 |
///
/// At 1920x1080, coarse pixels whose codes differ by 24 of 255 give 37.25 and 36.46 dB, by 8: 37.29 and 36.50; with 4 taken off coarse discs
/// instead of 2.5: 37.3 and 36.8, but the public scene 40.24 instead of 40.27 dB.
///
/// Jumps within the far layer, on a machine busy with other work (so compare within a column only): processor ms a frame of 1920x1080, mid
/// before far wall and hair and foliage; PSNR, edge PSNR and SSIM of the first at 640x360 with three times the aperture:
///
/// | variant | ms | ms | dB | edge | SSIM |
/// |---|---|---|---|---|---|
/// | one disc over all that is far | 52 | 65 | 36.4 | 33.0 | 0.990 |
/// | coarse pixels gather beside jumps, from the whole square of a bucket | 64 | 131 | 44.2 | 41.8 | 0.996 |
/// | from the circle of a tile's largest disc | | 92 | 44.2 | 41.8 | 0.996 |
///
/// `gather.comp` costs what its loads cost: four neighbours a turn and no square roots of radii changed nothing (133 ms, 44.1 dB), two values a
/// thread, side by side, that share their loads cost more (far discs 111 instead of 85 ms). Light, radius and weight of a neighbour in one
/// texel (`gather-sources.comp`) instead of two texels of sums and one of radii halve it (far discs 129 to 65 ms, hair and foliage); with that, two
/// values one below the other cost less (78 to 61 ms in turn), two or three neighbours a turn more.
///
/// The least radius in layer pixels that is gathered, PSNR of hair and foliage and of mid before far wall; that of all coarse discs at 4 instead
/// of 5 loses 4 dB of night and 6 of it in HDR:
///
/// | from | 512x288 | | 720x404 | |
/// |---|---|---|---|---|
/// | 5 | | | 36.1 | 40.8 |
/// | 4 | 36.3 | 40.3 | 37.4 | 46.0 |
/// | 3 | 36.3 | 42.1 | 36.7 | |
///
/// A software device runs both ways of a branch and stores word by word, so work is left out by dispatches of their own and words are packed.
/// Processor ms a frame of 1920x1080 on an idle machine, where ffmpeg's `varblur` took 54 to 57:
///
/// | variant | near | slanted | hair | night | night HDR |
/// |---|---|---|---|---|---|
/// | lights expanded and rims interpolated in every tile, layers of floats | 108 | 113 | | 71 | 75 |
/// | only in tiles that a plain pass noted (`NotedTiles`), light and fill as halves | 67 | 71 | 76 | 37 | 49 |
///
/// On another machine, where `varblur` took 65 to 78, floats as halves between every two passes took near depths from 160 to 154, 100 to 87 ms
/// of the clock. PSNR is the same to 0.01 dB.
///
/// A store is a loop over lanes there: a third of the time, half of it with AVX-512. On a third machine (Cascade Lake, two threads of one core),
/// one thread; two take 198, 212 and 222 in the end, where `varblur` takes 121 to 126:
///
/// | variant | near | slanted | hair |
/// |---|---|---|---|
/// | as above | 205 | 211 | 236 |
/// | rows summed only where discs read them, halves of our own, words computed before they are stored, no AVX-512 | 121 | 142 | 203 |
/// | neighbours gathered from one texel, no highlights compressed where there are none | 116 | 125 | 142 |
///
/// Tiles deep inside something near, made by the near layer alone, take slanted ground from 128 to 101 in turn; near depths are bars too thin for it.
///
/// Before the first branch what all lanes share is read once, and a texel buffer in all lanes together: constants and the list of tiles read so
/// take 8 to 12 % off the passes, near depths from 157 to 145. Most of what is left are stores and waits for memory. Without gain: rows of
/// many tiles in turn instead of tile after tile, all loads of a setup before its stores, neighbours gathered two to four a turn from rows as long
/// in all lanes, fewer weighed rows in coarse discs, huge pages asked for buffers and pictures (few were given).
///
/// Four words of eight lanes take lavapipe some 700 cycles to store in an image, 200 to 250 in a storage buffer, 50 as a fragment's colours; loads
/// cost the same from images and texel buffers. With buffers, sums of rows take a quarter less, setups and fill a sixth; with words stored two by
/// two as numbers of 64 bits, each of them 4 to 8 % less, a frame 3 %.
///
/// Gathering for 4 × 4 layer pixels (`BroadBlocks`), PSNR and edge PSNR of hair and foliage at 1920x1080 against 128 points of the aperture, and its
/// processor ms a frame, one thread, in turn:
///
/// | variant | dB | edge | ms |
/// |---|---|---|---|
/// | every gathered value for 2 × 2 | 38.81 | 37.08 | 191 |
/// | values for 4 × 4 from sources of 2 × 2, by a model | 38.71 | 36.98 | |
/// | from sources of 4 × 4, 4 taken off discs for resampling, their edges as wide as 2 × 2 | 38.60 | 36.86 | 126 |
/// | sources made from 8 × 8 by weights of 1, 3, 3, 1, the same discs | 38.22 | 36.45 | |
/// | 7 taken off, edges as wide as 4 × 4 | 38.45 | 36.70 | |
/// | 9 taken off | 38.53 | 36.80 | |
/// | 11 taken off | 38.19 | 36.44 | |
/// | a cubic to coarse pixels instead of straight lines, 5.5 taken off | 38.39 | 36.63 | |
///
/// Sources of 4 × 4 alone flicker with a fine texture that moves (53.2 dB by three pixels, 55.2 before, 55.03 with those made from 8 × 8).
/// Values for 4 × 4 of other discs from a radius of 12 lose 0.3 dB of near depths, 2.5 of night and 5.7 of it in HDR, so only what is gathered,
/// without lights, is drawn so. Sources of 2 × 2 take as long as before: a turn costs what its load and loop cost.
///
/// Discs of 1 to 6 layer pixels have a loop each of their own, exactly as long as they are high, coarse ones of every even size (`DiscBuckets`):
/// those of near depths take 19.8 instead of 22.6 of 96 ms (one thread), the same to 0.01 dB.
///
/// Coarse discs from a radius of 4 layer pixels instead of 5, PSNR / edge PSNR in dB and, at 1920x1080, ms of passes (one thread, in turn); of
/// night in HDR, too. Beside lights (`LightFinder`) the rims of coarse discs show, behind the focus the grain of bricks:
///
/// | variant | near 1920x1080 | ms | slanted 1920x1080 | ms | near 768x432 | hair 640x360 | night 640x360 |
/// |---|---|---|---|---|---|---|---|
/// | 5 | 42.80 / 39.03 | 80 | 36.86 / 44.81 | 73 | 42.57 / 39.10 | 37.33 / 35.55 | 45.03 / 36.99, 34.98 / 29.69 |
/// | 4 in front of the focus | 42.80 / 39.02 | 67 | 36.90 / 44.77 | | 42.57 / 39.10 | 37.21 / 35.43 | 43.97 / 35.14, 32.95 / 25.07 |
/// | but beside lights | 42.80 / 39.02 | 67 | 36.90 / 44.77 | | 42.57 / 39.10 | 37.33 / 35.55 | 45.03 / 36.99, 34.98 / 29.69 |
/// | behind it, too | 42.80 / 39.02 | 67 | | 66 | 41.61 / 38.84 | 37.21 / 35.43 | 45.03 / 36.99, 34.98 / 29.69 |
///
/// On an H100 (a bus away, so results are copied), ms of the device's clock a frame of 420v, near depths; pictures are those of lavapipe but
/// for one code in 0.001 % of the samples (0.02 % of ten bits):
///
/// | variant | fill | sums | discs | composite | read back | 1920x1080 | 3840x2160 |
/// |---|---|---|---|---|---|---|---|
/// | composites write over the bus | 0.11 | 0.03 | 0.02 | 0.13 | | 0.31 | 0.66 |
/// | they write the device's memory, which is copied | 0.12 | 0.03 | 0.02 | 0.03 | 0.06 | 0.28 | |
/// | no barrier waits for indirect sizes but where there are some | 0.08 | 0.03 | 0.02 | 0.03 | 0.06 | 0.24 | 0.45 |
///
/// A frame takes the host 2.4 ms there: plan 1.4, upload 0.45, download 0.1.
///
/// Limits: the radius of the blur is clamped at 32 layer pixels, that is 64 pixels of the picture, or 128 above 4.5 megapixels, where layers are
/// a quarter of the picture's size. Two things at different depths in front of the focus share one layer; so do two behind it where the
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
        /// For pictures under way, in turn.
        var frames: [LensFrame] = []
        var pool: CVPixelBufferPool?
        /// Pictures begun so far.
        var count: Int32 = 0
    }

    /// Pictures under way at most.
    private static let depth = 2

    /// Opens a device. Throws `BokehError` when there is none, when `gpu` names none, or when the validation layer was asked for and is missing.
    ///
    /// What the driver compiles is kept in `cacheFolder`, nil for `$XDG_CACHE_HOME/rackfocus`. `timings` gets the time of each step and pass.
    public init(
        gpu: GPUChoice = .automatic, options: BokehOptions = .init(), validation: Bool = false, timings: Timings? = nil, cacheFolder: String? = nil
    ) throws {
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

    /// What the validation layer objected to so far; empty when it was not asked for.
    public var validationMessages: [String] { messages?.all ?? [] }

    /// Why the user's filter failed: from the picture on in which it did, pictures are drawn without it. Nil while it has not.
    public var filterFailure: BokehError? { filter?.failure }

    /// Whether the device works in the memory of the pictures; settable, for the other way to be seen too.
    var importsMemory: Bool {
        get { state.withLock { $0.host != nil } }
        set { state.withLock { $0.host = newValue ? HostMemory($0.context) : nil } }
    }

    /// How rows are summed, which changes no picture; settable, for the other way to be seen too.
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
        let geometry = try LensGeometry(image: image, disparity: disparity)
        let parameters = geometry.parameters(circle: circle, options: options)
        let plan = measure("  plan") {
            LensPlan(
                radii: TileRadii(image, geometry: geometry, parameters: parameters, disparity: disparity),
                scale: geometry.scale, isRound: options.isRound, hasHighlights: geometry.hasHighlights(parameters))
        }
        return try state.withLock { state in
            let picture = Self.output(for: geometry.picture, &state)
            CVBufferPropagateAttachments(image, picture)
            let number = state.count
            state.count &+= 1
            let finish = { [filter] in filter?.apply(to: $0, geometry: geometry.picture, number: number) } as (CVPixelBuffer) -> Void
            guard plan.hasBlur else {
                PictureStaging(geometry: geometry.picture).assemble(picture, from: nil, sharp: image, plan: plan)
                finish(picture)
                return PendingPicture { picture }
            }
            let frame = try nextFrame(for: geometry, &state)
            try measure("  upload") { () throws in try frame.bring(image, disparity, to: picture, host: state.host) }
            let start = ContinuousClock.now
            try frame.start(plan, parameters)
            let drawing = LensDrawing(frame, image, disparity, to: picture, plan: plan, timings: timings, start: start, finish: finish)
            queue.append(drawing)
            return PendingPicture { [queue] in try queue.finish(drawing) }
        }
    }

    /// Makes ready for pictures like `image` with maps of the size of `disparity`: allocates all memory and has the driver compile every pass.
    ///
    /// Without it the first pictures wait for that. A software device compiles a pass when it first runs, and all of them take seconds (8 on
    /// one core), so there they are left to the pictures that need them. Throws as `render` does.
    public func prepare(for image: CVPixelBuffer, disparity: DisparityMap) throws {
        try prepare(for: image, disparity: disparity, runsPasses: device.type != .software)
    }

    func prepare(for image: CVPixelBuffer, disparity: DisparityMap, runsPasses: Bool) throws {
        let geometry = try LensGeometry(image: image, disparity: disparity)
        try state.withLock { state in
            let frame = try nextFrame(for: geometry, &state)
            guard runsPasses else { return }
            try frame.bring(image, disparity, to: Self.output(for: geometry.picture, &state), host: state.host)
            try frame.layers.warmUp(frame.layout)
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
        state.frames.append(state.frames.removeFirst())
        return state.frames[Self.depth - 1]
    }

    private func makeFrames(for geometry: LensGeometry, _ state: inout State) throws -> [LensFrame] {
        let shape = ApertureShape(options, geometry)
        let variant = LensVariant(geometry, shape, hasWideSums: state.hasWideSums)
        let stages = LensStage.all(variant, geometry)
        let memory = try LensMemory(state.context, stages, geometry)
        let known = state.kernels.count
        let frames = try (0..<Self.depth).map { _ in
            let layers = try LensLayers(
                state.context, state.kernels, memory, stages, variant, geometry: geometry, shape: shape, isTimed: timings != nil)
            return LensFrame(state.context, layers)
        }
        if state.kernels.count > known { state.context.savePipelines() }
        return frames
    }
}
