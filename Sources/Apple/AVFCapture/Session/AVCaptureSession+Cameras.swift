import CoreMedia
import Foundation
import Pipeline
import Synchronization

/// Pipelines of a session, one for each camera.
extension AVCaptureSession {
    /// Cameras among the inputs.
    var cameraInputs: [AVCaptureDeviceInput] {
        inputs.compactMap { $0 as? AVCaptureDeviceInput }.filter { $0.device.hasMediaType(.video) }
    }

    /// Inputs that have a pipeline while the session runs: the cameras, without one the microphone.
    private var pacingInputs: [AVCaptureDeviceInput] {
        let cameras = cameraInputs
        return cameras.isEmpty ? [state.withLock { $0.microphone }?.input].compactMap { $0 } : cameras
    }

    /// Stepper of the session's frames; nil where they come by the wall clock, or on the calling thread.
    var stepper: FrameStepper? {
        switch environment.clock {
        case .stepped(let stepper): stepper
        case .virtual, .lockStep: turns
        case .inline, .wall: nil
        }
    }

    /// Pipeline that runs for a camera; nil without one.
    func pipeline(of device: AVCaptureDevice) -> CapturePipeline? {
        state.withLock { $0.pipelines.lazy.compactMap { $0 as? CapturePipeline }.first { $0.input.device === device } }
    }

    /// Outputs that pipelines feed, or fed up to now; all outputs where no other pipeline goes on.
    func outputs(of pipelines: [any SessionPipeline]) -> [AVCaptureOutput] {
        let (committed, others) = state.withLock { state in
            (state.committed, state.pipelines.filter { other in !other.hasEnded && !pipelines.contains { $0 === other } })
        }
        guard !others.isEmpty else { return outputs }
        return outputs.filter { output in
            committed.contains { $0.output === output && $0.inputPorts.contains { port in pipelines.contains { $0.input === port.input } } }
        }
    }

    // MARK: opening

    /// Opens the microphone, and the inputs that lack a pipeline.
    func openPipelines() throws -> [any SessionPipeline] {
        try openMicrophone()
        let running = state.withLock { $0.pipelines }
        return try pacingInputs.filter { input in !running.contains { $0.input === input } }.compactMap { input in
            if input.device.hasMediaType(.video) { return try openCamera(input) }
            return state.withLock { $0.microphone }.map { MicrophonePipeline(microphone: $0, session: self) }
        }
    }

    /// Opens a camera in its active format, or goes on with the source that it had before an interruption.
    private func openCamera(_ input: AVCaptureDeviceInput) throws -> CapturePipeline {
        let format = input.device.activeFormat
        let suspended = state.withLock { $0.suspended }.lazy.compactMap { $0 as? CapturePipeline }
        if let old = suspended.first(where: { $0.input === input && $0.format === format }) {
            return CapturePipeline(feed: old.feed, input: input, format: format, session: self)
        }
        guard input.device.isConnected else { throw AVError(.deviceNotConnected) }
        var profile = input.device.profile
        profile.formats = [format.profile]
        return CapturePipeline(feed: try environment.open(profile), input: input, format: format, session: self)
    }

    // MARK: running

    /// Makes opened pipelines those that run, and returns them; without those of inputs that another thread has opened meanwhile, removed or changed.
    ///
    /// They have their place at the stepper before anybody can see that the session runs, so that no step misses them.
    func install(_ pipelines: [any SessionPipeline], in state: inout State) -> [any SessionPipeline] {
        let inputs = state.inputs
        let new = pipelines.filter { pipeline in
            pipeline.isUpToDate && inputs.contains { $0 === pipeline.input } && !state.pipelines.contains { $0.input === pipeline.input }
        }
        func place(_ pipeline: any SessionPipeline) -> Int { inputs.firstIndex { $0 === pipeline.input } ?? inputs.endIndex }
        state.pipelines = (state.pipelines + new).sorted { place($0) < place($1) }
        for pipeline in new { stepper?.enter(pipeline, of: self) }
        GraphRevision.advance()
        return new
    }

    /// Starts pipelines, once the threads of stopped ones are over.
    ///
    /// - Parameters:
    ///   - outputs: outputs whose data begin.
    ///   - isSwitch: whether they had others up to now, from another camera or in another format.
    func start(_ pipelines: [any SessionPipeline], outputs: [AVCaptureOutput], isSwitch: Bool) {
        for output in outputs { output.streamWillBegin(isSwitch: isSwitch) }
        let before = state.withLock { $0.lastThreads.filter { !$0.areOver } }
        for pipeline in pipelines { pipeline.start(after: before) }
        if environment.isInline { runFrames() }
    }

