internal import CVulkan
import Support

/// One device and its compute queue.
final class VulkanContext {
    let instance: VulkanInstance
    let device: VkDevice
    let description: VulkanDevice
    /// Bits of the queue's clock, 0 where it has none, and nanoseconds a tick.
    let timestampBits: UInt32
    let timestampPeriod: Float
    /// Alignment of address and size of host memory that the device can work in, bytes; 0 where it cannot.
    let importAlignment: Int
    /// Whether the device works in the host's memory anyway; another is reached over a bus.
    var sharesMemory: Bool { [.software, .integrated].contains(description.type) }
    /// Compiled pipelines, kept on disk.
    let pipelineCache: VkPipelineCache?
    private let cacheFile: CacheFile
    private let memoryTypes: [VkMemoryPropertyFlags]
    private let queue: VkQueue
    let queueFamily: UInt32
    /// Command buffer that is being recorded into; one at a time.
    private(set) var commands: VkCommandBuffer!

    /// Compiled pipelines are kept in `cacheFolder`, nil for the user's. `isRobust`: where the device can, what shaders read outside of buffers and
    /// images is zero, and what they write there is dropped.
    init(gpu: GPUChoice, validation: Bool, cacheFolder: String? = nil, isRobust: Bool = false) throws {
        let instance = try VulkanInstance(validation: validation)
        let physical = try instance.physicalDevices()
        let description = try gpu.pick(from: physical.map(\.device))
        let chosen = physical[description.index].handle
        guard let family = Self.computeFamily(of: chosen) else {
            throw BokehError(.noDevice, "\(description.name) cannot compute; choose another with --gpu")
        }
        var properties = VkPhysicalDeviceProperties()
        vkGetPhysicalDeviceProperties(chosen, &properties)
        let cacheFile = CacheFile("pipelines-\(Self.identity(of: properties)).bin", in: cacheFolder)
        self.cacheFile = cacheFile
        timestampPeriod = properties.limits.timestampPeriod
        timestampBits = family.timestampBits
        self.instance = instance
        self.description = description
        memoryTypes = Self.memoryTypes(of: chosen)
        queueFamily = family.index
        importAlignment = Self.importAlignment(of: chosen)
        device = try Self.makeDevice(
            chosen, family: family.index, extensions: importAlignment > 0 ? [Self.importExtension] : [], isRobust: isRobust)
        var queue: VkQueue?
        vkGetDeviceQueue(device, family.index, 0, &queue)
        self.queue = queue!
        pipelineCache = Self.makeCache(device, cacheFile.read() ?? [])
    }

    deinit {
        vkDestroyPipelineCache(device, pipelineCache, nil)
        vkDestroyDevice(device, nil)
    }

    /// Keeps what the driver compiled for the next run.
    func savePipelines() {
        guard let pipelineCache else { return }
        var count = 0
        guard vkGetPipelineCacheData(device, pipelineCache, &count, nil) == VK_SUCCESS, count > 0 else { return }
        var data = [UInt8](repeating: 0, count: count)
        guard vkGetPipelineCacheData(device, pipelineCache, &count, &data) == VK_SUCCESS else { return }
        cacheFile.write(Array(data.prefix(count)))
    }

    /// Empty where the driver does not take its own data back; nil where it keeps none at all.
    private static func makeCache(_ device: VkDevice, _ data: [UInt8]) -> VkPipelineCache? {
        var cache: VkPipelineCache?
        let result = data.withUnsafeBytes { bytes in
            var info = VkPipelineCacheCreateInfo()
            info.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO
            info.initialDataSize = bytes.count
            info.pInitialData = bytes.isEmpty ? nil : bytes.baseAddress
            return vkCreatePipelineCache(device, &info, nil, &cache)
        }
        return result == VK_SUCCESS ? cache : data.isEmpty ? nil : makeCache(device, [])
    }

    /// Maker, device, driver and the driver's own mark of what it compiles.
    private static func identity(of properties: VkPhysicalDeviceProperties) -> String {
        let mark = withUnsafeBytes(of: properties.pipelineCacheUUID) { Array($0) }
        let numbers = [properties.vendorID, properties.deviceID, properties.driverVersion].map { String($0, radix: 16) }
        return (numbers + [mark.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()]).joined(separator: "-")
    }

    /// Records `body`, runs it on the device and waits until it is done.
    func run(_ body: () throws -> Void) throws {
        let submission = try VulkanSubmission(self)
        try submit(submission, body)
        try submission.wait()
    }

