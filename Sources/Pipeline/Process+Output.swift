import Foundation

extension Process {
    /// One of the two streams that a program writes to.
    package enum Stream { case output, errors }

    /// Runs a program to its end, with nothing to read, and gives what it wrote to one stream; the other goes nowhere.
    package static func finished(
        _ executable: String, _ arguments: [String], reading stream: Stream
    ) throws -> (text: String, exitCode: Int32) {
        let (process, pipe) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: executable)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        switch stream {
        case .output: process.standardOutput = pipe
        case .errors: process.standardError = pipe
        }
        try process.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (text, process.terminationStatus)
    }
}
