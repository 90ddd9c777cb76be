import AVFoundation
import Foundation
import Pipeline
import ScenarioRun
import Stage
import Synchronization

/// Runs `body` with a simulated phone behind `AVFoundation`.
///
/// Devices and sessions made in `body` and in its tasks belong to this phone. An app that looks for its camera on a dispatch queue of its own finds
/// it with `isProcessWide`; such tests must not run at the same time as others.
///
/// - Throws: a `TestFailure` that opens with the call that would have ended the app, where one was made; else the error of `body`. A `TestFailure`, too,
///   where another process-wide phone is there.
public func withTestPhone<Result>(
    showing stage: TestStage = TestStage(), isProcessWide: Bool = false, isolation: isolated (any Actor)? = #isolation,
    _ body: (TestPhone) async throws -> Result
) async throws -> Result {
    let phone = try TestPhone(stage)
    try phone.begin(isProcessWide: isProcessWide)
    defer { phone.end(isProcessWide: isProcessWide) }
    let result: Result
    do {
        result = try await CaptureEnvironment.$scoped.withValue(phone.environment) { try await body(phone) }
    } catch {
        throw phone.explained(error)
    }
    if let violation = phone.violations.first {
        throw TestFailure("\(Witness.ending(violation)) (expect it with `expectViolation`)")
    }
    return result
}

/// Simulated phone of a test: its clock, its stage, touches, and the system around the app.
///
/// Its methods are for one task at a time, and never for a delegate, whose frame is still being delivered.
public final class TestPhone: Sendable {
    /// System around the app: permissions, connected devices, heat, interruptions, orientation of the phone.
    public var conditions: CaptureConditions { environment.conditions }
    let stage: TestStage
    let environment: CaptureEnvironment
    let stepper: FrameStepper
    let witness: Witness
    let state: Mutex<State>
    private let film: Film

    struct State: Sendable {
        /// Virtual time, nanoseconds.
        var time: Int64 = 0
        var nextFrame = 0
        var fingers: Fingers?
        /// Frames that the stage's scenario drops; nil for none.
        var lost: LostFrames?
    }

    init(_ stage: TestStage) throws {
        let (stepper, witness, film) = (FrameStepper(), Witness(stage.scenario), Film(try stage.world(), paints: stage.paintsPictures))
        var environment = CaptureEnvironment(cameras: stage.cameras, renderer: SharpLens(), tuning: stage.tuning, observer: witness) { profile in
            CameraFeed(source: film.open(profile), detector: stage.scenario?.withFaults(TruthDetector()) ?? TruthDetector())
        }
        environment.openMicrophone = { _ in film.listen() }
        environment.clock = .stepped(stepper)
        environment.onViolation = { witness.note($0) }
        environment.onDiagnostic = { witness.note(diagnostic: $0) }
        environment.openMovie = { url, _ in witness.makeMovie(at: url) }
        environment.movieCodecs = [.hevc, .h264]
        environment.encodePhoto = { picture, _ in PNG.data(picture) }
        environment.photoCodecs = [.hevc, .jpeg]
        environment.freeDiskSpace = { _ in nil }
        environment.asksCommitsAlone = stage.asksCommitsAlone
        (self.stage, self.stepper, self.witness, self.film, self.environment) = (stage, stepper, witness, film, environment)
        state = Mutex(State(lost: stage.scenario?.lostFrames))
    }

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

/// One world, filmed by whichever camera and microphone are open.
private final class Film: Sendable {
    private struct State: Sendable {
        var world: World
        var frame = 0
        var sources: [Weak] = []
        var sounds: [WeakSound] = []
    }

    private struct Weak: Sendable {
        weak var source: StageSource?
    }

    private struct WeakSound: Sendable {
        weak var sound: StageSound?
    }

    private let state: Mutex<State>
    private let paints: Bool

    init(_ world: World, paints: Bool) {
        state = Mutex(State(world: world))
        self.paints = paints
    }

    var world: World { state.withLock { $0.world } }

    func open(_ profile: CameraProfile) -> StageSource {
        state.withLock { state in
            var world = state.world
            if let format = profile.formats.first { (world.width, world.height) = (format.width, format.height) }
            let source = StageSource(world: world, rendersPixels: paints, firstFrame: state.frame)
            state.sources.removeAll { $0.source == nil }
            state.sources.append(Weak(source: source))
            return source
        }
    }

    func listen() -> StageSound {
        state.withLock { state in
            let sound = StageSound(world: state.world)
            state.sounds.removeAll { $0.sound == nil }
            state.sounds.append(WeakSound(sound: sound))
            return sound
        }
    }

    func change(_ body: (inout World) -> Void) {
        state.withLock { state in
            body(&state.world)
            for source in state.sources.compactMap(\.source) {
                source.change { body(&$0) }
            }
            for sound in state.sounds.compactMap(\.sound) { sound.change { body(&$0) } }
        }
    }

    func skip(to frame: Int) {
        state.withLock { state in
            state.frame = frame
            for source in state.sources.compactMap(\.source) { source.skip(to: frame) }
        }
    }
}
