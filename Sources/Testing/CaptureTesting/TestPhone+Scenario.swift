import AVFoundation
import CameraApp
import Foundation
import RunReport
import ScenarioFormat
import ScenarioRun
import Synchronization

extension TestPhone {
    /// Plays the timeline of the stage's scenario to its end: its touches reach the app, its expectations are checked.
    ///
    /// Throws `TestFailure` with every one that failed.
    ///
    /// The app's session must be running. Its gesture handlers are called while a frame waits, so they must not stop the session.
    public func play(file: StaticString = #filePath, line: UInt = #line) async throws {
        guard let run = witness.run, let count = run.scenario.clip.frameCount else {
            throw TestFailure("the stage has no scenario: make it with `TestStage(scenario:)`", file, line)
        }
        await step(frames: max(count - nextFrame, 0))
        let failures = witness.failures + run.finish().map(\.description)
        if !failures.isEmpty { throw TestFailure(failures.joined(separator: "\n"), file, line) }
    }

    /// Connects the scenario's touches with the app's preview layer.
    func connectScenario(_ fingers: Fingers) {
        guard let run = witness.run, let layer = fingers.layer else { return }
        run.scenario.view.configure(layer)
        let target = Recogniser(fingers) { [witness] in witness.note(failure: $0) }
        run.connect(
            TouchConnections(target: target, layer: layer) { _ in
                throw TestFailure("the app sets its aperture itself: leave `set: {aperture: …}` out of a scenario that tests it")
            })
    }
}

/// Touch target that recognises gestures and waits while the app handles them.
private final class Recogniser: TouchTarget {
    private let fingers: Fingers
    private let recogniser: Mutex<TapOrPress>
    private let onFailure: @Sendable (any Error) -> Void

    init(_ fingers: Fingers, onFailure: @escaping @Sendable (any Error) -> Void) {
        self.fingers = fingers
        self.onFailure = onFailure
        recogniser = Mutex(TapOrPress(pressTime: fingers.pressTime))
    }

    func touchDown(at point: CGPoint, time: Int64) { recogniser.withLock { $0.down(at: point, time: time) } }
    func touchMoved(to point: CGPoint, time: Int64) { recogniser.withLock { $0.moved(to: point) } }
    func touchUp(at point: CGPoint, time: Int64) { take(recogniser.withLock { $0.up(time: time) }) }
    func timePassed(to time: Int64) { take(recogniser.withLock { $0.timePassed(to: time) }) }

    private func take(_ gesture: TapOrPress.Gesture?) {
        guard let gesture else { return }
        let done = DispatchSemaphore(value: 0)
        Task { [fingers, onFailure] in
            do { try await fingers.take(gesture) } catch { onFailure(error) }
            done.signal()
        }
        done.wait()
    }
}
