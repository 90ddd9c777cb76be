import CoreMedia
import Foundation
import Pipeline
import Synchronization

/// Pipeline of a camera in a session: four threads, so that the lens works on one frame while the next is decided.
///
///     source ──2──► decide ──2──► render ──1──► deliver        (decided frames by the wall clock: 6)
///                     │                           └── audio, video and depth data delegates, synchronizers
///                     └── observer, metadata delegates
///
/// Decisions are taken frame by frame in order, and each waits for the delegates it calls; so the sequence of focus states depends on
/// nothing but the frames and on what the observer and the metadata delegates ask for. Hand-overs hold a few frames. The render
/// thread starts the lens on a frame; the deliver thread waits for the picture, and has it drawn where nobody seemed to want one before.
///
/// In lock step all four are one thread, which is faster where nothing is rendered, or none, where the session takes frame by frame. Under the wall
/// clock nobody waits for delegates, and a picture falls away as late where the lens has six waiting.
final class CapturePipeline: SessionPipeline, @unchecked Sendable {
    let input: AVCaptureDeviceInput
    private let device: AVCaptureDevice
    let format: AVCaptureDevice.Format
    let feed: CameraFeed
    /// Frames of the outputs: the source's in the size of the format.
    private let description: SourceDescription
    /// The source, where it follows the camera's settings.
    private let adjustable: (any AdjustableSource)?
    private let environment: CaptureEnvironment
    private let stepper: FrameStepper?
    /// Sound since the last frame.
    private let heard = Mutex<Sound?>(nil)
    private let counters: IdentityCounters
    private weak var session: AVCaptureSession?
    private let frames = Channel<Frame>(capacity: 2)
    private let decided: Channel<DecidedFrame>
    private let begun = Channel<(decided: DecidedFrame, picture: PendingPicture?)>(capacity: 1)
    private let delivery: Delivery
    let threads = PipelineThreads()
    private let lens: LensStage
    /// Open connections that lead to outputs, as of a revision of the graph.
    private let known = Mutex<(revision: Int, routes: OpenRoutes)?>(nil)
    private let progress = Mutex(Progress())
    var hasEnded = false
    /// White balance by the last picture; nil before the first.
    private let grayWorld = Mutex<GrayWorld?>(nil)
    /// Decider of frames in lock step, on their thread only.
    private lazy var decider = makeDecider()

    /// Times of the last frames, nil before the first.
    struct Progress: Sendable {
        /// Frame that was taken.
        var taken: CMTime?
        /// Frame that was delivered, or fell away in lock step.
        var passed: CMTime?
    }

    init(feed: CameraFeed, input: AVCaptureDeviceInput, format: AVCaptureDevice.Format, session: AVCaptureSession) {
        self.feed = feed
        self.input = input
        device = input.device
        self.format = format
        self.session = session
        var description = feed.source.description
        (description.width, description.height) = (format.profile.width, format.profile.height)
        self.description = description
        adjustable = feed.source as? any AdjustableSource
        environment = session.environment
        stepper = session.stepper
        counters = session.identities
        delivery = Delivery(environment: session.environment)
        // By the wall clock a lens that is late now and then shall lose no picture before the regulator of the load has relieved it.
        decided = Channel(capacity: session.environment.isWallClock ? 6 : 2)
        lens = LensStage(environment: session.environment) { [weak session] in session?.post($0) }
    }

    /// Starts the threads; an inline session takes the frames itself.
    func start(after before: [PipelineThreads]) {
        guard !environment.isInline else { return }
        prepare()
        threads.start(
            environment.isInStep
                ? [.init("frames", runInStep)]
                : [
                    .init("source", readFrames), .init("decide", decideFrames), .init("render", renderFrames), .init("deliver", deliverFrames),
                ],
            in: environment, after: before, delivery: delivery)
    }

    private func prepare() {
        device.keepLastFocusCall()
        for route in openRoutes.photos { route.output.renewBrackets() }
    }

    /// Whether the camera still has the format that it was opened in.
    var isUpToDate: Bool { format === device.activeFormat }

    var lastTimes: Progress { progress.withLock { $0 } }

