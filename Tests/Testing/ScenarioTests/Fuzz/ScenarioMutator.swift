import Foundation
import FuzzSupport

@testable import ScenarioFormat

/// Small edits of a scenario, as a writer makes them: an event less, one more, one at another time; another number.
struct ScenarioMutator {
    private let samples: [(file: String, tree: ScenarioTree)]
    /// Events of all samples.
    private let events: [ScenarioTree]

    /// `samples` by file name, of one folder.
    init(_ samples: [(file: String, text: String)]) throws {
        let trees = try samples.map { ($0.file, ScenarioTree(try Node.parse($0.text, file: $0.file))) }
        self.samples = trees
        events = trees.flatMap { $0.1["timeline"]?.items ?? [] }
    }

    /// One sample with one to four edits.
    func callAsFunction(_ generator: inout FuzzGenerator) -> (file: String, text: String) {
        var (file, tree) = generator.pick(samples)
        for _ in 0...generator.index(4) {
            switch generator.index(10) {
            case 0..<7: editTimeline(&tree, &generator)
            case 7: editNumber(&tree, in: "subjects", &generator)
            case 8: editNumber(&tree, in: "tuning", &generator)
            default: editNumber(&tree, in: generator.pick(["clip", "device", "view", "light"]), &generator)
            }
        }
        return (file, tree.yaml)
    }

    private func editTimeline(_ tree: inout ScenarioTree, _ generator: inout FuzzGenerator) {
        var timeline = tree["timeline"]?.items ?? []
        let place = generator.index(timeline.count)
        switch generator.index(6) {
        case 0 where !timeline.isEmpty: timeline.remove(at: place)
        case 1 where !timeline.isEmpty: timeline.append(retimed(timeline[place], &generator))
        case 2 where !timeline.isEmpty: timeline[place] = retimed(timeline[place], &generator)
        case 3 where !timeline.isEmpty:
            var event = timeline[place]
            changeNumber(&event, &generator)
            timeline[place] = event
        case 4: timeline.append(retimed(renamed(generator.pick(events), subjects(of: tree), &generator), &generator))
        default: timeline.append(retimed(event(subjects(of: tree), &generator), &generator))
        }
        tree["timeline"] = .list(sorted(timeline))
    }

    private func editNumber(_ tree: inout ScenarioTree, in section: String, _ generator: inout FuzzGenerator) {
        guard var part = tree[section] else { return }
        changeNumber(&part, &generator)
        tree[section] = part
    }

    private func changeNumber(_ tree: inout ScenarioTree, _ generator: inout FuzzGenerator) {
        var left = generator.index(tree.textCount)
        tree.changeTexts { text in
            left -= 1
            guard left == -1, let quantity = Quantity(text) else { return }
            let scaled = (quantity.value * 2 * generator.uniform() * 1000).rounded() / 1000
            text = (generator.chance(0.9) ? "\(scaled)" : generator.number(near: quantity.value)) + quantity.unit
        }
    }

    private func subjects(of tree: ScenarioTree) -> [String] {
        let own = tree["subjects"]?.keys ?? []
        return own.isEmpty ? ["maya", "ben"] : own
    }

    /// Events of one time keep their order; those that refer to others stay behind them.
    private func sorted(_ timeline: [ScenarioTree]) -> [ScenarioTree] {
        var latest = 0.0
        let keyed = timeline.enumerated().map { offset, event in
            if let time = Self.time(event) { latest = time }
            return (time: latest, offset: offset, event: event)
        }
        return keyed.sorted { ($0.time, $0.offset) < ($1.time, $1.offset) }.map(\.event)
    }

    /// Seconds; nil where the time refers to another event.
    private static func time(_ event: ScenarioTree) -> Double? {
        guard let key = event.keys.first, let quantity = Quantity(key) else { return event.keys.first == "end" ? .infinity : nil }
        if key.hasPrefix("+") { return nil }
        return quantity.value * (["s": 1, "ms": 0.001, "f": 1.0 / 30][quantity.unit] ?? 1)
    }

    private func retimed(_ event: ScenarioTree, _ generator: inout FuzzGenerator) -> ScenarioTree {
        guard case .map(let entries) = event, let value = entries.first?.value else { return event }
        let time = generator.chance(0.5) ? "\(generator.index(180))f" : "\(generator.index(6000))ms"
        return ScenarioTree([time: value])
    }

    private func renamed(_ event: ScenarioTree, _ names: [String], _ generator: inout FuzzGenerator) -> ScenarioTree {
        var event = event
        let name = generator.pick(names)
        event.changeTexts { text in
            if Self.names.contains(text) { text = name }
        }
        return event
    }

    private static let names: Set = ["maya", "ben", "cat", "dog", "child", "ana", "board", "thing", "leo", "lamp"]

    /// An event of a kind that moves focus, or what it looks at.
    private func event(_ subjects: [String], _ generator: inout FuzzGenerator) -> ScenarioTree {
        let name = ScenarioTree.text(generator.pick(subjects))
        func number(_ low: Double, _ high: Double) -> ScenarioTree {
            .text("\(((low + (high - low) * generator.uniform()) * 1000).rounded() / 1000)")
        }
        func with(_ value: ScenarioTree, _ unit: String) -> ScenarioTree {
            if case .text(let text) = value { .text(text + unit) } else { value }
        }
        let over = with(number(50, 2000), "ms")
        let event: KeyValuePairs<String, ScenarioTree> =
            switch generator.index(9) {
            case 0: ["tap": name]
            case 1: ["press": ScenarioTree(["on": name, "for": with(number(250, 900), "ms")])]
            case 2, 3: ["move": ScenarioTree(["subject": name, "depth": with(number(0.4, 5), "m"), "over": over])]
            case 4: ["move": ScenarioTree(["subject": name, "to": .list([number(0, 1), number(0, 1)]), "over": over])]
            case 5: ["turn": ScenarioTree(["subject": name, "to": .text(generator.pick(["camera", "away", "90deg"]))])]
            case 6: ["fault": ScenarioTree(["missDetection": ScenarioTree(["subject": name, "for": over])])]
            case 7: ["occlude": ScenarioTree(["subject": name, "for": over])]
            default:
                [
                    "api": ScenarioTree([
                        "fixedFocusAt": .list([number(0, 1), number(0, 1)]), "mode": .text(generator.pick(["weak", "strong"])),
                    ])
                ]
            }
        return ScenarioTree(["0s": ScenarioTree(event)])
    }
}
