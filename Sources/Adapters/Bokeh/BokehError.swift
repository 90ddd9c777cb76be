/// Failure of the lens, with Vulkan's code where there is one.
public struct BokehError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Kind of failure of the lens.
    public enum Code: Sendable, Equatable {
        /// No Vulkan driver or loader that works.
        case noDevice
        /// The choice names no device there is.
        case unknownDevice
        /// A compiled shader is not where it belongs.
        case missingShader
        /// The picture's format, size or its disparity map cannot be rendered.
        case unsupportedPicture
        /// Vulkan refused a call; `underlying` is its VkResult.
        case vulkan
        /// A user's shader does not compile, or does not fit a filter.
        case invalidShader
        /// A user's filter crashed, did not end in time, or the process it runs in cannot start.
        case filterFailed
        /// The GLSL compiler that a user's shader needs is not installed.
        case missingCompiler
        /// The Vulkan validation layer is not installed.
        case noValidation
    }

    /// Kind of failure.
    public let code: Code
    /// VkResult of the call that failed; nil when none was made.
    public let underlying: Int32?
    /// Sentence for people: the step that failed, and what to do.
    public let description: String

    init(_ code: Code, _ description: String, underlying: Int32? = nil) {
        self.code = code
        self.underlying = underlying
        self.description = underlying.map { "\(description) (\(Self.name(of: $0)))" } ?? description
    }

    private static func name(of result: Int32) -> String {
        switch result {
        case -1: "VK_ERROR_OUT_OF_HOST_MEMORY"
        case -2: "VK_ERROR_OUT_OF_DEVICE_MEMORY"
        case -3: "VK_ERROR_INITIALIZATION_FAILED"
        case -4: "VK_ERROR_DEVICE_LOST"
        case -6: "VK_ERROR_LAYER_NOT_PRESENT"
        case -7: "VK_ERROR_EXTENSION_NOT_PRESENT"
        case -8: "VK_ERROR_FEATURE_NOT_PRESENT"
        case -9: "VK_ERROR_INCOMPATIBLE_DRIVER"
        default: "VkResult \(result)"
        }
    }
}
