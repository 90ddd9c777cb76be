import Foundation
import RackfocusKit
import Support

/// Process that opens the user's networks before this one does: of some damaged files OpenCV 4.6 reads what lies beyond them.
enum ModelProbe {
    /// The argument with which the tool becomes such a process; the paths follow, empty where there is none.
    static let argument = "--model-probe"
    /// Limits of the process: seconds of a processor, and bytes of address space.
    private static let (seconds, bytes): (rlim_t, rlim_t) = (60, 8 << 30)

    /// Opens the networks and ends: with 0, or with 1 where one is refused in words, which the other process will get as well.
    static func run(_ paths: [String]) -> Never {
        for (kind, most) in [(RLIMIT_CPU, seconds), (RLIMIT_AS, bytes), (RLIMIT_CORE, 0)] {
            var limit = rlimit(rlim_cur: most, rlim_max: most)
            setrlimit(__rlimit_resource_t(kind.rawValue), &limit)
        }
        // Told in one line by the other process, not by a backtrace of Swift's.
        for number in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP] { signal(number, SIG_DFL) }
        let given = paths.map { $0.isEmpty ? nil : $0 } + [nil, nil, nil]
        do { try VisionModels(face: given[0], object: given[1], depth: given[2]).open() } catch { exit(1) }
        exit(0)
    }

    /// Throws `VisionError` for networks that end the process which opens them. Files that `rackfocus models` knows are taken as they are, and
    /// whoever opens a file that is not there says so.
    static func check(_ models: VisionModels) throws {
        for (kind, path) in [models.face, models.object, models.depth].enumerated() {
            guard let path, FileManager.default.fileExists(atPath: path), !KnownModel.isKnown(path) else { continue }
            let paths = (0..<3).map { $0 == kind ? path : "" }
            let (_, exitCode) = try ChildProcess.finished(ToolProcess.path, [argument] + paths, reading: .errors)
            guard exitCode > 1 else { continue }
            let why = exitCode > 128 ? String(cString: strsignal(exitCode - 128)) : "exit code \(exitCode)"
            throw VisionError(
                code: .file, operation: "opening the model \(path)",
                underlying: "OpenCV did not survive it (\(why)): it is damaged, or no network of this kind; see `rackfocus models`")
        }
    }
}