    func stop() {
        frames.close()
        decided.close()
        begun.close()
        delivery.stop()
        stepper?.leave(self)
        threads.join()
        device.keepGrayWorldGains(of: self)
    }

    /// Takes sound of the session's microphone, for its next frame. After more than a second without a frame it begins anew, as a microphone does.
    func hear(_ sound: Sound) {
        heard.withLock { heard in
            let isOld = heard.map { $0.sampleCount > $0.sampleRate } ?? false
            heard = isOld ? sound : heard?.followed(by: sound) ?? sound
        }
    }

    /// Gains of white balance that make the mean of the last frame grey; nil before the first.
    var grayWorldGains: SIMD3<Double>? { grayWorld.withLock { $0 }?.gains }

    private func runInStep() { while runFrame() {} }

    /// Takes a frame to its delegates in lock step; false at the end.
    func runFrame() -> Bool {
        if environment.isInline, lastTimes.taken == nil { prepare() }
        var failure: (any Error)?
        do {
            if !delivery.isStopped, mayTakeFrame(after: lastTimes.taken), let frame = try nextFrame(), !delivery.isStopped {
                guard let duration = admit(frame, decider) else {
                    pass(frame.presentationTime, openRoutes.outputs.compactMap(\.synchronizer))
                    return true
                }
                let routes = openRoutes
                deliver(try decide(frame, lasting: duration, decider, routes), through: routes)
                return true
            }
        } catch {
            failure = error
        }
        end(failure)
        return false
    }

    private func end(_ failure: (any Error)?) {
        session?.pipelineDidEnd(self, error: failure)
        // Frames of the other cameras no longer wait for this one, nor its own for theirs where they have ended.
        for synchronizer in openRoutes.outputs.compactMap(\.synchronizer) {
            synchronizer.deliverFrames(through: session?.passedTime(of: synchronizer) ?? .positiveInfinity, by: delivery)
        }
        stepper?.leave(self)
    }

    private func makeDecider() -> FrameDecider {
        let size = PictureSize(width: description.width, height: description.height)
        return FrameDecider(feed: feed, input: input, size: size, environment: environment, counters: counters)
    }

    private func mayTakeFrame(after time: CMTime?) -> Bool { stepper?.waitForFrame(self, after: time) ?? true }

    private func nextFrame() throws -> Frame? {
        let photos = openRoutes.photos
        var step: (request: Int64, metering: CameraSettings.Metering)?
        var bracketing: AVCapturePhotoOutput?
        for route in photos where step == nil {
            step = route.output.dueBracketStep
            bracketing = route.output
        }
        if let adjustable {
            var firesFlash = false
            // Every photo output is asked: each has flashes of its own to take.
            for route in photos { firesFlash = route.output.takeFlash() || firesFlash }
            var settings = device.settings(firesFlash: firesFlash, metering: step?.metering)
            // A flash and an exposure of a bracket are taken at once.
            if !firesFlash, step == nil { settings.frameDuration = input.deliveredFrameDuration(isDark: device.isDark) }
            adjustable.adjust(settings)
        }
        var frame = try environment.timings.measure("source", feed.source.nextFrame)
        if let step, let index = frame?.index {
            frame?.bracket = step.request
            bracketing?.expectBracketFrame(index, for: step.request)
        }
        return frame
    }

    private func readFrames() {
        do {
            var pace = WallPace()
            var last: CMTime?
            // The others do not wait for frames that will not come.
            defer { stepper?.leave(self) }
            while mayTakeFrame(after: last), var frame = try nextFrame() {
                last = frame.presentationTime
                // A camera's own frames have come already.
                if environment.isWallClock, frame.dueDate == nil {
                    let due = pace.date(of: frame.presentationTime, since: frame.presentationTime)
                    guard delivery.wait(until: due) else { return }
                    frame.dueDate = due
                }
                guard frames.send(frame) else { return }
            }
            frames.finish()
        } catch {
            frames.finish(error)
        }
    }

