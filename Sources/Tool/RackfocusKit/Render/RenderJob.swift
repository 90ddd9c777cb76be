import AVFoundation
import Bokeh
import CameraApp
import CoreMedia
import Focus
import Foundation
import Media
import Pipeline
import ScenarioFormat
import ScenarioResults
import ScenarioRun
import Support
import Synchronization

/// Job that renders a scenario or footage to a movie: runs the camera app in the environment of the scenario, and writes its shots.
public final class RenderJob {
    /// Number of frames to render; nil when the footage does not say.
    public let frameCount: Int?
    let scenario: ScenarioFile
    private let scenarioPath: String?
    let feed: CameraFeed
    /// Key of the analysis that is used or kept; nil for a stage.
    let key: AnalysisKey?
    /// Analysis of an earlier render; nil where there is none.
    let analysis: KeptAnalysis?
    let options: RenderOptions
    private let delivery: DeliveryOptions.Resolved
    /// Nil where all frames are rendered.
    private let wanted: WantedFrame?
    private let renderer: VulkanBokehRenderer
    /// Lens of a draft; nil for a movie of the footage's size.
    private let draft: DraftRenderer?
    let timings = Timings()
    let notes = FrameNotes()

    /// Opens everything and refuses what cannot work; nothing is written yet.
    public init(scenario path: String?, footage: ClipSource?, options: RenderOptions) throws {
        let reading = options.reading(footage)
        var scenario = try path.map { try ScenarioFile.load(path: $0, reading) } ?? ScenarioFile.parse("{}", path: options.output, reading)
        if path == nil { scenario.texts = [] }
        if let detections = options.detections { scenario.clip.detections = detections }
        if let mode = options.mode { scenario = scenario.inMode(mode) }
        if let rack = options.rack { scenario.tuning.rack = rack }
        if let ease = options.rackEase { scenario.tuning.rackEase = ease }
        scenario.clip.constantRate = options.frameDuration
        (scenario.clip.span, scenario.clip.isToneMapped) = (options.delivery.span, options.delivery.isToneMapped)
        (self.scenario, self.options, scenarioPath) = (scenario, options, path)
        key = try AnalysisKey(scenario, options.models)
        analysis = options.keptBytes > 0 ? key.flatMap { KeptAnalysis.find($0, beside: options.output) } : nil
        // Both are libraries that load, for the most part. Whatever fails, nothing of it goes on.
        let device = ConcurrentTask { [timings] in
            try VulkanBokehRenderer(gpu: GPUChoice(options.gpu), options: options.lens, timings: options.isTimed ? timings : nil)
        }
        defer { device.join() }
        feed = try Self.open(scenario, options, Self.timings(of: scenario, timings), notes, detector: Self.detector(scenario, analysis))
        try Self.check(scenario, of: feed.source.description)
        let asked = options.cinematic == options.output && !options.isDraft ? TakeWriter.delivery(options.delivery) : options.delivery
        delivery = try asked.resolved(for: feed.source.description, path: options.output)
        wanted = options.frame.map { [feed] in WantedFrame($0, of: feed.source.description) }
        renderer = try device.value()
        draft = options.isDraft ? DraftRenderer(renderer, of: feed.source.description) : nil
        frameCount = feed.source.description.frameCount
    }

    /// Throws `ScenarioError` for an event later than the whole footage, as far as the number of frames tells its length: those that were dropped
    /// and a rate that varies may make it a twentieth longer. A part that is cut out has what its length allows of a script.
    private static func check(_ scenario: ScenarioFile, of source: SourceDescription) throws {
        guard !scenario.clip.source.isSynthetic, scenario.clip.span.to == nil, let count = source.frameCount else { return }
        func nanoseconds(_ frames: Int) -> Int64 { Int64(Double(frames) * source.frameDuration.seconds * 1e9) }
        for event in scenario.timeline { try event.check(endOfFootage: nanoseconds(count), latest: nanoseconds(count + count / 20 + 1)) }
    }

    /// Opens footage in its own coding, or as 8 bits and BT.709 where photos are taken of it. Throws `MediaError` for HLG and PQ there.
    static func open(
        _ scenario: ScenarioFile, _ options: RenderOptions, _ timings: Timings?, _ notes: FrameNotes, detector: (any SubjectDetector)?
    ) throws -> CameraFeed {
        let feed = try CameraFeed.open(
            scenario, models: options.models, detector: detector, timings: timings, keepsCoding: true, notes: notes)
        guard scenario.timeline.contains(where: { ($0.verb as? any PlayedVerb)?.command.output == .photo }) else { return feed }
        guard !feed.source.description.colors.isHDR else {
            throw MediaError(
                code: .unsupported, path: scenario.clip.source.soundPath ?? scenario.name,
                reason: "is HLG or PQ, in which no camera takes photos; give --sdr")
        }
        return try CameraFeed.open(scenario, models: options.models, detector: detector, timings: timings, notes: notes)
    }

    /// Replay of what an earlier render detected; nil where nothing is to be detected, or nothing was kept.
    private static func detector(_ scenario: ScenarioFile, _ analysis: KeptAnalysis?) -> KeptDetector? {
        scenario.clip.detections == .vision ? analysis.map { KeptDetector($0.log, path: $0.directory) } : nil
    }

