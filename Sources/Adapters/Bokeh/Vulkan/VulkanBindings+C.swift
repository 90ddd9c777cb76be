internal import CVulkan

/// The resources of one kernel, bound in order, with a descriptor pool of their own.
final class VulkanBindings {
    let handle: VkDescriptorSet
    private let pool: VkDescriptorPool
    private let context: VulkanContext
    private var resources: [Resource]
    let kinds: [VulkanKernel.Binding]

    init(_ context: VulkanContext, _ kernel: VulkanKernel, _ resources: [Resource]) throws {
        precondition(resources.count == kernel.bindings.count, "a kernel needs all its bindings")
        self.context = context
        self.resources = resources
        kinds = kernel.bindings
        let sizes = kernel.bindings.map { VkDescriptorPoolSize(type: $0.descriptorType, descriptorCount: 1) }
        var pool: VkDescriptorPool?
        try sizes.withUnsafeBufferPointer { sizes in
            var info = VkDescriptorPoolCreateInfo()
            info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO
            info.maxSets = 1
            info.poolSizeCount = UInt32(sizes.count)
            info.pPoolSizes = sizes.baseAddress
            try check(vkCreateDescriptorPool(context.device, &info, nil, &pool), "making a descriptor pool")
        }
        var layout: VkDescriptorSetLayout? = kernel.setLayout
        var set: VkDescriptorSet?
        let result = withUnsafePointer(to: &layout) { layout in
            var info = VkDescriptorSetAllocateInfo()
            info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO
            info.descriptorPool = pool
            info.descriptorSetCount = 1
            info.pSetLayouts = layout
            return vkAllocateDescriptorSets(context.device, &info, &set)
        }
        guard result == VK_SUCCESS, let set, let pool else {
            vkDestroyDescriptorPool(context.device, pool, nil)
            throw BokehError(.vulkan, "making a descriptor set failed", underlying: result.rawValue)
        }
        handle = set
        self.pool = pool
        for (index, resource) in resources.enumerated() { write(resource, at: index) }
    }

    /// Resources by their names in the shader, each once.
    convenience init(_ context: VulkanContext, _ kernel: VulkanKernel, _ resources: [String: Resource]) throws {
        precondition(Set(kernel.names) == Set(resources.keys), "a kernel has the bindings \(kernel.names), not \(resources.keys.sorted())")
        try self.init(context, kernel, kernel.names.map { resources[$0]! })
    }

    deinit { vkDestroyDescriptorPool(context.device, pool, nil) }

    /// Binds another resource of the same kind; not while the device works with these.
    func bind(_ resource: Resource, at index: Int) {
        if case .buffer(let new) = resource, case .buffer(let old) = resources[index], new === old { return }
        if case .texels(let new) = resource, case .texels(let old) = resources[index], new === old { return }
        resources[index] = resource
        write(resource, at: index)
    }

    private func write(_ resource: Resource, at index: Int) {
        var entry = VkWriteDescriptorSet()
        entry.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET
        entry.dstSet = handle
        entry.dstBinding = UInt32(index)
        entry.descriptorCount = 1
        switch resource {
        case .buffer(let buffer):
            var info = VkDescriptorBufferInfo(buffer: buffer.handle, offset: 0, range: .max)
            withUnsafePointer(to: &info) {
                entry.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER
                entry.pBufferInfo = $0
                vkUpdateDescriptorSets(context.device, 1, &entry, 0, nil)
            }
        case .texels(let buffer):
            var view = buffer.view
            withUnsafePointer(to: &view) {
                entry.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER
                entry.pTexelBufferView = $0
                vkUpdateDescriptorSets(context.device, 1, &entry, 0, nil)
            }
        case .later:
            return
        case .image(let image):
            var info = VkDescriptorImageInfo(sampler: nil, imageView: image.view, imageLayout: VK_IMAGE_LAYOUT_GENERAL)
            withUnsafePointer(to: &info) {
                entry.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE
                entry.pImageInfo = $0
                vkUpdateDescriptorSets(context.device, 1, &entry, 0, nil)
            }
        }
    }
}
