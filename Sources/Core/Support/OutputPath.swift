import Foundation

/// The directory and the last component of a path, and the hidden name a temporary of it takes.
struct OutputPath {
    let directory: String
    let name: String

    init(_ path: String) {
        let folder = path.folder
        directory = folder.isEmpty ? "." : folder
        let trimmed = path.count > 1 && path.hasSuffix("/") ? path.dropLast() : path[...]
        name = String(trimmed.lastIndex(of: "/").map { trimmed[trimmed.index(after: $0)...] } ?? trimmed)
    }

    /// A hidden name beside the target; short enough for any file system that takes the target's own name.
    func temporary(_ number: Int) -> String { "\(directory)/\(stem)\(getpid())-\(number).part" }

    private var stem: String { "." + String(decoding: Array(name.utf8.prefix(180)), as: UTF8.self) + "." }

    /// Removes the temporaries of this target whose process was killed before it could.
    func removeOrphans() {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: directory) else { return }
        for name in names where name.hasPrefix(stem) { Self.removeOrphan(name, in: directory, writer: name.dropFirst(stem.count)) }
    }

    /// Removes every temporary in a directory whose process was killed before it could.
    static func removeOrphans(in directory: String) {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: directory) else { return }
        for name in names where name.hasPrefix(".") {
            let writer = name.dropLast(".part".count).split(separator: ".").last
            removeOrphan(name, in: directory, writer: writer ?? "")
        }
    }

    /// `writer` begins with the number of the process.
    private static func removeOrphan(_ name: String, in directory: String, writer: Substring) {
        guard name.hasSuffix(".part"), let process = Int32(writer.prefix { $0 != "-" }), hasEnded(process) else { return }
        try? FileManager.default.removeItem(atPath: directory + "/" + name)
    }

    /// Whether a process is gone, or a zombie that nobody has waited for: it holds no files any more.
    private static func hasEnded(_ process: Int32) -> Bool {
        if kill(process, 0) != 0 { return errno == ESRCH }
        // The state stands behind the program's name, which is in brackets and may hold any character.
        guard let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8), let name = status.lastIndex(of: ")") else {
            return false
        }
        return status[name...].dropFirst(2).first == "Z"
    }
}
