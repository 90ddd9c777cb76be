import Foundation

/// A number and the unit written behind it.
struct Quantity {
    let number: String
    let unit: String
    var value: Double

    /// Nil when the text does not start with a decimal number.
    init?(_ text: String) {
        var end = text.startIndex
        if end < text.endIndex, text[end] == "-" || text[end] == "+" { end = text.index(after: end) }
        var (digits, points) = (0, 0)
        while end < text.endIndex, text[end] == "." || ("0"..."9").contains(text[end]) {
            if text[end] == "." { points += 1 } else { digits += 1 }
            end = text.index(after: end)
        }
        guard digits > 0, points <= 1, let value = Double(text[..<end]), value.isFinite else { return nil }
        number = String(text[..<end])
        unit = text[end...].trimmingCharacters(in: .whitespaces)
        self.value = value
    }
}

/// What each quantity of a scenario may be: more than anybody films, and far from where arithmetic with it leaves a type's range.
///
/// A number from outside is held against these where it is read, so that whoever computes with it need not ask.
enum Limits {
    /// From a centimetre to what no camera resolves.
    static let metres = 0.001...10_000.0
    /// The sun at noon gives 120,000.
    static let lux = 0.0...1_000_000
    static let degrees = -360.0...360
    static let fNumber = 0.5...64.0
    /// A lens's, millimetres.
    static let focalLength = 1.0...10_000
    /// Measured in pixels: a focal length, a blur.
    static let pixels = 0.001...1_000_000.0
    /// What is heard.
    static let hertz = 20.0...20_000
    /// Sides and places of boxes, in widths and heights of the picture.
    static let box = -20.0...20
    /// Of a scenario's text.
    static let bytes = 16 << 20
    /// Characters of a name, which stands in reports and in every line of a trace.
    static let name = 100
    /// As many as a crowd; what is done for each and each other stays below a millisecond a frame.
    static let subjects = 1000
    /// What has no unit: points, disparities, factors, weights.
    static let plain = -1_000_000.0...1_000_000
    /// The least that a plain number may be without being 0, so that what divides by it stays finite.
    static let leastPlain = 1e-6
}

extension Node {
    /// Refuses what is outside a quantity's limits.
    private func checked(_ value: Double, _ what: String, in limits: ClosedRange<Double>, unit: String = "") throws(ScenarioError) -> Double {
        guard limits.contains(value) else {
            let (least, most) = (Self.plain(limits.lowerBound), Self.plain(limits.upperBound))
            throw error("\(what) lies between \(least)\(unit) and \(most)\(unit), not at `\(raw)`")
        }
        return value
    }

    /// A number with one of some units, each with the factor that leads to the first one.
    func quantity(_ what: String, units: [(name: String, factor: Double)], example: String) throws(ScenarioError) -> Double {
        let text = try text(what)
        guard let quantity = Quantity(text) else { throw error("\(what) is a number with its unit, like \(example), not `\(text)`") }
        if let unit = units.first(where: { $0.name == quantity.unit }) { return quantity.value * unit.factor }
        if quantity.unit.isEmpty { throw error("\(what) needs its unit", suggestion: "did you mean `\(text)\(units[0].name)`?") }
        throw error("\(what) is not measured in `\(quantity.unit)`", suggestion: "write it like \(example)")
    }

    func positive(
        _ what: String, units: [(name: String, factor: Double)], in limits: ClosedRange<Double>, example: String
    ) throws(ScenarioError) -> Double {
        let value = try quantity(what, units: units, example: example)
        guard value > 0 else { throw error("\(what) is more than 0, not `\(raw)`") }
        return try checked(value, what, in: limits, unit: units[0].name)
    }

    func metres(_ what: String) throws(ScenarioError) -> Double {
        try positive(what, units: [("m", 1), ("cm", 0.01), ("mm", 0.001)], in: Limits.metres, example: "1.4m")
    }

    func lux(_ what: String) throws(ScenarioError) -> Double {
        let value = try quantity(what, units: [("lx", 1)], example: "180lx")
        guard value >= 0 else { throw error("\(what) is never negative") }
        return try checked(value, what, in: Limits.lux, unit: "lx")
    }

