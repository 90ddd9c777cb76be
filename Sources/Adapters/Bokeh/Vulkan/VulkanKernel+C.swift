internal import CVulkan

/// Resource of a kernel at one binding.
enum Resource {
    case buffer(VulkanBuffer)
    /// A buffer made with a texel format.
    case texels(VulkanBuffer)
    case image(VulkanImage)
    /// Changes from frame to frame; bound before the first run.
    case later
}

/// One compute pipeline; its bindings are numbered in order.
final class VulkanKernel {
    typealias Binding = SPIRVInterface.Kind

    let pipeline: VkPipeline
    let layout: VkPipelineLayout
    let setLayout: VkDescriptorSetLayout
    let bindings: [Binding]
    /// Of the bindings; empty strings where the shader has none.
    let names: [String]
    private let context: VulkanContext

    /// A shader of the lens; `constants` has each of its specialisation constants, by name, and may have others.
    convenience init(_ context: VulkanContext, _ shader: LibraryShader, constants: [String: ShaderConstant], pushBytes: Int) throws {
        let values = shader.interface.constants.map { name, constant in
            guard let value = constants[name], value.isFloat == constant.isFloat else {
                preconditionFailure("the shader `\(shader.name)` has a constant \(name) that its pass does not give, or not in its type")
            }
            return (constant.id, UInt32(bitPattern: value.bits))
        }
        let words = shader.specialization.words(with: Dictionary(uniqueKeysWithValues: values))
        try self.init(context, words: words, name: shader.name, shader.interface.resources, pushBytes)
    }

    /// A user's filter, whose two bindings are images.
    convenience init(_ context: VulkanContext, filter words: [UInt32], name: String, pushBytes: Int) throws {
        let images = (0...1).map { SPIRVInterface.Resource(binding: $0, kind: .image) }
        try self.init(context, words: words, name: name, images, pushBytes)
    }

    private init(
        _ context: VulkanContext, words: [UInt32], name: String, _ resources: [SPIRVInterface.Resource], _ pushBytes: Int
    ) throws {
        precondition(resources.map(\.binding) == Array(resources.indices), "the shader `\(name)` must use bindings 0, 1, 2 and so on, each once")
        self.context = context
        bindings = resources.map(\.kind)
        names = resources.map(\.name)
        setLayout = try Self.makeSetLayout(context, bindings)
        do { layout = try Self.makeLayout(context, setLayout, pushBytes) } catch {
            vkDestroyDescriptorSetLayout(context.device, setLayout, nil)
            throw error
        }
        do { pipeline = try Self.makePipeline(context, layout, words, name: name) } catch {
            vkDestroyPipelineLayout(context.device, layout, nil)
            vkDestroyDescriptorSetLayout(context.device, setLayout, nil)
            throw error
        }
    }

    deinit {
        vkDestroyPipeline(context.device, pipeline, nil)
        vkDestroyPipelineLayout(context.device, layout, nil)
        vkDestroyDescriptorSetLayout(context.device, setLayout, nil)
    }

    /// Records a run of `groups` workgroups.
    func dispatch<Push: BitwiseCopyable>(_ set: VulkanBindings, groups: (x: Int, y: Int), push: Push) {
        guard groups.x > 0, groups.y > 0 else { return }
        bind(set, push)
        vkCmdDispatch(context.commands, UInt32(groups.x), UInt32(groups.y), 1)
    }

    /// Records a run of as many workgroups as the three words at `offset` of `buffer` say.
    func dispatch<Push: BitwiseCopyable>(_ set: VulkanBindings, groupsIn buffer: VulkanBuffer, at offset: Int, push: Push) {
        bind(set, push)
        vkCmdDispatchIndirect(context.commands, buffer.handle, VkDeviceSize(offset))
    }

    private func bind<Push: BitwiseCopyable>(_ set: VulkanBindings, _ push: Push) {
        vkCmdBindPipeline(context.commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline)
        var handle: VkDescriptorSet? = set.handle
        vkCmdBindDescriptorSets(context.commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &handle, 0, nil)
        withUnsafeBytes(of: push) {
            vkCmdPushConstants(context.commands, layout, VK_SHADER_STAGE_COMPUTE_BIT.rawValue, 0, UInt32($0.count), $0.baseAddress)
        }
    }

    private static func makeSetLayout(_ context: VulkanContext, _ bindings: [Binding]) throws -> VkDescriptorSetLayout {
        let list = bindings.enumerated().map { index, binding in
            var entry = VkDescriptorSetLayoutBinding()
            entry.binding = UInt32(index)
            entry.descriptorType = binding.descriptorType
            entry.descriptorCount = 1
            entry.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT.rawValue
            return entry
        }
        var layout: VkDescriptorSetLayout?
        try list.withUnsafeBufferPointer { list in
            var info = VkDescriptorSetLayoutCreateInfo()
            info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO
            info.bindingCount = UInt32(list.count)
            info.pBindings = list.baseAddress
            try check(vkCreateDescriptorSetLayout(context.device, &info, nil, &layout), "making a descriptor layout")
        }
        return layout!
    }

    private static func makeLayout(_ context: VulkanContext, _ setLayout: VkDescriptorSetLayout, _ pushBytes: Int) throws -> VkPipelineLayout {
        var set: VkDescriptorSetLayout? = setLayout
        var range = VkPushConstantRange(stageFlags: VK_SHADER_STAGE_COMPUTE_BIT.rawValue, offset: 0, size: UInt32(pushBytes))
        var layout: VkPipelineLayout?
        try withUnsafePointer(to: &set) { set in
            try withUnsafePointer(to: &range) { range in
                var info = VkPipelineLayoutCreateInfo()
                info.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO
                info.setLayoutCount = 1
                info.pSetLayouts = set
                info.pushConstantRangeCount = 1
                info.pPushConstantRanges = range
                try check(vkCreatePipelineLayout(context.device, &info, nil, &layout), "making a pipeline layout")
            }
        }
        return layout!
    }

    private static func makePipeline(
        _ context: VulkanContext, _ layout: VkPipelineLayout, _ words: [UInt32], name: String
    ) throws -> VkPipeline {
        var module: VkShaderModule?
        try words.withUnsafeBufferPointer { words in
            var info = VkShaderModuleCreateInfo()
            info.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO
            info.codeSize = words.count * 4
            info.pCode = words.baseAddress
            try check(vkCreateShaderModule(context.device, &info, nil, &module), "loading the shader `\(name)`")
        }
        defer { vkDestroyShaderModule(context.device, module, nil) }
        let entryPoint = CStrings(["main"])
        var pipeline: VkPipeline?
        var info = VkComputePipelineCreateInfo()
        info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO
        info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO
        info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT
        info.stage.module = module
        info.stage.pName = entryPoint.pointers[0]
        info.layout = layout
        info.basePipelineIndex = -1
        try check(vkCreateComputePipelines(context.device, context.pipelineCache, 1, &info, nil, &pipeline), "building the shader `\(name)`")
        return pipeline!
    }
}

extension VulkanKernel.Binding {
    var descriptorType: VkDescriptorType {
        switch self {
        case .buffer: VK_DESCRIPTOR_TYPE_STORAGE_BUFFER
        case .texels: VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER
        case .image: VK_DESCRIPTOR_TYPE_STORAGE_IMAGE
        }
    }
}
