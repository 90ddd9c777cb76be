import Foundation

/// Place in a hand-written file; line and column count from 1.
public struct FileLocation: Sendable, Equatable, CustomStringConvertible {
    /// Path of the file.
    public var file: String
    /// Line, from 1.
    public var line: Int
    /// Column, from 1.
    public var column: Int

    /// Creates a place.
    public init(file: String, line: Int, column: Int) {
        self.file = file
        self.line = line
        self.column = column
    }

    /// `file:line:column`.
    public var description: String { "\(file):\(line):\(column)" }
}
