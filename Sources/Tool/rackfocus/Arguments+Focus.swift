import Pipeline
import RackfocusKit

/// Options that order focus and aperture.
extension Arguments {
    static let focusOptions: [Help.Option] = [
        .init(
            "--focus", value: "'TIME: ORDER'", isRepeatable: true,
            meaning: "rack as ordered, like '3s: {on: {at: [0.4, 0.5]}, over: 1.5s}'; again for every rack"),
        .init(
            "--aperture-pull", value: "'TIME: ORDER'", isRepeatable: true,
            meaning: "pull the aperture, like '5s: {to: f/1.4, over: 2s}'; again for every pull"),
        .init("--rack", value: "DURATION", meaning: "length of automatic racks, like 1.5s; default 0.3s to 1s, by their distance"),
        .init(
            "--rack-ease", value: "CURVE",
            meaning: "their curve: smooth (the quintic of least jerk, default), inOut (cubic), in, out or linear"),
    ]

    /// Orders of `--focus` and `--aperture-pull`.
    var orders: [ReadingOptions.TimelineOrder] {
        all("--focus").map { .init(option: "--focus", verb: "focus", text: $0) }
            + all("--aperture-pull").map { .init(option: "--aperture-pull", verb: "aperture", text: $0) }
    }

    /// Length of automatic racks in nanoseconds; nil where nothing is said.
    func rack() throws -> Int64? {
        guard let text = value("--rack") else { return nil }
        let (factor, unit) = text.hasSuffix("ms") ? (1e6, "ms") : (1e9, "s")
        guard text.hasSuffix(unit), let number = Double(text.dropLast(unit.count)), (1e6...60e9).contains(number * factor) else {
            throw UsageError("--rack is a time from 1ms to 60s, like 1.5s or 800ms, not \"\(text)\"")
        }
        return Int64(number * factor)
    }

    /// Curve of automatic racks; nil where nothing is said.
    func rackEase() throws -> Ease? {
        guard let text = value("--rack-ease") else { return nil }
        guard let ease = Ease(rawValue: text) else {
            throw UsageError("--rack-ease is one of \(Ease.allCases.map(\.rawValue).joined(separator: ", ")), not \"\(text)\"")
        }
        return ease
    }
}
