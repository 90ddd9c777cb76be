import Foundation

/// Memory of a device.
public protocol MTLResource: NSObjectProtocol, Sendable {
    /// Name for tools.
    var label: String? { get set }
    /// Device of the memory.
    var device: any MTLDevice { get }
    /// Reach of the memory.
    var storageMode: MTLStorageMode { get }
    /// Bytes that it takes.
    var allocatedSize: Int { get }
}

/// Bytes of a device.
public protocol MTLBuffer: MTLResource {
    /// Length in bytes.
    var length: Int { get }
    /// Returns the first byte, for memory that the CPU can reach.
    func contents() -> UnsafeMutableRawPointer
    /// Tells that the CPU has written to a range.
    func didModifyRange(_ range: Range<Int>)
}

/// Picture of a device.
public protocol MTLTexture: MTLResource {
    /// Kind of the texture.
    var textureType: MTLTextureType { get }
    /// Format of a pixel.
    var pixelFormat: MTLPixelFormat { get }
    /// Width in pixels.
    var width: Int { get }
    /// Height in pixels.
    var height: Int { get }
    /// Depth in pixels.
    var depth: Int { get }
    /// Number of mipmap levels.
    var mipmapLevelCount: Int { get }
    /// Number of samples of a pixel.
    var sampleCount: Int { get }
    /// Number of elements of an array.
    var arrayLength: Int { get }
    /// Uses of the texture.
    var usage: MTLTextureUsage { get }
    /// Texture whose memory it shows in another format; nil for none.
    var parent: (any MTLTexture)? { get }
    /// Copies pixels to the CPU.
    func getBytes(_ pixelBytes: UnsafeMutableRawPointer, bytesPerRow: Int, from region: MTLRegion, mipmapLevel level: Int)
    /// Copies pixels from the CPU.
    func replace(region: MTLRegion, mipmapLevel level: Int, withBytes pixelBytes: UnsafeRawPointer, bytesPerRow: Int)
    /// Makes a texture of the same memory in another format.
    func makeTextureView(pixelFormat: MTLPixelFormat) -> (any MTLTexture)?
}

/// Sampling of textures.
public protocol MTLSamplerState: NSObjectProtocol, Sendable {
    /// Device of the sampler.
    var device: any MTLDevice { get }
}

/// Kind of a texture.
public enum MTLTextureType: UInt, Sendable {
    case type1D = 0, type1DArray, type2D, type2DArray, type2DMultisample, typeCube, typeCubeArray, type3D
}

/// Reach of a piece of memory.
public enum MTLStorageMode: UInt, Sendable {
    case shared = 0, managed, `private`, memoryless
}

/// Treatment of the CPU's accesses by its cache.
public enum MTLCPUCacheMode: UInt, Sendable {
    case defaultCache = 0, writeCombined
}

/// Options of a piece of memory, cache mode and storage mode among them.
public struct MTLResourceOptions: OptionSet, Sendable {
    /// Bits of the options.
    public let rawValue: UInt
    /// Makes options of their bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// Writes of the CPU are combined, and it should not read.
    public static let cpuCacheModeWriteCombined = Self(rawValue: 1)
    /// CPU and device share the memory.
    public static let storageModeShared: Self = []
    /// CPU and device have a copy each.
    public static let storageModeManaged = Self(rawValue: 1 << 4)
    /// The device alone reaches it.
    public static let storageModePrivate = Self(rawValue: 2 << 4)
    /// It lives in the tile memory of a pass.
    public static let storageModeMemoryless = Self(rawValue: 3 << 4)
    /// The app orders the accesses itself.
    public static let hazardTrackingModeUntracked = Self(rawValue: 1 << 8)
}

/// Uses of a texture.
public struct MTLTextureUsage: OptionSet, Sendable {
    /// Bits of the uses.
    public let rawValue: UInt
    /// Makes uses of their bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// Not known: all are possible.
    public static let unknown: Self = []
    /// Shaders read it.
    public static let shaderRead = Self(rawValue: 1)
    /// Shaders write it.
    public static let shaderWrite = Self(rawValue: 2)
    /// It is drawn to.
    public static let renderTarget = Self(rawValue: 4)
    /// It is shown in another pixel format.
    public static let pixelFormatView = Self(rawValue: 16)
}

/// Properties of a texture to be made.
open class MTLTextureDescriptor: NSObject, @unchecked Sendable {
    /// Kind; default 2D.
    open var textureType = MTLTextureType.type2D
    /// Format of a pixel; default `.rgba8Unorm`.
    open var pixelFormat = MTLPixelFormat.rgba8Unorm
    /// Width in pixels; default 1.
    open var width = 1
    /// Height in pixels; default 1.
    open var height = 1
    /// Depth in pixels; default 1.
    open var depth = 1
    /// Number of mipmap levels; default 1.
    open var mipmapLevelCount = 1
    /// Number of samples of a pixel; default 1.
    open var sampleCount = 1
    /// Number of elements of an array; default 1.
    open var arrayLength = 1
    /// Reach of the memory; default `.shared`.
    open var storageMode = MTLStorageMode.shared
    /// Treatment by the CPU's cache; default `.defaultCache`.
    open var cpuCacheMode = MTLCPUCacheMode.defaultCache
    /// Uses; default `.shaderRead`.
    open var usage = MTLTextureUsage.shaderRead
    /// Options of the memory; default shared.
    open var resourceOptions = MTLResourceOptions.storageModeShared

    /// Makes the default properties.
    public override init() {}

    /// Makes the properties of a 2D texture, with all mipmap levels down to a pixel or one.
    public class func texture2DDescriptor(pixelFormat: MTLPixelFormat, width: Int, height: Int, mipmapped: Bool) -> MTLTextureDescriptor {
        let descriptor = MTLTextureDescriptor()
        (descriptor.pixelFormat, descriptor.width, descriptor.height) = (pixelFormat, width, height)
        let longest = max(width, height, 1)
        descriptor.mipmapLevelCount = mipmapped ? Int.bitWidth - longest.leadingZeroBitCount : 1
        return descriptor
    }
}

/// Properties of a sampler to be made.
open class MTLSamplerDescriptor: NSObject, @unchecked Sendable {
    /// Filter of smaller pictures; default `.nearest`.
    open var minFilter = MTLSamplerMinMagFilter.nearest
    /// Filter of larger pictures; default `.nearest`.
    open var magFilter = MTLSamplerMinMagFilter.nearest
    /// Colour beyond the left and right edges; default `.clampToEdge`.
    open var sAddressMode = MTLSamplerAddressMode.clampToEdge
    /// Colour beyond the top and bottom edges; default `.clampToEdge`.
    open var tAddressMode = MTLSamplerAddressMode.clampToEdge
    /// Makes the default properties.
    public override init() {}
}

/// Choice of pixels between which a sampler takes its value.
public enum MTLSamplerMinMagFilter: UInt, Sendable { case nearest = 0, linear }

/// Value of a sampler beyond the picture.
public enum MTLSamplerAddressMode: UInt, Sendable {
    case clampToEdge = 0, mirrorClampToEdge, `repeat`, mirrorRepeat, clampToZero, clampToBorderColor
}
