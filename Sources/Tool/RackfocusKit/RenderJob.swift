import AVFoundation
import Bokeh
import CameraApp
import CoreMedia
import Focus
import Foundation
import Media
import Pipeline
import ScenarioFormat
import ScenarioRun
import Support
import Synchronization

/// Job that renders a scenario or footage to a movie: runs the camera app in the environment of the scenario, and writes its shots.
public final class RenderJob {
    /// Number of frames to render; nil when the footage does not say.
    public let frameCount: Int?
    private let scenario: ScenarioFile
    private let feed: CameraFeed
    private let options: RenderOptions
    private let renderer: VulkanBokehRenderer
    private let timings = Timings()

    /// Opens everything and refuses what cannot work; nothing is written yet.
    public init(scenario path: String?, footage: ClipSource?, options: RenderOptions) throws {
        var scenario =
            try path.map { try ScenarioFile.load(path: $0, ReadingOptions(source: footage, phone: options.phone, folders: options.allowed)) }
            ?? ScenarioFile.parse("{}", path: options.output, ReadingOptions(source: footage, phone: options.phone))
        if path == nil { scenario.texts = [] }
        if let detections = options.detections { scenario.clip.detections = detections }
        if let mode = options.mode { scenario = scenario.inMode(mode) }
        scenario.clip.constantRate = options.frameDuration
        self.scenario = scenario
        self.options = options
        feed = try CameraFeed.open(scenario, models: options.models, timings: timings)
        renderer = try VulkanBokehRenderer(gpu: GPUChoice(options.gpu), options: options.lens, timings: options.isTimed ? timings : nil)
        frameCount = feed.source.description.frameCount
    }

    /// The files it reads.
    package var inputs: [String] {
        get throws { try PictureSequence.inputs(scenario.files) + options.models.files + [options.lens.shader?.path].compactMap { $0 } }
    }

    /// The movie and the run directory.
    package var outputs: [String] { [options.output, runPath] }

    private var runPath: String { (options.output as NSString).deletingPathExtension + ".run" }

    /// Renders; `progress` is called with the number of frames written so far.
    public func run(progress: @escaping @Sendable (Int) -> Void) throws -> RenderResult {
        let runDirectory = try OutputDirectory(path: runPath, replacingExisting: options.replacesExisting)
        let picture = feed.source.description
        let writer = try MovieFileWriter(
            path: options.output,
            movie: MovieDescription(width: picture.width, height: picture.height, frameDuration: picture.frameDuration),
            footage: scenario.clip.source.soundPath, replacingExisting: options.replacesExisting)
        let run = ScenarioObserver(scenario)
        let rehearsal = try rehearse()
        var feed = feed
        if let log = rehearsal?.log { feed.detector = RecordedDetector(log, path: options.output) }
        let recorder = RecordingDetector(feed.detector, of: picture, named: scenario.name)
        feed.detector = recorder
        let camera = try makeCamera(feed, plan: rehearsal?.plan, observer: run)
        run.connect(camera)

        let queue = EncodingQueue(writer: writer, overlay: options.overlay ? Overlay() : nil, timings: timings, progress: progress)
        do {
            try play(camera, into: queue)
            for remark in feed.disparityRemarks { run.note(diagnostic: remark) }
            let failures = run.finish().map(\.description)
            for file in run.files() { try runDirectory.write(file.data, to: file.name) }
            try runDirectory.write(recorder.log.text, to: "detections.jsonl")
            let written = queue.frames
            if options.isTimed {
                let figures = try RunFigures(frames: written, firstFrame: queue.firstFrame, pace: queue.pace, stages: timings)
                try runDirectory.write(JSONEncoder.sorted.encode(figures), to: RunFigures.fileName, isReproducible: false)
            }
            try timings.measure("finish") { try writer.finish(with: [runDirectory]) }
            return RenderResult(
                movie: options.output, runDirectory: runPath, frames: written, failures: failures, passThroughs: run.passThroughs,
                remarks: remarks(read: run.framesSeen, written: written) + writer.remarks, filterFailure: renderer.filterFailure,
                timings: timings.report)
        } catch {
            writer.cancel()
            throw error
        }
    }

    /// Frames of footage lost or repeated on their way into the movie, and limits of their disparity. A stage makes no frame that is not asked for.
    private func remarks(read: Int, written: Int) -> [String] {
        guard !scenario.clip.source.isSynthetic else { return [] }
        let lost = read - written
        let off = "\(lost) of \(read) frames of the footage are left out: the camera was off then, or set to a lower rate"
        return feed.source.remarks + feed.disparityRemarks + (lost > 0 ? [off] : [])
    }

    private func makeCamera(_ feed: CameraFeed, plan: FocusPlan?, observer: any CaptureObserver) throws -> CinematicCamera {
        var environment = CaptureEnvironment(
            cameras: scenario.cameras(for: feed.source.description), renderer: renderer, tuning: scenario.tuning, observer: observer, timings: timings
        ) { _ in feed }.writingFiles()
        environment.focusPlan = plan
        return try CaptureEnvironment.$scoped.withValue(environment) {
            try CinematicCamera(
                camera: scenario.device.camera?.deviceType, aperture: (options.aperture ?? scenario.device.aperture).map(Float.init),
                longPress: scenario.tuning.longPress)
        }
    }

