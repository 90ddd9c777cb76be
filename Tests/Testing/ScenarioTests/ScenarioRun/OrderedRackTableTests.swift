import AVFoundation
import Foundation
import Pipeline
import ScenarioResults
import Synchronization
import Testing

@testable import RunReport
@testable import ScenarioFormat
@testable import ScenarioRun

/// Twenty racks as a scenario orders them: every verb, mode and curve, with times in seconds, frames and timecode, onto people who stand and walk,
/// places and distances. Each is measured by the first frame in which no rack is under way and focus is where its target is.
@Suite("Twenty ordered racks of a scenario")
struct OrderedRackTableTests {
    /// A rack: the time and the order as they are written, and the same in frames of a clip with 24 frames a second.
    private struct Order {
        var time: String
        var verb: String
        var begin: Int
        /// Frame in which a live rack lands.
        var landing: Int
        /// Whether the order itself says when it lands; if not, look-ahead lands it in frame `begin`.
        var isLanding = false
    }

    private static let orders = [
        Order(time: "2s", verb: "{on: ben, over: 1.5s, ease: inOut}", begin: 48, landing: 84),
        Order(time: "120f", verb: "{on: maya, mode: weak, over: 12f, ease: linear}", begin: 120, landing: 132),
        Order(time: "\"00:00:08:00\"", verb: "{on: 2m, over: 750ms, ease: in}", begin: 192, landing: 210),
        Order(time: "11s", verb: "{on: cara, over: 1s, ease: out}", begin: 264, landing: 288),
        Order(time: "336f", verb: "{on: {at: [0.665, 0.4]}, over: 6f}", begin: 336, landing: 342),
        Order(time: "\"00:00:17:00\"", verb: "{on: maya, mode: fixed, over: 2s, ease: smooth}", begin: 408, landing: 456),
        Order(time: "20s", verb: "{on: cara, mode: strong, landing: 21s}", begin: 480, landing: 504, isLanding: true),
        Order(time: "552f", verb: "{on: 5m, over: 10f, landing: 570f, ease: linear}", begin: 560, landing: 570, isLanding: true),
        Order(time: "\"00:00:26:00\"", verb: "{on: ben, landing: \"00:00:27:12\", ease: out}", begin: 624, landing: 660, isLanding: true),
        Order(time: "29s", verb: "{on: {px: [116, 72]}, mode: fixed, over: 250ms}", begin: 696, landing: 702),
        Order(time: "768f", verb: "{on: cara, mode: weak, over: 1s, landing: \"00:00:34:00\", ease: in}", begin: 792, landing: 816, isLanding: true),
        Order(time: "\"00:00:35:00\"", verb: "{on: 1.2m, landing: 860f, ease: inOut}", begin: 840, landing: 860, isLanding: true),
        Order(time: "38s", verb: "{on: ben, mode: strong, over: 3f, ease: linear}", begin: 912, landing: 915),
        Order(time: "984f", verb: "{on: {at: [0.365, 0.4]}, mode: weak, over: 0.5s, ease: out}", begin: 984, landing: 996),
        Order(time: "\"00:00:44:00\"", verb: "{on: cara, mode: fixed, over: 1.25s, ease: in}", begin: 1056, landing: 1086),
        Order(time: "47s", verb: "{on: maya, landing: 48.5s, over: 1.5s, ease: smooth}", begin: 1128, landing: 1164, isLanding: true),
        Order(time: "1200f", verb: "{on: ben, mode: weak, over: 30f, ease: inOut}", begin: 1200, landing: 1230),
        Order(time: "\"00:00:53:00\"", verb: "{on: 3.5m, mode: fixed, over: 400ms}", begin: 1272, landing: 1282),
        Order(time: "56s", verb: "{on: maya, mode: strong, over: 0s}", begin: 1344, landing: 1344),
        // 59.9 s lie between two frames: the later one is the first that can be sharp.
        Order(time: "59s", verb: "{on: cara, landing: 59.9s, ease: linear}", begin: 1416, landing: 1438, isLanding: true),
    ]

    private static let text = """
        scenario: Twenty racks
        clip: {source: synthetic, size: 320x180, fps: 24, length: 62s, seed: 23}
        subjects:
          maya: {kind: face, box: [0.30, 0.25, 0.13, 0.30], depth: 1.5m}
          ben: {kind: face, box: [0.62, 0.30, 0.09, 0.20], depth: 2.6m}
          cara: {kind: face, box: [0.05, 0.35, 0.07, 0.16], depth: 4m}
        timeline:
          - 1s: {move: {subject: cara, depth: 2.5m, over: 60s, ease: linear}}

        """ + orders.map { "  - \($0.time): {focus: \($0.verb)}" }.joined(separator: "\n")

    private func records(_ mode: ScenarioFile.Mode) throws -> [FrameRecord] {
        let records = Mutex<[FrameRecord]>([])
        let scenario = try ScenarioFile.parse(Self.text, path: "twenty.yaml").inMode(mode)
        let outcome = try ScenarioRunner(scenario) { record in records.withLock { $0.append(record) } }.run()
        #expect(outcome.verdict == .passed, "\(outcome.failures)")
        return records.withLock { $0 }
    }

    /// First frame from `begin` on, before `end`, in which focus rests on the target that the order had; nil where there is none.
    private func arrival(of decision: FocusDecision, from begin: Int, before end: Int, _ records: [FrameRecord]) -> Int? {
        records[begin..<end].indices.first { index in
            let record = records[index]
            let seen = record.detections.first { $0.objectID == record.state.subject }?.disparity
            let target = record.state.isFixed ? decision.disparity : seen
            guard record.state.rack == nil, record.state.subject == decision.subject, let target else { return false }
            return abs(target - record.state.focusDisparity) < 0.005
        }
    }

    @Test("land within one frame of what is written, live and with the future known")
    func table() throws {
        let runs = try [ScenarioFile.Mode.live, .post].map(records)
        var table = ["order | lands in frame | live, error | post, error"]
        for (number, order) in Self.orders.enumerated() {
            let next = number + 1 < Self.orders.count ? Self.orders[number + 1].begin : runs[0].count
            let written = order.isLanding ? order.landing : order.begin
            var cells: [String] = []
            for (records, wanted) in zip(runs, [order.landing, written]) {
                let decided = records.prefix(next).last { $0.decisions.contains { $0.why == .ordered && $0.isUserDecision } }
                let decision = try #require(decided?.decisions.first { $0.why == .ordered }, "\(order.verb)")
                // Two frames early is found, too, and is wrong.
                let found = arrival(of: decision, from: max(wanted - 2, 0), before: next, records)
                let landed = try #require(found, "\(order.verb) never lands")
                #expect(abs(landed - wanted) <= 1, "\(order.verb) lands in frame \(landed), not \(wanted)")
                cells.append("\(landed), \(landed - wanted)")
            }
            table.append("\(order.time) \(order.verb) | \(order.landing) | " + cells.joined(separator: " | "))
        }
        #expect(Set(runs[0].flatMap(\.decisions).filter { $0.why == .ordered }.map(\.disparity)).count >= 10)
        print(table.joined(separator: "\n"))
    }
}