    /// Timings of the detector, which with `mode: post` is asked in the look-ahead only.
    static func timings(of scenario: ScenarioFile, _ timings: Timings) -> Timings {
        scenario.mode == .post ? Timings(inside: timings) : timings
    }

    /// The files it reads.
    package var inputs: [String] {
        get throws { try PictureSequence.inputs(scenario.files) + options.models.files + [options.lens.shader?.path].compactMap { $0 } }
    }

    /// The movie, or the pictures of the sequence that are there, the run directory, and the part of a take while it is written; of a single frame its
    /// picture.
    package var outputs: [String] {
        get throws {
            if wanted != nil { return [options.output] }
            let take = options.cinematic.map { ($0 == options.output ? [] : [$0]) + [$0.besideAsPart] } ?? []
            return try take + bakedOutputs
        }
    }

    private var bakedOutputs: [String] {
        get throws {
            delivery.codec.isSequence ? try PictureSequenceWriter.existing(options.output) + [runPath] : [options.output, runPath]
        }
    }

    /// `movie.run` beside `movie.mp4`, `out.run` beside `out.%04d.png`.
    private var runPath: String { delivery.path(beside: options.output, suffix: "run") }

    /// Renders; `progress` is called with the number of frames written so far.
    public func run(progress: @escaping @Sendable (Int) -> Void) throws -> RenderResult {
        try OutputFile.check(outputs, beside: runPath, replacingExisting: options.replacesExisting)
        let runDirectory = wanted == nil ? try OutputDirectory(path: runPath, replacingExisting: options.replacesExisting) : nil
        let take = try openTake()
        let writer: any DeliveryWriter = try take ?? openWriter()
        let run = ScenarioObserver(scenario)
        let (analysing, ahead) = try lookAhead(into: runDirectory)
        defer { ahead.end() }
        var feed = ahead.feed
        let recorder = RecordingDetector(feed.detector, of: feed.source.description, named: scenario.name)
        feed.detector = recorder
        let camera = try makeCamera(scenario.withoutFaultsOfSystem.withFaults(feed), plan: ahead.plan, observer: run, take: take)
        run.connect(camera)

        let queue = EncodingQueue(
            writer: writer, overlay: options.overlay ? Overlay() : nil, wanted: wanted, draft: draft, timings: timings, progress: progress)
        do {
            try play(camera, run, into: queue)
            ahead.end()
            for remark in feed.disparityRemarks { run.note(diagnostic: remark) }
            let failures = run.finish().map(\.description)
            let written = queue.frames
            let remarks = wanted == nil ? captureRemarks + remarks(on: feed, read: run.framesSeen, written: written) : []
            if let runDirectory {
                for file in run.files() { try runDirectory.write(file.data, to: file.name) }
                try runDirectory.write(recorder.log.text, to: "detections.jsonl")
                try analysing.finish(runDirectory, remarks: feed.disparityRemarks)
                let record = try record(frames: written, aperture: queue.firstAperture, remarks: remarks + writer.remarks)
                try runDirectory.write(record.json, to: "render.json")
                if options.isTimed {
                    let figures = try RunFigures(frames: written, firstFrame: queue.firstFrame, pace: queue.pace, stages: timings)
                    try runDirectory.write(JSONEncoder.readable.encode(figures), to: RunFigures.fileName, isReproducible: false)
                }
            }
            try timings.measure("finish") { try writer.finish(with: runDirectory.map { [$0] } ?? []) }
            return RenderResult(
                movie: options.output, runDirectory: runDirectory.map { _ in runPath }, frames: written, failures: wanted == nil ? failures : [],
                lensFailure: run.lensFailure, remarks: remarks + writer.remarks, filterFailure: renderer.filterFailure,
                analysis: analysing.summary, keepingFailure: analysing.refusal, timings: timings.report)
        } catch {
            writer.cancel()
            throw error
        }
    }

    /// Footage whose sound goes along; nil for none.
    private var soundFootage: MovieFileWriter.Footage? {
        let picture = feed.source.description
        return scenario.clip.source.soundPath.map {
            MovieFileWriter.Footage(
                path: $0, start: picture.footageStart, timecode: picture.footageStart == .zero ? nil : picture.timecode,
                length: options.delivery.span.length(in: picture))
        }
    }

    /// Writer of the cinematic movie, and of the baked one where that is wanted, too; nil where none is kept.
    private func openTake() throws -> TakeWriter? {
        guard let path = options.cinematic else { return nil }
        let picture = feed.source.description
        let coding = try path == options.output ? delivery : TakeWriter.delivery(DeliveryOptions()).resolved(for: picture, path: path)
        return try TakeWriter(
            path: path, delivery: coding, of: picture, footage: soundFootage, beside: path == options.output ? nil : openWriter(),
            replacingExisting: options.replacesExisting)
    }

