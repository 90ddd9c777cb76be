import Foundation

/// A place in a file a person wrote; line and column count from 1.
public struct FileLocation: Sendable, Equatable, CustomStringConvertible {
    public var file: String
    public var line: Int
    public var column: Int

    public init(file: String, line: Int, column: Int) {
        self.file = file
        self.line = line
        self.column = column
    }

    public var description: String { "\(file):\(line):\(column)" }
}

/// What is wrong with a scenario file, and where: prints the place, the message, the line, a caret and what may have been meant.
public struct ScenarioError: Error, Equatable, Sendable, CustomStringConvertible {
    public var file: String
    /// Nil when the file as a whole is at fault (missing, unreadable).
    public var location: FileLocation?
    public var message: String
    /// The line as written; empty without a location.
    public var sourceLine: String
    /// What to write instead, when something is near.
    public var suggestion: String?

    init(file: String, message: String) {
        self.file = file
        self.message = message
        self.sourceLine = ""
    }

    init(location: FileLocation, message: String, sourceLine: String, suggestion: String?) {
        self.file = location.file
        self.location = location
        self.message = message
        self.sourceLine = sourceLine
        self.suggestion = suggestion
    }

    public var description: String {
        guard let location else { return "\(file): \(message)" }
        let indent = sourceLine.prefix(location.column - 1).map { $0 == "\t" ? "\t" : " " }.joined()
        let padding = String(repeating: " ", count: max(location.column - 1 - indent.count, 0))
        let shown = String(String.UnicodeScalarView(sourceLine.unicodeScalars.map { $0.value < 32 && $0 != "\t" ? "·" : $0 }))
        return "\(location): \(message)\n\(shown)\n\(indent)\(padding)^" + (suggestion.map { " \($0)" } ?? "")
    }
}

/// The text of a scenario file, kept so that every error can show its line.
final class SourceText: Sendable {
    let file: String
    let lines: [String]

    init(file: String, text: String) {
        self.file = file
        self.lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.last == "\r" ? String($0.dropLast()) : String($0) }
    }

    func location(_ mark: Mark) -> FileLocation { FileLocation(file: file, line: mark.line, column: mark.column) }

    func error(at mark: Mark, _ message: String, suggestion: String? = nil) -> ScenarioError {
        let line = mark.line <= lines.count ? lines[mark.line - 1] : ""
        return ScenarioError(location: location(mark), message: message, sourceLine: line, suggestion: suggestion)
    }
}
