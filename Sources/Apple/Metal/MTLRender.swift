import Foundation

/// Compiled pair of vertex and fragment functions.
public protocol MTLRenderPipelineState: NSObjectProtocol, Sendable {
    /// Name for tools.
    var label: String? { get }
    /// Device of the functions.
    var device: any MTLDevice { get }
}

/// Compiled compute function.
public protocol MTLComputePipelineState: NSObjectProtocol, Sendable {
    /// Device of the function.
    var device: any MTLDevice { get }
    /// Largest number of threads in a group.
    var maxTotalThreadsPerThreadgroup: Int { get }
    /// Number of threads that run together.
    var threadExecutionWidth: Int { get }
}

/// Writer of commands into a command buffer.
public protocol MTLCommandEncoder: NSObjectProtocol {
    /// Name for tools.
    var label: String? { get set }
    /// Device of the commands.
    var device: any MTLDevice { get }
    /// Ends the encoder's commands.
    func endEncoding()
    /// Begins a group for tools.
    func pushDebugGroup(_ string: String)
    /// Ends a group for tools.
    func popDebugGroup()
}

/// Writer of drawing commands.
public protocol MTLRenderCommandEncoder: MTLCommandEncoder {
    /// Chooses the functions.
    func setRenderPipelineState(_ pipelineState: any MTLRenderPipelineState)
    /// Chooses the part of the target.
    func setViewport(_ viewport: MTLViewport)
    /// Gives the vertex function a buffer.
    func setVertexBuffer(_ buffer: (any MTLBuffer)?, offset: Int, index: Int)
    /// Gives the vertex function bytes.
    func setVertexBytes(_ bytes: UnsafeRawPointer, length: Int, index: Int)
    /// Gives the vertex function a texture.
    func setVertexTexture(_ texture: (any MTLTexture)?, index: Int)
    /// Gives the fragment function a buffer.
    func setFragmentBuffer(_ buffer: (any MTLBuffer)?, offset: Int, index: Int)
    /// Gives the fragment function bytes.
    func setFragmentBytes(_ bytes: UnsafeRawPointer, length: Int, index: Int)
    /// Gives the fragment function a texture.
    func setFragmentTexture(_ texture: (any MTLTexture)?, index: Int)
    /// Gives the fragment function a sampler.
    func setFragmentSamplerState(_ sampler: (any MTLSamplerState)?, index: Int)
    /// Draws primitives.
    func drawPrimitives(type primitiveType: MTLPrimitiveType, vertexStart: Int, vertexCount: Int)
    /// Draws instances of primitives.
    func drawPrimitives(type primitiveType: MTLPrimitiveType, vertexStart: Int, vertexCount: Int, instanceCount: Int)
}

/// Writer of compute commands.
public protocol MTLComputeCommandEncoder: MTLCommandEncoder {
    /// Chooses the function.
    func setComputePipelineState(_ state: any MTLComputePipelineState)
    /// Gives the function a buffer.
    func setBuffer(_ buffer: (any MTLBuffer)?, offset: Int, index: Int)
    /// Gives the function bytes.
    func setBytes(_ bytes: UnsafeRawPointer, length: Int, index: Int)
    /// Gives the function a texture.
    func setTexture(_ texture: (any MTLTexture)?, index: Int)
    /// Gives the function a sampler.
    func setSamplerState(_ sampler: (any MTLSamplerState)?, index: Int)
    /// Runs groups of threads.
    func dispatchThreadgroups(_ threadgroupsPerGrid: MTLSize, threadsPerThreadgroup: MTLSize)
    /// Runs threads, in groups that need not fill the last one.
    func dispatchThreads(_ threadsPerGrid: MTLSize, threadsPerThreadgroup: MTLSize)
}

/// Writer of copies.
public protocol MTLBlitCommandEncoder: MTLCommandEncoder {
    /// Copies a texture to another of the same size.
    func copy(from sourceTexture: any MTLTexture, to destinationTexture: any MTLTexture)
    /// Makes the smaller levels of a texture.
    func generateMipmaps(for texture: any MTLTexture)
    /// Brings a managed resource to the CPU.
    func synchronize(resource: any MTLResource)
}

/// Shape that vertices make.
public enum MTLPrimitiveType: UInt, Sendable { case point = 0, line, lineStrip, triangle, triangleStrip }

/// Treatment of a target at the start of a pass.
public enum MTLLoadAction: UInt, Sendable { case dontCare = 0, load, clear }

/// Treatment of a target at the end of a pass.
public enum MTLStoreAction: UInt, Sendable {
    case dontCare = 0, store, multisampleResolve, storeAndMultisampleResolve, unknown, customSampleDepthStore
}

