import Foundation
import TestSupport

/// Places in the checkout, and the tool the tests were built with.
enum Project {
    static let root = Checkout.root
    static let scenarios = Checkout.scenarios
    static let demo = scenarios + "/demo.yaml"
    static let data = Checkout.shared
    static let hasData = Checkout.hasShared()

    static let tool = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().appending(path: "rackfocus")
}

/// One run of the tool.
struct ToolRun {
    let exitCode: Int32
    let output: String
    let errors: String

    /// `shell` runs a line of shell instead, in which `$0` is the tool and `$@` are the arguments.
    init(_ arguments: [String], shell: String? = nil, environment: [String: String] = [:], directory: URL? = nil) throws {
        let process = Process()
        process.executableURL = shell == nil ? Project.tool : URL(fileURLWithPath: "/bin/sh")
        process.arguments = (shell.map { ["-c", $0, Project.tool.path] } ?? []) + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.currentDirectoryURL = directory
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        self.output = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        self.errors = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        exitCode = process.terminationStatus
    }
}
