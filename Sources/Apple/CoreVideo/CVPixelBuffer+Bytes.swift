import Foundation

/// Function that is called with its reference and the first byte when a buffer over an app's bytes ends.
public typealias CVPixelBufferReleaseBytesCallback = @convention(c) (UnsafeMutableRawPointer?, UnsafeRawPointer?) -> Void
/// Function that is called with its reference, the bytes, their number and the planes when a buffer over an app's planes ends.
public typealias CVPixelBufferReleasePlanarBytesCallback =
    @convention(c) (UnsafeMutableRawPointer?, UnsafeRawPointer?, Int, Int, UnsafeMutablePointer<UnsafeRawPointer?>?) -> Void

/// Makes a buffer over an app's bytes of a packed format; nothing is copied. -6680 for a format with planes, -6661 for rows that are too short.
///
/// The bytes stay valid until the callback is called. Allocator and attributes are ignored.
@discardableResult
public func CVPixelBufferCreateWithBytes(
    _ allocator: CFAllocator?, _ width: Int, _ height: Int, _ pixelFormatType: OSType, _ baseAddress: UnsafeMutableRawPointer,
    _ bytesPerRow: Int, _ releaseCallback: CVPixelBufferReleaseBytesCallback?, _ releaseRefCon: UnsafeMutableRawPointer?,
    _ pixelBufferAttributes: CFDictionary?, _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
    let lent = LentBytes(base: baseAddress, reference: releaseRefCon)
    return CVBuffer.over(width, height, pixelFormatType, [(baseAddress, bytesPerRow)], pixelBufferOut) {
        releaseCallback?(lent.reference, lent.base)
    }
}

/// Makes a buffer over an app's planes; nothing is copied. -6680 for an unknown format or another number of planes, -6661 for planes or rows that
/// are too small.
///
/// The bytes stay valid until the callback is called. Allocator and attributes are ignored, and so are the address and size of all bytes, which the
/// callback is given again.
@discardableResult
public func CVPixelBufferCreateWithPlanarBytes(
    _ allocator: CFAllocator?, _ width: Int, _ height: Int, _ pixelFormatType: OSType, _ dataPtr: UnsafeMutableRawPointer?, _ dataSize: Int,
    _ numberOfPlanes: Int, _ planeBaseAddress: UnsafeMutablePointer<UnsafeMutableRawPointer?>, _ planeWidth: UnsafeMutablePointer<Int>,
    _ planeHeight: UnsafeMutablePointer<Int>, _ planeBytesPerRow: UnsafeMutablePointer<Int>,
    _ releaseCallback: CVPixelBufferReleasePlanarBytesCallback?, _ releaseRefCon: UnsafeMutableRawPointer?, _ pixelBufferAttributes: CFDictionary?,
    _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
    guard let arrangement = CVBuffer.arrangement(width: width, height: height, pixelFormat: pixelFormatType) else {
        return width > 0 && height > 0 ? kCVReturnInvalidPixelFormat : kCVReturnInvalidSize
    }
    guard arrangement.planes.count == numberOfPlanes else { return kCVReturnInvalidPixelFormat }
    var planes: [(UnsafeMutableRawPointer, Int)] = []
    for (index, plane) in arrangement.planes.enumerated() {
        guard let base = planeBaseAddress[index], planeWidth[index] >= plane.width, planeHeight[index] >= plane.height else {
            return kCVReturnInvalidArgument
        }
        planes.append((base, planeBytesPerRow[index]))
    }
    let lent = LentBytes(base: dataPtr, reference: releaseRefCon, planes: planes.map { UnsafeRawPointer($0.0) })
    return CVBuffer.over(width, height, pixelFormatType, planes, pixelBufferOut) {
        var bases = lent.planes
        bases.withUnsafeMutableBufferPointer { releaseCallback?(lent.reference, lent.base, dataSize, numberOfPlanes, $0.baseAddress) }
    }
}

/// An app's bytes until they are given back.
private struct LentBytes: @unchecked Sendable {
    let base: UnsafeMutableRawPointer?
    let reference: UnsafeMutableRawPointer?
    var planes: [UnsafeRawPointer?] = []
}

extension CVBuffer {
    /// Makes a buffer whose planes are an app's; memory of its own it has none.
    fileprivate static func over(
        _ width: Int, _ height: Int, _ format: OSType, _ bytes: [(base: UnsafeMutableRawPointer, bytesPerRow: Int)],
        _ result: UnsafeMutablePointer<CVPixelBuffer?>, release: @escaping @Sendable () -> Void
    ) -> CVReturn {
        guard width > 0, height > 0 else { return kCVReturnInvalidSize }
        guard let arrangement = arrangement(width: width, height: height, pixelFormat: format), let layouts = PlaneLayout.planes(of: format),
            arrangement.planes.count == bytes.count
        else { return kCVReturnInvalidPixelFormat }
        var planes: [Plane] = []
        for (index, plane) in arrangement.planes.enumerated() {
            guard bytes[index].bytesPerRow >= plane.width * layouts[index].bytesPerPixel else { return kCVReturnInvalidArgument }
            planes.append(Plane(base: bytes[index].base, width: plane.width, height: plane.height, bytesPerRow: bytes[index].bytesPerRow))
        }
        result.pointee = CVBuffer(
            width: width, height: height, pixelFormat: format, planes: planes, storage: CVBufferStorage(byteCount: 0), recycle: { _ in release() })
        return kCVReturnSuccess
    }
}
