internal import CVulkan
import CoreVideo

/// A storage buffer; may hold the sizes of dispatches.
final class VulkanBuffer {
    let handle: VkBuffer
    let byteCount: Int
    /// The buffer as texels, where a format was given.
    let view: VkBufferView?
    private let memory: VkDeviceMemory
    /// Mapped for good; nil where only shaders touch it.
    private let mapped: UnsafeMutableRawPointer?
    private let context: VulkanContext
    /// Whose memory it is, when it is not its own.
    private let storage: CVBufferStorage?

    /// Memory that the host writes or reads.
    var contents: UnsafeMutableRawPointer { mapped! }

    /// Texels that only shaders touch.
    convenience init(_ context: VulkanContext, texels: TexelFormat, count: Int) throws {
        try self.init(context, byteCount: count * texels.byteCount, texels: texels, isMapped: false, storage: nil) {
            try context.allocate($0, wanted: [VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT.rawValue, 0])
        }
    }

    /// Makes a buffer that the host writes or reads: `readBack` prefers memory that it reads fast; `texels` makes it a texel buffer too.
    convenience init(_ context: VulkanContext, byteCount: Int, readBack: Bool = false, texels: TexelFormat? = nil) throws {
        let mapped = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT.rawValue | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT.rawValue
        let preferred = readBack ? VK_MEMORY_PROPERTY_HOST_CACHED_BIT.rawValue : VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT.rawValue
        try self.init(context, byteCount: byteCount, texels: texels, isMapped: true, storage: nil) {
            try context.allocate($0, wanted: [mapped | preferred, mapped])
        }
    }

    /// The memory of a pixel buffer: the device works in it. Throws where it cannot.
    convenience init(_ context: VulkanContext, over storage: CVBufferStorage, texels: TexelFormat) throws {
        let unit = context.importAlignment
        guard unit > 0, Int(bitPattern: storage.base) % unit == 0, storage.byteCount % unit == 0 else {
            throw BokehError(.vulkan, "\(context.description.name) does not work in memory of the host")
        }
        try self.init(context, byteCount: storage.byteCount, texels: texels, isMapped: false, storage: storage) {
            try context.importMemory(storage.base, storage.byteCount, $0)
        }
    }

    private init(
        _ context: VulkanContext, byteCount: Int, texels: TexelFormat?, isMapped: Bool, storage: CVBufferStorage?,
        memory allocate: (VkMemoryRequirements) throws -> VkDeviceMemory
    ) throws {
        self.context = context
        self.byteCount = byteCount
        self.storage = storage
        let buffer = try Self.makeBuffer(context, byteCount, hasTexels: texels != nil, isImported: storage != nil)
        var requirements = VkMemoryRequirements()
        vkGetBufferMemoryRequirements(context.device, buffer, &requirements)
        var memory: VkDeviceMemory?
        var pointer = storage?.base
        var view: VkBufferView?
        do {
            memory = try allocate(requirements)
            try check(vkBindBufferMemory(context.device, buffer, memory, 0), "binding a buffer")
            if isMapped { try check(vkMapMemory(context.device, memory, 0, VkDeviceSize(byteCount), 0, &pointer), "mapping a buffer") }
            if let texels {
                var viewInfo = VkBufferViewCreateInfo()
                viewInfo.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO
                viewInfo.buffer = buffer
                viewInfo.format = texels.vulkan
                viewInfo.range = .max
                try check(vkCreateBufferView(context.device, &viewInfo, nil, &view), "viewing a buffer as texels")
            }
        } catch {
            vkDestroyBuffer(context.device, buffer, nil)
            vkFreeMemory(context.device, memory, nil)
            throw error
        }
        handle = buffer
        self.memory = memory!
        mapped = pointer
        self.view = view
    }

    private static func makeBuffer(_ context: VulkanContext, _ byteCount: Int, hasTexels: Bool, isImported: Bool) throws -> VkBuffer {
        var external = VkExternalMemoryBufferCreateInfo()
        external.sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO
        external.handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT.rawValue
        var buffer: VkBuffer?
        try withUnsafePointer(to: &external) { external in
            var info = VkBufferCreateInfo()
            info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO
            info.pNext = isImported ? UnsafeRawPointer(external) : nil
            info.size = VkDeviceSize(byteCount)
            info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT.rawValue | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT.rawValue
            info.usage |= VK_BUFFER_USAGE_TRANSFER_SRC_BIT.rawValue | VK_BUFFER_USAGE_TRANSFER_DST_BIT.rawValue
            if hasTexels { info.usage |= VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT.rawValue }
            try check(vkCreateBuffer(context.device, &info, nil, &buffer), "making a buffer")
        }
        return buffer!
    }

