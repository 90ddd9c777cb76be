import AVFoundation
import CoreMedia
import Foundation
import Pipeline
import Stage
import TestSupport
import Testing

@testable import AVFCapture
@testable import RunReport
@testable import ScenarioFormat
@testable import ScenarioResults
@testable import ScenarioRun

@Suite("The scenario runner")
struct RunnerTests {
    private func scenario(_ timeline: String, _ sections: String = "") throws -> ScenarioFile {
        let text = """
            scenario: Run
            clip: {source: synthetic, size: 160x90, fps: 30, length: 2s, seed: 3}
            subjects:
              maya: {kind: face, box: [0.30, 0.25, 0.13, 0.30], depth: 1.5m}
              ben: {kind: face, box: [0.62, 0.30, 0.09, 0.20], depth: 2.6m}
            \(sections)
            timeline:
            """
        return try ScenarioFile.parse(text + "\n  - \(timeline)\n", path: "run.yaml")
    }

    @Test("leaves the same trace every time")
    func repeats() throws {
        let scenario = try scenario("0.5s: {tap: ben}")
        let hashes = try (0..<3).map { _ in try ScenarioRunner(scenario).run().traceHash }
        #expect(Set(hashes).count == 1)
        #expect(hashes[0].count == 64)
    }

    /// Session, app and run know one another; ten thousand runs must not pile up.
    @Test("nothing of a run stays when it is over")
    func letsGo() throws {
        final class Token: Sendable {}
        weak var left: Token?
        do {
            let token = Token()
            left = token
            _ = try ScenarioRunner(scenario("0.5s: {tap: ben}"), onRecord: { [token] _ in withExtendedLifetime(token) {} }).run()
        }
        #expect(left == nil)
    }

    @Test("fails what does not hold, at its place")
    func fails() throws {
        let outcome = try ScenarioRunner(scenario("1s: {expect: {focus: ben}}")).run()
        #expect(outcome.verdict == .failed)
        #expect(outcome.failures.map(\.location.line) == [8])
    }

    @Test("a known failure fails nothing, and one that is gone does")
    func issues() throws {
        let known = "issues: [{id: RF-1, why: not yet, message: expected focus ben}]"
        let hit = try ScenarioRunner(scenario("1s: {expect: {focus: ben}}", known)).run()
        #expect(hit.verdict == .passed)
        #expect(hit.knownIssues == ["RF-1: not yet"])
        let gone = try ScenarioRunner(scenario("1s: {expect: {focus: maya}}", known)).run()
        #expect(gone.verdict == .failed)
        #expect(gone.failures.first?.message.hasPrefix("the known issue RF-1 did not happen") == true)
        let rare = known.replacing("not yet,", with: "not yet, sometimes: true,")
        #expect(try ScenarioRunner(scenario("1s: {expect: {focus: maya}}", rare)).run().verdict == .passed)
    }

    @Test(
        "a call that is to raise and does not, or raises something else, has failed",
        arguments: [
            ("{set: {aperture: f/4}, error: range}", "expected NSRangeException, but nothing was raised"),
            ("{set: {aperture: f/0.7}, error: generic}", "expected NSGenericException, but NSRangeException was raised"),
        ])
    func raises(what: String, message: String) throws {
        let outcome = try ScenarioRunner(scenario("1s: {throws: \(what)}")).run()
        #expect(outcome.failures.map(\.message).contains { $0.hasSuffix(message) }, "\(outcome.failures)")
    }

    @Test("calls without effect are told in the trace")
    func diagnostics() throws {
        let trace = try ScenarioRunner(scenario("1s: {api: {trackingFocus: 999, mode: weak}}")).run().trace
        #expect(trace.contains("\"diagnostic\":\"no such object"))
    }

    @Test(
        "an order of focus that comes to nothing is told by its place or object",
        arguments: [
            ("1s: {focus: {on: {at: [0.05, 0.9]}, mode: strong}}", "nothing to focus on was found at (0.05, 0.9)"),
            ("1s: {exit: ben}\n  - 1.9s: {focus: ben}", "no such object: 2"),
            ("1s: {exit: ben}\n  - 1.9s: {focus: {on: ben, mode: fixed}}", "no such object: 2"),
        ])
    func unmetOrders(timeline: String, reason: String) throws {
        let messages = try ScenarioRunner(scenario(timeline)).run().failures.map(\.message)
        #expect(messages.count == 1 && messages[0].hasSuffix(" s: \(reason)"), "\(messages)")
    }

