import Foundation
import RackfocusKit
import Support

/// Command that an earlier movie's record holds, to be done again.
struct EarlierCommand {
    /// Words behind the command's name.
    let words: [String]
    private let path: String
    /// Bytes of each file that it read.
    private let inputs: [String: Int]

    private struct Record: Decodable {
        var arguments: [String]?
        var inputs: [String: Int]?
    }

    /// Reads a record; throws `UsageError` for a file that is none, or of another command than `name`.
    init(_ path: String, of name: String) throws {
        let data: Data
        do throws(InputError) { data = try FileContents.read(path, atMost: 1 << 20) } catch { throw UsageError("--again: \(error)") }
        guard let record = try? JSONDecoder().decode(Record.self, from: data), let arguments = record.arguments, let first = arguments.first else {
            throw UsageError(
                "--again: \(path) is no record of a command; give the render.json of a movie's .run folder, an export's MOVIE.export.json, or the export.json of its stems"
            )
        }
        guard first == name else { throw UsageError("--again: \(path) is of `rackfocus \(first)`: give it to that") }
        (words, self.path, inputs) = (Array(arguments.dropFirst()), path, record.inputs ?? [:])
    }

    /// Warns of each file that is not what it was.
    func warn() {
        for change in changes { StandardError.print("rackfocus: warning: \(change)") }
    }

    /// Files that are not what they were, each in words.
    private var changes: [String] {
        inputs.sorted { $0.key < $1.key }.compactMap { file, bytes in
            var status = stat()
            guard stat(file, &status) == 0, Int(status.st_size) != bytes else { return nil }
            return "\(file) has \(status.st_size) bytes, and had \(bytes) for \(path)"
        }
    }
}

extension Arguments {
    /// `--again` of a command whose record lies at `place`.
    static func againOption(_ place: String) -> Help.Option {
        .init(
            "--again", value: "RECORD.json",
            meaning: "the command of an earlier movie, by its \(place), in the same folder; what is given beside it takes its place")
    }

    /// Options of which a command has one: a new one takes the place of an earlier other.
    private static let alternatives: [Set<String>] = [
        ["--quality", "--bitrate"], ["--output", "--stems"], ["--edits", "--as-recorded"],
        ["--left", "--right", "--calibration", "--side-by-side", "--top-bottom", "--video", "--disparity", "--depth"],
    ]

    /// Takes over what an earlier command says and this one does not. An earlier `--force` is not asked for again.
    mutating func complete(with command: EarlierCommand) throws {
        let before = try Arguments(command.words, for: help)
        let replaced = Self.alternatives.filter { group in group.contains(where: isGiven) }.reduce(into: Set<String>()) { $0.formUnion($1) }
        for (name, given) in before.values where values[name] == nil && !replaced.contains(name) { values[name] = given }
        values["--again"] = nil
        flags.formUnion(before.flags.subtracting(["--force"]))
        if positionals.isEmpty, replaced.isEmpty || !replaced.contains("--video") { positionals = before.positionals }
        words = positionals + flags.sorted() + values.sorted { $0.key < $1.key }.flatMap { name, given in given.flatMap { [name, $0] } }
        earlier = command
    }
}
