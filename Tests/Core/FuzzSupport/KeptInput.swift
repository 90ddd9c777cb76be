import Foundation

/// File that holds one input at a time: for parsers that want a path, and so that it is there when the input ends the process.
public final class KeptInput {
    public let path: String
    private let file: FileHandle
    private var length = 0

    public init(_ path: URL) throws {
        try FileManager.default.createDirectory(at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data().write(to: path)
        self.path = path.path
        file = try FileHandle(forWritingTo: path)
    }

    public func write(_ input: Data) throws {
        try file.seek(toOffset: 0)
        try file.write(contentsOf: input)
        if input.count < length { try file.truncate(atOffset: UInt64(input.count)) }
        length = input.count
    }
}
