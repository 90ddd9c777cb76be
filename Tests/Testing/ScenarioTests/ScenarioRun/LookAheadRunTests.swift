import AVFoundation
import Foundation
import Pipeline
import Synchronization
import Testing

@testable import RunReport
@testable import ScenarioFormat
@testable import ScenarioResults
@testable import ScenarioRun

@Suite("Runs with the future known")
struct LookAheadRunTests {
    private static let text = """
        scenario: Twice
        clip: {source: synthetic, size: 160x90, fps: 30, length: 5s, seed: 3}
        subjects:
          maya: {kind: face, box: [0.30, 0.25, 0.13, 0.30], depth: 1.5m}
          ben: {kind: face, box: [0.62, 0.30, 0.09, 0.20], depth: 2.6m}
        timeline:
          - 2s: {tap: ben}
          - 3s: {press: {on: maya, for: 400ms}}
          - 4s: {tap: ben}
        """

    private func records(_ mode: ScenarioFile.Mode, _ text: String = Self.text) throws -> (
        records: [FrameRecord], outcome: ScenarioOutcome
    ) {
        let records = Mutex<[FrameRecord]>([])
        let scenario = try ScenarioFile.parse(text, path: "twice.yaml").inMode(mode)
        let outcome = try ScenarioRunner(scenario) { record in records.withLock { $0.append(record) } }
            .run()
        return (records.withLock { $0 }, outcome)
    }

    @Test(
        "take the same decisions; each rack ends with its decision, where live it begins, and never overshoots"
    )
    func arrives() throws {
        let (live, post) = (try records(.live), try records(.post))
        #expect(post.outcome.verdict == .passed, "\(post.outcome.failures)")
        #expect(live.records.map(\.decisions) == post.records.map(\.decisions))
        #expect(live.records.map(\.detections) == post.records.map(\.detections))
        let decided = live.records.indices.filter {
            live.records[$0].decisions.contains(where: \.isUserDecision)
        }
        #expect(decided.count == 3)
        for index in decided {
            let (begins, arrives) = (live.records[index].state, post.records[index].state)
            #expect(begins.rack?.start == live.records[index].time)
            #expect(arrives.rack == nil)
            #expect(abs(arrives.focusDisparity - live.records[index].decisions[0].disparity) < 0.01)
            #expect(post.records[index - 1].state.rack != nil)
        }
        #expect(post.records.allSatisfy { (0.38...0.67).contains($0.state.focusDisparity) })
        let steps = zip(post.records, post.records.dropFirst()).map {
            abs($0.state.focusDisparity - $1.state.focusDisparity)
        }
        #expect(steps.allSatisfy { $0 < 0.05 })
    }

    /// The rack lands in the first frame that is there, and begins as much later.
    @Test("an order whose landing falls among dropped frames leaves focus on who walks until its rack begins, and breaks no rule by it")
    func landsAmongDroppedFrames() throws {
        let text = """
            scenario: Later
            clip: {source: synthetic, size: 160x90, fps: 30, length: 4s}
            subjects:
              maya: {kind: person, box: [0, 0, 0.3, 0.4], depth: 0.5m}
            timeline:
              - 2s: {focus: {on: maya, mode: fixed, landing: 3s}}
              - 2s: {move: {subject: maya, depth: 1m, over: 0.4s}}
              - 3s: {fault: {dropFrames: 8}}
            """
        let (records, outcome) = try records(.post, text)
        #expect(outcome.verdict == .passed, "\(outcome.failures.map(\.message))")
        #expect(records[66].state.isFixed && records[66].state.rack == nil && records[66].state.focusDisparity < 1.7)
        #expect(records.suffix(10).allSatisfy { abs($0.state.focusDisparity - 2) < 0.05 })
    }

    @Test("say so in the trace, and repeat")
    func repeats() throws {
        let traces = try (0..<2).map { _ in try records(.post).outcome.trace }
        #expect(traces[0] == traces[1])
        #expect(traces[0].prefix { $0 != "\n" }.contains("\"mode\":\"post\""))
        #expect(try !records(.live).outcome.trace.prefix { $0 != "\n" }.contains("\"mode\""))
    }

    @Test("a file says `mode: post` itself, and no other word")
    func format() throws {
        #expect(try ScenarioFile.parse("mode: post\n" + Self.text, path: "p.yaml").mode == .post)
        #expect(throws: ScenarioError.self) {
            try ScenarioFile.parse("mode: past\n" + Self.text, path: "p.yaml")
        }
    }

    @Test("compared with the live run say when each subject is sharp, in both")
    func comparison() throws {
        let (live, post) = (try records(.live).outcome.trace, try records(.post).outcome.trace)
        let comparison = try TraceComparison(live, named: "live", with: post, named: "post")
        #expect(comparison.decidesTheSame)
        let lines = comparison.text.split(separator: "\n").map {
            $0.split(separator: " ").joined(separator: " ")
        }
        #expect(lines.count == 6, "\(comparison.text)")
        #expect(lines[0] == "decision live sharp at post sharp at")
        #expect(lines[2] == "2.100 s ben weak tapUnfocused 2.567 s 2.100 s")
        #expect(lines[5].hasPrefix("4 decisions, the same in both; focus is up to 0.2"))
        let same = try TraceComparison(live, named: "a", with: live, named: "b")
        #expect(same.text.hasSuffix("4 decisions, the same in both; focus is the same"))
        let other = try records(.live, Self.text.replacing("4s: {tap: ben}", with: "4s: {tap: maya}"))
            .outcome.trace
        #expect(try !TraceComparison(live, named: "a", with: other, named: "b").decidesTheSame)
        #expect(throws: TraceComparison.BadTrace.self) {
            try TraceComparison(live, named: "a", with: "no trace", named: "b")
        }
    }
}
