import Foundation
import Pipeline

/// The trace a scenario must repeat bit for bit, kept in `goldens/` beside its file.
public struct GoldenTrace: Sendable {
    public let path: String

    /// Nil when the scenario has none.
    public init?(of scenario: ScenarioFile) {
        guard scenario.hasGoldenTrace else { return nil }
        let file = URL(fileURLWithPath: scenario.path)
        let stem = file.deletingPathExtension().lastPathComponent
        let variant = scenario.variant.isEmpty ? "" : "[\(scenario.variant)]"
        path = file.deletingLastPathComponent().appending(path: "goldens/\(stem)\(variant).trace.jsonl").path
    }

    /// Compares and, where that is asked for, rewrites. A missing golden is written, which fails where a run must not write (`isStrict`).
    public func settle(_ outcome: inout ScenarioOutcome, blesses: Bool, isStrict: Bool) throws {
        let trace = outcome.trace
        guard let data = FileManager.default.contents(atPath: path) else {
            guard !isStrict || blesses else {
                return outcome.fail("the golden trace is missing: \(path); run with --bless and commit it", .goldenMissing)
            }
            try write(trace)
            return outcome.notes.append("golden written, not compared: \(path)")
        }
        let golden = String(decoding: data, as: UTF8.self)
        guard golden != trace else { return }
        let difference = Self.difference(golden, trace)
        guard blesses else { return outcome.fail("the trace differs from \(path) (--bless takes the new one)\n\(difference)", .failed) }
        try write(trace)
        outcome.notes.append("golden rewritten: \(path)\n\(difference)")
    }

    /// Where two traces part, with up to ten lines before.
    public static func difference(_ old: String, _ new: String) -> String {
        let (old, new) = (old.split(separator: "\n"), new.split(separator: "\n"))
        let first = zip(old, new).enumerated().first { $0.element.0 != $0.element.1 }?.offset ?? min(old.count, new.count)
        let context = old[max(0, first - 10)..<first].map { "      \($0)" }
        let gone = first < old.count ? ["    - \(old[first])"] : []
        let come = first < new.count ? ["    + \(new[first])"] : []
        return (["    line \(first + 1):"] + context + gone + come).joined(separator: "\n")
    }

    private func write(_ trace: String) throws {
        try FileManager.default.createDirectory(atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        let file = try OutputFile(path: path, replacingExisting: true)
        try file.write(trace)
        try file.commit()
    }
}
