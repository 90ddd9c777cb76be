internal import CVulkan
import Foundation
import Synchronization

/// A connection to the Vulkan loader, with the validation layer's messages collected when asked for.
final class VulkanInstance: @unchecked Sendable {
    let handle: VkInstance
    let messages: ValidationMessages?
    private var messenger: VkDebugUtilsMessengerEXT?

    /// Mesa's software device is a quarter slower where it uses AVX-512 (Cascade Lake): it spills addresses, 64 bytes at a time, for every word
    /// that it stores. It deals a pass out to its threads in equal parts beforehand, so that the slowest part is waited for: with two threads for each
    /// core the parts are smaller (a whole render of the demo takes 4 % less time on two cores). Who sets a variable decides otherwise.
    private static let hasTunedMesa: Bool = {
        let threads = 2 * ProcessInfo.processInfo.activeProcessorCount
        return setenv("GALLIUM_OVERRIDE_CPU_CAPS", "avx", 0) == 0 && setenv("LP_NUM_THREADS", String(threads), 0) == 0
    }()

    init(validation: Bool) throws {
        _ = Self.hasTunedMesa
        var application = VkApplicationInfo()
        application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO
        application.apiVersion = vulkan11
        let layers = CStrings(validation ? ["VK_LAYER_KHRONOS_validation"] : [])
        let extensions = CStrings(validation ? ["VK_EXT_debug_utils"] : [])
        var instance: VkInstance?
        let result = withUnsafePointer(to: &application) { application in
            var info = VkInstanceCreateInfo()
            info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO
            info.pApplicationInfo = application
            info.enabledLayerCount = UInt32(layers.count)
            info.ppEnabledLayerNames = UnsafePointer(layers.pointers)
            info.enabledExtensionCount = UInt32(extensions.count)
            info.ppEnabledExtensionNames = UnsafePointer(extensions.pointers)
            return vkCreateInstance(&info, nil, &instance)
        }
        if result == VK_ERROR_LAYER_NOT_PRESENT {
            throw BokehError(
                .noValidation, "the Vulkan validation layer is missing: `apt install vulkan-validationlayers`", underlying: result.rawValue)
        }
        guard result == VK_SUCCESS, let instance else {
            throw BokehError(.noDevice, "Vulkan does not start: `apt install mesa-vulkan-drivers`, or your GPU's driver", underlying: result.rawValue)
        }
        handle = instance
        guard validation else {
            messages = nil
            return
        }
        let messages = ValidationMessages()
        self.messages = messages
        let messengerResult = cvulkan_create_messenger(instance, messages.pair, &messenger)
        guard messengerResult == VK_SUCCESS else {
            vkDestroyInstance(instance, nil)
            throw BokehError(.noValidation, "the debug messenger cannot be made", underlying: messengerResult.rawValue)
        }
    }

    deinit {
        if let messenger { cvulkan_destroy_messenger(handle, messenger) }
        vkDestroyInstance(handle, nil)
    }

    /// Every device that can render, in the loader's order.
    func physicalDevices() throws -> [(handle: VkPhysicalDevice, device: VulkanDevice)] {
        var count: UInt32 = 0
        try check(vkEnumeratePhysicalDevices(handle, &count, nil), "listing the Vulkan devices")
        var handles = [VkPhysicalDevice?](repeating: nil, count: Int(count))
        try check(vkEnumeratePhysicalDevices(handle, &count, &handles), "listing the Vulkan devices")
        return handles.prefix(Int(count)).compactMap { $0 }.filter(canRender).enumerated().map { index, handle in
            var properties = VkPhysicalDeviceProperties()
            vkGetPhysicalDeviceProperties(handle, &properties)
            return (handle, VulkanDevice(index: index, properties: properties))
        }
    }

    /// Whether a device has what the shaders need; every one of a desktop has.
    private func canRender(_ device: VkPhysicalDevice) -> Bool {
        var features = VkPhysicalDeviceFeatures()
        vkGetPhysicalDeviceFeatures(device, &features)
        return features.shaderStorageImageExtendedFormats == VK_TRUE && features.shaderInt64 == VK_TRUE
    }
}

/// Vulkan 1.1, the oldest version the lens runs on.
let vulkan11: UInt32 = 1 << 22 | 1 << 12

/// Messages of the validation layer.
final class ValidationMessages: Sendable {
    private let list = Mutex<[String]>([])
    /// Handler and context, as `cvulkan_create_messenger` wants them.
    nonisolated(unsafe) let pair: UnsafeMutablePointer<UnsafeMutableRawPointer?>

    init() {
        pair = .allocate(capacity: 2)
        let handler: @convention(c) (UnsafePointer<CChar>?, UnsafeMutableRawPointer?) -> Void = { message, context in
            guard let message, let context else { return }
            let messages = Unmanaged<ValidationMessages>.fromOpaque(context).takeUnretainedValue()
            let text = String(cString: message)
            messages.list.withLock { $0.append(text) }
        }
        pair[0] = unsafeBitCast(handler, to: UnsafeMutableRawPointer.self)
        pair[1] = Unmanaged.passUnretained(self).toOpaque()
    }

    deinit { pair.deallocate() }

    var all: [String] { list.withLock { $0 } }
}

/// C strings that live as long as this object.
final class CStrings {
    let pointers: UnsafeMutablePointer<UnsafePointer<CChar>?>
    let count: Int

    init(_ strings: [String]) {
        count = strings.count
        pointers = .allocate(capacity: max(count, 1))
        for (index, string) in strings.enumerated() {
            let bytes = Array(string.utf8CString)
            let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
            copy.initialize(from: bytes, count: bytes.count)
            pointers[index] = UnsafePointer(copy)
        }
    }

    deinit {
        for index in 0..<count { pointers[index]?.deallocate() }
        pointers.deallocate()
    }
}

/// Throws `BokehError.vulkan` unless `result` is success.
func check(_ result: VkResult, _ what: String) throws {
    guard result == VK_SUCCESS else { throw BokehError(.vulkan, "\(what) failed", underlying: result.rawValue) }
}

extension VulkanDevice {
    fileprivate init(index: Int, properties: VkPhysicalDeviceProperties) {
        self.index = index
        name = withUnsafeBytes(of: properties.deviceName) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        type =
            switch properties.deviceType {
            case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU: .discrete
            case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU: .integrated
            case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU: .virtual
            case VK_PHYSICAL_DEVICE_TYPE_CPU: .software
            default: .other
            }
        let version = properties.driverVersion
        let nvidia: UInt32 = 0x10DE
        driverVersion =
            properties.vendorID == nvidia
            ? "\(version >> 22).\(version >> 14 & 0xFF).\(version >> 6 & 0xFF)"
            : "\(version >> 22).\(version >> 12 & 0x3FF).\(version & 0xFFF)"
    }
}
