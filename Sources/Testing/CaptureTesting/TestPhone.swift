import AVFCapture
import Foundation
import Pipeline
import ScenarioFormat
import ScenarioRun
import Stage
import Synchronization

/// Runs `body` with a simulated phone behind `AVFoundation`.
///
/// Devices and sessions that are made or first used in `body`, in its tasks and in what it hands to dispatch queues belong to this phone. An app that
/// looks for its camera elsewhere, as in a detached task, finds it with `isProcessWide`; such tests must not run at the same time as others.
///
/// A failure is recorded at the line of the expectation that failed, with the files of the run attached.
///
/// - Throws: the error of `body`; at a call that would have ended the app, and where another process-wide phone is there, a `TestFailure`. In a test of
///   Swift Testing or XCTest a `TestFailure` is recorded, and an error is thrown that ends the test without being recorded again.
public func withTestPhone<Result>(
    showing stage: TestStage = TestStage(), isProcessWide: Bool = false, isolation: isolated (any Actor)? = #isolation,
    file: StaticString = #filePath, line: UInt = #line, _ body: (TestPhone) async throws -> Result
) async throws -> Result {
    let phone = try TestPhone(showing: stage)
    return try await phone.run(isProcessWide: isProcessWide, endsPhone: true, isolation: isolation, file, line, body)
}

/// Runs `body` with a phone that other tests use, too, one after the other: for an app whose camera is a singleton.
///
///     private let phone = try! TestPhone(showing: stage)
///
///     @Suite(.serialized) struct AppTests {
///         @Test func starts() async throws {
///             try await withTestPhone(reusing: phone) { phone in … }
///         }
///     }
///
/// The phone starts anew: its subjects (those of `stage`, where one is given), permissions and plugs are as at first, and time begins at 0. The app is
/// the same: its sessions, which the end of a test stops, keep inputs and outputs and may be started again, and devices keep their settings. Cameras,
/// equipment and focus tuning are those that the phone was made with. It is process-wide.
public func withTestPhone<Result>(
    reusing phone: TestPhone, showing stage: TestStage? = nil, isolation: isolated (any Actor)? = #isolation,
    file: StaticString = #filePath, line: UInt = #line, _ body: (TestPhone) async throws -> Result
) async throws -> Result {
    try phone.restart(showing: stage)
    return try await phone.run(isProcessWide: true, endsPhone: false, isolation: isolation, file, line, body)
}

/// Simulated phone of a test: its clock, its stage, touches, and the system around the app.
///
/// Its methods are for one task at a time, and never for a delegate, whose frame is still being delivered.
public final class TestPhone: Sendable {
    /// System around the app: permissions, connected devices, heat, interruptions, orientation of the phone.
    public var conditions: CaptureConditions { environment.conditions }
    let environment: CaptureEnvironment
    let stepper: FrameStepper
    let witness: Witness
    /// Disk of recordings, which a scenario may fill.
    let disk = ScriptedDisk()
    let state: Mutex<State>
    private let film: Film

    struct State: Sendable {
        var stage: TestStage
        /// Virtual time, nanoseconds.
        var time: Int64 = 0
        var nextFrame = 0
        var fingers: Fingers?
        /// Whether it is found from everywhere.
        var isProcessWide = false
        /// Frames that the stage's scenario drops; nil for none.
        var lost: LostFrames?
        var actions = AppActions()
        /// Actions that wait for frames.
        var acts: [RunningAct] = []
        /// Time at which an interruption of the scenario ends, ns.
        var interruptionEnd: Int64?
        /// Camera of the newest frame of a scenario, and whether no session ran.
        var camera: String?
        var isIdle = false

        init(_ stage: TestStage) {
            self.stage = stage
            lost = stage.scenario?.lostFrames
        }
    }

    /// Makes a phone that several tests use one after the other, each by `withTestPhone(reusing:)`.
    ///
    /// Throws an error where the stage's scenario has no world.
    public init(showing stage: TestStage = TestStage()) throws {
        let (stepper, witness, film) = (FrameStepper(), Witness(stage.scenario), try Film(stage))
        var environment = CaptureEnvironment(cameras: stage.cameras, renderer: SharpLens(), tuning: stage.tuning, observer: witness) { profile in
            CameraFeed(source: film.open(profile), detector: film.detector())
        }
        environment.openMicrophone = { _ in film.listen() }
        environment.clock = .stepped(stepper)
        environment.time = { film.now }
        environment.onViolation = { witness.note($0) }
        environment.onDiagnostic = { witness.note(diagnostic: $0) }
        // As phones list them: the Pro ones record ProRes, too.
        environment.movieCodecs = [.hevc, .h264] + (stage.cameras.contains { $0.modelID.contains("Pro") } ? [.prores] : [])
        environment.encodePhoto = { picture, photo in photo.fileType == .png ? PNG.data(picture, photo) : try JPEG.data(picture, photo) }
        environment.previewAngle = 90
        // As apps expect it whose delegates are bound to the main actor.
        environment.delegateQueue = .main
        environment.photoCodecs = [.hevc, .jpeg]
        environment.freeDiskSpace = { _ in nil }
        environment.asksCommitsAlone = stage.asksCommitsAlone
        environment.defersPhotos = stage.defersPhotos
        if let equip = stage.equip {
            let listed = environment.movieCodecs
            environment = equip(environment)
            environment.movieCodecs = listed.filter(environment.movieCodecs.contains)
        }
        environment.openMovie = { [disk, write = environment.openMovie] url, movie in
            witness.makeMovie(at: url, hasSound: movie.sound != nil, on: disk, written: try write?(url, movie))
        }
        (self.stepper, self.witness, self.film, self.environment) = (stepper, witness, film, environment)
        state = Mutex(State(stage))
        prepare(stage)
    }

    /// Makes conditions and run ready for a stage.
    private func prepare(_ stage: TestStage) {
        // Held upright, or as the scenario's view says.
        conditions.setHorizonAngle(stage.scenario.map { CGFloat($0.view.rotation) } ?? 90)
        if stage.scenario?.isDeniedAtStart == true { conditions.setAuthorization(.denied, for: .video) }
        connectScenario(nil)
    }

    /// Begins anew, for the next test of the same app.
    func restart(showing stage: TestStage?) throws {
        let stage = stage ?? self.stage
        try film.restart(stage)
        witness.restart(stage.scenario)
        conditions.restart()
        disk.isFull = false
        state.withLock { $0 = State(stage) }
        prepare(stage)
    }

    var stage: TestStage { state.withLock { $0.stage } }

    /// Recordings in the order in which they began.
    public var movies: [TestMovie] { witness.movies }

    /// Diagnostics of calls without effect, which Apple leaves undefined.
    public var diagnostics: [String] { witness.diagnostics }

    /// Unexpected calls that would have ended the app.
    public var violations: [CaptureEnvironment.Violation] { witness.violations }

    /// Number of frames that the app's cameras have delivered.
    public var frameCount: Int { witness.frameCount }

    /// Virtual time in nanoseconds; calls of the test come after the frame of this time, where one was delivered.
    var now: Int64 { state.withLock { $0.time } }
    /// Index of the next frame.
    var nextFrame: Int { state.withLock { $0.nextFrame } }

    func change(_ body: (inout World) -> Void) { film.change(body) }
    func skip(to frame: Int) { film.skip(to: frame) }
    var world: World { film.world }
}
