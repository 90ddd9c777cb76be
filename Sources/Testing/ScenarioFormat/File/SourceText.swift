import Foundation

/// The text of a scenario file, kept so that every error can show its line, and which files it may name.
final class SourceText: Sendable {
    let file: String
    let scope: FileScope
    let lines: [String]
    /// Whether the text has a section of a scenario, however broken it is otherwise. A line of anything else (a password, a key) is never shown.
    let isScenario: Bool

    /// A text that is `shown` for certain is not a file's, but what the user wrote into a command.
    init(file: String, text: String, scope: FileScope? = nil, isShown: Bool = false) {
        self.file = file
        self.scope = scope ?? FileScope(ofScenario: file)
        // By bytes: a line feed behind a carriage return is no `Character` of its own.
        self.lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
            String(Substring(line.last == UInt8(ascii: "\r") ? line.dropLast() : line))
        }
        isScenario = isShown || lines.contains(where: Self.startsSection)
    }

    /// Whether a line begins with a section's name and a colon, in block style, flow style or JSON.
    private static func startsSection(_ line: String) -> Bool {
        let start = line.drop { " \t{\"'-\u{FEFF}".contains($0) }
        return Format.scenario.names.contains { name in
            guard start.hasPrefix(name) else { return false }
            return start.dropFirst(name.count).drop { " \"'".contains($0) }.first == ":"
        }
    }

    func location(_ mark: Mark) -> FileLocation { FileLocation(file: file, line: mark.line, column: mark.column) }

    func error(at mark: Mark, _ message: String, suggestion: String? = nil) -> ScenarioError {
        let line = isScenario && mark.line <= lines.count ? lines[mark.line - 1] : ""
        return ScenarioError(location: location(mark), message: message, sourceLine: line, suggestion: suggestion)
    }
}
