import CoreMedia
import Foundation
import Pipeline
import Synchronization

/// What runs behind a session with a camera: three threads, so that the lens works on one frame while the next is looked at.
///
///     source ──2──► decide ──2──► render
///                     │              └── audio, video and depth data delegates, synchronizers
///                     └── observer, metadata delegates
///
/// Decisions are taken frame by frame in order, and each waits for the delegates it calls; so the focus story depends on nothing
/// but the frames and on what the observer and the metadata delegates ask for. Both hand-overs hold at most two frames.
///
/// In lock step all three are one thread, which is faster where nothing is rendered. Under the wall clock nobody waits for delegates.
final class CapturePipeline: SessionPipeline, @unchecked Sendable {
    let input: AVCaptureDeviceInput
    let format: AVCaptureDevice.Format
    let feed: CameraFeed
    private let environment: CaptureEnvironment
    private let counters: IdentityCounters
    private weak var session: AVCaptureSession?
    private let frames = Channel<Frame>(capacity: 2)
    private let decided = Channel<DecidedFrame>(capacity: 2)
    private let delivery: Delivery
    let threads = PipelineThreads()
    private let hasFailed = Mutex(false)

    init(feed: CameraFeed, input: AVCaptureDeviceInput, format: AVCaptureDevice.Format, session: AVCaptureSession) {
        self.feed = feed
        self.input = input
        self.format = format
        self.session = session
        environment = session.environment
        counters = session.identities
        delivery = Delivery(environment: session.environment)
    }

    func start(after before: PipelineThreads?) {
        input.device.keepLastFocusCall()
        if environment.isInline { return CaptureEnvironment.$scoped.withValue(environment) { runInStep() } }
        environment.stepper?.enter(self)
        let isInStep = environment.stepper != nil || environment.isLockStep && !environment.isWallClock
        threads.start(
            isInStep
                ? [.init("frames", runInStep)] : [.init("source", readFrames), .init("decide", decideFrames), .init("render", renderFrames)],
            in: environment, after: before, delivery: delivery)
    }

    func stop() {
        frames.close()
        decided.close()
        delivery.stop()
        environment.stepper?.leave(self)
        threads.join()
    }

    private func runInStep() {
        let decider = FrameDecider(feed: feed, input: input, environment: environment, counters: counters)
        var failure: (any Error)?
        do {
            while mayTakeFrame, let frame = try nextFrame(), !delivery.isStopped, let (story, connections) = try decide(frame, decider) {
                deliver(story, through: wanted(of: connections))
            }
        } catch {
            failure = error
        }
        session?.pipelineDidEnd(self, error: failure)
        environment.stepper?.leave(self)
    }

    private var mayTakeFrame: Bool { environment.stepper?.waitForFrame(self) ?? true }

    private func nextFrame() throws -> Frame? { try environment.timings.measure("source", feed.source.nextFrame) }

    private func readFrames() {
        do {
            var pace = WallPace()
            while let frame = try nextFrame() {
                let time = frame.presentationTime
                if environment.isWallClock, !delivery.wait(until: pace.date(of: time, since: time)) { return }
                guard frames.send(frame) else { return }
            }
            frames.finish()
        } catch {
            frames.finish(error)
        }
    }

    private func decideFrames() {
        let decider = FrameDecider(feed: feed, input: input, environment: environment, counters: counters)
        do {
            while let frame = try frames.next() {
                guard let (story, connections) = try decide(frame, decider) else { return }
                guard !wanted(of: connections).isEmpty || story.sound != nil else { continue }
                guard decided.send(story) else { return }
            }
            decided.finish()
        } catch {
            decided.finish(error)
        }
    }

    /// Settles a frame and records it; nil when the session was stopped meanwhile. What is connected now gets it.
    private func decide(_ frame: Frame, _ decider: FrameDecider) throws -> (DecidedFrame, [AVCaptureConnection])? {
        session?.advanceClock(to: frame.presentationTime)
        input.device.stepZoom(to: frame.presentationTime)
        environment.observer?.willProcess(frame)
        guard !delivery.isStopped else { return nil }
        let connections = openConnections
        var story = try decider.decide(frame, connections: connections, delivery: delivery)
        story.sound = try session?.hear(from: frame.presentationTime, to: frame.presentationTime + feed.source.description.frameDuration)
        record(frame, story.sound, connections)
        return (story, connections)
    }

