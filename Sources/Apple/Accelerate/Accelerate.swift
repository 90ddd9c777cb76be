@_exported import CoreVideo
import Foundation

// Part of Accelerate that camera code uses: sums over samples (vDSP), and the buffers, flags and codes of vImage. Sums and
// histograms are real, in plain Swift.

/// Length of a vector.
public typealias vDSP_Length = UInt
/// Step between two elements of a vector.
public typealias vDSP_Stride = Int

/// Computes the mean of `N` elements.
public func vDSP_meanv(_ A: UnsafePointer<Float>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Float>, _ N: vDSP_Length) {
    C.pointee = sum(A, IA, N) { $0 } / Float(N)
}

/// Computes the mean magnitude of `N` elements.
public func vDSP_meamgv(_ A: UnsafePointer<Float>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Float>, _ N: vDSP_Length) {
    C.pointee = sum(A, IA, N) { abs($0) } / Float(N)
}

/// Computes the mean square of `N` elements.
public func vDSP_measqv(_ A: UnsafePointer<Float>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Float>, _ N: vDSP_Length) {
    C.pointee = sum(A, IA, N) { $0 * $0 } / Float(N)
}

/// Computes the root mean square of `N` elements.
public func vDSP_rmsqv(_ A: UnsafePointer<Float>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Float>, _ N: vDSP_Length) {
    C.pointee = (sum(A, IA, N) { $0 * $0 } / Float(N)).squareRoot()
}

/// Computes the sum of `N` elements.
public func vDSP_sve(_ A: UnsafePointer<Float>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Float>, _ N: vDSP_Length) {
    C.pointee = sum(A, IA, N) { $0 }
}

/// Finds the greatest of `N` elements; negative infinity of none.
public func vDSP_maxv(_ A: UnsafePointer<Float>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Float>, _ N: vDSP_Length) {
    C.pointee = elements(A, IA, N).max() ?? -.infinity
}

/// Finds the greatest magnitude of `N` elements; 0 of none.
public func vDSP_maxmgv(_ A: UnsafePointer<Float>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Float>, _ N: vDSP_Length) {
    C.pointee = elements(A, IA, N).map(abs).max() ?? 0
}

/// Finds the least of `N` elements; infinity of none.
public func vDSP_minv(_ A: UnsafePointer<Float>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Float>, _ N: vDSP_Length) {
    C.pointee = elements(A, IA, N).min() ?? .infinity
}

/// Multiplies `N` elements by one number.
public func vDSP_vsmul(
    _ A: UnsafePointer<Float>, _ IA: vDSP_Stride, _ B: UnsafePointer<Float>, _ C: UnsafeMutablePointer<Float>, _ IC: vDSP_Stride, _ N: vDSP_Length
) {
    for index in 0..<Int(N) { C[index * IC] = A[index * IA] * B.pointee }
}

/// Converts `N` 16-bit integers to numbers.
public func vDSP_vflt16(_ A: UnsafePointer<Int16>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Float>, _ IC: vDSP_Stride, _ N: vDSP_Length) {
    for index in 0..<Int(N) { C[index * IC] = Float(A[index * IA]) }
}

/// Converts `N` bytes to numbers.
public func vDSP_vfltu8(_ A: UnsafePointer<UInt8>, _ IA: vDSP_Stride, _ C: UnsafeMutablePointer<Float>, _ IC: vDSP_Stride, _ N: vDSP_Length) {
    for index in 0..<Int(N) { C[index * IC] = Float(A[index * IA]) }
}

/// Adds `N` elements to as many others.
public func vDSP_vadd(
    _ A: UnsafePointer<Float>, _ IA: vDSP_Stride, _ B: UnsafePointer<Float>, _ IB: vDSP_Stride, _ C: UnsafeMutablePointer<Float>,
    _ IC: vDSP_Stride, _ N: vDSP_Length
) {
    for index in 0..<Int(N) { C[index * IC] = A[index * IA] + B[index * IB] }
}

/// Adds one number to `N` elements.
public func vDSP_vsadd(
    _ A: UnsafePointer<Float>, _ IA: vDSP_Stride, _ B: UnsafePointer<Float>, _ C: UnsafeMutablePointer<Float>, _ IC: vDSP_Stride, _ N: vDSP_Length
) {
    for index in 0..<Int(N) { C[index * IC] = A[index * IA] + B.pointee }
}