    func degrees(_ what: String) throws(ScenarioError) -> Double {
        let value = try quantity(what, units: [("deg", 1), ("°", 1)], example: "40deg")
        guard Limits.degrees.contains(value) else { throw error("\(what) is at most one turn, not `\(raw)`") }
        return value
    }

    /// The number of `f/2.8`.
    func fNumber(_ what: String) throws(ScenarioError) -> Double {
        let text = try text(what)
        guard text.hasPrefix("f/"), let number = Quantity(String(text.dropFirst(2))), number.unit.isEmpty else {
            let bare = Quantity(text).map { "did you mean `f/\($0.number)`?" }
            throw error("\(what) is written like f/2.8, not `\(text)`", suggestion: bare)
        }
        guard Limits.fNumber.contains(number.value) else { throw error("\(what) lies between f/0.5 and f/64, not at `\(text)`") }
        return number.value
    }

    /// A plain number.
    func number(_ what: String) throws(ScenarioError) -> Double {
        let text = try text(what)
        guard let quantity = Quantity(text), quantity.unit.isEmpty else { throw error("\(what) is a plain number, not `\(text)`") }
        guard quantity.value == 0 || abs(quantity.value) >= Limits.leastPlain else {
            throw error("\(what) is 0 or at least \(Limits.leastPlain), not `\(text)`")
        }
        return try checked(quantity.value, what, in: Limits.plain)
    }

    /// A plain number or a percentage, as a fraction, 0…1.
    func fraction(_ what: String) throws(ScenarioError) -> Double {
        let value = try quantity(what, units: [("", 1), ("%", 0.01)], example: "0.5 or 50%")
        guard (0...1).contains(value) else { throw error("\(what) lies between 0 and 1, not at `\(raw)`") }
        return value
    }

    /// A whole number within limits.
    func integer(_ what: String, in range: ClosedRange<Int>) throws(ScenarioError) -> Int {
        let text = try text(what)
        guard let value = Int(text) else { throw error("\(what) is a whole number, not `\(text)`") }
        guard range.contains(value) else { throw error("\(what) lies between \(range.lowerBound) and \(range.upperBound), not at \(value)") }
        return value
    }

    /// `1920x1080`.
    func size(_ what: String, in range: ClosedRange<Int>) throws(ScenarioError) -> (width: Int, height: Int) {
        let text = try text(what)
        let parts = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let width = parts[0], let height = parts[1] else {
            throw error("\(what) is written like 1920x1080, not `\(text)`")
        }
        guard range.contains(width), range.contains(height) else {
            throw error("\(what) lies between \(range.lowerBound) and \(range.upperBound) each way, not at \(text)")
        }
        return (width, height)
    }

    /// A list of exactly `count` plain numbers.
    func numbers(_ what: String, _ shape: String) throws(ScenarioError) -> [Double] {
        let items = try list(of: what)
        let count = shape.split(separator: ",").count
        guard items.count == count else { throw error("\(what) is [\(shape)], \(count) numbers, not \(items.count)") }
        var numbers: [Double] = []
        for item in items { numbers.append(try item.number("each of [\(shape)]")) }
        return numbers
    }

    /// A number as people write it: 2 for 2.0.
    static func plain(_ number: Double) -> String {
        number == number.rounded() && abs(number) < 1e15 ? String(Int(number)) : String(number)
    }

    func point(_ what: String) throws(ScenarioError) -> CGPoint {
        let numbers = try numbers(what, "x, y")
        return CGPoint(x: numbers[0], y: numbers[1])
    }

    /// A box in 0…1 of the picture, origin top left; it may lie outside.
    func box(_ what: String) throws(ScenarioError) -> CGRect {
        let numbers = try numbers(what, "x, y, width, height")
        guard numbers[2] > 0, numbers[3] > 0 else { throw error("\(what) has a width and a height of more than 0") }
        if let far = numbers.first(where: { !Limits.box.contains($0) }) {
            throw error("\(what) is in 0…1 of the picture; \(Self.plain(far)) is far outside", suggestion: "divide pixels by the picture's size")
        }
        return CGRect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }
}
