import Foundation
import Pipeline
import Support

/// Truth of whom a person would have in focus, from when to when: text, a span a line.
///
///     # from  to    who (seconds; boxes x y w h, 0…1 of the picture, of the whole person as far as the picture shows it)
///     0       0.70  1                                      number of a subject in the truth of the same clip
///     0.70    2.75  box 0.62 0 0.38 1                      a place
///     2.75    7.04  box 0.1 0 0.4 1 to 0.3 0 0.4 1 or 2    a place that moves evenly; either of two is right
///     7.04    9.17  nobody                                 no person and no animal
///
/// Time that no span covers does not count.
public struct SubjectTruth: Sendable, Equatable {
    /// Right answer.
    public enum Choice: Sendable, Equatable {
        /// Object of the truth file under this number.
        case object(Int)
        /// Box that moves evenly from the span's start to its end, 0…1 of the picture.
        case box(from: CGRect, to: CGRect)
        /// Neither a person nor an animal.
        case nobody
    }

    /// Time for which the same answers are right, seconds from the first frame.
    public struct Span: Sendable, Equatable {
        /// First moment, seconds.
        public var start: Double
        /// End, seconds, not of the span itself.
        public var end: Double
        /// Right answers, each as good as the other.
        public var choices: [Choice]
        /// The answers as the file has them.
        public var text: String
    }

    /// Spans in order of time; none overlap.
    public private(set) var spans: [Span] = []
    /// Line of each in the file, from 1.
    private var lines: [Int] = []

    /// Reads a file; throws `DetectionLogError` with the line at fault.
    public init(path: String) throws(DetectionLogError) {
        let data: Data
        do throws(InputError) { data = try FileContents.read(path) } catch { throw DetectionLogError(path: path, reason: error.reason) }
        guard let text = String(data: data, encoding: .utf8) else { throw DetectionLogError(path: path, reason: "is no text") }
        try self.init(text, path: path)
    }

    /// Reads the text of a file; `path` names it in errors.
    init(_ text: String, path: String) throws(DetectionLogError) {
        for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let words = line.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace).map(String.init)
            guard !words.isEmpty else { continue }
            func fault(_ reason: String) -> DetectionLogError { DetectionLogError(path: path, line: number + 1, reason: reason) }
            guard words.count >= 3, let start = Self.time(words[0]), let end = Self.time(words[1]), start < end else {
                throw fault("a line is `from to who`, with from < to in seconds, not `\(line)`")
            }
            if let last = spans.last, start < last.end { throw fault("\(words[0]) s comes before the end of the line above, \(last.end) s") }
            let choices = words[2...].split(separator: "or", omittingEmptySubsequences: false).map { Self.choice(Array($0)) }
            guard !choices.contains(nil) else {
                let answer = words[2...].joined(separator: " ")
                throw fault("who is a number, `box x y w h`, `box x y w h to x y w h` or `nobody`, several joined by `or`, not `\(answer)`")
            }
            lines.append(number + 1)
            spans.append(Span(start: start, end: end, choices: choices.compactMap { $0 }, text: words[2...].joined(separator: " ")))
        }
        guard !spans.isEmpty else { throw DetectionLogError(path: path, reason: "holds no span") }
    }

    /// Throws `DetectionLogError` with the line of the first answer whose number no object of the truth has.
    ///
    /// - Parameters:
    ///   - path: this file, for the error.
    ///   - truth: the other one, for the error.
    public func check(_ objects: TruthFile, path: String, truth: String) throws(DetectionLogError) {
        let known = Set(objects.objects.values.joined().map(\.id))
        for (line, span) in zip(lines, spans) {
            for case .object(let id) in span.choices where !known.contains(id) {
                let numbers = OutputError.few(known.sorted().map(String.init))
                throw DetectionLogError(path: path, line: line, reason: "there is no subject \(id) in \(truth), which has \(numbers)")
            }
        }
    }

    /// Whether any answer is the number of an object in another file.
    public var hasNumbers: Bool {
        spans.contains { span in span.choices.contains { if case .object = $0 { true } else { false } } }
    }

    /// Seconds of 0 to a billion.
    private static func time(_ text: String) -> Double? { Double(text).flatMap { (0...1e9).contains($0) ? $0 : nil } }

    private static func choice(_ words: [String]) -> Choice? {
        if words == ["nobody"] { return .nobody }
        if words.count == 1, let number = Int32(words[0]) { return .object(Int(number)) }
        guard words.first == "box" else { return nil }
        let boxes = words.dropFirst().split(separator: "to", omittingEmptySubsequences: false).map { box(Array($0)) }
        guard let from = boxes.first ?? nil, boxes.count <= 2, let to = boxes.last ?? nil else { return nil }
        return .box(from: from, to: to)
    }

    private static func box(_ words: [String]) -> CGRect? {
        let numbers = words.compactMap(Double.init).filter { (-10.0...10).contains($0) }
        guard words.count == 4, numbers.count == 4, numbers[2] > 0, numbers[3] > 0 else { return nil }
        return CGRect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }
}
