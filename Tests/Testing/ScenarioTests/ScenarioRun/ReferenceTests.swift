import Foundation
import Stage
import TestSupport
import Testing

@testable import RunReport
@testable import ScenarioFormat
@testable import ScenarioResults
@testable import ScenarioRun

/// The format's own example, which lies beside a checkout and not in it.
private let example = Checkout.shared.appending(path: "../reference/example-scenario.yaml").standardizedFileURL
private let isThere = FileManager.default.fileExists(atPath: example.path)

@Suite("The reference's example")
struct ReferenceTests {
    @Test("runs, and holds", .enabled(if: isThere, "needs ../shared/reference/example-scenario.yaml"))
    func runs() throws {
        let scenario = try ScenarioFile.load(path: example.path)
        #expect(scenario.subjects.map(\.name) == ["maya", "cat", "mug"])
        #expect(scenario.clip.frameCount == 480)
        #expect(scenario.outputs == [.movie, .metadata, .preview])
        #expect(scenario.goldenFrames?.leastSSIM == 0.985)
        #expect(try scenario.world().subjects[1].presence == [3_000_000_000..<Int64.max])
        let outcome = try ScenarioRunner(scenario).run()
        #expect(outcome.failures == [])
        #expect(outcome.trace.contains("\"recording\":\"started\""))
    }
}