    private func decideFrames() {
        let decider = makeDecider()
        var regulator = LoadRegulator(
            least: environment.isWallClock ? environment.leastDegradation : .none, most: environment.isWallClock ? environment.mostDegradation : .none
        )
        if regulator.step != .none { degrade(to: regulator.step) }
        /// Whether the lens has the picture before, where it draws every second one.
        var hasDrawn = false
        /// Sound of frames that were left out.
        var held: Sound?
        do {
            while !delivery.isStopped, var frame = try frames.next() {
                if environment.isWallClock { frame.degradation = regulator.step }
                guard let duration = admit(frame, decider) else { continue }
                let routes = openRoutes
                let decided = try decide(frame, lasting: duration, decider, routes)
                let isLost = environment.isWallClock && self.decided.isFull && routes.wantsPicturesAlone
                // A step that has no effect yet is not followed by another.
                if !isPreparing, regulator.note(isLate: isLate(frame, lasting: duration), isLost: isLost, waiting: self.decided.count) {
                    degrade(to: regulator.step)
                }
                guard routes.isAnyWanted || decided.sound != nil else { continue }
                if let sound = held, let own = decided.sound { decided.sound = sound.followed(by: own) }
                held = nil
                let isSkipped = environment.isWallClock && frame.degradation >= .previewRate && hasDrawn && routes.wantsPicturesAlone
                hasDrawn = !isSkipped
                if isSkipped || isLost {
                    // The lens is late: its pictures fall away before the camera loses frames, which a recording would miss.
                    held = decided.sound
                    for route in routes.video { route.output.dropLate(decided, through: route.connection, by: delivery) }
                    continue
                }
                guard self.decided.send(decided) else { return }
            }
            self.decided.finish()
        } catch {
            self.decided.finish(error)
        }
    }

    /// Whether a frame is late under the wall clock: decided more than one and a half of its duration after it came.
    private func isLate(_ frame: Frame, lasting duration: CMTime) -> Bool {
        guard let dueDate = frame.dueDate else { return false }
        return Date().timeIntervalSince(dueDate) > 1.5 * duration.seconds
    }

    /// Stages that can do with less work.
    private var degradables: [any Degradable] { [feed.detector as? any Degradable, environment.renderer as? any Degradable].compactMap { $0 } }

    private func degrade(to step: Degradation) { for stage in degradables { stage.degrade(to: step) } }

    private var isPreparing: Bool { degradables.contains(where: \.isPreparing) }

    /// Duration of a frame that the camera takes; nil when it is set to fewer frames, or the session was stopped meanwhile.
    private func admit(_ frame: Frame, _ decider: FrameDecider) -> CMTime? {
        progress.withLock { $0.taken = frame.presentationTime }
        session?.advanceClock(to: frame.presentationTime)
        device.stepZoom(to: frame.presentationTime)
        observer?.willProcess(frame)
        let duration = decider.frameDuration
        let isAskedFor = frame.isFlashLit || frame.bracket != nil
        return !delivery.isStopped && (decider.admits(frame.presentationTime, every: duration) || isAskedFor) ? duration : nil
    }

    /// Decides a frame and records it, for the outputs that are connected now.
    private func decide(_ frame: Frame, lasting duration: CMTime, _ decider: FrameDecider, _ routes: OpenRoutes) throws -> DecidedFrame {
        grayWorld.withLock { $0 = GrayWorld(frame) }
        let decided = try decider.decide(frame, routes: routes, observer: observer, delivery: delivery)
        decided.duration = duration
        if routes.hasMicrophone { decided.sound = try session?.captureSound(from: frame.presentationTime, to: frame.presentationTime + duration) }
        if let sound = decided.sound { session?.share(sound) }
        let sound = heard.withLock { $0.take() }
        if routes.isRecording { record(decided, with: sound, routes) }
        keepForLivePhotos(decided, routes)
        if let keep = environment.onCinematicFrame, let cinematic = decided.cinematic { keep(decided.frame, cinematic) }
        return decided
    }

    /// Writes the sharp frame to files, in the order of decisions, so that what a metadata delegate starts or stops holds from this frame on.
    private func record(_ decided: DecidedFrame, with sound: Sound?, _ routes: OpenRoutes) {
        var description = description
        description.frameDuration = decided.duration
        for output in routes.files where output.isRecording {
            let sound = session?.sound(sound, for: output)
            environment.timings.measure("record") { output.deliver(decided, sound: sound, of: description, by: delivery) }
        }
    }

