import CoreVideo

/// Picture, map and result of one frame: buffers of its own, or the memory of pixel buffers.
struct LensBuffers {
    var picture: VulkanBuffer
    var disparity: VulkanBuffer
    var result: VulkanBuffer

    /// Names of the three among the buffers of the passes.
    static let names: [LensBuffer] = [.picture, .disparity, .result]

    /// Nil for any other name.
    subscript(name: LensBuffer) -> VulkanBuffer? {
        switch name {
        case .picture: picture
        case .disparity: disparity
        case .result: result
        default: nil
        }
    }
}

/// The memory of pixel buffers as the device's own, so that nothing is copied; of those used last, as pools hand the same ones on.
///
/// Only for devices that work in the host's memory anyway: another would read every pixel twice over its bus.
final class HostMemory {
    private let context: VulkanContext
    private var known: [(storage: CVBufferStorage, buffer: VulkanBuffer)] = []
    /// Pictures, maps and results of ten frames: fewer than a session has under way would be made known again for every one.
    private static let capacity = 32

    /// Nil where the device has no use for it.
    init?(_ context: VulkanContext) {
        guard context.importAlignment > 0, context.sharesMemory else { return nil }
        self.context = context
    }

    /// Nil where the driver refuses.
    func buffer(over image: CVPixelBuffer, texels: TexelFormat) -> VulkanBuffer? {
        let storage = image.storage
        if let index = known.firstIndex(where: { $0.storage === storage }) {
            known.append(known.remove(at: index))
            return known[known.count - 1].buffer
        }
        guard let buffer = try? VulkanBuffer(context, over: storage, texels: texels) else { return nil }
        if known.count == Self.capacity { known.removeFirst() }
        known.append((storage, buffer))
        return buffer
    }
}
