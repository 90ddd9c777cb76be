internal import CVulkan

/// One piece of work for the device at a time, and whether the device is through with it.
final class VulkanSubmission {
    let commands: VkCommandBuffer
    private let fence: VkFence
    /// Of its own, so that work may be recorded and taken away on different threads.
    private let pool: VkCommandPool
    private let context: VulkanContext
    private var isPending = false

    init(_ context: VulkanContext) throws {
        self.context = context
        var poolInfo = VkCommandPoolCreateInfo()
        poolInfo.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO
        poolInfo.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT.rawValue
        poolInfo.queueFamilyIndex = context.queueFamily
        var pool: VkCommandPool?
        var fence: VkFence?
        var commands: VkCommandBuffer?
        do {
            try check(vkCreateCommandPool(context.device, &poolInfo, nil, &pool), "making a command pool")
            var bufferInfo = VkCommandBufferAllocateInfo()
            bufferInfo.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO
            bufferInfo.commandPool = pool
            bufferInfo.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY
            bufferInfo.commandBufferCount = 1
            try check(vkAllocateCommandBuffers(context.device, &bufferInfo, &commands), "making a command buffer")
            var fenceInfo = VkFenceCreateInfo()
            fenceInfo.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO
            try check(vkCreateFence(context.device, &fenceInfo, nil, &fence), "making a fence")
        } catch {
            vkDestroyCommandPool(context.device, pool, nil)
            throw error
        }
        self.pool = pool!
        self.commands = commands!
        self.fence = fence!
    }

    /// Work that was started has been waited for: its buffers go first.
    deinit {
        vkDestroyFence(context.device, fence, nil)
        vkDestroyCommandPool(context.device, pool, nil)
    }

    /// Hands over what was recorded. The one before must have been waited for.
    func start(on queue: VkQueue) throws {
        var fence: VkFence? = fence
        try check(vkResetFences(context.device, 1, &fence), "resetting a fence")
        var recorded: VkCommandBuffer? = commands
        let result = withUnsafePointer(to: &recorded) { recorded in
            var submit = VkSubmitInfo()
            submit.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO
            submit.commandBufferCount = 1
            submit.pCommandBuffers = recorded
            return vkQueueSubmit(queue, 1, &submit, fence)
        }
        try check(result, "starting the device")
        isPending = true
    }

    /// Waits until the device is through; returns at once when nothing was started. Where that fails, what was started is still to be waited for.
    func wait() throws {
        guard isPending else { return }
        var fence: VkFence? = fence
        try check(vkWaitForFences(context.device, 1, &fence, VkBool32(VK_TRUE), .max), "waiting for the device")
        isPending = false
    }
}
