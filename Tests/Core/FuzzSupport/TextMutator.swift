import Foundation

/// Changes a text by what its format is made of: lines, numbers, words, and items between brackets and commas; seldom by bytes.
public struct TextMutator: Sendable {
    private let samples: [[UInt8]]
    /// Words of the samples, to be put where others were.
    private let words: [[UInt8]]
    private static let brackets: [(open: UInt8, close: UInt8)] = [("[", "]"), ("{", "}"), ("\"", "\"")].map {
        (UInt8(ascii: $0), UInt8(ascii: $1))
    }

    public init(_ samples: [String]) {
        self.samples = samples.map { Array($0.utf8) }
        let found = Set(samples.flatMap { $0.split { !$0.isLetter && !$0.isNumber && $0 != "_" } }.map { Array($0.utf8) })
        words = found.sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// One of the samples, changed in one to four places.
    public func callAsFunction(_ generator: inout FuzzGenerator) -> Data {
        var text = generator.pick(samples)
        for _ in 0...generator.index(4) { change(&text, &generator) }
        return Data(text)
    }

    private func change(_ text: inout [UInt8], _ generator: inout FuzzGenerator) {
        guard !text.isEmpty else { return text = generator.pick(samples) }
        switch generator.index(20) {
        case 0..<8: changeNumber(&text, &generator)
        case 8..<12: changeLines(&text, &generator)
        case 12..<15: changeItem(&text, &generator)
        case 15..<18: changeWord(&text, &generator)
        case 18: text[generator.index(text.count)] = UInt8(truncatingIfNeeded: generator.next())
        default: text.removeLast(generator.index(text.count))
        }
    }

    /// The run of bytes about a random place that `belongs` accepts, searched for from there on.
    private func token(_ text: [UInt8], _ generator: inout FuzzGenerator, where belongs: (UInt8) -> Bool) -> Range<Int>? {
        let start = generator.index(text.count)
        guard let hit = text[start...].firstIndex(where: belongs) ?? text.firstIndex(where: belongs) else { return nil }
        let first = text[..<hit].lastIndex { !belongs($0) }.map { $0 + 1 } ?? 0
        let end = text[hit...].firstIndex { !belongs($0) } ?? text.count
        return first..<end
    }

    private func changeNumber(_ text: inout [UInt8], _ generator: inout FuzzGenerator) {
        let parts = Set("0123456789.-+".utf8)
        guard let range = token(text, &generator, where: parts.contains) else { return }
        let old = Double(String(decoding: text[range], as: UTF8.self)) ?? 1
        text.replaceSubrange(range, with: Array(generator.number(near: old).utf8))
    }

    private func changeWord(_ text: inout [UInt8], _ generator: inout FuzzGenerator) {
        let parts = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_".utf8)
        guard !words.isEmpty, let range = token(text, &generator, where: parts.contains) else { return }
        text.replaceSubrange(range, with: generator.pick(words))
    }

    private func changeLines(_ text: inout [UInt8], _ generator: inout FuzzGenerator) {
        let newline = UInt8(ascii: "\n")
        var lines = text.split(separator: newline, omittingEmptySubsequences: false).map(Array.init)
        let (one, other) = (generator.index(lines.count), generator.index(lines.count))
        switch generator.index(4) {
        case 0: lines.remove(at: one)
        case 1: lines.insert(lines[one], at: other)
        case 2: lines.swapAt(one, other)
        default: lines.insert(generator.pick(generator.pick(samples).split(separator: newline).map(Array.init) + [[]]), at: one)
        }
        text = Array(lines.joined(separator: generator.chance(0.05) ? Array("\r\n".utf8) : [newline]))
    }

    /// Removes, repeats or nests what is between two brackets.
    private func changeItem(_ text: inout [UInt8], _ generator: inout FuzzGenerator) {
        let (open, close) = generator.pick(Self.brackets)
        let start = generator.index(text.count)
        guard let first = text[start...].firstIndex(of: open), let last = text[(first + 1)...].firstIndex(of: close) else { return }
        let item = Array(text[first...last])
        switch generator.index(4) {
        case 0: text.removeSubrange(first...last)
        case 1: text.replaceSubrange((first + 1)..<last, with: [])
        case 2: text.insert(contentsOf: item + [UInt8(ascii: ",")], at: first)
        default: text.replaceSubrange(first...last, with: Array(repeating: open, count: 1 + generator.index(40)) + item.dropFirst())
        }
    }
}
