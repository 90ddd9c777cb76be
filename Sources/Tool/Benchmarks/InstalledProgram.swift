import Foundation
import Support

/// Programs of this system that are run and timed beside ours.
enum InstalledProgram {
    /// Path of the first program of that name which prints `signature` with `versionOption`; another of its name does not count. Nil without one.
    static func path(of name: String, saying signature: String, to versionOption: String = "-version") -> String? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return folders.map { "\($0)/\(name)" }.first {
            FileManager.default.isExecutableFile(atPath: $0) && (signature.isEmpty || output(of: $0, [versionOption]).contains(signature))
        }
    }

    private static func output(of executable: String, _ arguments: [String]) -> String {
        (try? ChildProcess.finished(executable, arguments, reading: .output).text) ?? ""
    }

    /// End of a program that failed, in its own words.
    struct Failure: Error, CustomStringConvertible { let description: String }

    /// Runs a program once for each list of arguments; throws `Failure`.
    static func time(_ executable: String, _ calls: [[String]]) throws -> ProcessorTime {
        try ProcessorTime.measure(.children) {
            for arguments in calls {
                let (errors, exitCode) = try ChildProcess.finished(executable, arguments, reading: .errors)
                guard exitCode == 0 else {
                    throw Failure(description: errors.split(separator: "\n").last.map(String.init) ?? "exit code \(exitCode)")
                }
            }
        }
    }
}
