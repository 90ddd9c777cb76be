/// Frames that never arrive: so many from a time on, and all within a gap but the first.
package struct LostFrames: Sendable {
    private var drops: [(time: Int64, count: Int)]
    /// Gaps to come, in nanoseconds.
    var gaps: [Range<Int64>] = []
    private var gap: Range<Int64>?

    init(_ drops: [(time: Int64, count: Int)]) { self.drops = drops }

    /// Whether the frame of a time in nanoseconds never arrives; to be asked once for each, in their order.
    package mutating func takes(_ time: Int64) -> Bool {
        if let gap, time < gap.upperBound { return true }
        gap = nil
        if let next = gaps.firstIndex(where: { $0.lowerBound <= time }) { gap = gaps.remove(at: next) }
        guard let next = drops.firstIndex(where: { $0.time <= time && $0.count > 0 }) else { return false }
        drops[next].count -= 1
        return true
    }
}
