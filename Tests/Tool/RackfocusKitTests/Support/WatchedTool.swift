import Foundation
import TestSupport

/// The tool while it runs, with what it prints.
final class WatchedTool {
    private let process = Process()
    private let output = Pipe()
    private var unread = ""

    struct Ended: Error {
        let printed: String
    }

    init(_ arguments: [String], environment: [String: String] = [:], directory: URL) throws {
        process.executableURL = Project.tool
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.currentDirectoryURL = directory
        process.standardOutput = output
        process.standardError = output
        // Under nohup and in the background of a script the tests ignore them, and so would the tool.
        for number in [SIGHUP, SIGINT, SIGQUIT] { signal(number, SIG_DFL) }
        try process.run()
    }

    deinit { interrupt() }

    /// Output up to and with `mark`; waits for it.
    func read(until mark: String) throws -> String {
        while true {
            if let found = unread.range(of: mark) {
                defer { unread = String(unread[found.upperBound...]) }
                return String(unread[..<found.upperBound])
            }
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { throw Ended(printed: unread) }
            unread += String(decoding: data, as: UTF8.self)
        }
    }

    var identifier: Int32 { process.processIdentifier }

    /// Everything that it prints from here on, and its exit code.
    func end() throws -> (text: String, exitCode: Int32) {
        let text = unread + String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (text, process.terminationStatus)
    }

    /// Ends it by a signal, and waits for its end.
    func end(by signal: Int32) {
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
    }

    /// ^C, and waits for the end; one that does not end of it is killed.
    func interrupt() {
        guard process.isRunning else { return }
        process.interrupt()
        if !eventually({ !process.isRunning }) { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
    }

    /// Nil when it ended by itself.
    var endedBySignal: Int32? { process.terminationReason == .uncaughtSignal ? process.terminationStatus : nil }
}
