/// Tiles that a pass leaves to the next to be made anew, in a list for each of its kernels; `noted.glsl` has the same layout.
final class NotedTiles {
    /// Lists of the kernels that make them anew: one for each kind of setup, then for each kind of composite.
    static let setups = 0..<4
    static let composites = 4..<8
    static let plainComposite = 8
    private static let lists = 9

    let buffer: VulkanBuffer
    private let tiles: Int
    private let compositeParts: Int

    /// `compositeParts`: workgroups a tile, of composites.
    init(_ context: VulkanContext, tiles: Int, compositeParts: Int) throws {
        (self.tiles, self.compositeParts) = (tiles, compositeParts)
        buffer = try VulkanBuffer(context, byteCount: (4 * Self.lists + tiles * (1 + Self.lists)) * 4)
    }

    /// Forgets all; not while a frame is under way.
    func clear() {
        let words = buffer.contents.assumingMemoryBound(to: UInt32.self)
        words.update(repeating: 0, count: 4 * Self.lists + tiles)
        for list in 0..<Self.lists {
            words[4 * list + 1] = Self.setups.contains(list) ? 1 : UInt32(compositeParts)
            words[4 * list + 2] = 1
        }
    }

    /// Has `kernel` make the tiles of `list` anew.
    func visit(_ list: Int, _ kernel: VulkanKernel, _ bindings: VulkanBindings, _ parameters: LensParameters) {
        kernel.dispatch(bindings, groupsIn: buffer, at: 16 * list, push: parameters)
    }
}
