/// Sums over arrays of 32-bit numbers.
public enum vDSP {
    /// Returns the root of the mean of the squares.
    public static func rootMeanSquare(_ vector: some AccelerateBuffer<Float>) -> Float { measure(vector, vDSP_rmsqv) }
    /// Returns the mean of the squares.
    public static func meanSquare(_ vector: some AccelerateBuffer<Float>) -> Float { measure(vector, vDSP_measqv) }
    /// Returns the mean.
    public static func mean(_ vector: some AccelerateBuffer<Float>) -> Float { measure(vector, vDSP_meanv) }
    /// Returns the mean of the amounts.
    public static func meanMagnitude(_ vector: some AccelerateBuffer<Float>) -> Float { measure(vector, vDSP_meamgv) }
    /// Returns the greatest element.
    public static func maximum(_ vector: some AccelerateBuffer<Float>) -> Float { measure(vector, vDSP_maxv) }
    /// Returns the greatest amount.
    public static func maximumMagnitude(_ vector: some AccelerateBuffer<Float>) -> Float { measure(vector, vDSP_maxmgv) }
    /// Returns the least element.
    public static func minimum(_ vector: some AccelerateBuffer<Float>) -> Float { measure(vector, vDSP_minv) }
    /// Returns the sum.
    public static func sum(_ vector: some AccelerateBuffer<Float>) -> Float { measure(vector, vDSP_sve) }

    private static func measure(
        _ vector: some AccelerateBuffer<Float>,
        _ function: (UnsafePointer<Float>, vDSP_Stride, UnsafeMutablePointer<Float>, vDSP_Length) -> Void
    ) -> Float {
        var result: Float = 0
        vector.withUnsafeBufferPointer { numbers in
            if let first = numbers.baseAddress { function(first, 1, &result, vDSP_Length(numbers.count)) }
        }
        return result
    }
}

/// Numbers that lie in one piece.
public protocol AccelerateBuffer<Element> {
    /// Kind of the numbers.
    associatedtype Element
    /// Number of them.
    var count: Int { get }
    /// Calls `body` with them.
    func withUnsafeBufferPointer<R>(_ body: (UnsafeBufferPointer<Element>) throws -> R) rethrows -> R
}

extension Array: AccelerateBuffer {}
extension ContiguousArray: AccelerateBuffer {}
extension ArraySlice: AccelerateBuffer {}
extension UnsafeBufferPointer: AccelerateBuffer {
    /// Calls `body` with this buffer.
    public func withUnsafeBufferPointer<R>(_ body: (UnsafeBufferPointer<Element>) throws -> R) rethrows -> R { try body(self) }
}
