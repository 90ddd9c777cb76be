import Foundation
import Pipeline
import ScenarioFormat
import Support

/// The trace a scenario must repeat bit for bit, kept in `goldens/` beside its file.
public struct GoldenTrace: Sendable {
    /// Path of the golden.
    public let path: String
    private let scope: FileScope

    /// Nil when the scenario has none.
    public init?(of scenario: ScenarioFile) {
        guard scenario.hasGoldenTrace else { return nil }
        path = scenario.goldenPath("trace.jsonl")
        scope = scenario.scope
    }

    /// Compares and, where that is asked for, rewrites. A missing golden is written, which fails where a run must not write (`isStrict`).
    public func check(_ outcome: inout ScenarioOutcome, blesses: Bool, isStrict: Bool) throws {
        let trace = outcome.trace
        let isThere = FileManager.default.fileExists(atPath: path)
        if isThere, let reason = scope.refusal(of: path) { return outcome.fail(reason, .scenarioWrong) }
        guard isThere else {
            guard !isStrict || blesses else {
                return outcome.fail("the golden trace is missing: \(path); run with --bless and commit it", .goldenMissing)
            }
            try write(trace)
            return outcome.notes.append("golden written, not compared: \(path)")
        }
        let golden = String(decoding: try FileContents.read(path), as: UTF8.self)
        guard golden != trace else { return }
        let difference = Self.difference(golden, trace)
        guard blesses else {
            outcome.files += Self.excerpts(golden, trace)
            return outcome.fail("the trace differs from \(path) (--bless takes the new one)\n\(difference)", .failed)
        }
        try write(trace)
        outcome.notes.append("golden rewritten: \(path)\n\(difference)")
    }

    /// Both traces from ten lines before they part to ten behind, for the folder `diff/`.
    private static func excerpts(_ old: String, _ new: String) -> [(name: String, data: Data)] {
        let (old, new) = (old.split(separator: "\n"), new.split(separator: "\n"))
        let first = parting(old, new)
        return [("expected", old), ("actual", new)].map { name, lines in
            ("diff/\(name).jsonl", Data((around(first, of: lines).joined(separator: "\n") + "\n").utf8))
        }
    }

    private static func parting(_ old: [Substring], _ new: [Substring]) -> Int {
        zip(old, new).enumerated().first { $0.element.0 != $0.element.1 }?.offset ?? min(old.count, new.count)
    }

    /// First difference of two traces, with up to ten lines before.
    public static func difference(_ old: String, _ new: String) -> String {
        let (old, new) = (old.split(separator: "\n"), new.split(separator: "\n"))
        let first = parting(old, new)
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

extension ScenarioFile {
    /// Path of a golden of this scenario.
    package func goldenPath(_ kind: String) -> String {
        let file = URL(fileURLWithPath: path)
        let point = variant.isEmpty ? "" : "[\(variant.replacing("/", with: "_"))]"
        return file.deletingLastPathComponent().appending(path: "goldens/\(file.deletingPathExtension().lastPathComponent)\(point).\(kind)").path
    }
}
