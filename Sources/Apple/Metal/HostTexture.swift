import Foundation
import Synchronization

/// 2D texture in the memory of the host, one level and one sample a pixel; what `Cinematic` renders into and pixel buffers are shown as.
package final class HostTexture: NSObject, MTLTexture, @unchecked Sendable {
    private let base: UnsafeMutableRawPointer
    private let bytesPerRow: Int
    /// Owner of the bytes; they live as long as it does.
    private let owner: AnyObject
    private let name = Mutex<String?>(nil)
    package let pixelFormat: MTLPixelFormat
    package let (width, height): (Int, Int)
    package let (usage, storageMode): (MTLTextureUsage, MTLStorageMode)
    package let parent: (any MTLTexture)?

    package let textureType = MTLTextureType.type2D
    package let (depth, mipmapLevelCount, sampleCount, arrayLength) = (1, 1, 1, 1)

    /// Bytes that a texture made by a descriptor owns.
    private final class Memory {
        let base: UnsafeMutableRawPointer
        init(byteCount: Int) {
            base = .allocate(byteCount: byteCount, alignment: 64)
            base.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
        }
        deinit { base.deallocate() }
    }

    /// Texture of memory of its own, all zero; nil unless it is 2D, of one level and sample, of at most 16,384 pixels a side, and of a format with whole bytes.
    init?(_ descriptor: MTLTextureDescriptor) {
        let sides = 1...16_384
        guard descriptor.textureType == .type2D, descriptor.depth == 1, descriptor.mipmapLevelCount == 1, descriptor.sampleCount == 1,
            descriptor.arrayLength == 1, sides.contains(descriptor.width), sides.contains(descriptor.height),
            let bytes = descriptor.pixelFormat.bytesPerPixel
        else { return nil }
        let memory = Memory(byteCount: bytes * descriptor.width * descriptor.height)
        (base, bytesPerRow, owner) = (memory.base, bytes * descriptor.width, memory)
        (pixelFormat, width, height) = (descriptor.pixelFormat, descriptor.width, descriptor.height)
        (usage, storageMode, parent) = (descriptor.usage, descriptor.storageMode, nil)
    }

    /// Texture of bytes that `owner` keeps; nil for a format without whole bytes, and for rows that are too short for it.
    package init?(
        _ base: UnsafeMutableRawPointer, width: Int, height: Int, bytesPerRow: Int, _ pixelFormat: MTLPixelFormat, of owner: AnyObject,
        usage: MTLTextureUsage = .shaderRead, parent: (any MTLTexture)? = nil
    ) {
        guard let bytes = pixelFormat.bytesPerPixel, bytes * width <= bytesPerRow else { return nil }
        (self.base, self.bytesPerRow, self.owner) = (base, bytesPerRow, owner)
        (self.pixelFormat, self.width, self.height, self.usage, self.parent) = (pixelFormat, width, height, usage, parent)
        storageMode = .shared
    }

    package var label: String? {
        get { name.withLock { $0 } }
        set { name.withLock { $0 = newValue } }
    }
    package var device: any MTLDevice { HostDevice.shared }
    package var allocatedSize: Int { bytesPerRow * height }

    /// Copies a region to the CPU; traps for one that is not within the texture.
    package func getBytes(_ pixelBytes: UnsafeMutableRawPointer, bytesPerRow: Int, from region: MTLRegion, mipmapLevel level: Int) {
        rows(of: region, level) { row, bytes, y in (pixelBytes + y * bytesPerRow).copyMemory(from: row, byteCount: bytes) }
    }

    /// Copies a region from the CPU; traps for one that is not within the texture.
    package func replace(region: MTLRegion, mipmapLevel level: Int, withBytes pixelBytes: UnsafeRawPointer, bytesPerRow: Int) {
        rows(of: region, level) { row, bytes, y in row.copyMemory(from: pixelBytes + y * bytesPerRow, byteCount: bytes) }
    }

    /// The same memory in another format of as many bytes a pixel; nil for any other.
    package func makeTextureView(pixelFormat: MTLPixelFormat) -> (any MTLTexture)? {
        guard pixelFormat.bytesPerPixel == self.pixelFormat.bytesPerPixel else { return nil }
        return HostTexture(base, width: width, height: height, bytesPerRow: bytesPerRow, pixelFormat, of: self, usage: usage, parent: self)
    }

    /// Calls `body` with the first byte of each row of a region, its length in bytes, and its number within the region.
    private func rows(of region: MTLRegion, _ level: Int, _ body: (UnsafeMutableRawPointer, Int, Int) -> Void) {
        let (origin, size, bytes) = (region.origin, region.size, pixelFormat.bytesPerPixel ?? 0)
        precondition(
            level == 0 && origin.x >= 0 && origin.y >= 0 && origin.z == 0 && size.width >= 0 && size.height >= 0 && size.depth == 1
                && origin.x + size.width <= width && origin.y + size.height <= height,
            "the region \(region) of level \(level) is not within a texture of \(width) by \(height) pixels and one level")
        for y in 0..<size.height { body(base + (origin.y + y) * bytesPerRow + origin.x * bytes, size.width * bytes, y) }
    }
}

extension MTLPixelFormat {
    /// Bytes of a pixel of a colour format; nil for others.
    package var bytesPerPixel: Int? {
        switch self {
        case .a8Unorm, .r8Unorm, .r8Unorm_srgb, .r8Uint: 1
        case .r16Unorm, .r16Uint, .r16Float, .rg8Unorm, .rg8Unorm_srgb: 2
        case .r32Uint, .r32Float, .rg16Unorm, .rg16Float, .rgba8Unorm, .rgba8Unorm_srgb, .bgra8Unorm, .bgra8Unorm_srgb, .rgb10a2Unorm, .bgr10a2Unorm,
            .bgr10_xr:
            4
        case .rg32Float, .rgba16Unorm, .rgba16Float, .bgra10_xr: 8
        case .rgba32Float: 16
        case .invalid, .depth32Float, .stencil8: nil
        }
    }
}