    /// Records `body` and starts it on the device, behind what was started before. What that wrote, it may read and write.
    func submit(_ submission: VulkanSubmission, _ body: () throws -> Void) throws {
        commands = submission.commands
        defer { commands = nil }
        var begin = VkCommandBufferBeginInfo()
        begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO
        begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT.rawValue
        try check(vkBeginCommandBuffer(commands, &begin), "beginning to record")
        barrier()
        try body()
        try check(vkEndCommandBuffer(commands), "recording")
        try submission.start(on: queue)
    }

    /// Kind of access to a buffer.
    struct Access {
        fileprivate let stages, reads, writes: UInt32

        static let passes = Access(
            stages: VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT.rawValue, reads: VK_ACCESS_SHADER_READ_BIT.rawValue,
            writes: VK_ACCESS_SHADER_WRITE_BIT.rawValue)
        /// Passes whose number of workgroups lies in a buffer: a device waits longest before them.
        static let indirectPasses = Access(
            stages: passes.stages | VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT.rawValue, reads: passes.reads | VK_ACCESS_INDIRECT_COMMAND_READ_BIT.rawValue,
            writes: passes.writes)
        static let copies = Access(
            stages: VK_PIPELINE_STAGE_TRANSFER_BIT.rawValue, reads: VK_ACCESS_TRANSFER_READ_BIT.rawValue,
            writes: VK_ACCESS_TRANSFER_WRITE_BIT.rawValue)
        static let host = Access(
            stages: VK_PIPELINE_STAGE_HOST_BIT.rawValue, reads: VK_ACCESS_HOST_READ_BIT.rawValue, writes: VK_ACCESS_HOST_WRITE_BIT.rawValue)
    }

    /// Memory barrier: all that the first wrote so far, the next may read and write from here on.
    func barrier(_ first: Access = .passes, _ next: Access = .passes) {
        var barrier = VkMemoryBarrier()
        barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER
        (barrier.srcAccessMask, barrier.dstAccessMask) = (first.writes, next.reads | next.writes)
        vkCmdPipelineBarrier(commands, first.stages, next.stages, 0, 1, &barrier, 0, nil, 0, nil)
    }

    /// Records a copy of all of a buffer to one as large.
    func copy(_ source: VulkanBuffer, to target: VulkanBuffer) {
        var region = VkBufferCopy(srcOffset: 0, dstOffset: 0, size: VkDeviceSize(source.byteCount))
        vkCmdCopyBuffer(commands, source.handle, target.handle, 1, &region)
    }

    /// Memory that fits `requirements` and has the first of the `wanted` property sets that exists.
    func allocate(_ requirements: VkMemoryRequirements, wanted: [VkMemoryPropertyFlags]) throws -> VkDeviceMemory {
        for properties in wanted {
            for (index, flags) in memoryTypes.enumerated() where requirements.memoryTypeBits >> index & 1 == 1 && flags & properties == properties {
                return try allocate(requirements.size, type: index, next: nil)
            }
        }
        throw BokehError(.vulkan, "\(description.name) has no memory of the kind the lens needs")
    }

    /// The host's memory at `pointer` as the device's, of those kinds that `requirements` allow and that need no flushing.
    func importMemory(_ pointer: UnsafeMutableRawPointer, _ byteCount: Int, _ requirements: VkMemoryRequirements) throws -> VkDeviceMemory {
        let coherent = VK_MEMORY_PROPERTY_HOST_COHERENT_BIT.rawValue
        let types = requirements.memoryTypeBits & cvulkan_host_memory_types(device, pointer)
        guard requirements.size <= byteCount, let type = memoryTypes.indices.first(where: { types >> $0 & 1 == 1 && memoryTypes[$0] & coherent != 0 })
        else { throw BokehError(.vulkan, "\(description.name) does not work in this memory of the host") }
        var host = VkImportMemoryHostPointerInfoEXT()
        host.sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT
        host.handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT
        host.pHostPointer = pointer
        return try withUnsafePointer(to: &host) { try allocate(VkDeviceSize(byteCount), type: type, next: $0) }
    }

    private func allocate(_ size: VkDeviceSize, type: Int, next: UnsafeRawPointer?) throws -> VkDeviceMemory {
        var info = VkMemoryAllocateInfo()
        info.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO
        info.pNext = next
        info.allocationSize = size
        info.memoryTypeIndex = UInt32(type)
        var memory: VkDeviceMemory?
        try check(vkAllocateMemory(device, &info, nil, &memory), "allocating \(size >> 20) MiB on \(description.name)")
        guard let memory else { throw BokehError(.vulkan, "\(description.name) gave no memory for \(size) bytes") }
        return memory
    }

