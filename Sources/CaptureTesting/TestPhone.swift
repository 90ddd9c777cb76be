import AVFoundation
import Foundation
import Pipeline
import Scenario
import Stage
import Synchronization

/// Runs `body` on a phone that is not there: what the app asks of `AVFoundation` in it, it asks of this phone.
///
/// The phone is known to `body` and the tasks made in it. An app that looks for its camera on a dispatch queue of its own finds it
/// with `isProcessWide`; such tests must not run at the same time as others.
///
/// - Throws: what `body` throws; else a `TestFailure` when a call was made that ends an app on Apple's systems.
public func withTestPhone<Result>(
    showing stage: TestStage = TestStage(), isProcessWide: Bool = false, isolation: isolated (any Actor)? = #isolation,
    _ body: (TestPhone) async throws -> Result
) async throws -> Result {
    let phone = try TestPhone(stage)
    let before = isProcessWide ? CaptureEnvironment.exchange(phone.environment) : nil
    defer {
        if isProcessWide { _ = CaptureEnvironment.exchange(before) }
        phone.conditions.stopSessions()
    }
    let result = try await CaptureEnvironment.$scoped.withValue(phone.environment) { try await body(phone) }
    if let violation = phone.violations.first {
        throw TestFailure("this would have ended the app: \(violation.description) (expect it with `expectViolation`)")
    }
    return result
}

/// A phone under test: its clock, its stage, a finger, and what the system does to the app.
///
/// Its methods are for one task at a time, and never for a delegate, whose frame is not over.
public final class TestPhone: Sendable {
    /// Permissions, plugs, heat, interruptions, the way the phone is held.
    public var conditions: CaptureConditions { environment.conditions }
    let stage: TestStage
    let environment: CaptureEnvironment
    let stepper: FrameStepper
    let witness: Witness
    let state: Mutex<State>
    private let film: Film

    struct State: Sendable {
        /// Nanoseconds of virtual time.
        var time: Int64 = 0
        var nextFrame = 0
        var fingers: Fingers?
    }

    init(_ stage: TestStage) throws {
        let (stepper, witness, film) = (FrameStepper(), Witness(stage.scenario), Film(try stage.world(), paints: stage.paintsPictures))
        var environment = CaptureEnvironment(cameras: stage.cameras, renderer: SharpLens(), tuning: stage.tuning, observer: witness) { profile in
            CameraFeed(source: film.open(profile), detector: TruthDetector())
        }
        environment.clock = .stepped(stepper)
        environment.onViolation = { witness.note($0) }
        environment.onDiagnostic = { witness.note(diagnostic: $0) }
        environment.openMovie = { url, _ in witness.makeMovie(at: url) }
        environment.freeDiskSpace = { _ in nil }
        (self.stage, self.stepper, self.witness, self.film, self.environment) = (stage, stepper, witness, film, environment)
        state = Mutex(State())
    }

    /// What was recorded, in the order the recordings began.
    public var movies: [TestMovie] { witness.movies }

    /// Calls without effect that Apple leaves undefined, in the words of the diagnostic.
    public var diagnostics: [String] { witness.diagnostics }

    /// Calls that would have ended the app and that nobody expected.
    public var violations: [CaptureEnvironment.Violation] { witness.violations }

    /// How many frames the app's cameras have delivered.
    public var frameCount: Int { witness.frameCount }

    /// Nanoseconds of virtual time; what a test does now comes after the frame of this time, where one was taken.
    var now: Int64 { state.withLock { $0.time } }
    /// The index of the next frame.
    var nextFrame: Int { state.withLock { $0.nextFrame } }

    func change(_ body: (inout World) -> Void) { film.change(body) }
    func skip(to frame: Int) { film.skip(to: frame) }
    var world: World { film.world }
}

/// What the cameras look at: one world, filmed by whichever camera is open.
private final class Film: Sendable {
    private struct State: Sendable {
        var world: World
        var frame = 0
        var sources: [Weak] = []
    }

    private struct Weak: Sendable {
        weak var source: StageSource?
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

    func change(_ body: (inout World) -> Void) {
        state.withLock { state in
            body(&state.world)
            for source in state.sources.compactMap(\.source) {
                source.change { body(&$0) }
            }
        }
    }

    func skip(to frame: Int) {
        state.withLock { state in
            state.frame = frame
            for source in state.sources.compactMap(\.source) { source.skip(to: frame) }
        }
    }
}
