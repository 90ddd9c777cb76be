/// Buffers in which passes of the lens leave their work for the next. Only the device touches them, one frame after the other, so that frames under
/// way share them.
final class LensMemory {
    private let buffers: [LensBuffer: VulkanBuffer]

    /// All that `stages` name and that is the lens's own.
    init(_ context: VulkanContext, _ stages: [LensStage], _ geometry: LensGeometry) throws {
        var buffers: [LensBuffer: VulkanBuffer] = [:]
        for pass in stages.lazy.flatMap(\.groups).joined() {
            for buffer in [pass.reads, pass.writes].flatMap(\.values) where buffers[buffer] == nil {
                guard let size = buffer.size?(geometry) else { continue }
                buffers[buffer] = try VulkanBuffer(context, texels: buffer.texels, count: size.width * size.height)
            }
        }
        self.buffers = buffers
    }

    /// Nil for buffers that others own.
    subscript(buffer: LensBuffer) -> VulkanBuffer? { buffers[buffer] }
}
