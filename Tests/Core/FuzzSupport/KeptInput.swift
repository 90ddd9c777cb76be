import Foundation

/// File that holds one input at a time, so that it is there when the input ends the process.
final class KeptInput {
    private let file: FileHandle

    init(_ path: URL) throws {
        try FileManager.default.createDirectory(at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data().write(to: path)
        file = try FileHandle(forWritingTo: path)
    }

    func write(_ input: Data) throws {
        try file.seek(toOffset: 0)
        try file.write(contentsOf: input)
        try file.truncate(atOffset: UInt64(input.count))
    }
}
