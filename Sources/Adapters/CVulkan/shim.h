#include <vulkan/vulkan.h>

typedef void (*CVulkanMessageHandler)(const char *message, void *context);

// The messenger's entry points are extension functions: looked up here, so that Swift needs no function-pointer casts.
static VkBool32 cvulkan_forward(
    VkDebugUtilsMessageSeverityFlagBitsEXT severity, VkDebugUtilsMessageTypeFlagsEXT types, const VkDebugUtilsMessengerCallbackDataEXT *data,
    void *context) {
    (void)severity;
    (void)types;
    void **pair = (void **)context;
    ((CVulkanMessageHandler)pair[0])(data->pMessage ? data->pMessage : "", pair[1]);
    return VK_FALSE;
}

/// Calls `pair[0](message, pair[1])` for every warning and error; `pair` must outlive the messenger.
static inline VkResult cvulkan_create_messenger(VkInstance instance, void **pair, VkDebugUtilsMessengerEXT *messenger) {
    PFN_vkCreateDebugUtilsMessengerEXT create = (PFN_vkCreateDebugUtilsMessengerEXT)vkGetInstanceProcAddr(instance, "vkCreateDebugUtilsMessengerEXT");
    if (!create)
        return VK_ERROR_EXTENSION_NOT_PRESENT;
    VkDebugUtilsMessengerCreateInfoEXT info = {VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT};
    info.messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
    info.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT |
        VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT;
    info.pfnUserCallback = cvulkan_forward;
    info.pUserData = pair;
    return create(instance, &info, 0, messenger);
}

static inline void cvulkan_destroy_messenger(VkInstance instance, VkDebugUtilsMessengerEXT messenger) {
    PFN_vkDestroyDebugUtilsMessengerEXT destroy =
        (PFN_vkDestroyDebugUtilsMessengerEXT)vkGetInstanceProcAddr(instance, "vkDestroyDebugUtilsMessengerEXT");
    if (destroy)
        destroy(instance, messenger, 0);
}

// An extension function too. Which kinds of memory can stand for what lies at `pointer`; 0 when it cannot be imported.
static inline uint32_t cvulkan_host_memory_types(VkDevice device, const void *pointer) {
    PFN_vkGetMemoryHostPointerPropertiesEXT ask =
        (PFN_vkGetMemoryHostPointerPropertiesEXT)vkGetDeviceProcAddr(device, "vkGetMemoryHostPointerPropertiesEXT");
    VkMemoryHostPointerPropertiesEXT properties = {VK_STRUCTURE_TYPE_MEMORY_HOST_POINTER_PROPERTIES_EXT};
    if (!ask || ask(device, VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT, pointer, &properties) != VK_SUCCESS)
        return 0;
    return properties.memoryTypeBits;
}
