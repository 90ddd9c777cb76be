import CoreMedia
import Foundation
import Pipeline
import Synchronization

/// What runs behind a session with a camera: three threads, so that the lens works on one frame while the next is looked at.
///
///     source ──2──► decide ──2──► render
///                     │              └── video and depth data delegates, synchronizers
///                     └── observer, metadata delegates
///
/// Decisions are taken frame by frame in order, and each waits for the delegates it calls; so the focus story depends on nothing
/// but the frames and on what the observer and the metadata delegates ask for. Both hand-overs hold at most two frames.
final class CapturePipeline: @unchecked Sendable {
    let input: AVCaptureDeviceInput
    let format: AVCaptureDevice.Format
    let feed: CameraFeed
    private let environment: CaptureEnvironment
    private let counters: IdentityCounters
    private weak var session: AVCaptureSession?
    private let frames = Channel<Frame>(capacity: 2)
    private let decided = Channel<DecidedFrame>(capacity: 2)
    private let delivery: Delivery
    private let threads = Mutex<[Stage]>([])
    private let hasFailed = Mutex(false)

    private struct Stage: @unchecked Sendable {
        let thread: Thread
        let end: DispatchGroup
    }

    init(feed: CameraFeed, input: AVCaptureDeviceInput, format: AVCaptureDevice.Format, session: AVCaptureSession) {
        self.feed = feed
        self.input = input
        self.format = format
        self.session = session
        environment = session.environment
        counters = session.identities
        delivery = Delivery(environment: session.environment)
    }

    func start() {
        input.device.keepLastFocusCall()
        let stages = [
            stage("source") { $0.readFrames() },
            stage("decide") { $0.decideFrames() },
            stage("render") { $0.renderFrames() },
        ]
        threads.withLock { $0 = stages }
        for stage in stages { stage.thread.start() }
    }

    /// Ends all three threads and waits for them, apart from the one it is called on.
    func stop() {
        frames.close()
        decided.close()
        delivery.stop()
        for stage in threads.withLock({ $0 }) where stage.thread !== Thread.current { stage.end.wait() }
    }

    private func stage(_ name: String, _ body: @escaping @Sendable (CapturePipeline) -> Void) -> Stage {
        let end = DispatchGroup()
        end.enter()
        let environment = environment
        let thread = Thread { [self] in
            CaptureEnvironment.$scoped.withValue(environment) { body(self) }
            // The thread holds the pipeline; a finished one must not be held back.
            threads.withLock { $0.removeAll { $0.end === end } }
            end.leave()
        }
        thread.name = "rackfocus \(name)"
        return Stage(thread: thread, end: end)
    }

    private func readFrames() {
        do {
            while let frame = try environment.timings.measure("source", feed.source.nextFrame) {
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
                session?.advanceClock(to: frame.presentationTime)
                input.device.stepZoom(to: frame.presentationTime)
                environment.observer?.willProcess(frame)
                let story = try decider.decide(frame, connections: openConnections, delivery: delivery)
                record(frame)
                guard decided.send(story) else { return }
                if environment.isLockStep { decided.waitUntilIdle() }
            }
            decided.finish()
        } catch {
            decided.finish(error)
        }
    }

    /// The sharp frame goes to file in the order of decisions, so that what a metadata delegate starts or stops holds from this frame on.
    private func record(_ frame: Frame) {
        for case let output as AVCaptureFileOutput in openConnections.map(\.output) where output.isRecording {
            environment.timings.measure("record") { output.deliver(frame, sound: nil, of: feed.source.description, by: delivery) }
        }
    }

    private func renderFrames() {
        var failure: (any Error)?
        do {
            while let next = try decided.next() {
                deliver(next)
                synchronize(at: next.frame.presentationTime)
            }
        } catch {
            failure = error
        }
        session?.pipelineDidEnd(self, error: failure)
    }

    /// Everything of one frame has come: synchronizers hand it on.
    private func synchronize(at time: CMTime) {
        var done: [AVCaptureDataOutputSynchronizer] = []
        for synchronizer in openConnections.compactMap({ $0.output?.synchronizer }) where !done.contains(where: { $0 === synchronizer }) {
            synchronizer.deliverFrame(at: time, by: delivery)
            done.append(synchronizer)
        }
    }

    private func deliver(_ next: DecidedFrame) {
        let outputs = openConnections.compactMap { connection in
            (connection.output as? AVCaptureVideoDataOutput).flatMap { $0.isWanted ? ($0, connection) : nil }
        }
        let photos = openConnections.compactMap { connection in
            (connection.output as? AVCapturePhotoOutput).flatMap { $0.isWanted ? ($0, connection) : nil }
        }
        if let depth = next.depth {
            for connection in openConnections {
                guard let output = connection.output as? AVCaptureDepthDataOutput, output.isWanted else { continue }
                environment.timings.measure("deliver") {
                    output.deliver(depth, at: next.frame.presentationTime, through: connection, by: delivery)
                }
            }
        }
        guard !outputs.isEmpty || !photos.isEmpty else { return }
        let picture = render(next)
        for (output, connection) in photos { output.deliver(picture, at: next.frame.presentationTime, through: connection, by: delivery) }
        for (output, connection) in outputs {
            environment.timings.measure("deliver") {
                output.deliver(
                    picture, at: next.frame.presentationTime, duration: feed.source.description.frameDuration, through: connection,
                    by: delivery)
            }
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
