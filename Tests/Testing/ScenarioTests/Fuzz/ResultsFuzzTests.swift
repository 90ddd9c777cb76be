import Foundation
import FuzzSupport
import Testing

@testable import ScenarioResults

@Suite("Results of runs, changed by chance")
struct ResultsFuzzTests {
    private static let manifest = """
        {"engine": "1", "format": 1, "shard": "2/3", "plan": [{"id": "a.yaml", "directory": "a.yaml"}, {"id": "b.yaml[x=1]", "directory": "b.yaml_x=1_"}],
        "files": {"summary.json": {"bytes": 4, "sha256": "00ff"}, "a.yaml/manifest.json": {"bytes": 7, "sha256": "ab"}}}
        """

    @Test("a manifest names directories within the results, and is written again the same, or is none")
    func manifests() throws {
        let mutator = TextMutator([Self.manifest, Self.manifest.replacing("a.yaml", with: "../a")])
        try FuzzRun("results-manifest", count: 3000)({ mutator(&$0) }) { input, seed in
            guard let manifest = ResultsManifest(input) else { return }
            #expect(manifest.scenarios.count <= manifest.plan.count, "seed \(seed)")
            #expect(manifest.plan.allSatisfy { !$0.directory.contains("/") && $0.directory != ".." }, "seed \(seed)")
            let again = ResultsManifest(try manifest.json)
            #expect(again == manifest, "seed \(seed)")
        }
    }

    @Test("a result has words for everything, or is none")
    func results() throws {
        let sample = """
            {"id": "a.yaml[x=1]", "name": "A", "slug": "a.yaml", "verdict": 1, "frames": 30, "trace": "00", "inputs": "11", "engine": "1",
            "failures": [{"at": "a.yaml:3:4", "message": "no"}], "knownIssues": ["a: b"], "notes": ["c"]}
            """
        let mutator = TextMutator([sample])
        try FuzzRun("result", count: 2000)({ mutator(&$0) }) { input, seed in
            guard let result = TestResult(input) else { return }
            #expect(!result.text.isEmpty, "seed \(seed)")
            let junit = try #require(try TestReport([result]).files().first { $0.name == "junit.xml" }?.data)
            #expect(XMLScalars.areAllowed(in: String(decoding: junit, as: UTF8.self)), "seed \(seed)")
        }
    }
}

/// Characters that XML 1.0 allows (production 2).
private enum XMLScalars {
    static func areAllowed(in text: String) -> Bool {
        text.unicodeScalars.allSatisfy { [0x9, 0xA, 0xD].contains($0.value) || ($0.value >= 0x20 && $0.value != 0xFFFE && $0.value != 0xFFFF) }
    }
}
