import Foundation
import Support

/// Place in a hand-written file; line and column count from 1.
public struct FileLocation: Sendable, Equatable, CustomStringConvertible {
    /// Path of the file.
    public var file: String
    /// Line, from 1.
    public var line: Int
    /// Column, from 1.
    public var column: Int

    /// Creates a place.
    public init(file: String, line: Int, column: Int) {
        self.file = file
        self.line = line
        self.column = column
    }

    /// `file:line:column`.
    public var description: String { "\(file):\(line):\(column)" }
}

/// Fault of a scenario file: prints place, message, line, caret and a suggestion.
public struct ScenarioError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Path of the file.
    public var file: String
    /// Nil when the file as a whole is at fault (missing, unreadable).
    public var location: FileLocation?
    /// Fault in words.
    public var message: String
    /// The line as written; empty without a location.
    public var sourceLine: String
    /// Suggested replacement, when something known is near.
    public var suggestion: String?

    init(file: String, message: String) {
        self.file = file
        self.message = message
        self.sourceLine = ""
    }

    init(location: FileLocation, message: String, sourceLine: String, suggestion: String?) {
        self.file = location.file
        self.location = location
        self.message = message.excerpt()
        self.sourceLine = sourceLine
        self.suggestion = suggestion
    }

    /// Place, message, the line with a caret, and the suggestion.
    public var description: String {
        guard let location else { return "\(file): \(message)" }
        let (line, column) = sourceLine.excerpt(around: location.column)
        let indent = line.prefix(column - 1).map { $0 == "\t" ? "\t" : " " }.joined()
        let padding = String(repeating: " ", count: max(column - 1 - indent.count, 0))
        let shown = String(String.UnicodeScalarView(line.unicodeScalars.map { $0.value < 32 && $0 != "\t" ? "·" : $0 }))
        return "\(location): \(message)\n\(shown)\n\(indent)\(padding)^" + (suggestion.map { " \($0)" } ?? "")
    }
}

/// The text of a scenario file, kept so that every error can show its line, and which files it may name.
final class SourceText: Sendable {
    let file: String
    let scope: FileScope
    let lines: [String]
    /// Whether the text has a section of a scenario, however broken it is otherwise. A line of anything else (a password, a key) is never shown.
    let isScenario: Bool

    init(file: String, text: String, scope: FileScope? = nil) {
        self.file = file
        self.scope = scope ?? FileScope(ofScenario: file)
        self.lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.last == "\r" ? String($0.dropLast()) : String($0) }
        isScenario = lines.contains(where: Self.startsSection)
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
