import Foundation

/// Result code of Core Video; 0 is success, errors are negative.
public typealias CVReturn = Int32
/// Result 0: success.
public let kCVReturnSuccess: CVReturn = 0
/// Error -6660: something else went wrong.
public let kCVReturnError: CVReturn = -6660
/// Error -6662: memory ran out.
public let kCVReturnAllocationFailed: CVReturn = -6662
/// Error -6663: the call is not supported.
public let kCVReturnUnsupported: CVReturn = -6663
/// Error -6682: the attributes of a pixel buffer contradict each other.
public let kCVReturnInvalidPixelBufferAttributes: CVReturn = -6682
/// Error -6684: the pixel buffer cannot be used with Metal.
public let kCVReturnPixelBufferNotMetalCompatible: CVReturn = -6684
/// Error -6690: the pool could not be made.
public let kCVReturnPoolAllocationFailed: CVReturn = -6690
/// Error -6661: an argument is out of range.
public let kCVReturnInvalidArgument: CVReturn = -6661
/// Error -6680: the pixel format is unknown.
public let kCVReturnInvalidPixelFormat: CVReturn = -6680
/// Error -6681: the width or height is missing, 0 or negative.
public let kCVReturnInvalidSize: CVReturn = -6681
/// Error -6689: the pool has lent as many buffers as its threshold or limit allows.
public let kCVReturnWouldExceedAllocationThreshold: CVReturn = -6689

/// Options of a function of Core Video.
public typealias CVOptionFlags = UInt64

/// Options of locking a base address; memory here is always mapped, so they are accepted and cost nothing.
public struct CVPixelBufferLockFlags: OptionSet, Sendable {
    /// Bit mask of the options.
    public let rawValue: UInt64
    /// Makes the options from a bit mask.
    public init(rawValue: UInt64) { self.rawValue = rawValue }
    /// Promise not to write while locked; not checked here.
    public static let readOnly = CVPixelBufferLockFlags(rawValue: 1)
}

/// Makes the base address valid; it always is here, so nothing happens. Returns `kCVReturnSuccess`.
@discardableResult
public func CVPixelBufferLockBaseAddress(_ pixelBuffer: CVPixelBuffer, _ lockFlags: CVPixelBufferLockFlags) -> CVReturn { kCVReturnSuccess }
/// Ends a lock; nothing happens. Returns `kCVReturnSuccess`, even without a lock.
@discardableResult
public func CVPixelBufferUnlockBaseAddress(_ pixelBuffer: CVPixelBuffer, _ unlockFlags: CVPixelBufferLockFlags) -> CVReturn { kCVReturnSuccess }

/// Returns the width in pixels, of plane 0 where there are several.
public func CVPixelBufferGetWidth(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.width }
/// Returns the height in pixels, of plane 0 where there are several.
public func CVPixelBufferGetHeight(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.height }
/// Returns the pixel format, one of `kCVPixelFormatType_…`.
public func CVPixelBufferGetPixelFormatType(_ pixelBuffer: CVPixelBuffer) -> OSType { pixelBuffer.pixelFormat }
/// Whether the format has more than one plane.
public func CVPixelBufferIsPlanar(_ pixelBuffer: CVPixelBuffer) -> Bool { pixelBuffer.isPlanar }
/// Returns the number of planes; 0 for a packed format, as on Apple's systems.
public func CVPixelBufferGetPlaneCount(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.isPlanar ? pixelBuffer.planes.count : 0 }
/// Returns the first byte of plane 0; valid as long as the buffer.
public func CVPixelBufferGetBaseAddress(_ pixelBuffer: CVPixelBuffer) -> UnsafeMutableRawPointer? { pixelBuffer.planes[0].base }
/// Returns the stride of plane 0 in bytes, a multiple of 64.
public func CVPixelBufferGetBytesPerRow(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.planes[0].bytesPerRow }
/// Returns the bytes of the whole allocation, padding included: whole pages.
public func CVPixelBufferGetDataSize(_ pixelBuffer: CVPixelBuffer) -> Int {
    max(pixelBuffer.storage.byteCount, pixelBuffer.planes.reduce(0) { $0 + $1.bytesPerRow * $1.height })
}

/// Returns the first byte of a plane; nil for a plane that the buffer does not have.
public func CVPixelBufferGetBaseAddressOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> UnsafeMutableRawPointer? {
    pixelBuffer.planes.indices.contains(planeIndex) ? pixelBuffer.planes[planeIndex].base : nil
}
/// Returns the stride of a plane in bytes; 0 for a plane that the buffer does not have.
public func CVPixelBufferGetBytesPerRowOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
    pixelBuffer.planes.indices.contains(planeIndex) ? pixelBuffer.planes[planeIndex].bytesPerRow : 0
}
/// Returns the width of a plane in its own pixels; 0 for a plane that the buffer does not have.
public func CVPixelBufferGetWidthOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
    pixelBuffer.planes.indices.contains(planeIndex) ? pixelBuffer.planes[planeIndex].width : 0
}
/// Returns the height of a plane in rows; 0 for a plane that the buffer does not have.
public func CVPixelBufferGetHeightOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
    pixelBuffer.planes.indices.contains(planeIndex) ? pixelBuffer.planes[planeIndex].height : 0
}

/// Tells the columns and rows beside the picture in memory that are part of it: none.
public func CVPixelBufferGetExtendedPixels(
    _ pixelBuffer: CVPixelBuffer, _ extraColumnsOnLeft: UnsafeMutablePointer<Int>?, _ extraColumnsOnRight: UnsafeMutablePointer<Int>?,
    _ extraRowsOnTop: UnsafeMutablePointer<Int>?, _ extraRowsOnBottom: UnsafeMutablePointer<Int>?
) { for count in [extraColumnsOnLeft, extraColumnsOnRight, extraRowsOnTop, extraRowsOnBottom] { count?.pointee = 0 } }
/// Fills the columns and rows beside the picture: there are none. Returns `kCVReturnSuccess`.
@discardableResult
public func CVPixelBufferFillExtendedPixels(_ pixelBuffer: CVPixelBuffer) -> CVReturn { kCVReturnSuccess }
/// Whether the first row lies at the top: it always does.
public func CVImageBufferIsFlipped(_ imageBuffer: CVImageBuffer) -> Bool { true }
/// Returns the colour space attached to the picture; nil without one.
public func CVImageBufferGetColorSpace(_ imageBuffer: CVImageBuffer) -> Unmanaged<CGColorSpace>? {
    (CVBufferCopyAttachment(imageBuffer, kCVImageBufferCGColorSpaceKey, nil) as? CGColorSpace).map(Unmanaged.passUnretained)
}
