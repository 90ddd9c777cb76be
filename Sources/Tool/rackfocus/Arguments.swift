import Foundation
import RackfocusKit
import Support

/// The words after the subcommand, taken one by one; what is left at the end was not understood.
struct Arguments {
    let help: Help
    var flags: Set<String> = []
    var values: [String: [String]] = [:]
    var positionals: [String] = []
    /// The words, those of an earlier command among them where it is done again.
    var words: [String]
    /// Earlier command that is done again; nil for none.
    var earlier: EarlierCommand?

    /// Sorts `words` by the options of `help`; `--name=value` and `--name value` are the same.
    init(_ words: [String], for help: Help) throws {
        (self.help, self.words) = (help, words)
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                positionals += rest
                break
            }
            guard word.hasPrefix("-"), word.count > 1, Double(word) == nil else {
                positionals.append(word)
                continue
            }
            try take(option: word, from: &rest)
        }
        if let path = value("--again") { try complete(with: EarlierCommand(path, of: help.name)) }
    }

    private mutating func take(option word: String, from rest: inout ArraySlice<String>) throws {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let option = help.options.first(where: { $0.names.contains(parts[0]) }) else {
            let near = Suggestion.nearest(to: parts[0], among: help.options.flatMap(\.names)).map { ", did you mean \($0)?" } ?? ""
            throw UsageError("unknown option \(parts[0])\(near)")
        }
        let name = option.names[0]
        guard let placeholder = option.value else {
            guard parts.count == 1 else { throw UsageError("\(name) takes no value") }
            flags.insert(name)
            return
        }
        guard option.isRepeatable || values[name] == nil else { throw UsageError("\(name) is given twice") }
        guard let value = parts.count == 2 ? parts[1] : rest.popFirst() else { throw UsageError("\(name) needs a value: \(name) \(placeholder)") }
        guard !value.isEmpty else { throw UsageError("\(name) needs a value that is not empty: \(name) \(placeholder)") }
        values[name, default: []].append(value)
    }

    func flag(_ name: String) -> Bool { flags.contains(name) }

    /// Whether an option was given, with or without a value.
    func isGiven(_ name: String) -> Bool { flags.contains(name) || values[name] != nil }

    func value(_ name: String) -> String? { values[name]?.first }

    /// Every value of an option that may be given several times, in order.
    func all(_ name: String) -> [String] { values[name] ?? [] }

    func number(_ name: String) throws -> Double? {
        guard let text = value(name) else { return nil }
        guard let number = Double(text), number.isFinite else { throw UsageError("\(name) takes a number, not \"\(text)\"") }
        return number
    }

    /// Duration of a frame at a rate as in a scenario's `fps`; nil where nothing is said.
    func frameDuration(_ name: String) throws -> CMTime? {
        guard let text = value(name) else { return nil }
        if let duration = CMTime(frameRate: text) { return duration }
        let near = CMTime.frameRate(meantBy: text).map { ", did you mean \($0)?" } ?? ""
        throw UsageError("\(name) is a whole number or a ratio from 1 to 240, like 30 or 30000/1001, not \"\(text)\"\(near)")
    }

    func required(_ name: String) throws -> String {
        guard let value = value(name) else { throw UsageError("\(name) is missing") }
        return value
    }

    /// Extensions of the formats of movies, and of pictures; of each the usual spelling first.
    static let (movieFormats, pictureFormats) = ([["mp4"], ["mov"], ["mkv"]], [["png"], ["tiff", "tif"], ["exr"]])

    /// `--output`, whose extension must say what will be in the file: one of `formats`.
    func output(as formats: [[String]]) throws -> String {
        let path = try required("--output")
        guard formats.joined().contains(where: { path.lowercased().hasSuffix("." + $0) }) else {
            let formats = formats.map { $0[0] }
            func listed(_ names: [String]) -> String { (names.dropLast(2) + [names.suffix(2).joined(separator: " or ")]).joined(separator: ", ") }
            let (names, endings) = (listed(formats.map { $0.uppercased() }), listed(formats.map { "." + $0 }))
            throw UsageError("--output is written as \(names): name it with \(endings), not \"\(path)\"")
        }
        return path
    }

    /// Whether racks begin or end with their decisions; nil where nothing is said.
    func mode() throws -> ScenarioFile.Mode? {
        guard let text = value("--mode") else { return nil }
        guard let mode = ScenarioFile.Mode(rawValue: text) else { throw UsageError("--mode is live or post, not \"\(text)\"") }
        return mode
    }

    static let phoneOption = Help.Option("--phone", value: "PHONE", meaning: "what films: a phone that rackfocus devices lists, or a profile.json")

    static let allowOption = Help.Option(
        "--allow", value: "FOLDER[:FOLDER…]", meaning: "files that a scenario may name besides those in its own folder and below")

    /// The folders of `--allow`.
    var allowed: [String] { value("--allow")?.split(separator: ":").map(String.init) ?? [] }

    mutating func positional(_ what: String) throws -> String {
        guard let word = optionalPositional() else { throw UsageError("\(what) is missing") }
        return word
    }

    mutating func optionalPositional() -> String? { positionals.isEmpty ? nil : positionals.removeFirst() }

    func finish() throws {
        if let word = positionals.first { throw UsageError("\"\(word)\" is one word too many") }
    }
}

extension CameraProfile.Phone {
    /// A shipped phone by name, or one of a profile file, with a camera that films cinematic video.
    init(argument name: String) throws {
        if name.hasSuffix(".json") { try self.init(contentsOf: URL(fileURLWithPath: name)) } else { try self.init(named: name) }
        guard !cinematicCameras.isEmpty else { throw UsageError("--phone: \(model) has no camera that films cinematic video") }
    }
}
