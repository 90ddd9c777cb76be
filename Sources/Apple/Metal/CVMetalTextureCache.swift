import CoreVideo
import Foundation

/// Maker of textures over pixel buffers, for one device. It keeps none: a texture costs no copy here.
public final class CVMetalTextureCache: Sendable {
    fileprivate init() {}
}

/// Texture over a plane of a pixel buffer, which it keeps.
public final class CVMetalTexture: Sendable {
    fileprivate let texture: any MTLTexture
    fileprivate init(_ texture: any MTLTexture) { self.texture = texture }
}

/// Attribute of a cache: seconds after which unused textures are freed.
public nonisolated(unsafe) let kCVMetalTextureCacheMaximumTextureAgeKey: CFString = "MaximumTextureAge"
/// Attribute of a texture: its `MTLTextureUsage`.
public nonisolated(unsafe) let kCVMetalTextureUsage: CFString = "CVMetalTextureUsage"
/// Attribute of a texture: its `MTLStorageMode`.
public nonisolated(unsafe) let kCVMetalTextureStorageMode: CFString = "CVMetalTextureStorageMode"

/// Makes a cache for a device; attributes are without effect.
@discardableResult
public func CVMetalTextureCacheCreate(
    _ allocator: CFAllocator?, _ cacheAttributes: CFDictionary?, _ metalDevice: any MTLDevice, _ textureAttributes: CFDictionary?,
    _ cacheOut: UnsafeMutablePointer<CVMetalTextureCache?>
) -> CVReturn {
    cacheOut.pointee = CVMetalTextureCache()
    return kCVReturnSuccess
}

/// Makes a texture of the memory of a plane, which both then share.
///
/// `kCVReturnInvalidArgument` for a plane that there is not, and for a size beyond it, `kCVReturnInvalidPixelFormat` for a format of another number of bytes
/// a pixel; then `textureOut` is nil.
@discardableResult
public func CVMetalTextureCacheCreateTextureFromImage(
    _ allocator: CFAllocator?, _ textureCache: CVMetalTextureCache, _ sourceImage: CVImageBuffer, _ textureAttributes: CFDictionary?,
    _ pixelFormat: MTLPixelFormat, _ width: Int, _ height: Int, _ planeIndex: Int, _ textureOut: UnsafeMutablePointer<CVMetalTexture?>
) -> CVReturn {
    textureOut.pointee = nil
    guard sourceImage.planes.indices.contains(planeIndex), width > 0, height > 0 else { return kCVReturnInvalidArgument }
    let plane = sourceImage.planes[planeIndex]
    guard width <= plane.width, height <= plane.height else { return kCVReturnInvalidArgument }
    guard pixelFormat.bytesPerPixel == PlaneLayout.planes(of: sourceImage.pixelFormat)?[planeIndex].bytesPerPixel,
        let texture = HostTexture(
            plane.base, width: width, height: height, bytesPerRow: plane.bytesPerRow, pixelFormat, of: sourceImage, usage: .unknown)
    else { return kCVReturnInvalidPixelFormat }
    textureOut.pointee = CVMetalTexture(texture)
    return kCVReturnSuccess
}

/// Returns the texture for drawing and rendering.
public func CVMetalTextureGetTexture(_ image: CVMetalTexture) -> (any MTLTexture)? { image.texture }
/// Whether the texture's first row is the lowest one of the picture: never.
public func CVMetalTextureIsFlipped(_ image: CVMetalTexture) -> Bool { false }
/// Frees unused textures, of which a cache keeps none.
public func CVMetalTextureCacheFlush(_ textureCache: CVMetalTextureCache, _ options: CVOptionFlags) {}
