import Foundation
import FuzzSupport
import Support
import Testing

@Suite("Manifests of outputs, changed by chance")
struct ManifestFuzzTests {
    private static let sample = """
        {"files": {"trace.jsonl": {"bytes": 120, "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"},
        "perf.json": {}, "a/manifest.json": {"bytes": 2, "sha256": ""}}, "format": 1}
        """

    @Test("are read and written again the same, or are none")
    func manifests() throws {
        let mutator = TextMutator([Self.sample])
        try FuzzRun("manifest", count: 3000)({ mutator(&$0) }) { input, seed in
            guard let manifest = OutputManifest(input) else { return }
            let again = OutputManifest(try manifest.json)
            #expect(manifest.format == 1 && again == manifest, "seed \(seed)")
        }
    }
}