    /// The sharp frame goes to file in the order of decisions, so that what a metadata delegate starts or stops holds from this frame on.
    private func record(_ frame: Frame, _ sound: Sound?, _ connections: [AVCaptureConnection]) {
        for connection in connections {
            guard let output = connection.output as? AVCaptureFileOutput, output.isRecording else { continue }
            let sound = session?.sound(sound, for: output)
            environment.timings.measure("record") { output.deliver(frame, sound: sound, of: feed.source.description, by: delivery) }
        }
    }

    private func renderFrames() {
        var failure: (any Error)?
        do {
            while let next = try decided.next() { deliver(next, through: wanted(of: openConnections)) }
        } catch {
            failure = error
        }
        session?.pipelineDidEnd(self, error: failure)
    }

    /// Those through which a frame is wanted.
    private func wanted(of connections: [AVCaptureConnection]) -> [AVCaptureConnection] {
        connections.filter { connection in
            switch connection.output {
            case let output as AVCaptureVideoDataOutput: output.isWanted
            case let output as AVCaptureDepthDataOutput: output.isWanted
            case let output as AVCapturePhotoOutput: output.isWanted
            case let output: output?.synchronizer != nil
            }
        }
    }

    private func deliver(_ next: DecidedFrame, through connections: [AVCaptureConnection]) {
        if let sound = next.sound { environment.timings.measure("deliver") { session?.deliver(sound, by: delivery) } }
        let time = next.frame.presentationTime
        if let depth = next.depth {
            for connection in connections {
                guard let output = connection.output as? AVCaptureDepthDataOutput else { continue }
                environment.timings.measure("deliver") { output.deliver(depth, at: time, through: connection, by: delivery) }
            }
        }
        if connections.contains(where: { $0.output is AVCapturePhotoOutput || $0.output is AVCaptureVideoDataOutput }) {
            deliver(render(next), of: next, through: connections)
        }
        let soundOutputs = next.sound == nil ? [] : session?.soundOutputs ?? []
        synchronize((connections.compactMap(\.output) + soundOutputs).compactMap(\.synchronizer), at: time)
    }

    private func deliver(_ picture: CVPixelBuffer, of story: DecidedFrame, through connections: [AVCaptureConnection]) {
        for connection in connections {
            (connection.output as? AVCapturePhotoOutput)?.deliver(picture, of: story, through: connection, by: delivery)
        }
        for connection in connections {
            guard let output = connection.output as? AVCaptureVideoDataOutput else { continue }
            environment.timings.measure("deliver") {
                output.deliver(
                    picture, at: story.frame.presentationTime, duration: feed.source.description.frameDuration, through: connection, by: delivery)
            }
        }
    }

    /// Everything of one frame has come: synchronizers hand it on.
    private func synchronize(_ synchronizers: [AVCaptureDataOutputSynchronizer], at time: CMTime) {
        var done: [AVCaptureDataOutputSynchronizer] = []
        for synchronizer in synchronizers where !done.contains(where: { $0 === synchronizer }) {
            synchronizer.deliverFrame(at: time, by: delivery)
            done.append(synchronizer)
        }
    }

    /// The picture through the lens. When the lens fails the frame passes sharp: the observer hears of each, the app of the first.
    private func render(_ next: DecidedFrame) -> CVPixelBuffer {
        guard let blur = next.blur, let renderer = environment.renderer else { return next.frame.image }
        do {
            return try environment.timings.measure("bokeh") {
                try renderer.render(next.frame.image, disparity: blur.disparity, circle: blur.circle)
            }
        } catch {
            environment.observer?.didPassThrough(next.frame, because: error)
            let isFirst = hasFailed.withLock { failed in
                defer { failed = true }
                return !failed
            }
            if isFirst { session?.post(AVError(.unknown, underlying: error)) }
            return next.frame.image
        }
    }

    /// The connections through which media flows now.
    private var openConnections: [AVCaptureConnection] {
        session?.state.withLock { $0.committed }.filter { $0.isOpen && $0.inputPorts.contains { $0.input === input } } ?? []
    }
}
