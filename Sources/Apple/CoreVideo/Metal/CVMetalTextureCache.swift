import Foundation
import Metal

/// Textures over pixel buffers; none can be made, as the Metal device here has no textures.
public final class CVMetalTextureCache: Sendable {
    private init() {}
}

/// Texture over a pixel buffer; none can be made here.
public final class CVMetalTexture: Sendable {
    private init() {}
}

/// Attribute of a cache: seconds after which unused textures are freed.
public let kCVMetalTextureCacheMaximumTextureAgeKey: CFString = "MaximumTextureAge"
/// Attribute of a texture: its `MTLTextureUsage`.
public let kCVMetalTextureUsage: CFString = "CVMetalTextureUsage"
/// Attribute of a texture: its `MTLStorageMode`.
public let kCVMetalTextureStorageMode: CFString = "CVMetalTextureStorageMode"

/// Returns `kCVReturnUnsupported` and leaves `cacheOut` nil.
@discardableResult
public func CVMetalTextureCacheCreate(
    _ allocator: CFAllocator?, _ cacheAttributes: CFDictionary?, _ metalDevice: any MTLDevice, _ textureAttributes: CFDictionary?,
    _ cacheOut: UnsafeMutablePointer<CVMetalTextureCache?>
) -> CVReturn {
    cacheOut.pointee = nil
    return kCVReturnUnsupported
}

/// Returns `kCVReturnUnsupported` and leaves `textureOut` nil.
@discardableResult
public func CVMetalTextureCacheCreateTextureFromImage(
    _ allocator: CFAllocator?, _ textureCache: CVMetalTextureCache, _ sourceImage: CVImageBuffer, _ textureAttributes: CFDictionary?,
    _ pixelFormat: MTLPixelFormat, _ width: Int, _ height: Int, _ planeIndex: Int, _ textureOut: UnsafeMutablePointer<CVMetalTexture?>
) -> CVReturn {
    textureOut.pointee = nil
    return kCVReturnUnsupported
}

/// Returns the texture of a device: nil here.
public func CVMetalTextureGetTexture(_ image: CVMetalTexture) -> (any MTLTexture)? { nil }
/// Whether the texture's first row is the lowest one of the picture: false here.
public func CVMetalTextureIsFlipped(_ image: CVMetalTexture) -> Bool { false }
/// Frees unused textures, of which there are none.
public func CVMetalTextureCacheFlush(_ textureCache: CVMetalTextureCache, _ options: CVOptionFlags) {}
