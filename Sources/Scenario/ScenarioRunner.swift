import AVFoundation
import CoreVideo
import Focus
import Foundation
import Optics
import Pipeline
import Stage

/// Plays a scenario through the capture graph and says how it came out: logic only by default, with the stage's truth for
/// eyes and a lens that changes nothing, so that neither OpenCV nor Vulkan is needed.
///
///     let outcome = try ScenarioRunner(scenario).run()
///     print(outcome.verdict, outcome.traceHash, outcome.failures)
public struct ScenarioRunner: Sendable {
    /// What cannot be run without pixels.
    public struct NeedsPixels: Error, CustomStringConvertible {
        public let file: String
        public var description: String { "\(file): footage cannot be run logic-only, it has no truth; use `rackfocus render`" }
    }

    public let scenario: ScenarioFile
    private let feed: CameraFeed
    private let onRecord: (@Sendable (FrameRecord) -> Void)?

    /// `feed` is what the camera sees, nil the stage without pixels; `onRecord` sees every frame once it is settled.
    public init(_ scenario: ScenarioFile, feed: CameraFeed? = nil, onRecord: (@Sendable (FrameRecord) -> Void)? = nil) throws {
        var scenario = scenario
        if feed == nil {
            guard scenario.clip.source.isSynthetic else { throw NeedsPixels(file: scenario.path) }
            scenario.clip.detections = .truth
        }
        self.scenario = scenario
        let plain = try feed ?? CameraFeed(source: StageSource(world: scenario.world(), rendersPixels: false), detector: TruthDetector())
        self.feed = scenario.withFaults(plain)
        self.onRecord = onRecord
    }

    /// Runs to the end of the clip, at most `timeLimit` seconds of wall time.
    public func run(timeLimit: Double = 120) throws -> ScenarioOutcome {
        let run = ScenarioRun(scenario)
        let camera = try makeCamera(observer: Watch(run: run, onRecord: onRecord), run: run)
        run.connect(camera)
        let end = camera.play(timeLimit: timeLimit) { _ in }
        var outcome = ScenarioOutcome(scenario, run)
        switch end {
        case .stopped: break
        case .failed(let error): outcome.fail("the session ended early: \(error)", .failed)
        case .timedOut: outcome.fail("the run was not over after \(Int(timeLimit)) s", .timedOut)
        }
        return outcome
    }

    private func makeCamera(observer: any CaptureObserver, run: ScenarioRun) throws -> CinematicCamera {
        var environment = CaptureEnvironment(
            cameras: [scenario.camera(for: feed.source.description)], renderer: SharpLens(), tuning: scenario.tuning, observer: observer
        ) { [feed] _ in feed }
        environment.onDiagnostic = { run.note(diagnostic: $0) }
        environment.onViolation = { run.note(violation: $0) }
        environment.isLockStep = true
        return try CaptureEnvironment.$scoped.withValue(environment) {
            try CinematicCamera(aperture: scenario.device.aperture.map(Float.init), longPress: scenario.tuning.longPress)
        }
    }
}

/// Passes everything on to the run, then to whoever else looks on.
private final class Watch: CaptureObserver {
    private let run: ScenarioRun
    private let onRecord: (@Sendable (FrameRecord) -> Void)?

    init(run: ScenarioRun, onRecord: (@Sendable (FrameRecord) -> Void)?) {
        self.run = run
        self.onRecord = onRecord
    }

    func willProcess(_ frame: Frame) { run.willProcess(frame) }

    func didDecide(_ record: FrameRecord) {
        run.didDecide(record)
        onRecord?(record)
    }

    func didPassThrough(_ frame: Frame, because error: any Error) { run.didPassThrough(frame, because: error) }
}

/// An aperture wide shut: every picture passes as it is.
package final class SharpLens: BokehRenderer {
    package init() {}

    package func render(_ image: CVPixelBuffer, disparity: DisparityMap, circle: CircleOfConfusion) throws -> CVPixelBuffer { image }
}
