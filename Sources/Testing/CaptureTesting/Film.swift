import AVFCapture
import Foundation
import Pipeline
import ScenarioFormat
import ScenarioRun
import Stage
import Synchronization

/// One world, filmed by whichever camera and microphone are open.
final class Film: Sendable {
    private struct State: Sendable {
        var world: World
        var paints: Bool
        var scenario: ScenarioFile?
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

    init(_ stage: TestStage) throws {
        state = Mutex(State(world: try stage.world(), paints: stage.paintsPictures, scenario: stage.scenario))
    }

    /// Begins anew with another stage; what is open goes on with the one that it has.
    func restart(_ stage: TestStage) throws {
        let new = State(world: try stage.world(), paints: stage.paintsPictures, scenario: stage.scenario)
        state.withLock { $0 = new }
    }

    /// Detector of the film's subjects: of a scenario exactly they, with its faults; else also of the surface at a point where nobody is.
    func detector() -> any SubjectDetector { state.withLock { $0.scenario }?.withFaults(TruthDetector()) ?? SurfaceDetector() }

    var world: World { state.withLock { $0.world } }

    /// Begin of the frame that comes next.
    var now: CMTime { state.withLock { $0.world.presentationTime(of: $0.frame) } }

    func open(_ profile: CameraProfile) -> StageSource {
        state.withLock { state in
            var world = state.world
            if let format = profile.formats.first { (world.width, world.height) = (format.width, format.height) }
            let source = StageSource(world: world, rendersPixels: state.paints, firstFrame: state.frame)
            state.sources.removeAll { $0.source == nil }
            state.sources.append(Weak(source: source))
            return source
        }
    }

    func listen() -> StageSound {
        state.withLock { state in
            let sound = StageSound(world: state.world, firstFrame: state.frame)
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
            for sound in state.sounds.compactMap(\.sound) { sound.skip(to: frame) }
        }
    }
}
