import Foundation
import FuzzSupport

@testable import ScenarioFormat

/// Changes texts of scenarios: half of them by their structure (sections, verbs, times, values, includes, anchors), half by their lines and words.
struct ScenarioTextMutator {
    private let trees: [ScenarioTree]
    /// Whatever stands in the samples, to be put elsewhere.
    private let parts: [ScenarioTree]
    private let keys: [String]
    private let lines: TextMutator

    init(_ samples: [String]) throws {
        trees = try samples.map { ScenarioTree(try Node.parse($0, file: "sample.yaml")) }
        parts = trees.flatMap(\.parts)
        keys = parts.flatMap(\.keys)
        lines = TextMutator(samples)
    }

    /// One of the samples, changed in one to four places.
    func callAsFunction(_ generator: inout FuzzGenerator) -> Data {
        if generator.chance(0.5) { return lines(&generator) }
        var tree = generator.pick(trees)
        for _ in 0...generator.index(4) { change(&tree, &generator) }
        return Data(tree.yaml.utf8)
    }

    /// Changes the tree at its root, or somewhere below.
    private func change(_ tree: inout ScenarioTree, _ generator: inout FuzzGenerator) {
        let isDeeper = generator.chance(0.85)
        switch tree {
        case .list(var items) where isDeeper && !items.isEmpty:
            change(&items[generator.index(items.count)], &generator)
            tree = .list(items)
        case .map(var entries) where isDeeper && !entries.isEmpty:
            let index = generator.index(entries.count)
            if generator.chance(0.2) { change(&entries[index].key, &generator) } else { change(&entries[index].value, &generator) }
            tree = .map(entries)
        case .list(let items): tree = .list(changed(items, with: generator.pick(parts), &generator))
        case .map(let entries): tree = .map(changed(entries, with: .init(key: generator.pick(keys), value: generator.pick(parts)), &generator))
        case .text(var text):
            switch generator.index(12) {
            case 0..<8:
                change(&text, &generator)
                tree = .text(text)
            case 8: tree = .list(Array(repeating: tree, count: generator.index(4)))
            case 9: tree = (0..<generator.index(40)).reduce(tree) { inner, _ in .list([inner]) }
            default: tree = generator.pick(parts)
            }
        case .plain: tree = generator.pick(parts)
        }
        if generator.chance(0.02) { tree = .plain(generator.pick(["&a ", "!!int ", "*a #", "<<: ", "? ", "| ", "- "]) + tree.yaml) }
    }

    private func changed<Part>(_ parts: [Part], with other: Part, _ generator: inout FuzzGenerator) -> [Part] {
        var parts = parts
        guard !parts.isEmpty else { return [other] }
        let (one, place) = (generator.index(parts.count), generator.index(parts.count))
        switch generator.index(4) {
        case 0: parts.remove(at: one)
        case 1: parts.insert(parts[one], at: place)
        case 2: parts.swapAt(one, place)
        default: parts.insert(other, at: place)
        }
        return parts
    }

    /// Another number with its unit, or with another; another key or word.
    private func change(_ text: inout String, _ generator: inout FuzzGenerator) {
        if let quantity = Quantity(text), generator.chance(0.8) {
            let units = ["", "s", "ms", "f", "m", "cm", "mm", "lx", "deg", "%", "x1", "/1001", "±5%"]
            text = generator.number(near: quantity.value) + (generator.chance(0.8) ? quantity.unit : generator.pick(units))
            return
        }
        let odd = ["end", "+1s", "-1f", "a+1s", "${x}", "", "~", "../a.yaml", "_maya-and-ben.yaml", "%d.png", "\u{0}", "é\u{301}", "none", "-9e18s"]
        text = generator.chance(0.5) ? generator.pick(odd) : generator.pick(keys)
    }
}
