import AVFoundation
import Foundation
import Pipeline
import Synchronization

@testable import RackfocusKit
@testable import RunReport
@testable import ScenarioFormat
@testable import ScenarioRun

/// Who was in focus, one after the other, how firmly, and since when.
struct Story {
    struct Scene: Equatable {
        var label: String
        var mode: FocusMode
        /// Seconds.
        var since: Double
    }

    var scenes: [Scene] = []
    /// What the scenario expected and did not get.
    var failures: [String] = []

    /// Whom focus was on, repeats left out.
    var labels: [String] { scenes.map(\.label).reduce(into: []) { if $0.last != $1 { $0.append($1) } } }

    /// The same with how firmly: `maya`, `MAYA` for strong.
    var tale: [String] { scenes.map { $0.mode == .strong && $0.label != "fixed" ? $0.label.uppercased() : $0.label } }

    /// Plays a scenario, of a matrix its first point, through the graph at a small size, with a lens that changes nothing.
    init(_ path: String, width: Int, height: Int, detections: ScenarioFile.Detections) throws {
        let text = Self.resized(try String(contentsOfFile: path, encoding: .utf8), width: width, height: height)
        var scenario = try ScenarioFile.parseAll(text, path: path)[0]
        scenario.clip.detections = detections
        let scenes = Mutex<(told: [Scene], names: [Int: String])>(([], [:]))
        let opened = scenario
        let outcome = try ScenarioRunner(scenario, feed: try CameraFeed.open(opened), tracesOnly: true) { record in
            scenes.withLock { scenes in
                guard let label = Self.label(of: record, names: &scenes.names) else { return }
                guard scenes.told.last?.label != label || scenes.told.last?.mode != record.state.mode else { return }
                scenes.told.append(Scene(label: label, mode: record.state.mode, since: record.frame.presentationTime.seconds))
            }
        }.run(timeLimit: 1200)
        failures = outcome.failures.map(\.description)
        self.scenes = scenes.withLock { $0.told }
    }

    /// The scenario at another size; a tap on a pixel still means the same place.
    static func resized(_ text: String, width: Int, height: Int) -> String {
        let size = text.firstMatch(of: #/source: synthetic, size: (\d+)x(\d+)/#).flatMap { match in
            Double(match.1).flatMap { across in Double(match.2).map { (across, $0) } }
        }
        return text.replacing(#/source: synthetic, (size: \d+x\d+, )?/#, with: "source: synthetic, size: \(width)x\(height), ")
            .replacing(#/px: \[(\d+), (\d+)\]/#) { match in
                guard let size, let x = Double(match.1), let y = Double(match.2) else { return String(match.0) }
                return "meta: [\(x / size.0), \(y / size.1)]"
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