    /// Hands the sharp frame to photo outputs, for the movies around their photos.
    private func keepForLivePhotos(_ decided: DecidedFrame, _ routes: OpenRoutes) {
        var description = description
        description.frameDuration = decided.duration
        for route in routes.photos { route.output.keep(decided.frame, of: description) }
    }

    private func renderFrames() {
        do {
            while let next = try decided.next() {
                let routes = openRoutes
                let isWanted = routes.video.contains { $0.output.isWanted } || routes.photos.contains { $0.output.isWanted }
                guard begun.send((next, isWanted ? lens.begin(next) : nil)) else { return }
            }
            begun.finish()
        } catch {
            begun.finish(error)
        }
    }

    private func deliverFrames() {
        var failure: (any Error)?
        do {
            while let next = try begun.next() { deliver(next.decided, begun: next.picture, through: openRoutes) }
        } catch {
            failure = error
        }
        end(failure)
    }

    private func deliver(_ next: DecidedFrame, begun: PendingPicture? = nil, through routes: OpenRoutes) {
        // The outputs that want the frame are fixed before any of them has it.
        let video = routes.video.filter { $0.output.isWanted }
        let maps = routes.depth.filter { $0.output.isWanted }
        let photos = routes.photos.filter { $0.output.isWanted }
        let synchronizers = routes.outputs.compactMap(\.synchronizer)
        if let sound = next.sound { environment.timings.measure("deliver") { session?.deliver(sound, by: delivery) } }
        let time = next.frame.presentationTime
        if let depth = next.depth {
            for route in maps {
                environment.timings.measure("deliver") {
                    route.output.deliver(depth, calibration: next.calibration, at: time, through: route.connection, by: delivery)
                }
            }
        }
        if !photos.isEmpty || !video.isEmpty {
            let picture = lens.picture(of: next, begun: begun)
            for route in photos {
                route.output.deliver(
                    picture, of: next, through: route.connection, canFlash: adjustable != nil && device.isFlashAvailable, by: delivery)
            }
            for route in video {
                environment.timings.measure("deliver") { route.output.deliver(picture, of: next, through: route.connection, by: delivery) }
            }
        }
        let soundOutputs = next.sound == nil ? [] : session?.soundOutputs ?? []
        let concerned = synchronizers + soundOutputs.compactMap(\.synchronizer)
        for synchronizer in concerned { synchronizer.expectFrame(at: time) }
        pass(time, concerned)
    }

    /// Notes that a frame is over, and has synchronizers hand on what all of their cameras are through with.
    private func pass(_ time: CMTime, _ synchronizers: [AVCaptureDataOutputSynchronizer]) {
        progress.withLock { $0.passed = time }
        var done: [AVCaptureDataOutputSynchronizer] = []
        for synchronizer in synchronizers where !done.contains(where: { $0 === synchronizer }) {
            done.append(synchronizer)
            if let time = session?.passedTime(of: synchronizer) { synchronizer.deliverFrames(through: time, by: delivery) }
        }
    }

    /// Whether outputs of a synchronizer have their data from here.
    func feeds(_ synchronizer: AVCaptureDataOutputSynchronizer) -> Bool {
        let routes = openRoutes
        let outputs = routes.outputs + (routes.hasMicrophone ? session?.soundOutputs ?? [] : [])
        return outputs.contains { $0.synchronizer === synchronizer }
    }

    /// Observer of the environment, which sees the frames of one camera.
    private var observer: (any CaptureObserver)? { openRoutes.leads ? environment.observer : nil }

    /// Open connections that lead to outputs now.
    private var openRoutes: OpenRoutes {
        let revision = GraphRevision.current
        if let routes = known.withLock({ $0?.revision == revision ? $0?.routes : nil }) { return routes }
        let (committed, hasMicrophone, leads) =
            session?.state.withLock { ($0.committed, $0.microphone != nil, $0.leader ?? self === self) } ?? ([], false, true)
        let routes = OpenRoutes(
            committed.filter { connection in connection.isOpen && connection.inputPorts.contains { $0.input === input } },
            leads: leads, hasMicrophone: hasMicrophone && leads)
        known.withLock { $0 = (revision, routes) }
        return routes
    }
}