/// Divides `N` elements by one number.
public func vDSP_vsdiv(
    _ A: UnsafePointer<Float>, _ IA: vDSP_Stride, _ B: UnsafePointer<Float>, _ C: UnsafeMutablePointer<Float>, _ IC: vDSP_Stride, _ N: vDSP_Length
) {
    for index in 0..<Int(N) { C[index * IC] = A[index * IA] / B.pointee }
}

/// Cuts `N` elements off below one number and above another.
public func vDSP_vclip(
    _ A: UnsafePointer<Float>, _ IA: vDSP_Stride, _ B: UnsafePointer<Float>, _ C: UnsafePointer<Float>, _ D: UnsafeMutablePointer<Float>,
    _ ID: vDSP_Stride, _ N: vDSP_Length
) {
    for index in 0..<Int(N) { D[index * ID] = max(B.pointee, min(C.pointee, A[index * IA])) }
}

private func elements(_ first: UnsafePointer<Float>, _ stride: Int, _ count: UInt) -> [Float] { (0..<Int(count)).map { first[$0 * stride] } }
private func sum(_ first: UnsafePointer<Float>, _ stride: Int, _ count: UInt, _ value: (Float) -> Float) -> Float {
    (0..<Int(count)).reduce(0) { $0 + value(first[$1 * stride]) }
}

/// Number of pixels.
public typealias vImagePixelCount = UInt
/// Result of a function of vImage; 0 is success.
public typealias vImage_Error = Int
/// Options of a function of vImage.
public typealias vImage_Flags = UInt32
/// Component of 8 bits.
public typealias Pixel_8 = UInt8
/// Component of a single-precision number.
public typealias Pixel_F = Float

/// Result: success.
public let kvImageNoError: vImage_Error = 0
/// Result: memory ran out.
public let kvImageMemoryAllocationError: vImage_Error = -21771
/// Result: a buffer has the wrong size.
public let kvImageBufferSizeMismatch: vImage_Error = -21774
/// Result: a parameter is wrong.
public let kvImageInvalidParameter: vImage_Error = -21773
/// Options: none.
public let kvImageNoFlags: vImage_Flags = 0
/// Option: a better and slower filter.
public let kvImageHighQualityResampling: vImage_Flags = 32
/// Option: no threads of its own.
public let kvImageDoNotTile: vImage_Flags = 16

/// Picture in the app's memory.
public struct vImage_Buffer: @unchecked Sendable {
    /// First byte of the top row.
    public var data: UnsafeMutableRawPointer!
    /// Number of rows.
    public var height: vImagePixelCount
    /// Pixels of a row.
    public var width: vImagePixelCount
    /// Stride of a row in bytes.
    public var rowBytes: Int
    /// Makes a picture of its parts.
    public init(data: UnsafeMutableRawPointer!, height: vImagePixelCount, width: vImagePixelCount, rowBytes: Int) {
        (self.data, self.height, self.width, self.rowBytes) = (data, height, width, rowBytes)
    }
    /// Makes an empty picture.
    public init() { self.init(data: nil, height: 0, width: 0, rowBytes: 0) }
    /// Frees memory that came from `malloc`.
    public func free() { Foundation.free(data) }
}

/// Counts the values of a picture of one component in 256 bins.
@discardableResult
public func vImageHistogramCalculation_Planar8(
    _ src: UnsafePointer<vImage_Buffer>, _ histogram: UnsafeMutablePointer<vImagePixelCount>, _ flags: vImage_Flags
) -> vImage_Error {
    count(src.pointee, components: 1, in: [histogram])
}

/// Counts the values of each of a picture's four components in 256 bins; `histogram` points to the bins of the components in the picture's order.
@discardableResult
public func vImageHistogramCalculation_ARGB8888(
    _ src: UnsafePointer<vImage_Buffer>, _ histogram: UnsafeMutablePointer<UnsafeMutablePointer<vImagePixelCount>?>, _ flags: vImage_Flags
) -> vImage_Error {
    let bins = (0..<4).compactMap { histogram[$0] }
    return bins.count == 4 ? count(src.pointee, components: 4, in: bins) : kvImageInvalidParameter
}

private func count(_ picture: vImage_Buffer, components: Int, in bins: [UnsafeMutablePointer<vImagePixelCount>]) -> vImage_Error {
    for bin in bins { bin.update(repeating: 0, count: 256) }
    for y in 0..<Int(picture.height) {
        let row = picture.data.advanced(by: y * picture.rowBytes).assumingMemoryBound(to: Pixel_8.self)
        for x in 0..<Int(picture.width) {
            for (component, bin) in bins.enumerated() { bin[Int(row[x * components + component])] += 1 }
        }
    }
    return kvImageNoError
}
