/// Key of the scenario format: the shape of its value, and a sentence for completion in an editor.
struct FormatKey: Sendable {
    let name: String
    let shape: FormatShape
    let about: String

    init(_ name: String, _ shape: FormatShape, _ about: String) { (self.name, self.shape, self.about) = (name, shape, about) }
}

/// The keys of one mapping of the format: what the reader knows (`Fields`) and what the schema says are the same table.
struct FormatTable: Sendable {
    /// Names its definition in the schema.
    let name: String
    let keys: [FormatKey]
    /// Keys of the format that this version does not read.
    var later: [String] = []

    init(_ name: String, _ keys: [FormatKey], later: [String] = []) { (self.name, self.keys, self.later) = (name, keys, later) }

    var names: [String] { keys.map(\.name) }

    /// The same keys and some more, under another name.
    func adding(_ name: String, _ more: [FormatKey]) -> FormatTable { FormatTable(name, keys + more) }
}

/// Shape of the values that one place allows.
indirect enum FormatShape: Sendable {
    /// Any text.
    case text
    /// One of these words.
    case words([String])
    case bool
    case number
    case integer(ClosedRange<Int>)
    /// Text of this regular expression, anchored at both ends.
    case pattern(String)
    /// So many numbers.
    case numbers(Int)
    case list(FormatShape)
    case table(FormatTable)
    /// A mapping whose keys are names that the file chooses, of this regular expression.
    case named(String, FormatShape)
    /// A mapping with one key of this regular expression.
    case single(String, FormatShape)
    case either([FormatShape])
}

extension FormatShape {
    private static let digits = "[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)"
    /// As `TimelineClock.isName`, nearly: regular expressions do not agree on what a letter is.
    static let name = "[^\\s0-9+._$<>={}\\[\\]-][^\\s+.$<>={}\\[\\]]*"
    private static let duration = "\\+?([0-9]+\\.?[0-9]*|\\.[0-9]+) *(s|ms|f)"
    /// The time of an event: `1.5s`, `00:00:03:12`, `+0.4s`, `mark`, `mark+350ms`, `end`.
    static let moment = "(\(duration)|([0-9]{2}:){3}[0-9]{2}|[0-9]{2}:[0-9]{2}:[0-9]{2}[;.][0-9]{2}|\(name)(\\+\(duration))?)"

    static func quantity(_ units: String...) -> FormatShape { .pattern("\(digits) *(\(units.joined(separator: "|")))") }
    static func words<Word: CaseIterable & RawRepresentable>(_: Word.Type) -> FormatShape where Word.RawValue == String {
        .words(Word.allCases.map(\.rawValue))
    }

    static let time = pattern(duration)
    static let instant = pattern(moment)
    static let metres = quantity("m", "cm", "mm")
    static let lux = quantity("lx")
    static let degrees = quantity("deg", "°")
    static let fNumber = pattern("f/([0-9]+\\.?[0-9]*|\\.[0-9]+)")
    static let fraction = either([.number, .pattern("\(digits) *%?")])
    static let heading = either([.words(["camera", "away"]), .degrees])
    static let subject = pattern(name)
    static let size = pattern("[0-9]+x[0-9]+")
    /// A number with how far from it still counts.
    static func near(_ units: String) -> FormatShape { .pattern("\(digits) *\(units)( *(±|\\+-) *\(digits) *(%|\(units)))?") }
}