    private static func computeFamily(of device: VkPhysicalDevice) -> (index: UInt32, timestampBits: UInt32)? {
        var count: UInt32 = 0
        vkGetPhysicalDeviceQueueFamilyProperties(device, &count, nil)
        var families = [VkQueueFamilyProperties](repeating: VkQueueFamilyProperties(), count: Int(count))
        vkGetPhysicalDeviceQueueFamilyProperties(device, &count, &families)
        return families.firstIndex { $0.queueFlags & VK_QUEUE_COMPUTE_BIT.rawValue != 0 }.map { (UInt32($0), families[$0].timestampValidBits) }
    }

    private static func memoryTypes(of device: VkPhysicalDevice) -> [VkMemoryPropertyFlags] {
        var properties = VkPhysicalDeviceMemoryProperties()
        vkGetPhysicalDeviceMemoryProperties(device, &properties)
        return withUnsafeBytes(of: properties.memoryTypes) {
            $0.bindMemory(to: VkMemoryType.self).prefix(Int(properties.memoryTypeCount)).map(\.propertyFlags)
        }
    }

    private static let importExtension = "VK_EXT_external_memory_host"

    private static func hasExtension(_ name: String, _ device: VkPhysicalDevice) -> Bool {
        var count: UInt32 = 0
        vkEnumerateDeviceExtensionProperties(device, nil, &count, nil)
        var extensions = [VkExtensionProperties](repeating: VkExtensionProperties(), count: Int(count))
        vkEnumerateDeviceExtensionProperties(device, nil, &count, &extensions)
        return extensions.contains { known in
            withUnsafeBytes(of: known.extensionName) { $0.prefix { $0 != 0 }.elementsEqual(name.utf8) }
        }
    }

    private static func importAlignment(of device: VkPhysicalDevice) -> Int {
        guard hasExtension(importExtension, device) else { return 0 }
        var host = VkPhysicalDeviceExternalMemoryHostPropertiesEXT()
        host.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_MEMORY_HOST_PROPERTIES_EXT
        withUnsafeMutablePointer(to: &host) { host in
            var properties = VkPhysicalDeviceProperties2()
            properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2
            properties.pNext = UnsafeMutableRawPointer(host)
            vkGetPhysicalDeviceProperties2(device, &properties)
        }
        return Int(host.minImportedHostPointerAlignment)
    }

    private static func makeDevice(_ physical: VkPhysicalDevice, family: UInt32, extensions: [String], isRobust: Bool) throws -> VkDevice {
        let hasRobustImages = isRobust && hasExtension("VK_EXT_image_robustness", physical)
        let extensions = extensions + (hasRobustImages ? ["VK_EXT_image_robustness"] : [])
        let names = CStrings(extensions)
        var robustImages = VkPhysicalDeviceImageRobustnessFeaturesEXT()
        robustImages.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_ROBUSTNESS_FEATURES_EXT
        robustImages.robustImageAccess = VK_TRUE
        var features = VkPhysicalDeviceFeatures()
        features.shaderStorageImageExtendedFormats = VK_TRUE  // two words a texel
        features.shaderInt64 = VK_TRUE  // two words a store
        // Every device has it; it may cost the lens time, so only filters of strangers get it.
        features.robustBufferAccess = VkBool32(isRobust ? VK_TRUE : VK_FALSE)
        var priority: Float = 1
        var device: VkDevice?
        let result = withUnsafePointer(to: &priority) { priority in
            var queueInfo = VkDeviceQueueCreateInfo()
            queueInfo.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO
            queueInfo.queueFamilyIndex = family
            queueInfo.queueCount = 1
            queueInfo.pQueuePriorities = priority
            return withUnsafePointer(to: &queueInfo) { queueInfo in
                withUnsafePointers(&features, &robustImages) { features, robustImages in
                    var info = VkDeviceCreateInfo()
                    info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO
                    info.queueCreateInfoCount = 1
                    info.pQueueCreateInfos = queueInfo
                    info.pEnabledFeatures = features
                    info.pNext = hasRobustImages ? UnsafeRawPointer(robustImages) : nil
                    info.enabledExtensionCount = UInt32(extensions.count)
                    return withExtendedLifetime(names) {
                        info.ppEnabledExtensionNames = UnsafePointer(names.pointers)
                        return vkCreateDevice(physical, &info, nil, &device)
                    }
                }
            }
        }
        guard result == VK_SUCCESS, let device else { throw BokehError(.vulkan, "opening the Vulkan device failed", underlying: result.rawValue) }
        return device
    }
}

private func withUnsafePointers<First, Second, Result>(
    _ first: inout First, _ second: inout Second, _ body: (UnsafePointer<First>, UnsafePointer<Second>) -> Result
) -> Result {
    withUnsafePointer(to: &first) { first in withUnsafePointer(to: &second) { second in body(first, second) } }
}
