import Foundation
import Support

/// Every file below a folder, hidden ones too, with its digest.
struct FolderContents: Equatable {
    let digests: [String: String]

    /// `perf.json` and `analysis.json` hold times, of the run and of its footage, and differ from run to run.
    init(of path: String) throws {
        var digests: [String: String] = [:]
        for entry in try DirectoryListing.files(below: path) {
            let isTimed = ["perf.json", "analysis.json"].contains { entry.name.hasSuffix($0) }
            digests[entry.name] =
                entry.isDirectory ? "folder" : isTimed ? "times" : SHA256.hexadecimal(contentsOf: "\(path)/\(entry.name)") ?? "unreadable"
        }
        self.digests = digests
    }

    private init(_ digests: [String: String]) { self.digests = digests }

    /// Those whose path begins with one of some names.
    func of(_ names: [String]) -> FolderContents {
        FolderContents(digests.filter { file, _ in names.contains { file == $0 || file.hasPrefix($0 + "/") } })
    }

    /// Files with a hidden component in their path.
    var hidden: [String] { digests.keys.filter { ("/" + $0).contains("/.") }.sorted() }

    /// Paths of files that differ.
    func differences(from other: FolderContents) -> [String] {
        Set(digests.keys).union(other.digests.keys).filter { digests[$0] != other.digests[$0] }.sorted()
    }
}
