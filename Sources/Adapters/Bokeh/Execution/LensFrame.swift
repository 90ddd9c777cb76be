import CoreVideo
import Pipeline

/// Resources of one frame under way: its layers, and the buffers it comes from and goes to.
final class LensFrame {
    let layers: LensLayers
    private let context: VulkanContext
    private let staging: PictureStaging
    /// Of its own, made when first needed.
    private var own: (picture: (source: VulkanBuffer, result: ReadBackBuffer)?, disparity: VulkanBuffer?)
    /// Layout of the rows that the device reads and writes.
    private(set) var layout: PictureGeometry.Layout
    /// Whether the device draws into the picture itself.
    private var isImported = false

    init(_ context: VulkanContext, _ layers: LensLayers) {
        self.context = context
        self.layers = layers
        staging = PictureStaging(geometry: layers.geometry.picture)
        layout = layers.geometry.picture.tightLayout
    }

    /// Brings what is to be drawn into `picture` before the device, in its own memory where `host` can.
    func bring(_ image: CVPixelBuffer, _ map: DisparityMap, to picture: CVPixelBuffer, host: HostMemory?) throws {
        let (source, result) = try pictures(image, picture, host)
        let disparity = try disparity(map, host)
        layers.use(LensBuffers(picture: source, disparity: disparity, result: result))
    }

    private func pictures(_ image: CVPixelBuffer, _ picture: CVPixelBuffer, _ host: HostMemory?) throws -> (VulkanBuffer, VulkanBuffer) {
        let geometry = layers.geometry.picture
        if let host, let layout = geometry.layout(of: image), layout == geometry.layout(of: picture),
            let source = host.buffer(over: image, texels: .uint1), let result = host.buffer(over: picture, texels: .uint1)
        {
            (self.layout, isImported) = (layout, true)
            return (source, result)
        }
        (layout, isImported) = (geometry.tightLayout, false)
        let buffers =
            try own.picture
            ?? (
                VulkanBuffer(context, byteCount: geometry.pictureBytes, texels: .uint1),
                ReadBackBuffer(context, byteCount: geometry.pictureBytes)
            )
        own.picture = buffers
        staging.copy(image, to: buffers.source.contents)
        return (buffers.source, buffers.result.texels)
    }

    private func disparity(_ map: DisparityMap, _ host: HostMemory?) throws -> VulkanBuffer {
        let geometry = layers.geometry
        if let host, geometry.isImportable(map), let buffer = host.buffer(over: map.buffer, texels: .float4) { return buffer }
        let buffer = try own.disparity ?? VulkanBuffer(context, byteCount: geometry.mapBytes, texels: .float4)
        own.disparity = buffer
        PictureStaging.copy(map, to: buffer.contents, geometry: geometry)
        return buffer
    }

    /// Starts the device on what was brought; the passes are compiled.
    func start(_ plan: LensPlan, _ lights: IsolatedLights?, _ grain: Grain?, _ parameters: LensParameters) throws {
        var parameters = parameters
        parameters.layout = layout
        try layers.start(plan, lights, grain, parameters, readBack: isImported ? nil : own.picture?.result)
    }

    /// Completes `result`: takes over what the device drew elsewhere, and from `image` what it left.
    func fetch(_ result: CVPixelBuffer, sharp image: CVPixelBuffer, plan: LensPlan) {
        staging.assemble(result, from: isImported ? nil : own.picture?.result.contents, sharp: image, plan: plan)
    }
}
