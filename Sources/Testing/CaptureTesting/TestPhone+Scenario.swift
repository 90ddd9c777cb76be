import AVFCapture
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
    /// The app's session must be running. What the file lets the app itself do, `connect` names. Gesture handlers are called while a frame waits, so they
    /// must not stop the session.
    public func play(file: StaticString = #filePath, line: UInt = #line) async throws {
        guard let run = witness.run, let count = run.scenario.clip.frameCount else {
            throw TestFailure("the stage has no scenario: make it with `TestStage(scenario:)`", file, line)
        }
        guard run.scenario.mode == .live else {
            throw TestFailure("focus in `mode: post` is planned ahead, which no app sees: play this file with `rackfocus test`", file, line)
        }
        await step(frames: max(count - nextFrame, 0))
        await finishActs()
        let idle = frameCount == 0 && session != nil && !stepper.isRunning ? ["no frame came: start the app's session before `play`"] : []
        let failures = idle + witness.failures + run.finish().map(\.description)
        if !failures.isEmpty { throw TestFailure(failures.joined(separator: "\n"), file, line) }
    }

    /// Connects the scenario's touches with the app's preview layer; without one they cannot be made.
    func connectScenario(_ fingers: Fingers?) {
        guard let run = witness.run else { return }
        let layer = fingers?.layer
        if let layer { run.scenario.view.configure(layer) }
        // The run, which the witness holds, holds these.
        let onFailure: @Sendable (String) -> Void = { [weak witness] in witness?.note(failure: $0) }
        let target: any TouchTarget =
            if let fingers, layer != nil {
                Recogniser(fingers) { onFailure("the app's gesture failed: \($0)") }
            } else {
                NoFingers(onFailure: onFailure)
            }
        let session: @Sendable () -> AVCaptureSession? = { [weak self] in self?.session }
        var connections = TouchConnections(target: target, layerRect: { layer?.layerRectConverted(fromMetadataOutputRect: $0) ?? $0 }) { fNumber in
            guard let input = session()?.cameraInput else { throw TestFailure("the app's session has no camera") }
            input.simulatedAperture = Float(fNumber)
        }
        connections.session = session
        run.connect(connections)
        run.watchRecording { [weak self] in self?.movieOutput?.recording ?? .off }
    }

    /// Session of the app, the running one first; nil before it is made.
    var session: AVCaptureSession? {
        let sessions = conditions.appSessions
        return sessions.first(where: \.isRunning) ?? sessions.first
    }

    private var movieOutput: AVCaptureFileOutput? { session?.outputs.lazy.compactMap { $0 as? AVCaptureFileOutput }.first }

    /// Delivers the next frame of a scenario, unless the scenario drops it, after what its file lets happen before.
    func stepScenario(_ run: ScenarioObserver) async {
        let index = nextFrame
        let time = frameTime(index)
        skip(to: index)
        await act(to: time, run)
        noteCamera(run)
        let isLost = state.withLock { $0.lost?.takes(time) ?? false }
        if !isLost { await stepper.step(frames: 1) }
    }

    /// Tells the run which camera films, and that it films again.
    private func noteCamera(_ run: ScenarioObserver) {
        let isDenied = conditions.appSessions.isEmpty && AVCaptureDevice.authorizationStatus(for: .video) == .denied
        let device = session?.cameraInput?.device
        let (isOther, wasIdle) = state.withLock { state in
            defer { (state.camera, state.isIdle) = (device?.uniqueID, !stepper.isRunning) }
            return (state.camera != device?.uniqueID, state.isIdle)
        }
        if isDenied { run.note(camera: .denied) } else if isOther, let device { run.note(camera: Expectation.Camera(device.deviceType)) }
        if isOther || (wasIdle && stepper.isRunning) { run.noteRestart() }
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

/// Touch target of an app whose gestures are not connected.
private final class NoFingers: TouchTarget {
    private let isTold = Mutex(false)
    private let onFailure: @Sendable (String) -> Void

    init(onFailure: @escaping @Sendable (String) -> Void) { self.onFailure = onFailure }

    func touchDown(at point: CGPoint, time: Int64) {
        let isFirst = isTold.withLock { told in
            defer { told = true }
            return !told
        }
        if isFirst {
            onFailure(
                "the scenario touches the app: call `phone.touch(on: preview, tap: { … }, longPress: { … })` with its preview layer before `play`")
        }
    }
    func touchMoved(to point: CGPoint, time: Int64) {}
    func touchUp(at point: CGPoint, time: Int64) {}
    func timePassed(to time: Int64) {}
}
