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
    func removeOrphans() { for path in orphans { try? FileManager.default.removeItem(atPath: path) } }

    /// Temporaries of this target whose process was killed before it could remove them, sorted.
    var orphans: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        return names.filter { $0.hasPrefix(stem) && Self.isOrphan($0, writer: $0.dropFirst(stem.count)) }.sorted()
            .map { (directory == "." ? "" : directory + "/") + $0 }
    }

    /// Removes every temporary in a directory whose process was killed before it could.
    static func removeOrphans(in directory: String) {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: directory) else { return }
        for name in names where name.hasPrefix(".") {
            let writer = name.dropLast(".part".count).split(separator: ".").last
            if isOrphan(name, writer: writer ?? "") { try? FileManager.default.removeItem(atPath: directory + "/" + name) }
        }
    }

    /// `writer` begins with the number of the process.
    private static func isOrphan(_ name: String, writer: Substring) -> Bool {
        guard name.hasSuffix(".part"), let process = Int32(writer.prefix { $0 != "-" }) else { return false }
        return hasEnded(process)
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