    private func openWriter() throws -> any DeliveryWriter {
        let footage = soundFootage
        var picture = feed.source.description
        if draft != nil {
            let size = DraftRenderer.size(of: picture)
            (picture.width, picture.height) = (size.width, size.height)
        }
        return try delivery.writer(
            path: options.output, of: picture, footage: footage, isOnePicture: wanted != nil, replacingExisting: options.replacesExisting)
    }

    /// Frames of footage lost or repeated on their way into the movie, and limits of their disparity. A stage makes no frame that is not asked for.
    private func remarks(on feed: CameraFeed, read: Int, written: Int) -> [String] {
        guard !scenario.clip.source.isSynthetic else { return [] }
        let lost = read - written
        let off = "\(lost) of \(read) frames of the footage are left out: the camera was off then, or set to a lower rate"
        return feed.source.remarks + feed.disparityRemarks + (lost > 0 ? [off] : [])
    }

    /// Remark on the photos and recordings of the script, which become no files.
    private var captureRemarks: [String] {
        let actions = scenario.timeline.compactMap { event -> AppAction? in
            if case .act(let action) = (event.verb as? any PlayedVerb)?.command { action } else { nil }
        }
        let photo = actions.contains(.takePhoto) ? "photos, of which render --frame TIME makes pictures" : nil
        let recording = actions.contains(.startRecording) ? "recordings, in place of which --cinematic TAKE.mov keeps all frames" : nil
        let captures = [photo, recording].compactMap { $0 }
        return captures.isEmpty ? [] : ["the trace alone tells of the script's \(captures.joined(separator: ", and of "))"]
    }

    private func record(frames: Int, aperture: Double?, remarks: [String]) throws -> RenderRecord {
        let detections =
            switch scenario.clip.detections {
            case .truth: "truth"
            case .vision: "vision"
            case .recorded(let path): path
            }
        let clip = scenario.clip
        return RenderRecord(
            arguments: options.arguments, inputs: RenderRecord.sizes(of: try inputs),
            source: .init(feed.source.description, clip.span, isToneMapped: clip.isToneMapped, constantRate: clip.constantRate),
            output: .init(options.output, delivery, overlay: options.overlay, isDraft: options.isDraft),
            lens: .init(options.lens, aperture: aperture, device: renderer.device.name),
            focus: .init(
                scenario: scenarioPath, mode: scenario.mode.rawValue, detections: detections, phone: options.phone?.model,
                orders: options.orders.map { "\($0.option) \($0.text)" }, rack: .init(wrappedValue: scenario.tuning.rack.map { Double($0) / 1e9 }),
                rackEase: scenario.tuning.rackEase.rawValue),
            frames: frames, remarks: remarks)
    }

    private func makeCamera(_ feed: CameraFeed, plan: FocusPlan?, observer: ScenarioObserver, take: TakeWriter?) throws -> CinematicCamera {
        var environment = CaptureEnvironment(
            cameras: scenario.cameras(for: feed.source.description), renderer: draft ?? renderer, tuning: scenario.tuning, observer: observer,
            timings: timings
        ) { _ in feed }.writingFiles()
        environment.focusPlan = plan
        // Of a recording that the script makes the trace tells; the movie is the render's own.
        environment.openMovie = { url, _ in CountingMovieWriter(path: url.path) }
        environment.freeDiskSpace = { _ in nil }
        // Threads would have frames under way, and lose them where the session stops for another camera.
        if scenario.timeline.contains(where: { ($0.verb as? any PlayedVerb)?.command.isBetweenFrames == true }) { environment.clock = .inline }
        environment.onDiagnostic = { observer.note(diagnostic: $0) }
        environment.onViolation = { observer.note(violation: $0) }
        if let wanted { environment.isDrawn = { wanted.isThis($0) } }
        if let take { environment.onCinematicFrame = { take.keep($0, $1) } }
        if options.cinematic == options.output { environment.isDrawn = { _ in false } }
        return try CaptureEnvironment.$scoped.withValue(environment) {
            try CinematicCamera(
                camera: scenario.device.camera?.deviceType, aperture: (options.aperture ?? scenario.device.aperture).map(Float.init),
                longPress: scenario.tuning.longPress, outputs: Set(scenario.connected).union([.video]))
        }
    }

    /// Runs the session until it stops by itself, and throws what stopped it early.
    private func play(_ camera: CinematicCamera, _ run: ScenarioObserver, into queue: EncodingQueue) throws {
        let session = camera.session
        let isComplete = Atomic(false)
        func resume(_ end: CinematicCamera.End) -> Bool {
            guard case .stopped = end, !isComplete.load(ordering: .acquiring), run.lastTime.map(scenario.restarts) ?? false else { return false }
            run.noteRestart()
            session.startRunning()
            return true
        }
        let end = camera.play(resume: resume) { shot in
            guard !queue.append(shot) else { return }
            isComplete.store(true, ordering: .releasing)
            DispatchQueue.global().async { session.stopRunning() }
        }
        queue.finish()
        if let error = queue.failure { throw error }
        if case .failed(let error) = end { throw error.root }
    }
}

extension Error {
    /// The adapter's own error below what the mirror made of it.
    var root: any Error { ((self as NSError).userInfo[NSUnderlyingErrorKey] as? any Error) ?? self }
}
