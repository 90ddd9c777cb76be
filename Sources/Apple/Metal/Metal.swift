@_exported import Foundation

// Metal's protocols, descriptors and constants, so that files which draw with it compile, and a device that orders the work of the modules which take
// a command buffer (`Cinematic`), with plain textures to read from and write to. It has no shaders and buffers: what makes one returns nil or throws, and
// an app under test takes the path that it has for that. Coverage.md lists what there is.
//
//     let queue = MTLCreateSystemDefaultDevice()!.makeCommandQueue()!
//     let buffer = queue.makeCommandBuffer()!
//     session.encodeRender(to: buffer, …)
//     buffer.commit()
//     buffer.waitUntilCompleted()

/// Returns the device of this system, which orders work and has textures; never nil.
public func MTLCreateSystemDefaultDevice() -> (any MTLDevice)? { HostDevice.shared }

/// Returns the one device.
public func MTLCopyAllDevices() -> [any MTLDevice] { [HostDevice.shared] }

/// Piece of hardware that draws and computes; the one here does neither.
public protocol MTLDevice: NSObjectProtocol, Sendable {
    /// Name for people.
    var name: String { get }
    /// Identifier of the device, unique on the machine.
    var registryID: UInt64 { get }
    /// Whether the CPU and the device share their memory.
    var hasUnifiedMemory: Bool { get }
    /// Largest number of threads in a group, in each direction.
    var maxThreadsPerThreadgroup: MTLSize { get }
    /// Bytes of memory that can be used without loss of speed.
    var recommendedMaxWorkingSetSize: UInt64 { get }
    /// Makes a queue of command buffers.
    func makeCommandQueue() -> (any MTLCommandQueue)?
    /// Makes a queue of at most so many command buffers.
    func makeCommandQueue(maxCommandBufferCount: Int) -> (any MTLCommandQueue)?
    /// Makes a buffer of `length` bytes.
    func makeBuffer(length: Int, options: MTLResourceOptions) -> (any MTLBuffer)?
    /// Makes a buffer with a copy of bytes.
    func makeBuffer(bytes pointer: UnsafeRawPointer, length: Int, options: MTLResourceOptions) -> (any MTLBuffer)?
    /// Makes a texture; nil for what a device does not have, here all but plain 2D textures.
    func makeTexture(descriptor: MTLTextureDescriptor) -> (any MTLTexture)?
    /// Makes a sampler.
    func makeSamplerState(descriptor: MTLSamplerDescriptor) -> (any MTLSamplerState)?
    /// Returns the library of the app's bundle; nil without one.
    func makeDefaultLibrary() -> (any MTLLibrary)?
    /// Returns the library of a bundle.
    func makeDefaultLibrary(bundle: Bundle) throws -> any MTLLibrary
    /// Compiles a library from source text.
    func makeLibrary(source: String, options: MTLCompileOptions?) throws -> any MTLLibrary
    /// Reads a library from a file.
    func makeLibrary(URL url: URL) throws -> any MTLLibrary
    /// Compiles a compute function.
    func makeComputePipelineState(function: any MTLFunction) throws -> any MTLComputePipelineState
    /// Compiles a pair of vertex and fragment functions.
    func makeRenderPipelineState(descriptor: MTLRenderPipelineDescriptor) throws -> any MTLRenderPipelineState
    /// Whether the device has the features of a family.
    func supportsFamily(_ gpuFamily: MTLGPUFamily) -> Bool
    /// Whether a texture can have so many samples.
    func supportsTextureSampleCount(_ sampleCount: Int) -> Bool
}

extension MTLDevice {
    /// Makes a buffer of `length` bytes with the default options.
    public func makeBuffer(length: Int) -> (any MTLBuffer)? { makeBuffer(length: length, options: []) }
    /// Makes a buffer with a copy of bytes and the default options.
    public func makeBuffer(bytes pointer: UnsafeRawPointer, length: Int) -> (any MTLBuffer)? {
        makeBuffer(bytes: pointer, length: length, options: [])
    }
}

