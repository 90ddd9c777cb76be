import AVFCapture
import CameraApp
import CoreMedia
import CoreVideo
import Focus
import Foundation
import Optics
import Pipeline
import RunReport
import ScenarioFormat
import ScenarioRun
import Stage
import Synchronization

/// Runner of a scenario through the capture graph, by default for its logic only.
///
/// Detections are then ground truth and the lens changes nothing, so that neither OpenCV nor Vulkan is needed.
///
///     let outcome = try ScenarioRunner(scenario).run()
///     print(outcome.verdict, outcome.traceHash, outcome.failures)
public struct ScenarioRunner: Sendable {
    /// Error for footage without detections in a run without pixels.
    public struct NeedsPixels: Error, CustomStringConvertible {
        /// Path of the scenario.
        public let file: String
        /// Message with the remedies.
        public var description: String {
            "\(file): footage cannot be run logic-only, it has no truth; give its clip `detections: FILE.jsonl` from `rackfocus detect`, or use `rackfocus render`"
        }
    }

    /// Scenario to run.
    public let scenario: ScenarioFile
    private let feed: CameraFeed
    private let another: @Sendable () throws -> CameraFeed?
    private let tracesOnly: Bool
    private let isThreaded: Bool
    private let pictures: (any PictureChecks)?
    private let timings: Timings
    private let onRecord: (@Sendable (FrameRecord) -> Void)?

    /// Creates a runner; throws `NeedsPixels` for footage without a feed.
    ///
    /// `feed` opens the camera's feed, twice with `mode: post`; nil is the stage without pixels. With `tracesOnly` a run leaves nothing else;
    /// `onRecord` receives every decided frame. A run that `isThreaded` uses the session's threads, as an app's does, with the same trace but slower.
    /// `pictures` checks the frames that goldens and expectations of blur name; nil leaves them out and notes it. The session's stages are booked in `timings`.
    public init(
        _ scenario: ScenarioFile, feed another: @autoclosure @escaping @Sendable () throws -> CameraFeed? = nil, tracesOnly: Bool = false,
        isThreaded: Bool = false, pictures: (any PictureChecks)? = nil, timings: Timings = Timings(isOn: false),
        onRecord: (@Sendable (FrameRecord) -> Void)? = nil
    ) throws {
        var scenario = scenario
        let feed = try another()
        if feed == nil {
            guard scenario.clip.source.isSynthetic else { throw NeedsPixels(file: scenario.path) }
            if scenario.clip.detections == .vision { scenario.clip.detections = .truth }
        }
        self.scenario = scenario
        self.another = another
        let plain = try feed ?? CameraFeed(source: StageSource(world: scenario.world(), rendersPixels: false), detector: scenario.blindDetector())
        self.feed = scenario.withFaults(plain)
        self.tracesOnly = tracesOnly
        self.isThreaded = isThreaded
        self.pictures = pictures
        self.timings = timings
        self.onRecord = onRecord
    }

    /// Runs to the end of the clip, at most `timeLimit` seconds of wall time: of a run that is cut off there, only the trace is written, and one
    /// whose drawing takes it over the limit has not passed either.
    public func run(timeLimit: Double = 120) throws -> ScenarioOutcome { try runToEnd(timeLimit).outcome }

    /// The outcome, and what ended the session.
    private func runToEnd(_ timeLimit: Double) throws -> (outcome: ScenarioOutcome, end: CinematicCamera.End) {
        let begin = ContinuousClock.now
        let run = ScenarioObserver(scenario, tracesOnly: tracesOnly)
        let watch = Watch(run: run, keeping: pictures == nil ? [] : scenario.pictureTimes, onRecord: onRecord, timeLimit: timeLimit)
        let disk = ScriptedDisk()
        let plan =
            scenario.mode == .post ? try Self.plan(of: scenario, feed: another(), isThreaded: isThreaded, timeLimit: timeLimit) : nil
        let environment = environment(observer: watch, run: run, disk: disk, plan: plan)
        var end = CinematicCamera.End.stopped
        do {
            let camera = try CaptureEnvironment.$scoped.withValue(environment) {
                try CinematicCamera(
                    camera: scenario.device.camera?.deviceType, aperture: scenario.device.aperture.map(Float.init),
                    longPress: scenario.tuning.longPress, outputs: .init(scenario.connected))
            }
            end = perform(run, watch, camera, environment.conditions, disk, timeLimit)
        } catch let error as AVError where error.code == .applicationIsNotAuthorizedToUseDevice && scenario.isDeniedAtStart {
            run.note(camera: .denied)
        }
        func isLate() -> Bool { begin.duration(to: .now) > .seconds(timeLimit) }
        if watch.isLate || isLate() { end = .timedOut }
        let isOver = if case .timedOut = end { true } else { false }
        let report = isOver ? nil : try pictures?.look(at: watch.records)
        var outcome = ScenarioOutcome(
            scenario, failures: run.finish(), broken: run.brokenInvariants, frames: run.frameCount, files: run.files(drawsPlot: !isOver),
            pictures: report)
        if isLate() { end = .timedOut }
        switch end {
        case .stopped: break
        case .failed(let error as AVError) where error.code == .deviceWasDisconnected && scenario.disconnects: break
        case .failed(let error): outcome.fail("the session ended early: \(error)", .failed)
        case .timedOut: outcome.fail("the run was not over after \(Int(timeLimit)) s", .timedOut)
        }
        return (outcome, end)
    }

