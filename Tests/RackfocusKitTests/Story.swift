import AVFoundation
import Foundation
import Pipeline
import Scenario
import Synchronization

@testable import RackfocusKit

/// Who was in focus, one after the other, and since when.
struct Story {
    struct Scene: Equatable {
        var label: String
        /// Seconds.
        var since: Double
    }

    var scenes: [Scene] = []
    /// What the scenario expected and did not get.
    var failures: [String] = []

    /// Plays a scenario through the graph at a small size, with a lens that changes nothing.
    init(_ path: String, width: Int, height: Int, detections: ScenarioFile.Detections) throws {
        let text = try String(contentsOfFile: path, encoding: .utf8)
            .replacing(#/source: synthetic, (size: \d+x\d+, )?/#, with: "source: synthetic, size: \(width)x\(height), ")
        var scenario = try ScenarioFile.parse(text, path: path)
        scenario.clip.detections = detections
        let scenes = Mutex<[Scene]>([])
        let feed = try CameraFeed.open(scenario)
        let outcome = try ScenarioRunner(scenario, feed: feed) { record in
            guard let label = Self.label(of: record) else { return }
            scenes.withLock { scenes in
                guard scenes.last?.label != label else { return }
                scenes.append(Scene(label: label, since: record.frame.presentationTime.seconds))
            }
        }.run()
        failures = outcome.failures.map(\.description)
        self.scenes = scenes.withLock { $0 }
    }

    /// Whom focus is on, by the truth at the place of the focused object.
    private static func label(of record: FrameRecord) -> String? {
        guard let focused = record.detections.first(where: { $0.objectID == record.state.subject }) else { return nil }
        if record.state.isFixed { return "fixed" }
        func overlap(_ other: Detection) -> Double {
            let shared = focused.bounds.intersection(other.bounds)
            return shared.isNull ? 0 : Double(shared.width * shared.height)
        }
        let truth = record.frame.truth ?? []
        return focused.label ?? truth.filter { overlap($0) > 0 }.max { overlap($0) < overlap($1) }?.label
    }
}
