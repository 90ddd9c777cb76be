import Foundation
import Pipeline
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
            return true
        }
        guard isMine else { return }
        // Stopped on another thread, or refused by the camera.
        defer { if isStopped, !isInterrupted { environment.conditions.giveBackCameras(of: self) } }
        do {
            guard hardwareCost <= 1 else { throw AVError(.sessionHardwareCostOverage) }
            claimCameras()
            let pipeline = try openPipeline()
            let others = try openOthers()
            guard state.withLock({ $0.phase == .starting }) else { return }
            _observers.willChange(\AVCaptureSession.isRunning, from: false, to: true)
            let mayRun = state.withLock { state in
                guard state.phase == .starting else { return false }
                state.phase = .running
                state.hasRun = true
                install(pipeline, in: &state)
                install(others, in: &state)
                return true
            }
            guard mayRun else { return }
            _observers.changed(\AVCaptureSession.isRunning, from: false, to: true, wasAnnounced: true)
            tellPreviews()
            post(Self.didStartRunningNotification)
            start(pipeline, insteadOf: nil)
            for pipeline in others { pipeline.start(after: nil) }
            startDeferredOutputs()
        } catch {
            state.withLock { ($0.phase, $0.microphone) = (.stopped, nil) }
            post((error as? AVError) ?? AVError(.unknown, underlying: error))
        }
    }

    /// Makes a pipeline the one that runs. It has its place at the stepper before anybody can see that the session runs, so that no step misses it.
    private func install(_ pipeline: (any SessionPipeline)?, in state: inout State) {
        state.pipeline = pipeline
        if let pipeline { environment.stepper?.enter(pipeline, of: self) }
    }

    /// Starts a pipeline after the one before; `old` is the one it replaces in the middle of a run, with another camera or format.
    private func start(_ pipeline: (any SessionPipeline)?, insteadOf old: CapturePipeline?) {
        let before = state.withLock { state in
            defer { state.lastThreads = pipeline?.threads ?? state.lastThreads }
            return state.lastThreads
        }
        for output in outputs { output.streamWillBegin(isSwitch: old != nil) }
        if environment.isInline, let old, let next = pipeline as? CapturePipeline { return old.handOver(to: next) }
        pipeline?.start(after: before)
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
            (state.resumes, state.suspended) = (false, nil)
            return (state.phase, state.stop())
        }
        guard phase == .running else { return }
        for pipeline in pipelines { pipeline.stop() }
        endCaptures(error: AVError(.sessionWasInterrupted))
        didStop()
    }

    /// Ends the run after the pipeline ended by itself: the source ran out, or something failed. A camera beside the first may run out.
    func pipelineDidEnd(_ pipeline: any SessionPipeline, error: (any Error)?) {
        guard state.withLock({ $0.pipeline === pipeline || error != nil && $0.pipelines.contains { $0 === pipeline } }) else { return }
        if let camera = pipeline as? CapturePipeline { camera.input.device.keepGrayWorldGains(of: camera) }
        willStop()
        let others: [any SessionPipeline]? = state.withLock { state in
            guard state.pipelines.contains(where: { $0 === pipeline }) else { return nil }
            return state.stop().filter { $0 !== pipeline }
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
    private func claimCameras() {
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

    /// Opens the camera and the microphone of the committed inputs; nil for a session with neither.
    private func openPipeline() throws -> (any SessionPipeline)? {
        try openMicrophone()
        guard let input = cameraInputs.first else {
            return state.withLock { $0.microphone }.map { MicrophonePipeline(microphone: $0, session: self) }
        }
        let format = input.device.activeFormat
        if let old = state.withLock({ $0.suspended }) as? CapturePipeline, old.input === input, old.format === format {
            return CapturePipeline(feed: old.feed, input: input, format: format, session: self)
        }
        return try openCamera(input, leads: true)
    }

    /// Opens a camera in its active format.
    func openCamera(_ input: AVCaptureDeviceInput, leads: Bool) throws -> CapturePipeline {
        guard input.device.isConnected else { throw AVError(.deviceNotConnected) }
        let format = input.device.activeFormat
        var profile = input.device.profile
        profile.formats = [format.profile]
        return CapturePipeline(feed: try environment.open(profile), input: input, format: format, session: self, leads: leads)
    }

    /// Follows a commit while running: another camera or format is opened anew, another microphone is captured from the next frame on.
    func inputsMayHaveChanged() {
        guard self is AVCaptureMultiCamSession else { return leadingInputMayHaveChanged() }
        closeStaleOthers()
        leadingInputMayHaveChanged()
        if isRunning { openMissingOthers() }
    }

    private func leadingInputMayHaveChanged() {
        let (isRunning, old) = state.withLock { ($0.phase == .running, $0.pipeline) }
        guard isRunning else { return }
        let camera = old as? CapturePipeline
        let input = cameraInputs.first
        let hasSameCamera = input === camera?.input && input?.device.activeFormat === camera?.format
        let heard = state.withLock { $0.microphone }
        do {
            try openMicrophone()
            // A camera sets the pace; only without one does the microphone.
            let hasSamePace = camera != nil || state.withLock { $0.microphone } === heard
            if hasSameCamera, hasSamePace { return }
            state.withLock { $0.pipeline = nil }
            if let old { environment.stepper?.keepSteps(of: old, for: self) }
            // Without another pipeline nobody takes them.
            defer { environment.stepper?.leave(self) }
            old?.stop()
            endCaptures(error: AVError(.sessionConfigurationChanged))
            claimCameras()
            let pipeline = try openPipeline()
            // Another thread may have stopped the session meanwhile, and started it anew.
            let mayRun = state.withLock { state in
                guard state.phase == .running, state.pipeline == nil else {
                    if state.phase == .stopped { state.microphone = nil }
                    return false
                }
                install(pipeline, in: &state)
                return true
            }
            if mayRun { start(pipeline, insteadOf: camera) }
        } catch {
            old?.stop()
            willStop()
            for pipeline in state.withLock({ $0.stop() }) { pipeline.stop() }
            didStop(because: error)
            giveBackCameras()
        }
    }
}
