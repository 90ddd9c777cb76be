import Foundation

/// Places in the checkout, and the tool the tests were built with.
enum Project {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    static let scenarios = root.appending(path: "Scenarios").path
    static let demo = root.appending(path: "Scenarios/demo.yaml").path

    /// Real data beside the checkout, when it is there.
    static let data = root.deletingLastPathComponent().appending(path: "shared/data")
    static var hasData: Bool { FileManager.default.fileExists(atPath: data.path) }

    static let tool = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().appending(path: "rackfocus")
}

/// An empty directory that goes with the value.
final class Scratch {
    let url = FileManager.default.temporaryDirectory.appending(path: "rackfocus-test-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appending(path: name).path }

    func write(_ text: String, to name: String) throws -> String {
        try text.write(toFile: path(name), atomically: true, encoding: .utf8)
        return path(name)
    }

    var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() } }
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