    /// Takes the cameras' frames on the calling thread until there are no more, the next from the camera whose last one is the oldest. Returns at once where
    /// a loop takes them already.
    private func runFrames() {
        let loop = FrameLoop()
        let isMine = state.withLock { state in
            if state.loop == nil { state.loop = loop }
            return state.loop === loop
        }
        guard isMine else { return }
        environment.enter { while let camera = nextCamera(of: loop) { _ = camera.runFrame() } }
    }

    private func nextCamera(of loop: FrameLoop) -> CapturePipeline? {
        state.withLock { state in
            guard state.loop === loop else { return nil }
            let cameras = state.pipelines.compactMap { $0 as? CapturePipeline }.filter { !$0.hasEnded }
            let next = cameras.min { ($0.lastTimes.taken ?? .negativeInfinity) < ($1.lastTimes.taken ?? .negativeInfinity) }
            if next == nil { state.loop = nil }
            return next
        }
    }

    /// Follows a commit while running: a camera that came, or has another format, is opened anew, the others go on; another microphone is captured from
    /// the next frame on.
    func inputsMayHaveChanged() {
        let isRunning = state.withLock { state in
            if state.phase == .starting { state.isOutdated = true }
            return state.phase == .running
        }
        guard isRunning else { return }
        do {
            try openMicrophone()
            let inputs = pacingInputs
            let (stale, isComplete) = state.withLock { state in
                guard state.phase == .running else { return ([any SessionPipeline](), true) }
                let stale = state.removePipelines { pipeline in !pipeline.isUpToDate || !inputs.contains { $0 === pipeline.input } }
                return (stale, inputs.count == state.pipelines.count)
            }
            guard !isComplete || !stale.isEmpty else { return }
            for pipeline in stale { stepper?.keepSteps(of: pipeline) }
            // Without another pipeline nobody takes them.
            defer { stepper?.dropSteps(of: self) }
            GraphRevision.advance()
            for pipeline in stale { pipeline.stop() }
            endCaptures(of: outputs(of: stale), error: AVError(.sessionConfigurationChanged))
            claimCameras()
            let pipelines = try openPipelines()
            // Another thread may have stopped the session meanwhile, and started it anew.
            let new: [any SessionPipeline]? = state.withLock { state in
                guard state.phase == .running else {
                    if state.phase == .stopped { state.microphone = nil }
                    return nil
                }
                return install(pipelines, in: &state)
            }
            guard let new, new.isEmpty == pipelines.isEmpty else { return }
            start(new, outputs: outputs(of: stale + new), isSwitch: stale.contains { $0 is CapturePipeline })
            // The camera that went may have been the last that had frames.
            let last = state.withLock { $0.phase == .running && $0.leader == nil ? $0.pipelines.last : nil }
            if let last { pipelineDidEnd(last, error: nil) }
        } catch {
            fail((error as? AVError) ?? AVError(.unknown, underlying: error))
        }
    }

    // MARK: frames

    /// Sets the clock to a frame, or to the newest of all cameras.
    func advanceClock(to time: CMTime) {
        state.withLock { state in
            let times = state.pipelines.compactMap { $0.hasEnded ? nil : ($0 as? CapturePipeline)?.lastTimes.taken }
            clock.advance(to: times.reduce(time, max))
        }
    }

    /// Time up to which all cameras that feed a synchronizer have delivered their frames, negative infinity ahead of the first; nil where none feeds it.
    func passedTime(of synchronizer: AVCaptureDataOutputSynchronizer) -> CMTime? {
        let running = state.withLock { $0.pipelines.filter { !$0.hasEnded } }
        let times = running.compactMap { $0 as? CapturePipeline }.filter { $0.feeds(synchronizer) }.map { $0.lastTimes.passed ?? .negativeInfinity }
        return times.min()
    }

    /// Hands sound of the microphone to the cameras, whose movies may have it.
    func share(_ sound: Sound) {
        for pipeline in state.withLock({ $0.pipelines.filter { !$0.hasEnded } }) { (pipeline as? CapturePipeline)?.hear(sound) }
    }
}

/// Identity of a loop over a session's cameras, in one run.
final class FrameLoop: Sendable {}
