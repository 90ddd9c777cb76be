import Foundation

/// Comparison of a property with a constant, or of its bits with zero.
private struct Comparison: @unchecked Sendable {
    let key: String
    /// `=`, `!=`, `<`, `<=`, `>` or `>=`.
    let sign: String
    let constant: Any?
    /// Bits of the property that count; nil for all.
    let mask: UInt?

    func holds<Object>(for object: Object, _ keys: [FetchKey<Object>]) -> Bool {
        guard let property = keys.first(where: { $0.name == key }) else {
            preconditionFailure("a predicate names '\(key)': \(Object.self) has \(keys.map(\.name).joined(separator: ", "))")
        }
        var value = property.value(object)
        if let mask { value = UInt(FetchValue.number(value) ?? 0) & mask }
        let order = FetchValue.compare(value, constant)
        switch sign {
        case "=", "==": return order == .orderedSame
        case "!=", "<>": return order != .orderedSame
        case "<": return order == .orderedAscending
        case "<=": return order != .orderedDescending
        case ">": return order == .orderedDescending
        default: return order != .orderedAscending
        }
    }
}

extension NSPredicate {
    /// Makes a condition on assets or albums: comparisons of their properties with `%@`, `%d` and constants, joined by AND or by OR, such as
    /// `"mediaType = %d AND creationDate > %@"` or `"(mediaSubtypes & %d) != 0"`. Foundation knows no formats here; another ends the program.
    public convenience init(format predicateFormat: String, _ arguments: Any...) {
        self.init(format: predicateFormat, argumentArray: arguments as [Any])
    }

    /// Makes a condition on assets or albums of a format and its arguments.
    public convenience init(format predicateFormat: String, argumentArray arguments: [Any]) {
        var parser = FormatParser(predicateFormat, arguments)
        let (comparisons, areJoinedByOr) = parser.read()
        self.init { object, _ in
            func holds(_ comparison: Comparison) -> Bool {
                if let asset = object as? PHAsset { return comparison.holds(for: asset, FetchKey.ofAssets) }
                if let album = object as? PHAssetCollection { return comparison.holds(for: album, FetchKey.ofCollections) }
                return false
            }
            return areJoinedByOr ? comparisons.contains(where: holds) : comparisons.allSatisfy(holds)
        }
    }
}

/// Reader of format strings, word by word.
private struct FormatParser {
    private let format: String
    private var words: ArraySlice<String>
    private var arguments: ArraySlice<Any>

    init(_ format: String, _ arguments: [Any]) {
        self.format = format
        self.arguments = arguments[...]
        var text = format
        for sign in ["==", "!=", "<>", "<=", ">=", "&&", "||", "(", ")"] { text = text.replacingOccurrences(of: sign, with: " \(sign) ") }
        var pieces: [String] = []
        for word in text.split(whereSeparator: \.isWhitespace).map(String.init) {
            // Single signs may stand without spaces around them.
            let isWhole = word.count < 3 || word.hasPrefix("'") || word.hasPrefix("\"")
            pieces += isWhole ? [word] : Self.separated(word)
        }
        words = pieces[...]
    }

    private static func separated(_ word: String) -> [String] {
        var pieces = [""]
        for character in word {
            if "=<>&".contains(character) { pieces += [String(character), ""] } else { pieces[pieces.count - 1].append(character) }
        }
        return pieces.filter { !$0.isEmpty }
    }

    mutating func read() -> (comparisons: [Comparison], areJoinedByOr: Bool) {
        var comparisons = [comparison()]
        var joints: Set<String> = []
        while let joint = words.popFirst() {
            switch joint.uppercased() {
            case "AND", "&&": joints.insert("AND")
            case "OR", "||": joints.insert("OR")
            default: refuse(joint)
            }
            comparisons.append(comparison())
        }
        if joints.count > 1 { refuse("AND beside OR") }
        return (comparisons, joints.contains("OR"))
    }

    private mutating func comparison() -> Comparison {
        let isInBrackets = take("(")
        let key = next()
        let mask = take("&") ? UInt(FetchValue.number(constant() ?? 0) ?? 0) : nil
        if isInBrackets, mask != nil, !take(")") { refuse("a bracket that is not closed") }
        let sign = next()
        guard ["=", "==", "!=", "<>", "<", "<=", ">", ">="].contains(sign) else { refuse(sign) }
        let value = constant()
        if isInBrackets, mask == nil, !take(")") { refuse("a bracket that is not closed") }
        return Comparison(key: key, sign: sign, constant: value, mask: mask)
    }

    private mutating func constant() -> Any? {
        let word = next()
        switch word.uppercased() {
        case let word where word.hasPrefix("%"):
            guard let argument = arguments.popFirst() else { refuse("more places than arguments") }
            return argument
        case "YES", "TRUE": return true
        case "NO", "FALSE": return false
        case "NIL", "NULL": return nil
        default:
            if let number = Double(word) { return number }
            guard let quote = word.first, "'\"".contains(quote), word.count > 1, word.last == quote else { refuse(word) }
            return String(word.dropFirst().dropLast())
        }
    }

    private mutating func next() -> String {
        guard let word = words.popFirst() else { refuse("the end") }
        return word
    }

    private mutating func take(_ word: String) -> Bool {
        guard words.first == word else { return false }
        words.removeFirst()
        return true
    }

    private func refuse(_ what: String) -> Never {
        preconditionFailure("NSPredicate(format: \"\(format)\"): \(what) is not understood here; NSPredicate(block:) is")
    }
}
