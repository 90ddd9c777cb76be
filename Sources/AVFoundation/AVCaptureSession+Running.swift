import Foundation
import Synchronization
import Pipeline

extension AVCaptureSession {
    /// Starts frames flowing; returns when they do. A camera that cannot be opened is reported as a runtime error.
    public func startRunning() {
        let selector = "-[AVCaptureSession startRunning]"
        guard state.withLock({ $0.configurations == 0 }) else {
            return environment.raise(
                .generic, selector, "startRunning may not be called between calls to beginConfiguration and commitConfiguration")
        }
        checkMetadataTypes(selector)
        guard allowsDepth(selector) else { return }
        let isInterrupted = state.withLock { state in
            if state.isInterrupted { state.resumes = true }
            return state.isInterrupted
        }
        if !isInterrupted { run() }
    }

    /// From stopped to running.
    func run() {
        let isMine = state.withLock { state in
            guard state.phase == .stopped else { return false }
            state.phase = .starting
            return true
        }
        guard isMine else { return }
        do {
            guard hardwareCost <= 1 else { throw AVError(.sessionHardwareCostOverage) }
            let pipeline = try openPipeline()
            let mayRun = state.withLock { state in
                guard state.phase == .starting else { return false }
                state.phase = .running
                state.pipeline = pipeline
                return true
            }
            guard mayRun else { return }
            _observers.changed(\AVCaptureSession.isRunning, from: false, to: true)
            tellPreviews()
            post(Self.didStartRunningNotification)
            pipeline?.start()
            startDeferredOutputs()
        } catch {
            state.withLock { $0.phase = .stopped }
            post((error as? AVError) ?? AVError(.unknown, underlying: error))
        }
    }

    /// Stops frames; no frame is delivered after it returns, the ends of recordings and photos may be. May be called from a delegate.
    public func stopRunning() {
        guard state.withLock({ $0.configurations == 0 }) else {
            return environment.raise(
                .generic, "-[AVCaptureSession stopRunning]",
                "stopRunning may not be called between calls to beginConfiguration and commitConfiguration")
        }
        let (phase, pipeline) = state.withLock { state in
            defer {
                state.phase = .stopped
                state.pipeline = nil
                (state.resumes, state.suspended) = (false, nil)
            }
            return (state.phase, state.pipeline)
        }
        guard phase == .running else { return }
        pipeline?.stop()
        endCaptures(error: AVError(.sessionWasInterrupted))
        didStop()
    }

    /// The pipeline came to its end by itself: the source ran out, or something failed.
    func pipelineDidEnd(_ pipeline: CapturePipeline, error: (any Error)?) {
        let wasMine = state.withLock { state in
            guard state.pipeline === pipeline else { return false }
            state.pipeline = nil
            state.phase = .stopped
            return true
        }
        guard wasMine else { return }
        endCaptures(error: error.map { ($0 as? AVError) ?? AVError(.unknown, underlying: $0) } ?? AVError(.sessionWasInterrupted))
        if let error { post((error as? AVError) ?? AVError(.unknown, underlying: error)) }
        didStop()
    }

    func didStop() {
        _observers.changed(\AVCaptureSession.isRunning, from: true, to: false)
        tellPreviews()
        post(Self.didStopRunningNotification)
    }

    /// The camera at the committed input, opened; nil for a session without one.
    private func openPipeline() throws -> CapturePipeline? {
        guard let input = committedInput else { return nil }
        let format = input.device.activeFormat
        if let old = state.withLock({ $0.suspended }), old.input === input, old.format === format {
            return CapturePipeline(feed: old.feed, input: input, format: format, session: self)
        }
        guard input.device.isConnected else { throw AVError(.deviceNotConnected) }
        var profile = input.device.profile
        profile.formats = [format.profile]
        let feed = try environment.open(profile)
        let description = feed.source.description
        guard description.width == format.profile.width, description.height == format.profile.height else {
            throw AVError(
                .unsupportedDeviceActiveFormat,
                userInfo: [
                    NSLocalizedDescriptionKey:
                        "\(profile.name) delivers \(description.width)x\(description.height), but its activeFormat is \(format.description): "
                        + "choose a format of that size, or open a source that follows the format"
                ])
        }
        return CapturePipeline(feed: feed, input: input, format: format, session: self)
    }

    private var committedInput: AVCaptureDeviceInput? {
        inputs.lazy.compactMap { $0 as? AVCaptureDeviceInput }.first { $0.device.hasMediaType(.video) }
    }

    /// After a commit while running: another camera or another format means opening anew.
    func cameraMayHaveChanged() {
        let (isRunning, old) = state.withLock { ($0.phase == .running, $0.pipeline) }
        guard isRunning, committedInput !== old?.input || committedInput?.device.activeFormat !== old?.format else { return }
        state.withLock { $0.pipeline = nil }
        old?.stop()
        endCaptures(error: AVError(.sessionConfigurationChanged))
        do {
            let pipeline = try openPipeline()
            state.withLock { $0.pipeline = pipeline }
            pipeline?.start()
        } catch {
            state.withLock { $0.phase = .stopped }
            post((error as? AVError) ?? AVError(.unknown, underlying: error))
            didStop()
        }
    }
}
