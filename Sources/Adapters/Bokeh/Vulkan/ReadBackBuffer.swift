import Pipeline

/// Texels that passes write and the host reads.
///
/// A device that is reached over a bus writes into memory of its own, which is then copied as a whole: its passes would wait for the bus.
final class ReadBackBuffer {
    /// Target of the passes.
    let texels: VulkanBuffer
    private let host: VulkanBuffer?
    private let context: VulkanContext

    var contents: UnsafeMutableRawPointer { (host ?? texels).contents }

    init(_ context: VulkanContext, byteCount: Int) throws {
        self.context = context
        guard !context.sharesMemory else {
            (texels, host) = (try VulkanBuffer(context, byteCount: byteCount, readBack: true, texels: .uint1), nil)
            return
        }
        texels = try VulkanBuffer(context, texels: .uint1, count: byteCount / TexelFormat.uint1.byteCount)
        host = try VulkanBuffer(context, byteCount: byteCount, readBack: true)
    }

    /// Records the copy after the passes; false where there is none to make.
    func recordCopy() -> Bool {
        guard let host else { return false }
        context.barrier(.passes, .copies)
        context.copy(texels, to: host)
        context.barrier(.copies, .host)
        PictureCopies.count(.readBack, bytes: texels.byteCount)
        return true
    }
}
