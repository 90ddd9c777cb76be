import Foundation
import TestSupport

/// The processes that were started with a variable of their own in the environment, by the tool or by what it started.
struct Marked {
    let name = "RACKFOCUS_TEST_\(UUID().uuidString.replacing("-", with: ""))"

    struct Overdue: Error { let processes: [String] }

    /// Number and command line of each.
    var all: [(number: Int32, command: String)] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { Int32($0) }.compactMap { number in
                guard let environment = FileManager.default.contents(atPath: "/proc/\(number)/environ"),
                    environment.range(of: Data(name.utf8)) != nil,
                    let words = FileManager.default.contents(atPath: "/proc/\(number)/cmdline"), !words.isEmpty
                else { return nil }
                return (number, String(decoding: words.map { $0 == 0 ? 32 : $0 }, as: UTF8.self))
            }
        }
    }

    /// Those whose command line holds a word, once there are so many.
    func wait(for count: Int, with word: String) throws -> [Int32] {
        var found: [Int32] = []
        let areThere = try eventually {
            found = try all.filter { $0.command.contains(word) }.map(\.number)
            return found.count >= count
        }
        guard areThere else { throw Overdue(processes: try all.map(\.command)) }
        return found
    }

    /// Returns when none is left.
    func waitForNone() throws {
        if try eventually({ try all.isEmpty }) { return }
        let left = try all
        for process in left { kill(process.number, SIGKILL) }
        throw Overdue(processes: left.map(\.command))
    }
}
