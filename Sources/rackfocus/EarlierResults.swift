import Foundation
import RackfocusKit

/// What an earlier run left in a directory.
struct EarlierResults {
    private let directory: String
    private let names: [String]

    /// A directory that is not there has nothing in it; one that cannot be listed is an error, as nobody knows what would be lost.
    init(in directory: String) throws {
        self.directory = directory
        let isThere = FileManager.default.fileExists(atPath: directory)
        names = isThere ? try FileManager.default.contentsOfDirectory(atPath: directory).filter { !$0.hasPrefix(".") } : []
    }

    /// Whether there is nothing at all, so that nothing can be lost.
    var isEmpty: Bool { names.isEmpty }

    /// Removes the reports and the directories of scenarios; whatever else lies there stays.
    func remove() throws {
        for name in names {
            let path = "\(directory)/\(name)"
            guard ["summary.json", "junit.xml"].contains(name) || FileManager.default.fileExists(atPath: path + "/result.json") else { continue }
            try FileManager.default.removeItem(atPath: path)
        }
    }
}
