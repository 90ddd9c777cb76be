import AVFoundation
import Foundation
import Pipeline
import ScenarioResults
import Synchronization

@testable import RackfocusKit
@testable import RunReport
@testable import ScenarioFormat
@testable import ScenarioRun

/// Subjects in focus over a run, one after the other, with focus mode and time.
struct FocusSequence {
    struct Entry: Equatable {
        var label: String
        var mode: FocusMode
        /// Seconds.
        var since: Double
    }

    var entries: [Entry] = []
    /// Expectations of the scenario that did not hold.
    var failures: [String] = []

    /// Labels of the subjects, repeats left out.
    var labels: [String] { entries.map(\.label).reduce(into: []) { if $0.last != $1 { $0.append($1) } } }

    /// A label for each entry, in capitals for strong focus: `maya`, `MAYA`.
    var labelsAndModes: [String] { entries.map { $0.mode == .strong && $0.label != "fixed" ? $0.label.uppercased() : $0.label } }

    /// Plays a scenario, of a matrix its first point, through the graph at a small size, with a lens that changes nothing.
    init(_ path: String, width: Int, height: Int, detections: ScenarioFile.Detections) throws {
        let text = Self.resized(try String(contentsOfFile: path, encoding: .utf8), width: width, height: height)
        var scenario = try ScenarioFile.parseAll(text, path: path)[0]
        scenario.clip.detections = detections
        let entries = Mutex<(list: [Entry], names: [Int: String])>(([], [:]))
        let opened = scenario
        let outcome = try ScenarioRunner(scenario, feed: try CameraFeed.open(opened), tracesOnly: true) { record in
            entries.withLock { entries in
                guard let label = Self.label(of: record, names: &entries.names) else { return }
                guard entries.list.last?.label != label || entries.list.last?.mode != record.state.mode else { return }
                entries.list.append(Entry(label: label, mode: record.state.mode, since: record.frame.presentationTime.seconds))
            }
        }.run(timeLimit: 1200)
        failures = outcome.failures.map(\.description)
        self.entries = entries.withLock { $0.list }
    }

    /// The scenario at another size; a tap on a pixel, or an order to focus there, still means the same place.
    static func resized(_ text: String, width: Int, height: Int) -> String {
        let size = text.firstMatch(of: #/source: synthetic, size: (\d+)x(\d+)/#).flatMap { match in
            Double(match.1).flatMap { across in Double(match.2).map { (across, $0) } }
        }
        return text.replacing(#/source: synthetic, (size: \d+x\d+, )?/#, with: "source: synthetic, size: \(width)x\(height), ")
            .replacing(#/(on: {)?px: \[(\d+), (\d+)\]/#) { match in
                guard let size, let x = Double(match.2), let y = Double(match.3) else { return String(match.0) }
                return (match.1.map { "\($0)at" } ?? "meta") + ": [\(x / size.0), \(y / size.1)]"
            }
    }

    /// Whom focus is on, by the truth at the place of the focused object, or by who that was when it was last to be seen.
    private static func label(of record: FrameRecord, names: inout [Int: String]) -> String? {
        guard let focused = record.detections.first(where: { $0.objectID == record.state.subject }) else { return nil }
        if record.state.isFixed { return "fixed" }
        let label = focused.label ?? SubjectLabels.overlapping(focused, record.frame.truth ?? []) ?? names[focused.objectID]
        names[focused.objectID] = label
        return label
    }
}