/// Factor of a colour that is blended.
public enum MTLBlendFactor: UInt, Sendable {
    case zero = 0, one, sourceColor, oneMinusSourceColor, sourceAlpha, oneMinusSourceAlpha, destinationColor, oneMinusDestinationColor
    case destinationAlpha, oneMinusDestinationAlpha
}

/// Operation that blends two colours.
public enum MTLBlendOperation: UInt, Sendable { case add = 0, subtract, reverseSubtract, min, max }

/// Targets by their index, made when they are asked for.
open class MTLRenderPassColorAttachmentDescriptorArray: NSObject, @unchecked Sendable {
    private var attachments: [Int: MTLRenderPassColorAttachmentDescriptor] = [:]
    /// Target at an index; setting nil restores the default.
    open subscript(attachmentIndex: Int) -> MTLRenderPassColorAttachmentDescriptor! {
        get {
            let found = attachments[attachmentIndex] ?? MTLRenderPassColorAttachmentDescriptor()
            attachments[attachmentIndex] = found
            return found
        }
        set { attachments[attachmentIndex] = newValue }
    }
}

/// Target of colours.
open class MTLRenderPassColorAttachmentDescriptor: NSObject, @unchecked Sendable {
    /// Texture that is drawn to; default nil.
    open var texture: (any MTLTexture)?
    /// Treatment at the start; default `.dontCare`.
    open var loadAction = MTLLoadAction.dontCare
    /// Treatment at the end; default `.store`.
    open var storeAction = MTLStoreAction.store
    /// Colour that it is cleared to; default opaque black.
    open var clearColor = MTLClearColor(red: 0, green: 0, blue: 0, alpha: 1)
    /// Makes a target without a texture.
    public override init() {}
}

/// Targets of a pass.
open class MTLRenderPassDescriptor: NSObject, @unchecked Sendable {
    /// Targets of colours.
    public let colorAttachments = MTLRenderPassColorAttachmentDescriptorArray()
    /// Makes a pass without targets.
    public override init() {}
}

/// Blending of targets by their index, made when they are asked for.
open class MTLRenderPipelineColorAttachmentDescriptorArray: NSObject, @unchecked Sendable {
    private var attachments: [Int: MTLRenderPipelineColorAttachmentDescriptor] = [:]
    /// Blending at an index; setting nil restores the default.
    open subscript(attachmentIndex: Int) -> MTLRenderPipelineColorAttachmentDescriptor! {
        get {
            let found = attachments[attachmentIndex] ?? MTLRenderPipelineColorAttachmentDescriptor()
            attachments[attachmentIndex] = found
            return found
        }
        set { attachments[attachmentIndex] = newValue }
    }
}

/// Format and blending of a target.
open class MTLRenderPipelineColorAttachmentDescriptor: NSObject, @unchecked Sendable {
    /// Format of a pixel; default `.invalid`.
    open var pixelFormat = MTLPixelFormat.invalid
    /// Whether colours are blended; default false.
    open var isBlendingEnabled = false
    /// Operation of colours; default `.add`.
    open var rgbBlendOperation = MTLBlendOperation.add
    /// Operation of opacity; default `.add`.
    open var alphaBlendOperation = MTLBlendOperation.add
    /// Factor of the new colour; default `.one`.
    open var sourceRGBBlendFactor = MTLBlendFactor.one
    /// Factor of the new opacity; default `.one`.
    open var sourceAlphaBlendFactor = MTLBlendFactor.one
    /// Factor of the old colour; default `.zero`.
    open var destinationRGBBlendFactor = MTLBlendFactor.zero
    /// Factor of the old opacity; default `.zero`.
    open var destinationAlphaBlendFactor = MTLBlendFactor.zero
    /// Makes a target without a format.
    public override init() {}
}

/// Functions to be compiled for drawing.
open class MTLRenderPipelineDescriptor: NSObject, @unchecked Sendable {
    /// Name for tools.
    open var label: String?
    /// Function of a vertex.
    open var vertexFunction: (any MTLFunction)?
    /// Function of a pixel.
    open var fragmentFunction: (any MTLFunction)?
    /// Number of samples of a pixel; default 1.
    open var sampleCount = 1
    /// Number of samples of a pixel, by its newer name; default 1.
    open var rasterSampleCount = 1
    /// Formats and blending of the targets.
    public let colorAttachments = MTLRenderPipelineColorAttachmentDescriptorArray()
    /// Makes a description without functions.
    public override init() {}
}
