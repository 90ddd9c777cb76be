import Foundation
import Support

/// Failure in OpenCV or with a file it needs.
public struct VisionError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Kind of failure of a vision operation.
    public enum Code: Int32, Sendable {
        case openCV = 1
        case file = 2
        case other = 3
        /// The caller's picture is not what the function works on.
        case picture = 4
    }

    /// Kind of failure.
    public var code: Code
    /// Operation that failed, and its object.
    public var operation: String
    /// OpenCV's own words, or what to do about it.
    public var underlying: String

    /// Creates an error of an operation, with the library's own words beneath it.
    public init(code: Code, operation: String, underlying: String) {
        self.code = code
        self.operation = operation
        self.underlying = underlying.excerpt()
    }

    /// The operation and its cause in one line.
    public var description: String { "\(operation): \(underlying)" }
}
