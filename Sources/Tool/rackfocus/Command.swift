import Foundation
import Support

/// One subcommand: what it says of itself, how it reads its arguments, and what it does.
protocol Command {
    static var help: Help { get }
    init(_ arguments: inout Arguments) throws
    /// The files and folders that it reads.
    var inputs: [String] { get throws }
    /// Outputs that it may replace; none may be an input.
    var outputs: [String] { get throws }
    func run() throws
}

extension Command {
    var inputs: [String] { [] }
    var outputs: [String] { [] }
}

/// Text of `--help`; `options` is also what the parser accepts.
struct Help {
    struct Option {
        /// As written, long name first: `--output`, `-o`.
        var names: [String]
        /// Nil for a flag.
        var value: String?
        var meaning: String
        /// Whether it may be given several times.
        var isRepeatable: Bool

        init(_ names: String..., value: String? = nil, isRepeatable: Bool = false, meaning: String) {
            self.names = names
            self.value = value
            self.isRepeatable = isRepeatable
            self.meaning = meaning
        }
    }

    var name: String
    var summary: String
    var usage: String
    var discussion: String
    var options: [Option]
    var example: String

    var text: String {
        let rows = options.map { ($0.names.joined(separator: ", ") + ($0.value.map { " " + $0 } ?? ""), $0.meaning) }
        let width = rows.map(\.0.count).max() ?? 0
        let list = rows.map { "  " + $0.0.padding(toLength: width, withPad: " ", startingAt: 0) + "  " + $0.1 }
        return """
            \(summary)

            usage: rackfocus \(usage)

            \(discussion)

            options:
            \(list.joined(separator: "\n"))

            example:
              \(example)
            """
    }
}

/// The command line was not understood.
struct UsageError: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description.excerpt() }
}