    deinit {
        vkDestroyBufferView(context.device, view, nil)
        vkDestroyBuffer(context.device, handle, nil)
        vkFreeMemory(context.device, memory, nil)
    }
}

/// Formats every Vulkan device can store to and load from.
enum TexelFormat {
    case float4, uint4, uint2, float1, uint1

    var vulkan: VkFormat {
        switch self {
        case .float4: VK_FORMAT_R32G32B32A32_SFLOAT
        case .uint4: VK_FORMAT_R32G32B32A32_UINT
        case .uint2: VK_FORMAT_R32G32_UINT
        case .float1: VK_FORMAT_R32_SFLOAT
        case .uint1: VK_FORMAT_R32_UINT
        }
    }

    var byteCount: Int {
        switch self {
        case .float4, .uint4: 16
        case .uint2: 8
        case .float1, .uint1: 4
        }
    }
}

/// A storage image of colours that only shaders touch, always in the general layout.
final class VulkanImage {
    let handle: VkImage
    let view: VkImageView
    private let memory: VkDeviceMemory
    private let context: VulkanContext

    init(_ context: VulkanContext, width: Int, height: Int) throws {
        self.context = context
        var info = VkImageCreateInfo()
        info.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO
        info.imageType = VK_IMAGE_TYPE_2D
        info.format = TexelFormat.float4.vulkan
        info.extent = VkExtent3D(width: UInt32(width), height: UInt32(height), depth: 1)
        info.mipLevels = 1
        info.arrayLayers = 1
        info.samples = VK_SAMPLE_COUNT_1_BIT
        info.tiling = VK_IMAGE_TILING_OPTIMAL
        info.usage = VK_IMAGE_USAGE_STORAGE_BIT.rawValue
        info.initialLayout = VK_IMAGE_LAYOUT_UNDEFINED
        var image: VkImage?
        try check(vkCreateImage(context.device, &info, nil, &image), "making an image of \(width)x\(height)")
        var requirements = VkMemoryRequirements()
        vkGetImageMemoryRequirements(context.device, image, &requirements)
        var memory: VkDeviceMemory?
        var view: VkImageView?
        do {
            memory = try context.allocate(requirements, wanted: [VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT.rawValue, 0])
            try check(vkBindImageMemory(context.device, image, memory, 0), "binding an image")
            var viewInfo = VkImageViewCreateInfo()
            viewInfo.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO
            viewInfo.image = image
            viewInfo.viewType = VK_IMAGE_VIEW_TYPE_2D
            viewInfo.format = info.format
            viewInfo.subresourceRange = Self.wholeImage
            try check(vkCreateImageView(context.device, &viewInfo, nil, &view), "making an image view")
        } catch {
            vkDestroyImage(context.device, image, nil)
            vkFreeMemory(context.device, memory, nil)
            throw error
        }
        handle = image!
        self.memory = memory!
        self.view = view!
    }

    deinit {
        vkDestroyImageView(context.device, view, nil)
        vkDestroyImage(context.device, handle, nil)
        vkFreeMemory(context.device, memory, nil)
    }

    /// Records the move from undefined contents to the general layout.
    func prepare() {
        var barrier = VkImageMemoryBarrier()
        barrier.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER
        barrier.dstAccessMask = VK_ACCESS_SHADER_READ_BIT.rawValue | VK_ACCESS_SHADER_WRITE_BIT.rawValue
        barrier.oldLayout = VK_IMAGE_LAYOUT_UNDEFINED
        barrier.newLayout = VK_IMAGE_LAYOUT_GENERAL
        barrier.srcQueueFamilyIndex = .max
        barrier.dstQueueFamilyIndex = .max
        barrier.image = handle
        barrier.subresourceRange = Self.wholeImage
        vkCmdPipelineBarrier(
            context.commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT.rawValue, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT.rawValue, 0, 0, nil, 0, nil, 1,
            &barrier)
    }

    private static var wholeImage: VkImageSubresourceRange {
        VkImageSubresourceRange(
            aspectMask: VK_IMAGE_ASPECT_COLOR_BIT.rawValue, baseMipLevel: 0, levelCount: 1, baseArrayLayer: 0, layerCount: 1)
    }
}
