import Foundation

public let kCVPixelBufferIOSurfacePropertiesKey: CFString = "IOSurfaceProperties"
public let kCVPixelBufferMetalCompatibilityKey: CFString = "MetalCompatibility"
public let kCVPixelBufferCGImageCompatibilityKey: CFString = "CGImageCompatibility"
public let kCVPixelBufferCGBitmapContextCompatibilityKey: CFString = "CGBitmapContextCompatibility"
public let kCVPixelBufferBytesPerRowAlignmentKey: CFString = "BytesPerRowAlignment"
public let kCVPixelBufferPoolMinimumBufferCountKey: CFString = "MinimumBufferCount"
public let kCVPixelBufferPoolMaximumBufferAgeKey: CFString = "MaximumBufferAge"
/// The most buffers out at one time, for a single call.
public let kCVPixelBufferPoolAllocationThresholdKey: CFString = "BufferPoolAllocationThreshold"

public struct CVPixelBufferPoolFlushFlags: OptionSet, Sendable {
    public let rawValue: UInt64
    public init(rawValue: UInt64) { self.rawValue = rawValue }
    public static let excessBuffers = CVPixelBufferPoolFlushFlags(rawValue: 1)
}

/// Makes a buffer with undefined contents. The allocator and what is not size or format are ignored.
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

/// Makes a pool of the width, height and format in `pixelBufferAttributes`; what else is in both dictionaries is ignored.
@discardableResult
public func CVPixelBufferPoolCreate(
    _ allocator: CFAllocator?, _ poolAttributes: CFDictionary?, _ pixelBufferAttributes: CFDictionary?,
    _ poolOut: UnsafeMutablePointer<CVPixelBufferPool?>
) -> CVReturn {
    guard let width = number(pixelBufferAttributes?[kCVPixelBufferWidthKey]), let height = number(pixelBufferAttributes?[kCVPixelBufferHeightKey]),
        width > 0, height > 0
    else { return kCVReturnInvalidSize }
    guard let format = number(pixelBufferAttributes?[kCVPixelBufferPixelFormatTypeKey]).flatMap(OSType.init(exactly:)),
        PlaneLayout.planes(of: format) != nil
    else { return kCVReturnInvalidPixelFormat }
    poolOut.pointee = CVPixelBufferPool(width: width, height: height, pixelFormat: format)
    return kCVReturnSuccess
}

@discardableResult
public func CVPixelBufferPoolCreatePixelBuffer(
    _ allocator: CFAllocator?, _ pixelBufferPool: CVPixelBufferPool, _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
    CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(allocator, pixelBufferPool, nil, pixelBufferOut)
}

/// A buffer, unless as many as the threshold in `auxAttributes` are out.
@discardableResult
public func CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(
    _ allocator: CFAllocator?, _ pixelBufferPool: CVPixelBufferPool, _ auxAttributes: CFDictionary?,
    _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
    pixelBufferOut.pointee = pixelBufferPool.tryMakeBuffer(threshold: number(auxAttributes?[kCVPixelBufferPoolAllocationThresholdKey]))
    return pixelBufferOut.pointee == nil ? kCVReturnWouldExceedAllocationThreshold : kCVReturnSuccess
}

public func CVPixelBufferPoolGetPixelBufferAttributes(_ pool: CVPixelBufferPool) -> CFDictionary? {
    [kCVPixelBufferWidthKey: pool.width, kCVPixelBufferHeightKey: pool.height, kCVPixelBufferPixelFormatTypeKey: pool.pixelFormat]
}

/// Gives back the memory of buffers that nobody holds.
public func CVPixelBufferPoolFlush(_ pool: CVPixelBufferPool, _ options: CVPixelBufferPoolFlushFlags) { pool.flush() }

public func CVImageBufferGetEncodedSize(_ imageBuffer: CVImageBuffer) -> CGSize {
    CGSize(width: imageBuffer.width, height: imageBuffer.height)
}
public func CVImageBufferGetDisplaySize(_ imageBuffer: CVImageBuffer) -> CGSize { CVImageBufferGetEncodedSize(imageBuffer) }
public func CVImageBufferGetCleanRect(_ imageBuffer: CVImageBuffer) -> CGRect {
    CGRect(origin: .zero, size: CVImageBufferGetEncodedSize(imageBuffer))
}

private func number(_ value: Any?) -> Int? {
    (value as? Int) ?? (value as? any BinaryInteger).flatMap { Int(exactly: $0) } ?? (value as? NSNumber)?.intValue
}
