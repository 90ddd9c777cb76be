import Foundation
import RunReport

/// Report of picture checks.
public struct PictureReport: Sendable {
    /// Pictures that are not as they must be.
    public var failures: [RunFailure] = []
    /// Goldens that are not there, where none may be written.
    public var missing: [RunFailure] = []
    /// Notes that fail nothing.
    public var notes: [String] = []
    /// For the run directory.
    public var files: [(name: String, data: Data)] = []

    /// Creates an empty report.
    public init() {}
}
