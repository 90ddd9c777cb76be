import Foundation
import Support

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
    /// Further faults of the same file, in the order of reading.
    public var others: [ScenarioError] = []

    package init(file: String, message: String) {
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

    /// Place, message, the line with a caret, and the suggestion; of each further fault the same.
    public var description: String { ([text] + others.map(\.description)).joined(separator: "\n") }

    private var text: String {
        guard let location else { return "\(file): \(message)" }
        let (line, column) = sourceLine.excerpt(around: location.column)
        let indent = line.prefix(column - 1).map { $0 == "\t" ? "\t" : " " }.joined()
        let padding = String(repeating: " ", count: max(column - 1 - indent.count, 0))
        let shown = String(String.UnicodeScalarView(line.unicodeScalars.map { $0.value < 32 && $0 != "\t" ? "·" : $0 }))
        return "\(location): \(message)\n\(shown)\n\(indent)\(padding)^" + (suggestion.map { " \($0)" } ?? "")
    }
}
