internal import CVulkan

/// The device's clock between the passes of one frame.
final class VulkanTimestamps {
    private static let capacity: UInt32 = 16
    private let context: VulkanContext
    private let pool: VkQueryPool
    private let period: Double
    private let mask: UInt64
    private var names: [String] = []

    /// Nil where the device's queue has no clock.
    init?(_ context: VulkanContext) throws {
        guard context.timestampBits > 0, context.timestampPeriod > 0 else { return nil }
        self.context = context
        period = Double(context.timestampPeriod)
        mask = context.timestampBits >= 64 ? .max : 1 << UInt64(context.timestampBits) - 1
        var info = VkQueryPoolCreateInfo()
        info.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO
        info.queryType = VK_QUERY_TYPE_TIMESTAMP
        info.queryCount = Self.capacity
        var pool: VkQueryPool?
        try check(vkCreateQueryPool(context.device, &info, nil, &pool), "making a query pool")
        self.pool = pool!
    }

    deinit { vkDestroyQueryPool(context.device, pool, nil) }

    /// Records the start of the first pass.
    func begin() {
        names = []
        vkCmdResetQueryPool(context.commands, pool, 0, Self.capacity)
        vkCmdWriteTimestamp(context.commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, pool, 0)
    }

    /// Records the end of the pass `name`, which is the start of the next.
    func mark(_ name: String) {
        guard names.count + 1 < Self.capacity else { return }
        names.append(name)
        vkCmdWriteTimestamp(context.commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, pool, UInt32(names.count))
    }

    /// Duration of each stage, once the device is done.
    func read() throws -> [(pass: String, duration: Duration)] {
        guard !names.isEmpty else { return [] }
        var ticks = [UInt64](repeating: 0, count: names.count + 1)
        let flags = VK_QUERY_RESULT_64_BIT.rawValue | VK_QUERY_RESULT_WAIT_BIT.rawValue
        try check(
            vkGetQueryPoolResults(context.device, pool, 0, UInt32(ticks.count), ticks.count * 8, &ticks, 8, flags), "reading the device's clock")
        return names.enumerated().map { index, name in
            (name, .nanoseconds(Int64(Double((ticks[index + 1] & mask) &- (ticks[index] & mask) & mask) * period)))
        }
    }
}