/// Generation of devices by their features.
public enum MTLGPUFamily: Int, Sendable {
    case apple1 = 1001, apple2, apple3, apple4, apple5, apple6, apple7, apple8, apple9
    case mac2 = 2002
    case common1 = 3001, common2, common3
    case metal3 = 5001
}

/// Queue of command buffers, in the order in which they are committed.
public protocol MTLCommandQueue: NSObjectProtocol, Sendable {
    /// Name for tools.
    var label: String? { get set }
    /// Device of the queue.
    var device: any MTLDevice { get }
    /// Makes a command buffer, which holds what it refers to.
    func makeCommandBuffer() -> (any MTLCommandBuffer)?
    /// Makes a command buffer, which holds nothing.
    func makeCommandBufferWithUnretainedReferences() -> (any MTLCommandBuffer)?
}

/// State of a command buffer.
public enum MTLCommandBufferStatus: UInt, Sendable {
    case notEnqueued = 0, enqueued, committed, scheduled, completed, error
}

/// Handler of a command buffer's progress.
public typealias MTLCommandBufferHandler = @Sendable (any MTLCommandBuffer) -> Void

/// List of commands for a device.
public protocol MTLCommandBuffer: NSObjectProtocol {
    /// Name for tools.
    var label: String? { get set }
    /// Device of the buffer.
    var device: any MTLDevice { get }
    /// Queue that made it.
    var commandQueue: any MTLCommandQueue { get }
    /// State of the work.
    var status: MTLCommandBufferStatus { get }
    /// Failure of the work; nil for none.
    var error: (any Error)? { get }
    /// Time at which the device began, seconds.
    var gpuStartTime: Double { get }
    /// Time at which the device ended, seconds.
    var gpuEndTime: Double { get }
    /// Takes a place in the queue.
    func enqueue()
    /// Hands the commands to the device.
    func commit()
    /// Waits until the device has the commands.
    func waitUntilScheduled()
    /// Waits until the device is done.
    func waitUntilCompleted()
    /// Calls a handler when the device has the commands.
    func addScheduledHandler(_ block: @escaping MTLCommandBufferHandler)
    /// Calls a handler when the device is done.
    func addCompletedHandler(_ block: @escaping MTLCommandBufferHandler)
    /// Shows a drawable as soon as it is drawn.
    func present(_ drawable: any MTLDrawable)
    /// Makes an encoder of drawing commands.
    func makeRenderCommandEncoder(descriptor renderPassDescriptor: MTLRenderPassDescriptor) -> (any MTLRenderCommandEncoder)?
    /// Makes an encoder of compute commands.
    func makeComputeCommandEncoder() -> (any MTLComputeCommandEncoder)?
    /// Makes an encoder of copies.
    func makeBlitCommandEncoder() -> (any MTLBlitCommandEncoder)?
}

/// Picture that can be shown.
public protocol MTLDrawable: NSObjectProtocol {
    /// Shows it as soon as possible.
    func present()
    /// Number of the drawable.
    var drawableID: Int { get }
}

/// Set of compiled functions.
public protocol MTLLibrary: NSObjectProtocol, Sendable {
    /// Name for tools.
    var label: String? { get set }
    /// Device of the library.
    var device: any MTLDevice { get }
    /// Names of the functions.
    var functionNames: [String] { get }
    /// Returns a function by its name; nil where there is none.
    func makeFunction(name functionName: String) -> (any MTLFunction)?
}

/// Function of a library.
public protocol MTLFunction: NSObjectProtocol, Sendable {
    /// Name for tools.
    var label: String? { get set }
    /// Device of the function.
    var device: any MTLDevice { get }
    /// Name in the source.
    var name: String { get }
}

/// Options of a compiler.
open class MTLCompileOptions: NSObject, @unchecked Sendable {
    /// Whether arithmetic may be imprecise; default true.
    open var fastMathEnabled = true
    /// Macros and their values; default nil.
    open var preprocessorMacros: [String: NSObject]?
    /// Makes the default options.
    public override init() {}
}
