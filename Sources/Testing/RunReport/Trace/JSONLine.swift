import Foundation

/// One JSON object on one line, keys in the order they are added; fractions become integers in 1/65536.
///
/// It writes bytes straight away, so that a trace costs little more than its length.
package struct JSONLine: Equatable {
    /// All of it but the closing brace.
    private var open: [UInt8] = [UInt8(ascii: "{")]

    /// Makes an empty object.
    package init() {}

    /// The whole object.
    var bytes: [UInt8] { open + [UInt8(ascii: "}")] }
    /// The whole object as text.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Starts anew in the same memory.
    mutating func clear() { open.removeSubrange(1...) }

    mutating func add(_ key: StaticString, _ value: Int) {
        self.key(key)
        digits(value)
    }

    /// Adds a number; nil is null.
    package mutating func add(_ key: StaticString, _ value: Int?) {
        self.key(key)
        if let value { digits(value) } else { word("null") }
    }

    mutating func add(_ key: StaticString, _ value: Bool) {
        self.key(key)
        word(value ? "true" : "false")
    }

    mutating func add(_ key: StaticString, _ value: Double?) {
        self.key(key)
        fraction(value)
    }

    mutating func add(_ key: StaticString, _ values: [Double]) {
        self.key(key)
        list(values) { $0.fraction($1) }
    }

    mutating func add(_ key: StaticString, _ box: CGRect) {
        self.key(key)
        word("[")
        fraction(box.minX)
        word(",")
        fraction(box.minY)
        word(",")
        fraction(box.width)
        word(",")
        fraction(box.height)
        word("]")
    }

    /// Adds text; nil is null.
    package mutating func add(_ key: StaticString, _ value: String?) {
        self.key(key)
        if let value { quote(value) } else { word("null") }
    }

    /// Text that needs no escape.
    mutating func add(_ key: StaticString, plain value: String) {
        self.key(key)
        word("\"")
        open.append(contentsOf: value.utf8)
        word("\"")
    }

    /// Adds a list of texts.
    package mutating func add(_ key: StaticString, _ values: [String]) {
        self.key(key)
        list(values) { $0.quote($1) }
    }

    /// An object within this one.
    mutating func add(_ key: StaticString, object body: (inout JSONLine) -> Void) {
        self.key(key)
        nest(body)
    }

    /// A list of objects.
    mutating func add<Element>(_ key: StaticString, each elements: some Sequence<Element>, _ body: (inout JSONLine, Element) -> Void) {
        self.key(key)
        list(elements) { line, element in line.nest { body(&$0, element) } }
    }

    /// A list of objects that have been written before.
    mutating func add(_ key: StaticString, lines: some Sequence<JSONLine>) {
        self.key(key)
        list(lines) { line, element in
            line.open.append(contentsOf: element.open)
            line.word("}")
        }
    }

    /// All members of another object.
    mutating func add(members of: JSONLine) {
        if open.count > 1 { word(",") }
        open.append(contentsOf: of.open[1...])
    }

    /// Appends the whole line with its end to a text.
    func write(to text: inout [UInt8]) {
        text.append(contentsOf: open)
        text.append(UInt8(ascii: "}"))
        text.append(UInt8(ascii: "\n"))
    }

    // MARK: pieces

    private mutating func list<Element>(_ elements: some Sequence<Element>, _ body: (inout JSONLine, Element) -> Void) {
        word("[")
        var isFirst = true
        for element in elements {
            if !isFirst { word(",") }
            isFirst = false
            body(&self, element)
        }
        word("]")
    }

    private mutating func nest(_ body: (inout JSONLine) -> Void) {
        word("{")
        body(&self)
        word("}")
    }

    private mutating func key(_ key: StaticString) {
        if let last = open.last, last != UInt8(ascii: "{") { word(",") }
        word("\"")
        word(key)
        word("\":")
    }

    private mutating func word(_ text: StaticString) {
        open.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private mutating func fraction(_ value: Double?) {
        guard let value, value.isFinite, abs(value) < 1e12 else { return word("null") }
        digits(Int((value * 65536).rounded()))
    }

    private mutating func digits(_ value: Int) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var rest = value.magnitude
            var start = digits.count
            repeat {
                start -= 1
                digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            } while rest > 0
            if value < 0 {
                start -= 1
                digits[start] = UInt8(ascii: "-")
            }
            open.append(contentsOf: UnsafeBufferPointer(rebasing: digits[start...]))
        }
    }

    private mutating func quote(_ text: String) {
        word("\"")
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""): word("\\\"")
            case UInt8(ascii: "\\"): word("\\\\")
            case UInt8(ascii: "\n"): word("\\n")
            case 0..<32:
                let digits = String(byte, radix: 16)
                open.append(contentsOf: "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8)
            default: open.append(byte)
            }
        }
        word("\"")
    }
}