    @Test("objects that came late for a while come with their pictures again, and the light with them")
    func catchesUp() throws {
        let timeline = """
            0.2s: {fault: {lateMetadata: {frames: 3, for: 0.5s}}}
              - 0.3s: {move: {subject: ben, to: [0.1, 0.3, 0.09, 0.2], over: 1.5s}}
              - 1s: {light: 1lx}
            """
        let outcome = try ScenarioRunner(scenario(timeline, "session: {outputs: [movie, metadata, preview, video]}")).run()
        #expect(outcome.verdict == .passed, "\(outcome.failures)")
    }

    @Test(
        "a torch that cannot be lit is a failure, and changes nothing",
        arguments: [
            ("1s: {torch: on}", "device: {camera: trueDepth}", "torch on: this camera has no torch"),
            (
                "1s: {fault: {pressure: critical}, torch: 50%}", "",
                "torch 50%: the torch cannot be lit at a level while the camera is this hot"
            ),
        ])
    func torch(timeline: String, sections: String, message: String) throws {
        let outcome = try ScenarioRunner(scenario(timeline, sections)).run()
        #expect(outcome.failures.map(\.message) == [message])
    }

    @Test("footage cannot be run without pixels")
    func footage() throws {
        let footage = ClipSource.stereo(left: "l.mp4", right: "r.mp4", baseline: nil, focalLength: nil)
        let scenario = try ScenarioFile.parse("{}", path: "f.yaml", ReadingOptions(source: footage))
        #expect(throws: ScenarioRunner.NeedsPixels.self) { try ScenarioRunner(scenario) }
    }

    @Test("a fragment's section is joined to the scenario's own, which goes first")
    func fragments() throws {
        let folder = try Scratch()
        try folder.write(
            "light: 50lx\nsubjects: {ben: {kind: face, box: [0.6, 0.3, 0.1, 0.2], depth: 2m}, maya: {kind: prop}}\n", to: "_part.yaml")
        let text = """
            scenario: Joined
            include: [_part.yaml]
            clip: {source: synthetic, size: 160x90, length: 1s}
            subjects: {maya: {kind: face, box: [0.3, 0.3, 0.1, 0.2], depth: 1m}}
            """
        let scenario = try ScenarioFile.parse(text, path: folder("s.yaml"))
        #expect(scenario.subjects.map(\.name) == ["maya", "ben"])
        #expect(scenario.subjects.map(\.kind) == [.face, .face])
        #expect(scenario.light == 50)
        try folder.write("light: 51lx\n", to: "_part.yaml")
        #expect(try ScenarioFile.parse(text, path: folder("s.yaml")).digest != scenario.digest)
    }

    @Test("a matrix is every combination, the last name fastest")
    func matrix() throws {
        let text = """
            scenario: Swept
            matrix: {stop: [f/2, f/4], lux: [10lx, 20lx, 30lx]}
            clip: {source: synthetic, size: 160x90, length: 1s}
            device: {aperture: "${stop}"}
            light: "${lux}"
            """
        let scenarios = try ScenarioFile.parseAll(text, path: "m.yaml")
        #expect(scenarios.map(\.variant).prefix(3) == ["stop=f/2,lux=10lx", "stop=f/2,lux=20lx", "stop=f/2,lux=30lx"])
        #expect(scenarios.map(\.device.aperture) == [2, 2, 2, 4, 4, 4])
        #expect(Set(scenarios.map(\.digest)).count == 6)
    }

    @Test("an invariant that breaks is named")
    func invariants() throws {
        var watch = InvariantWatch(try scenario("1s: {tap: ben}"))
        func record(_ index: Int, subject: Int, mode: FocusMode, focus: Double = 1, isFixed: Bool = false, ids: [Int] = [1, 2]) -> FrameRecord {
            let seen = ids.map { Detection(objectID: $0, kind: .face, bounds: CGRect(x: 0, y: 0, width: 0.1, height: 0.1)) }
            let state = FocusState(focusDisparity: focus, subject: subject, mode: mode, fixedPoint: isFixed ? .zero : nil)
            return FrameRecord(
                frame: frame(index, truth: [], lux: 100), detections: seen, state: state, decisions: [], fNumber: 2.8, notEnoughLight: false)
        }
        #expect(watch.observe(record(0, subject: 1, mode: .strong)) == [])
        #expect(
            watch.observe(record(1, subject: 2, mode: .weak)) == [
                "the subject changed without a decision", "strong focus left object 1, which is present",
            ])
        #expect(watch.observe(record(2, subject: 2, mode: .weak, ids: [2, 2])) == ["object 2 is reported twice in one callback"])
        #expect(watch.observe(record(3, subject: 2, mode: .none)) == ["object 2 is in focus with mode none"])
        _ = watch.observe(record(4, subject: 2, mode: .strong, isFixed: true))
        #expect(watch.observe(record(5, subject: 2, mode: .strong, focus: 1.001, isFixed: true)) == ["a fixed focus moved from 1.0 to 1.001 1/m"])
    }
}
