import Focus
import Foundation
import Pipeline
import Support

extension ScenarioFile {
    /// Numbers of the focus engine by name; a mapping inside is a level of the name (`lowLight: {enter: 12lx}`).
    mutating func readTuning(_ node: Node, _ timebase: Timebase) throws(ScenarioError) {
        try readTuning(node, below: "", timebase)
        guard tuning.lowLightEnter <= tuning.lowLightLeave else {
            throw node.error("low light is entered at \(tuning.lowLightEnter) lx and left at \(tuning.lowLightLeave) lx: give `leave` too, not less")
        }
    }

    private mutating func readTuning(_ node: Node, below prefix: String, _ timebase: Timebase) throws(ScenarioError) {
        for entry in try node.entries(of: "tuning") {
            let name = prefix + entry.key.raw
            if FocusTuning.names.contains(where: { $0.hasPrefix(name + ".") }) {
                try readTuning(entry.value, below: name + ".", timebase)
                continue
            }
            guard let unit = FocusTuning.unit(of: name) else {
                throw entry.key.error("there is no tuning number `\(name)`", suggestion: Suggestion.didYouMean(name, among: FocusTuning.names))
            }
            let value = try Self.tuningValue(entry.value, unit, "`\(name)`", timebase)
            do throws(TuningError) { try tuning.set(name, to: value) } catch { throw entry.value.error(error.description) }
        }
    }

    private static func tuningValue(
        _ node: Node, _ unit: FocusTuning.Unit, _ what: String, _ timebase: Timebase
    ) throws(ScenarioError) -> TuningValue {
        switch unit {
        case .time: .time(nanoseconds: try timebase.duration(node, what))
        case .degrees: .degrees(try node.degrees(what))
        case .lux: .lux(try node.lux(what))
        case .disparity, .number: .number(try node.number(what))
        case .ease: .ease(try node.choice("an ease", Ease.self))
        }
    }
}
