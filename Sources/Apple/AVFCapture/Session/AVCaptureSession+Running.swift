import Foundation
import Synchronization

extension AVCaptureSession {
    /// Starts unless the graph refuses; an interrupted session when the interruption ends.
    func start() {
        let selector = "-[AVCaptureSession startRunning]"
        guard isOfThisPhone(selector) else { return }
        guard state.withLock({ $0.configurations == 0 }) else {
            return environment.raise(
                .generic, selector, "startRunning may not be called between calls to beginConfiguration and commitConfiguration")
        }
        guard allowsMetadataTypes(selector), allowsSoundLayouts(selector), allowsDepth(selector) else { return }
        if let interruption = environment.conditions.interruption { interrupt(interruption) }
        let isInterrupted = state.withLock { state in
            if state.isInterrupted { state.resumes = true }
            return state.isInterrupted
        }
        if isInterrupted { environment.conditions.retakeCameras(for: self) } else { run() }
    }

    /// Whether the phone that the session was made with is still there; raises in the phone of now when not.
    func isOfThisPhone(_ selector: String) -> Bool {
        guard environment.conditions.isOver else { return true }
        (CaptureEnvironment.bound ?? environment).raise(
            .generic, selector,
            "This session was made on the phone of an earlier test, which is over: make a new AVCaptureSession in each test, or let the tests of "
                + "a camera that is a singleton share a phone: `withTestPhone(reusing:)`, in XCTest `sharesPhone`")
        return false
    }

    /// Goes from stopped to running.
    func run() {
        let isMine = state.withLock { state in
            guard state.phase == .stopped else { return false }
            state.phase = .starting
            state.isOutdated = false
            return true
        }
        guard isMine else { return }
        // Stopped on another thread, or refused by the camera.
        defer { if isStopped, !isInterrupted { environment.conditions.giveBackCameras(of: self) } }
        do {
            guard hardwareCost <= 1 else { throw AVError(.sessionHardwareCostOverage) }
            claimCameras()
            let pipelines = try openPipelines()
            guard state.withLock({ $0.phase == .starting }) else { return }
            _observers.willChange(\AVCaptureSession.isRunning, from: false, to: true)
            var installed: [any SessionPipeline] = []
            let mayRun = state.withLock { state in
                guard state.phase == .starting else { return false }
                state.phase = .running
                state.hasRun = true
                installed = install(pipelines, in: &state)
                return true
            }
            guard mayRun else { return }
            _observers.changed(\AVCaptureSession.isRunning, from: false, to: true, wasAnnounced: true)
            tellPreviews()
            post(Self.didStartRunningNotification)
            start(installed, outputs: outputs, isSwitch: false)
            if state.withLock({ $0.isOutdated }) { inputsMayHaveChanged() }
            startDeferredOutputs()
        } catch {
            state.withLock { ($0.phase, $0.microphone) = (.stopped, nil) }
            post((error as? AVError) ?? AVError(.unknown, underlying: error))
        }
    }

    func stop() {
        guard state.withLock({ $0.configurations == 0 }) else {
            return environment.raise(
                .generic, "-[AVCaptureSession stopRunning]",
                "stopRunning may not be called between calls to beginConfiguration and commitConfiguration")
        }
        defer { giveBackCameras() }
        willStop()
        let (phase, pipelines) = state.withLock { state in
            (state.resumes, state.suspended) = (false, [])
            return (state.phase, state.stop())
        }
        guard phase == .running else { return }
        for pipeline in pipelines { pipeline.stop() }
        endCaptures(error: AVError(.sessionWasInterrupted))
        didStop()
    }

    /// Follows the end of a pipeline by itself: its source ran out, or something failed. The run ends with the last of them, and with any that fails.
    func pipelineDidEnd(_ pipeline: any SessionPipeline, error: (any Error)?) {
        let endsRun: Bool? = state.withLock { state in
            guard state.pipelines.contains(where: { $0 === pipeline }) else { return nil }
            pipeline.hasEnded = true
            state.failure = state.failure ?? error
            return error != nil || state.leader == nil
        }
        guard let endsRun else { return }
        if let camera = pipeline as? CapturePipeline { camera.input.device.keepGrayWorldGains(of: camera) }
        guard endsRun else {
            GraphRevision.advance()
            return endCaptures(of: outputs(of: [pipeline]), error: AVError(.sessionWasInterrupted))
        }
        willStop()
        let (others, error): ([any SessionPipeline]?, (any Error)?) = state.withLock { state in
            guard state.pipelines.contains(where: { $0 === pipeline }) else { return (nil, nil) }
            let failure = state.failure
            // Calls of delegates with the last frames of those that have ended are still to come.
            return (state.stop().filter { !$0.hasEnded }, failure)
        }
        guard let others else { return }
        for other in others { other.stop() }
        endCaptures(error: error.map { ($0 as? AVError) ?? AVError(.unknown, underlying: $0) } ?? AVError(.sessionWasInterrupted))
        didStop(because: error)
        giveBackCameras()
    }

    /// Gives the cameras back, unless somebody who was told of the stop has started the session again.
    func giveBackCameras() { if isStopped { environment.conditions.giveBackCameras(of: self) } }

    var isStopped: Bool { state.withLock { $0.phase == .stopped } }

    /// Takes the cameras from another session where this one has one, else gives them back.
    func claimCameras() {
        if cameraInputs.isEmpty { environment.conditions.giveBackCameras(of: self) } else { environment.conditions.takeCameras(for: self) }
    }

    /// Notifies observers ahead of every stop of a running session.
    func willStop() { _observers.willChange(\AVCaptureSession.isRunning, from: isRunning, to: false) }

    /// Tells of a stop, and of the error behind it once observers know that it does not run: the app may start it again at once.
    func didStop(because error: (any Error)? = nil) {
        _observers.changed(\AVCaptureSession.isRunning, from: true, to: false, wasAnnounced: true)
        tellPreviews()
        if let error { post((error as? AVError) ?? AVError(.unknown, underlying: error)) }
        post(Self.didStopRunningNotification)
    }
}