    /// Focus plan for `mode: post`, from a run without a lens, and what was detected in it, which need not be searched for again; nil in other modes.
    ///
    /// People whose detections depth is guessed from are there from the first frame of their shot, and the plan is that of a run that sees them.
    private func rehearse() throws -> (plan: FocusPlan, log: DetectionLog?)? {
        guard scenario.mode == .post else { return nil }
        return try timings.measure("look ahead") {
            // The one look at the pixels: what is seen here is recorded, and a second detector would take time to open.
            let first = try rehearse(with: scenario.clip.detections == .vision ? feed.detector : nil)
            guard case .plain = scenario.clip.source, let log = first.log else { return first }
            let completed = log.completingOpenings()
            guard completed != log else { return first }
            return (try rehearse(with: RecordedDetector(completed, path: options.output)).plan, completed)
        }
    }

    /// One rehearsal; `detector` stands in for the clip's own.
    private func rehearse(with detector: (any SubjectDetector)?) throws -> (plan: FocusPlan, log: DetectionLog?) {
        var faultless = scenario
        faultless.timeline.removeAll { $0.verb is FaultVerb }
        let (rehearsal, models, memory) = (faultless, options.models, Memory())
        let runner = try ScenarioRunner(
            rehearsal,
            feed: {
                var feed = try CameraFeed.open(rehearsal, models: models, detector: detector)
                let recording = RecordingDetector(feed.detector, of: feed.source.description, named: rehearsal.name)
                feed.detector = recording
                memory.recorder.withLock { $0 = recording }
                return feed
            }())
        let plan = try runner.plan(timeLimit: Self.longest)
        return (plan, rehearsal.clip.detections == .vision ? memory.recorder.withLock { $0?.log } : nil)
    }

    /// Recorder of a rehearsal's detections.
    private final class Memory: Sendable {
        let recorder = Mutex<RecordingDetector?>(nil)
    }

    /// Seconds that footage may take: a week.
    private static let longest = 604_800.0

    /// Runs the session until it stops by itself, and throws what stopped it early.
    private func play(_ camera: CinematicCamera, into queue: EncodingQueue) throws {
        let end = camera.play { [session = camera.session] shot in
            if !queue.append(shot) { DispatchQueue.global().async { session.stopRunning() } }
        }
        queue.finish()
        if let error = queue.failure { throw error }
        if case .failed(let error) = end { throw error.root }
    }
}

/// Queue of a run's shots: overlay, then the encoder on a thread of its own, and the first failure.
private final class EncodingQueue: Sendable {
    private let writer: MovieFileWriter
    private let overlay: Overlay?
    private let timings: Timings
    private let progress: @Sendable (Int) -> Void
    private let pictures = Channel<Picture>(capacity: 2)
    private let encoded = DispatchGroup()
    private let state = Mutex(State())
    /// Time from each encoded frame to the next.
    let pace = Timings()

    private struct State {
        var frames = 0
        var failure: (any Error)?
        /// Age of the process when the first frame was encoded, seconds, and the time of the last.
        var firstFrame = 0.0
        var last: ContinuousClock.Instant?
    }

    private struct Picture: Sendable {
        let image: CVPixelBuffer
        let time: CMTime
    }

    init(writer: MovieFileWriter, overlay: Overlay?, timings: Timings, progress: @escaping @Sendable (Int) -> Void) {
        self.writer = writer
        self.overlay = overlay
        self.timings = timings
        self.progress = progress
        let thread = Thread { [self] in
            encode()
            encoded.leave()
        }
        thread.name = "rackfocus encode"
        encoded.enter()
        thread.start()
    }

    var frames: Int { state.withLock { $0.frames } }
    var firstFrame: Double { state.withLock { $0.firstFrame } }
    var failure: (any Error)? { state.withLock { $0.failure } }

    /// False when the movie cannot go on.
    func append(_ shot: CinematicCamera.Shot) -> Bool {
        guard let image = CMSampleBufferGetImageBuffer(shot.sampleBuffer) else { return false }
        do {
            if let overlay { try timings.measure("overlay") { try overlay.draw(shot) } }
            return pictures.send(Picture(image: image, time: CMSampleBufferGetPresentationTimeStamp(shot.sampleBuffer)))
        } catch {
            fail(error)
            return false
        }
    }

    /// Waits until everything appended is encoded.
    func finish() {
        pictures.finish()
        encoded.wait()
    }

    private func encode() {
        do {
            while let picture = try pictures.next() {
                try timings.measure("encode") { try writer.append(picture.image, at: picture.time) }
                progress(count())
            }
        } catch {
            fail(error)
        }
    }

    /// Number of frames with one more.
    private func count() -> Int {
        let now = ContinuousClock.now
        return state.withLock { state in
            if let last = state.last { pace.book("frame", now - last) } else { state.firstFrame = ProcessorTime.sinceStart?.wall ?? 0 }
            state.last = now
            state.frames += 1
            return state.frames
        }
    }

    private func fail(_ error: any Error) {
        state.withLock { $0.failure = $0.failure ?? error }
        pictures.close()
    }
}

extension JSONEncoder {
    /// Keys in their order, a line each.
    fileprivate static var sorted: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        return encoder
    }
}

extension Error {
    /// The adapter's own error below what the mirror made of it.
    fileprivate var root: any Error { ((self as NSError).userInfo[NSUnderlyingErrorKey] as? any Error) ?? self }
}