    /// Plays the scenario on the app.
    private func perform(
        _ run: ScenarioObserver, _ watch: Watch, _ camera: CinematicCamera, _ conditions: CaptureConditions, _ disk: ScriptedDisk, _ timeLimit: Double
    ) -> CinematicCamera.End {
        run.connect(camera) { [weak camera] fault in
            if let camera { conditions.play(fault, camera: camera.device.uniqueID, disk: disk) }
        }
        watch.session = camera.session
        return camera.play(timeLimit: timeLimit, resume: { resume($0, camera, run, conditions) }, onShot: run.observe)
    }

    /// Sets a session going again that stopped as the script wanted: by an interruption, by the app, or by a reset of the media services.
    private func resume(_ end: CinematicCamera.End, _ camera: CinematicCamera, _ run: ScenarioObserver, _ conditions: CaptureConditions) -> Bool {
        let isReset = if case .failed(let error as AVError) = end { error.code == .mediaServicesWereReset } else { false }
        let wasInterrupted = camera.session.isInterrupted
        guard wasInterrupted || isReset || run.lastTime.map(scenario.restarts) ?? false else { return false }
        run.noteRestart()
        if wasInterrupted { conditions.endInterruption() } else { camera.session.startRunning() }
        return true
    }

    /// Focus plan of a scenario by look-ahead, from a live run of it on `feed`; nil is the stage without pixels.
    ///
    /// At most `timeLimit` seconds of wall time; the session's stages are booked in `timings`. Throws as `init` does.
    public static func plan(
        of scenario: ScenarioFile, feed: CameraFeed?, isThreaded: Bool = false, timings: Timings = Timings(isOn: false), timeLimit: Double = 120
    ) throws -> FocusPlan {
        let frames = Mutex<[LookAhead.Recorded]>([])
        _ = try rehearse(scenario, feed, isThreaded: isThreaded, timings, timeLimit) { frame in frames.withLock { $0.append(frame) } }
        return FocusPlan(frames.withLock { $0 }, scenario.tuning)
    }

    /// Plays a live run of a scenario as `plan` does, and hands on the record of every frame once it is decided. Throws what ended the session early, too.
    public static func record(
        of scenario: ScenarioFile, feed: CameraFeed?, timings: Timings = Timings(isOn: false), timeLimit: Double = 120,
        onFrame: @escaping @Sendable (LookAhead.Recorded) -> Void
    ) throws {
        if case .failed(let error) = try rehearse(scenario, feed, isThreaded: false, timings, timeLimit, onFrame) { throw error }
    }

    private static func rehearse(
        _ scenario: ScenarioFile, _ feed: CameraFeed?, isThreaded: Bool, _ timings: Timings, _ timeLimit: Double,
        _ onFrame: @escaping @Sendable (LookAhead.Recorded) -> Void
    ) throws -> CinematicCamera.End {
        var live = scenario
        live.mode = .live
        let rehearsal = try ScenarioRunner(live, feed: feed, tracesOnly: true, isThreaded: isThreaded, timings: timings) { record in
            onFrame(
                LookAhead.Recorded(
                    time: record.time, detections: record.detections, state: record.state, decisions: record.decisions, shot: record.frame.shot))
        }
        return try rehearsal.runToEnd(timeLimit).end
    }

    private func environment(
        observer: any CaptureObserver, run: ScenarioObserver, disk: ScriptedDisk, plan: FocusPlan?
    ) -> CaptureEnvironment {
        var environment = CaptureEnvironment(
            cameras: scenario.cameras(for: feed.source.description), renderer: SharpLens(onRender: run.willRender), tuning: scenario.tuning,
            observer: observer, timings: timings
        ) { [feed] _ in feed }
        environment.focusPlan = plan
        if !isThreaded { environment.clock = .inline }
        environment.openMovie = { url, _ in CountingMovieWriter(path: url.path, disk: disk) }
        environment.freeDiskSpace = { _ in nil }
        environment.onDiagnostic = { run.note(diagnostic: $0) }
        environment.onViolation = { run.note(violation: $0) }
        if scenario.isDeniedAtStart { environment.conditions.setAuthorization(.denied, for: .video) }
        return environment
    }
}

extension ScenarioFile {
    fileprivate var disconnects: Bool { faults.contains(.disconnect) }

    /// Detector that needs no pixels: ground truth or a sidecar.
    fileprivate func blindDetector() throws -> any SubjectDetector {
        guard case .recorded(let path) = clip.detections else { return TruthDetector() }
        return try RecordedDetector(path: path)
    }
}

/// Observer that forwards to the run, then to `onRecord`; stops a session that takes too long.
private final class Watch: CaptureObserver, @unchecked Sendable {
    private let run: ScenarioObserver
    private let onRecord: (@Sendable (FrameRecord) -> Void)?
    private let deadline: ContinuousClock.Instant
    weak var session: AVCaptureSession?
    private(set) var isLate = false
    /// The times whose frames are kept and have not come.
    private var wanted: ArraySlice<Int64>
    private(set) var records: [Int64: FrameRecord] = [:]

    init(run: ScenarioObserver, keeping times: [Int64], onRecord: (@Sendable (FrameRecord) -> Void)?, timeLimit: Double) {
        self.run = run
        wanted = times[...]
        self.onRecord = onRecord
        deadline = .now + .seconds(timeLimit)
    }

    func willProcess(_ frame: Frame) {
        if ContinuousClock.now > deadline {
            isLate = true
            session?.stopRunning()
        }
        run.willProcess(frame)
    }

    func didDecide(_ record: FrameRecord) {
        run.didDecide(record)
        while let time = wanted.first, time <= record.time {
            records[time] = record
            wanted.removeFirst()
        }
        if wanted.last == TimelineClock.end { records[TimelineClock.end] = record }
        onRecord?(record)
    }

    func didPassThrough(_ frame: Frame, because error: any Error) { run.didPassThrough(frame, because: error) }
}
