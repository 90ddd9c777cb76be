import Foundation

/// Attribute key of IOSurface backing; accepted and ignored.
public nonisolated(unsafe) let kCVPixelBufferIOSurfacePropertiesKey: CFString = "IOSurfaceProperties"
/// Attribute key of Metal compatibility; accepted and ignored.
public nonisolated(unsafe) let kCVPixelBufferMetalCompatibilityKey: CFString = "MetalCompatibility"
/// Attribute key of Core Graphics image compatibility; accepted and ignored.
public nonisolated(unsafe) let kCVPixelBufferCGImageCompatibilityKey: CFString = "CGImageCompatibility"
/// Attribute key of Core Graphics bitmap compatibility; accepted and ignored.
public nonisolated(unsafe) let kCVPixelBufferCGBitmapContextCompatibilityKey: CFString = "CGBitmapContextCompatibility"
/// Attribute key of compatibility with OpenGL ES; accepted and ignored.
public nonisolated(unsafe) let kCVPixelBufferOpenGLESCompatibilityKey: CFString = "OpenGLESCompatibility"
/// Attribute key of the stride alignment in bytes; ignored, rows are padded to 64.
public nonisolated(unsafe) let kCVPixelBufferBytesPerRowAlignmentKey: CFString = "BytesPerRowAlignment"
/// Pool key of the number of buffers kept; accepted and ignored.
public nonisolated(unsafe) let kCVPixelBufferPoolMinimumBufferCountKey: CFString = "MinimumBufferCount"
/// Pool key of the seconds an idle buffer is kept; accepted and ignored.
public nonisolated(unsafe) let kCVPixelBufferPoolMaximumBufferAgeKey: CFString = "MaximumBufferAge"
/// Key of the most buffers out of the pool at one time, for a single call.
public nonisolated(unsafe) let kCVPixelBufferPoolAllocationThresholdKey: CFString = "BufferPoolAllocationThreshold"

/// Options of `CVPixelBufferPoolFlush`.
public struct CVPixelBufferPoolFlushFlags: OptionSet, Sendable {
    /// Bit mask of the options.
    public let rawValue: UInt64
    /// Makes the options from a bit mask.
    public init(rawValue: UInt64) { self.rawValue = rawValue }
    /// Only buffers that nobody holds, which are the only ones ever flushed.
    public static let excessBuffers = CVPixelBufferPoolFlushFlags(rawValue: 1)
}

/// Makes a buffer with undefined contents. The allocator and all attributes are ignored.
@discardableResult
public func CVPixelBufferCreate(
    _ allocator: CFAllocator?, _ width: Int, _ height: Int, _ pixelFormatType: OSType, _ pixelBufferAttributes: CFDictionary?,
    _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
    guard PlaneLayout.planes(of: pixelFormatType) != nil else { return kCVReturnInvalidPixelFormat }
    guard width > 0, height > 0 else { return kCVReturnInvalidSize }
    pixelBufferOut.pointee = CVBuffer.make(width: width, height: height, pixelFormat: pixelFormatType)
    return kCVReturnSuccess
}

/// Makes a pool of the width, height and format in `pixelBufferAttributes`; other entries of both dictionaries are ignored.
@discardableResult
public func CVPixelBufferPoolCreate(
    _ allocator: CFAllocator?, _ poolAttributes: CFDictionary?, _ pixelBufferAttributes: CFDictionary?,
    _ poolOut: UnsafeMutablePointer<CVPixelBufferPool?>
) -> CVReturn {
    guard let width = NumberSetting.integer(pixelBufferAttributes?[kCVPixelBufferWidthKey]),
        let height = NumberSetting.integer(pixelBufferAttributes?[kCVPixelBufferHeightKey]),
        width > 0, height > 0
    else { return kCVReturnInvalidSize }
    guard let format = NumberSetting.pixelFormat(pixelBufferAttributes?[kCVPixelBufferPixelFormatTypeKey]),
        PlaneLayout.planes(of: format) != nil
    else { return kCVReturnInvalidPixelFormat }
    poolOut.pointee = CVPixelBufferPool(width: width, height: height, pixelFormat: format)
    return kCVReturnSuccess
}

/// Takes a buffer with undefined contents out of the pool. The allocator is ignored.
@discardableResult
public func CVPixelBufferPoolCreatePixelBuffer(
    _ allocator: CFAllocator?, _ pixelBufferPool: CVPixelBufferPool, _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
    CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(allocator, pixelBufferPool, nil, pixelBufferOut)
}

/// Takes a buffer out of the pool, unless as many as the threshold in `auxAttributes` are out.
@discardableResult
public func CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(
    _ allocator: CFAllocator?, _ pixelBufferPool: CVPixelBufferPool, _ auxAttributes: CFDictionary?,
    _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
    pixelBufferOut.pointee = pixelBufferPool.tryMakeBuffer(threshold: NumberSetting.integer(auxAttributes?[kCVPixelBufferPoolAllocationThresholdKey]))
    return pixelBufferOut.pointee == nil ? kCVReturnWouldExceedAllocationThreshold : kCVReturnSuccess
}

/// Returns width and height in pixels and the pixel format, under the `kCVPixelBuffer…Key` names; never nil.
public func CVPixelBufferPoolGetPixelBufferAttributes(_ pool: CVPixelBufferPool) -> CFDictionary? {
    return [kCVPixelBufferWidthKey: pool.width, kCVPixelBufferHeightKey: pool.height, kCVPixelBufferPixelFormatTypeKey: pool.pixelFormat]
        as CFDictionary
}

/// Frees the memory of buffers that nobody holds.
public func CVPixelBufferPoolFlush(_ pool: CVPixelBufferPool, _ options: CVPixelBufferPoolFlushFlags) { pool.flush() }

/// Returns the full size in pixels.
public func CVImageBufferGetEncodedSize(_ imageBuffer: CVImageBuffer) -> CGSize {
    CGSize(width: imageBuffer.width, height: imageBuffer.height)
}
/// Returns the size to show in pixels; equal to the encoded size, since pixels are square and nothing is cropped.
public func CVImageBufferGetDisplaySize(_ imageBuffer: CVImageBuffer) -> CGSize { CVImageBufferGetEncodedSize(imageBuffer) }
/// Returns the part to show in pixels, which is the whole picture.
public func CVImageBufferGetCleanRect(_ imageBuffer: CVImageBuffer) -> CGRect {
    CGRect(origin: .zero, size: CVImageBufferGetEncodedSize(imageBuffer))
}
