import AVFCapture
import Foundation
import ScenarioFormat
import ScenarioRun
import Synchronization

/// Actions of the app under test, which a scenario asks for.
struct AppActions: Sendable {
    typealias Action = @Sendable () async throws -> Void

    var startRecording: Action?
    var stopRecording: Action?
    var pauseRecording: Action?
    var resumeRecording: Action?
    var takePhoto: Action?
    var switchCamera: (@Sendable (AVCaptureDevice.DeviceType) async throws -> Void)?

    /// Closure of an action, and the label under which `connect` takes it.
    func closure(for action: AppAction) -> (label: String, body: Action?) {
        switch action {
        case .startRecording: ("startRecording", startRecording)
        case .stopRecording: ("stopRecording", stopRecording)
        case .pauseRecording: ("pauseRecording", pauseRecording)
        case .resumeRecording: ("resumeRecording", resumeRecording)
        case .takePhoto: ("takePhoto", takePhoto)
        case .switchCamera(let camera): ("switchCamera", switchCamera.map { body in { @Sendable in try await body(camera.deviceType) } })
        }
    }
}

/// Action of the app under way: it may wait for frames, as a photo does.
final class RunningAct: Sendable {
    let summary: String
    private let state = Mutex<(isDone: Bool, failure: String?)>((false, nil))

    init(_ summary: String, _ body: @escaping AppActions.Action) {
        self.summary = summary
        Task {
            do {
                try await body()
                end(failure: nil)
            } catch {
                end(failure: "the app failed: \(error)")
            }
        }
    }

    /// Not inlined, as optimised code may lock a `Mutex` after an `await` with the thread number of the thread before, which ends the process.
    @inline(never)
    private func end(failure: String?) { state.withLock { $0 = (true, failure) } }

    var isDone: Bool { state.withLock { $0.isDone } }
    var failure: String? { state.withLock { $0.failure } }

    /// Waits until it is done, or waits itself.
    func settle() async {
        var rest = Rest()
        while !isDone, await rest.goesOn() {}
    }
}

extension TestPhone {
    /// Connects what the app does by itself with the verbs of a scenario's file: `record`, `photo` and `switchCamera`.
    ///
    ///     phone.connect(startRecording: { await camera.record(to: url) }, stopRecording: { await camera.stopRecording() })
    ///
    /// Each is called between two frames; the next frame waits until it returns, or waits for frames itself. A further call adds to the ones before.
    ///
    /// - Parameters:
    ///   - startRecording: `{record: start}`; `stopRecording`, `pauseRecording` and `resumeRecording` are its other steps.
    ///   - takePhoto: `{photo: take}`.
    ///   - switchCamera: `{switchCamera: trueDepth}`, with the type of the camera that the file names.
    public func connect(
        startRecording: (@Sendable () async throws -> Void)? = nil, stopRecording: (@Sendable () async throws -> Void)? = nil,
        pauseRecording: (@Sendable () async throws -> Void)? = nil, resumeRecording: (@Sendable () async throws -> Void)? = nil,
        takePhoto: (@Sendable () async throws -> Void)? = nil,
        switchCamera: (@Sendable (AVCaptureDevice.DeviceType) async throws -> Void)? = nil
    ) {
        state.withLock { state in
            state.actions.startRecording = startRecording ?? state.actions.startRecording
            state.actions.stopRecording = stopRecording ?? state.actions.stopRecording
            state.actions.pauseRecording = pauseRecording ?? state.actions.pauseRecording
            state.actions.resumeRecording = resumeRecording ?? state.actions.resumeRecording
            state.actions.takePhoto = takePhoto ?? state.actions.takePhoto
            state.actions.switchCamera = switchCamera ?? state.actions.switchCamera
        }
    }

    /// Plays what a scenario lets happen between frames up to a time: actions of the app, steps of its session, faults around the camera.
    func act(to time: Int64, _ run: ScenarioObserver) async {
        let end = state.withLock { state in
            guard let end = state.interruptionEnd, end <= time else { return false }
            state.interruptionEnd = nil
            return true
        }
        if end { conditions.endInterruption() }
        while let event = run.nextAct(to: time) {
            do {
                try await perform(event)
                run.note(act: nil)
            } catch {
                run.note(act: "\(error)")
            }
        }
    }

    private func perform(_ event: TimelineEvent) async throws {
        switch (event.verb as? any PlayedVerb)?.command {
        case .act(let action):
            let (label, body) = state.withLock { $0.actions }.closure(for: action)
            let parameter = label == "switchCamera" ? "type in " : ""
            guard let body else {
                throw PlayFailure("the app is not connected with it: call `phone.connect(\(label): { \(parameter)… })` before `play`")
            }
            let act = RunningAct(event.summary, body)
            await act.settle()
            if let failure = act.failure { throw PlayFailure(failure) }
            if !act.isDone { state.withLock { $0.acts.append(act) } }
        case .fault(let fault):
            if case .interrupt(_, let end) = fault { state.withLock { $0.interruptionEnd = end } }
            conditions.play(fault, camera: session?.cameraInput?.device.uniqueID ?? "", disk: disk)
        case let command?:
            try ScriptedApp(session: session, setAperture: nil, perform: nil, play: nil, objectID: { _ in nil }).play(command)
        case nil: break
        }
    }

    /// Waits for actions that waited for frames, and notes those that failed or still wait.
    func finishActs() async {
        let acts = state.withLock { state in
            defer { state.acts = [] }
            return state.acts
        }
        for act in acts {
            await act.settle()
            if let failure = act.failure ?? (act.isDone ? nil : "the app has not done it by the end of the clip") {
                witness.note(failure: "\(act.summary): \(failure)")
            }
        }
    }
}
