import Foundation

/// Device that orders work and has textures in the host's memory, but nothing to draw with.
final class HostDevice: NSObject, MTLDevice {
    static let shared = HostDevice()

    /// Refusal of what needs shaders in Metal's language.
    struct NoShaders: Error, CustomStringConvertible {
        var description: String { "Metal's shaders cannot be run here: this device only orders the work of command buffers" }
    }

    let name = "Host"
    let registryID: UInt64 = 0
    let hasUnifiedMemory = true
    let maxThreadsPerThreadgroup = MTLSize(width: 0, height: 0, depth: 0)
    let recommendedMaxWorkingSetSize: UInt64 = 0

    func makeCommandQueue() -> (any MTLCommandQueue)? { HostCommandQueue(device: self) }
    func makeCommandQueue(maxCommandBufferCount: Int) -> (any MTLCommandQueue)? { makeCommandQueue() }
    func makeBuffer(length: Int, options: MTLResourceOptions) -> (any MTLBuffer)? { nil }
    func makeBuffer(bytes pointer: UnsafeRawPointer, length: Int, options: MTLResourceOptions) -> (any MTLBuffer)? { nil }
    func makeTexture(descriptor: MTLTextureDescriptor) -> (any MTLTexture)? { HostTexture(descriptor) }
    func makeSamplerState(descriptor: MTLSamplerDescriptor) -> (any MTLSamplerState)? { nil }
    func makeDefaultLibrary() -> (any MTLLibrary)? { nil }
    func makeDefaultLibrary(bundle: Bundle) throws -> any MTLLibrary { throw NoShaders() }
    func makeLibrary(source: String, options: MTLCompileOptions?) throws -> any MTLLibrary { throw NoShaders() }
    func makeLibrary(URL url: URL) throws -> any MTLLibrary { throw NoShaders() }
    func makeComputePipelineState(function: any MTLFunction) throws -> any MTLComputePipelineState { throw NoShaders() }
    func makeRenderPipelineState(descriptor: MTLRenderPipelineDescriptor) throws -> any MTLRenderPipelineState { throw NoShaders() }
    func supportsFamily(_ gpuFamily: MTLGPUFamily) -> Bool { false }
    func supportsTextureSampleCount(_ sampleCount: Int) -> Bool { false }
}
