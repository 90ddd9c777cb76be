/// Tiles with highlights, which one pass leaves to the next to be drawn again with more care, in a list for each kernel that does. Composites list
/// parts of tiles.
///
/// `highlight-tiles.glsl` has the same layout of words: for each list the sizes of an indirect dispatch and one unused; for each tile the passes
/// that appended it or a part, a bit each; the lists.
final class HighlightTiles {
    /// Lists of setup and of composites, one for each `TileKind`, and that of uniform tiles.
    static let setups = 0..<4
    static let composites = 4..<8
    static let uniformComposite = 8
    static let lists = 9

    let buffer: VulkanBuffer
    private let tiles: Int

    /// `compositeParts`: workgroups a tile, of composites.
    init(_ context: VulkanContext, tiles: Int, compositeParts: Int) throws {
        self.tiles = tiles
        buffer = try VulkanBuffer(context, byteCount: (4 * Self.lists + tiles * (1 + compositeParts * Self.lists)) * 4)
    }

    /// Empties all lists; not while a frame is under way.
    func clear() {
        let words = buffer.contents.assumingMemoryBound(to: UInt32.self)
        words.update(repeating: 0, count: 4 * Self.lists + tiles)
        for list in 0..<Self.lists {
            words[4 * list + 1] = 1
            words[4 * list + 2] = 1
        }
    }

    /// Byte offset of the sizes of the dispatch over `list`.
    static func dispatchOffset(of list: Int) -> Int { 16 * list }
}
