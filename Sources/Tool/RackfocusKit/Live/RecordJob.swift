import AVFoundation
import Bokeh
import CameraApp
import CoreMedia
import CoreVideo
import Focus
import Foundation
import Media
import Optics
import Pipeline
import ScenarioFormat
import ScenarioRun
import Support
import Synchronization
import VideoDevice
import Vision

/// Job that films with a camera: runs the camera app with it by the wall clock, and keeps a cinematic movie, a baked one, or both, or hands the
/// pictures to a virtual camera.
public final class RecordJob: Sendable {
    private let options: RecordOptions
    private let system: any VideoSystem
    private let detector: (any SubjectDetector)?
    private let onEncoded: (@Sendable (CMTime) -> Void)?
    private let take = Mutex<LiveTake?>(nil)
    private let isStopped = Mutex(false)
    private let kept: Kept

    /// Lens and virtual camera of a job, which go on to its continuation: neither is made anew for each watcher.
    private final class Kept: Sendable {
        let lens = Mutex<(format: LiveFormat, lens: LiveLens)?>(nil)
        let sink = Mutex<(width: Int, height: Int, sink: any PictureSink)?>(nil)

        deinit { sink.withLock { $0 }?.sink.close() }
    }

    /// Reads the script and refuses what cannot work; the camera is opened by `run`.
    public convenience init(_ options: RecordOptions) throws { try self.init(options, in: KernelVideo()) }

    /// - Parameters:
    ///   - detector: stands in for the detectors on pixels.
    ///   - onEncoded: receives the time of each picture that the baked movie has.
    package convenience init(
        _ options: RecordOptions, in system: any VideoSystem, detector: (any SubjectDetector)? = nil,
        onEncoded: (@Sendable (CMTime) -> Void)? = nil
    ) throws {
        try self.init(options, in: system, detector: detector, onEncoded: onEncoded, kept: Kept())
    }

    private init(
        _ options: RecordOptions, in system: any VideoSystem, detector: (any SubjectDetector)?, onEncoded: (@Sendable (CMTime) -> Void)?, kept: Kept
    ) throws {
        precondition(options.main != nil || options.sink != nil, "a recording has an output")
        (self.options, self.system, self.detector, self.onEncoded, self.kept) = (options, system, detector, onEncoded, kept)
        for path in [options.take, options.baked].compactMap({ $0 }) {
            var isDirectory: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else { continue }
            if isDirectory.boolValue { throw OutputError(code: .wrongKind, path: path, action: "create") }
            if !options.replacesExisting { throw OutputError(code: .exists, path: path, action: "create") }
        }
        _ = try LiveScenario.scenario(options, at: CMTime(value: 1, timescale: 30))
    }

    /// The files it reads.
    package var inputs: [String] { [options.script, options.calibration, options.lens.shader?.path].compactMap { $0 } + options.models.files }

    /// The movies, and the run directory beside them.
    package var outputs: [String] { [options.take, options.baked, runPath].compactMap { $0 } }

    private var runPath: String? { options.main.map(Self.runDirectory) }

    /// The run directory beside a movie.
    package static func runDirectory(of movie: String) -> String { (movie as NSString).deletingPathExtension + ".run" }

    /// Ends the recording as if its time were over; the movies become whole.
    public func stop() {
        isStopped.withLock { $0 = true }
        take.withLock { $0 }?.stop()
    }

    /// Job that goes on in movies of their own (`take-2.mov`) after the camera was pulled out, once it is back, or with the next one who watches; nil where
    /// nothing is to go on. The script is over: its times were those of the first take.
    public func continuation(after result: RecordResult) throws -> RecordJob? {
        guard result.end == .unwatched || (result.end == .unplugged && options.waits), !isStopped.withLock({ $0 }) else { return nil }
        var rest = options
        rest.duration = options.duration.map { $0 - CMTime(seconds: result.duration, preferredTimescale: 1_000_000) }
        if let left = rest.duration, left.seconds < 0.1 { return nil }
        (rest.take, rest.baked) = (options.take.map(Self.nextName), options.baked.map(Self.nextName))
        rest.script = nil
        return try RecordJob(rest, in: system, detector: detector, onEncoded: onEncoded, kept: kept)
    }

    /// Name of the next part: `take-2.mov` after `take.mov`, `take-3.mov` after that.
    static func nextName(_ path: String) -> String {
        let (base, suffix) = ((path as NSString).deletingPathExtension, (path as NSString).pathExtension)
        if let match = base.wholeMatch(of: #/(.*)-(\d{1,6})/#), let number = Int(match.2), number >= 2 { return "\(match.1)-\(number + 1).\(suffix)" }
        return "\(base)-2.\(suffix)"
    }

    /// Whether `stop` was called.
    public var isStopping: Bool { isStopped.withLock { $0 } }

    /// Monotonic nanoseconds of the first frame; nil before it.
    var cameraZero: Int64? { take.withLock { $0 }?.camera?.zero }

    /// Current state; nil before the camera runs.
    public var status: RecordStatus? { take.withLock { $0 }?.status }

    /// Records until the length is reached, `stop` is called, the camera is pulled out or the disk is full.
    ///
    /// With a virtual camera that tells whether somebody watches, the camera is not opened before, and let go of two seconds after the last one.
    ///
    /// - Parameter onWait: called once, with what is waited for.
    public func run(onWait: (String) -> Void = { _ in }) throws -> RecordResult {
        let rig = try findRig(onWait)
        let camera = rig.main
        let format = try options.format.format(of: camera)
        try checkSinkSize(for: format, of: camera)
        let rate = CMTime(value: 1000, timescale: Int32((format.rate * 1000).rounded()))
        let scenario = try LiveScenario.scenario(options, at: rate)
        let runDirectory = try runPath.map { try OutputDirectory(path: $0, replacingExisting: options.replacesExisting) }
        let timings = Timings()
        let log = runDirectory.map { directory in
            var header = DetectionLog.Header(
                SourceDescription(width: format.width, height: format.height, frameDuration: rate), named: camera.name)
            (header.scenario, header.fNumber) = (scenario.name, options.aperture ?? scenario.device.aperture)
            header.isRecording = options.take != nil
            return LiveLog(in: directory, header)
        }
        let script = ScenarioObserver(scenario, onTrace: log?.appendTrace)
        let take = LiveTake(script, options, log: log)
        self.take.withLock { $0 = take }
        if isStopped.withLock({ $0 }) { take.stop() }

        // The take holds the directory for as long as this job lives.
        defer { runDirectory?.discard() }
        guard let lens = try lens(for: format, timings) else { return .empty }
        let queue = try shotTaker(format, rate, timings, of: camera)
        guard try waitForWatcher(onWait) else { return .empty }
        var environment = CaptureEnvironment.cameras(
            [rig], only: format, in: system, renderer: lens.renderer, models: options.models, detector: detector
        ) { source in take.connect(source) }
        environment.tuning = scenario.tuning
        environment.leastDegradation = lens.least
        environment.mostDegradation = options.isDrawn ? .previewRate : .detectionRate
        environment.observer = take
        environment.timings = timings
        environment.onDiagnostic = { script.note(diagnostic: $0) }
        environment.onViolation = { script.note(violation: $0) }
        if log != nil { environment.onFrameInputs = { take.note($0) } }
        let microphone = Mutex<MicrophoneSource?>(nil)
        if let name = options.microphone {
            let layout = options.soundLayout
            environment.addMicrophone(name, layout) { _ in
                let source = try MicrophoneSource(name, layout: layout) { take.camera?.zero }
                microphone.withLock { $0 = source }
                return source
            }
        }
        let writer = Mutex<MovieFileWriter?>(nil)
        environment.openMovie = { [encoder = options.encoder] url, movie in
            var settings = MovieFileWriter.Settings(movie.coding)
            settings.encoder = encoder
            let opened = try MovieFileWriter(path: url.path, movie: movie, settings: settings)
            writer.withLock { $0 = opened }
            return opened
        }
        do {
            let app = try CaptureEnvironment.$scoped.withValue(environment) {
                try CinematicCamera(
                    camera: .init(rawValue: rig.profile(only: format).deviceType),
                    aperture: (options.aperture ?? scenario.device.aperture).map(Float.init), longPress: scenario.tuning.longPress,
                    outputs: Set([options.take == nil ? nil : .movie, options.isDrawn ? .video : nil].compactMap { $0 }))
            }
            script.connect(app)
            if options.isDrawn { app.setPictures(isMirrored: options.isMirrored, width: options.sinkSize?.width, height: options.sinkSize?.height) }
            if options.microphone != nil {
                let mode = AVCaptureMultichannelAudioMode(options.soundLayout)
                let onSound: (@Sendable (CMSampleBuffer) -> Void)? =
                    if let baking = queue as? BakingQueue {
                        { sample in if take.takesSound(at: sample.presentationTimeStamp) { baking.append(sample) } }
                    } else {
                        nil
                    }
                try CaptureEnvironment.$scoped.withValue(environment) { try app.addMicrophone(mode, onSound: onSound) }
            }
            take.connect(app)
            let end = try play(app, take, queue)
            let failures = script.finish().map(\.description)
            take.disconnect()
            if let runDirectory {
                for file in script.files() { try runDirectory.write(file.data, to: file.name) }
                try log?.finish()
                if let path = options.script { try runDirectory.write(ScenarioFile.text(path), to: LiveScenario.fileName) }
            }
            try queue?.finish()
            // A movie without a picture is not written.
            let isTaken = take.frames > 0 && options.take.map { FileManager.default.fileExists(atPath: $0) } ?? false
            let taken = isTaken ? writer.withLock { $0?.pictureCount } ?? 0 : 0
            let movies = [isTaken ? options.take : nil, (queue?.frames ?? 0) > 0 ? options.baked : nil].compactMap { $0 }
            if end == .diskFull, movies.isEmpty { throw OutputError(code: .diskFull, path: options.main ?? "", action: "begin writing") }
            // While the end waits for the lens, pictures go on being late that are none of the movie's.
            let late = options.baked == nil ? app.latePictures : max(0, (isTaken ? taken : take.frames) - (queue?.frames ?? 0))
            try runDirectory?.commit()
            let camera = take.camera
            camera?.close()
            let sound = microphone.withLock { $0?.remarks } ?? []
            // Of the same encoder both say the same.
            let coding = writer.withLock { $0?.remarks } ?? queue?.remarks ?? []
            return RecordResult(
                end: end, movies: movies, runDirectory: runPath, frames: take.frames, takenFrames: taken, bakedFrames: queue?.frames ?? 0,
                duration: take.duration, lost: camera?.figures.dropped ?? 0, leftOut: late, degradation: take.degradation,
                remarks: (camera?.remarks ?? []) + sound + coding + lateRemarks(late, written: queue?.frames ?? 0) + take.degradationRemarks,
                lensFailure: script.lensFailure, failures: failures, timings: timings.report)
        } catch {
            take.disconnect()
            take.camera?.close()
            queue?.cancel()
            throw error
        }
    }

    private func lateRemarks(_ late: Int, written: Int) -> [String] {
        if let path = options.baked, written == 0 { return ["\(path) is not written: no picture came through the lens in time"] }
        guard late > 0, let path = options.baked ?? options.sink else { return [] }
        return ["\(path) lacks \(late.counted("picture")): the lens, or what comes behind it, was late"]
    }

    /// Throws where pictures of a format cannot get the size that is wanted: they are made smaller, and keep their shape to within two pixels.
    private func checkSinkSize(for format: LiveFormat, of camera: VideoCamera) throws(VideoDeviceError) {
        guard let size = options.sinkSize else { return }
        let isSmaller = size.width <= format.width && size.height <= format.height
        let skew = abs(size.width * format.height - size.height * format.width)
        guard isSmaller, skew <= 2 * max(format.width, format.height) else {
            let reason = "its pictures of \(format.width)x\(format.height) cannot become \(size.width)x\(size.height)"
            throw VideoDeviceError(.unsupported, camera.name, "\(reason); choose a size of the same shape that is not larger, or another format")
        }
    }

    /// Receiver of the blurred pictures; nil where none are wanted.
    private func shotTaker(_ format: LiveFormat, _ rate: CMTime, _ timings: Timings, of camera: VideoCamera) throws -> (any ShotTaker)? {
        if let path = options.sink {
            let sink = try kept.sink.withLock { kept in
                let size = options.sinkSize ?? (format.width, format.height)
                if let kept, (kept.width, kept.height) == size { return kept.sink }
                kept?.sink.close()
                let sink: any PictureSink =
                    path == PipeWireSink.name
                    ? try PipeWireSink(description: "\(camera.name) with bokeh", width: size.width, height: size.height, frameDuration: rate)
                    : try VideoSink(path, width: size.width, height: size.height, frameDuration: rate, in: system)
                kept = (size.width, size.height, sink)
                return sink
            }
            return SinkQueue(sink, timings)
        }
        // A movie to watch: ambisonics are mixed to what two ears have.
        let sound = options.microphone.map { _ in options.soundLayout == .mono ? Sound.Layout.mono : .stereo }
        return options.baked.map {
            BakingQueue(
                $0, format, rate, timings, encoder: options.encoder, sound: sound, replacingExisting: options.replacesExisting,
                onEncoded: onEncoded)
        }
    }

    /// Waits for somebody who watches the virtual camera, where it tells; false where `stop` came before or meanwhile.
    private func waitForWatcher(_ onWait: (String) -> Void) throws -> Bool {
        guard let sink = kept.sink.withLock({ $0?.sink }), sink.isWatched == false else { return !isStopping }
        onWait("somebody to watch \(options.sink ?? "")")
        while sink.isWatched == false, !isStopping { try sink.waitForWatcher(milliseconds: 200) }
        return !isStopping
    }

    /// Runs the session to its end; throws what ended it, but for what a recording outlives.
    private func play(_ app: CinematicCamera, _ take: LiveTake, _ queue: (any ShotTaker)?) throws -> RecordResult.End {
        let end = app.play { shot in
            guard let queue, take.takesPicture(at: shot.sampleBuffer.presentationTimeStamp) else { return }
            if !queue.append(shot) { take.stop() }
        }
        take.waitForMovie()
        var error = take.error
        if case .failed(let failure) = end { error = (failure as? AVError) ?? error }
        if let failure = queue?.failure { throw failure }
        if error == nil, (queue as? SinkQueue)?.isAlone == true { return .unwatched }
        switch error?.code {
        case nil, .maximumDurationReached?, .sessionWasInterrupted?: return .asked
        case .deviceWasDisconnected? where take.frames > 0: return .unplugged
        case .diskFull? where take.frames > 0: return .diskFull
        case _?: throw error?.underlyingError ?? error ?? AVError(.unknown)
        }
    }

    /// Lens for a format; nil where `stop` came before it was made.
    private func lens(for format: LiveFormat, _ timings: Timings) throws -> LiveLens? {
        // A cinematic movie is blurred later; the camera has to be able to.
        guard options.isDrawn else { return LiveLens(SharpLens()) }
        return try kept.lens.withLock { kept in
            if let kept, kept.format == format { return kept.lens }
            let made = try LiveLens(
                options.lens, isGraded: options.isLensGraded, gpu: options.gpu, for: format, timings, isStopped: { isStopping })
            guard let lens = made else { return nil }
            kept = (format, lens)
            return lens
        }
    }

    private func findRig(_ onWait: (String) -> Void) throws -> LiveRig {
        let calibration = try options.calibration.map { try StereoCalibration(contentsOf: $0) }
        let watch = DeviceWatch()
        var hasTold = false
        while true {
            do throws(VideoDeviceError) { return try wantedRig(calibration) } catch {
                guard options.waits, [.missing, .busy, .noFrames].contains(error.code), !isStopped.withLock({ $0 }) else { throw error }
                if !hasTold { onWait("a camera: \(error)") }
                hasTold = true
                watch.wait(milliseconds: 1000)
            }
        }
    }

    /// Cameras that the options name, of which the hardware's own depth goes with its picture.
    private func wantedRig(_ calibration: StereoCalibration?) throws(VideoDeviceError) -> LiveRig {
        if let calibration {
            guard let left = options.camera ?? calibration.leftCamera, let right = options.rightCamera ?? calibration.rightCamera else {
                throw .unnamed(options.calibration ?? "")
            }
            let eyes = (try VideoCamera.find(left, in: system), try VideoCamera.find(right, in: system))
            guard eyes.0.path != eyes.1.path else { throw VideoDeviceError(.unsupported, right, "is the left camera, too; the right one is another") }
            return LiveRig(eyes.0, partner: .right(eyes.1, calibration))
        }
        let camera = try wantedCamera()
        guard let name = options.depthCamera else {
            return LiveRig.all(of: VideoCamera.all(in: system)).first { $0.main == camera } ?? LiveRig(camera)
        }
        let depth = try VideoCamera.find(name, in: system)
        guard depth.isDepth else { throw VideoDeviceError(.unsupported, name, "delivers no depth in 16 bits (Z16)") }
        return LiveRig(camera, partner: .depth(depth))
    }

    private func wantedCamera() throws(VideoDeviceError) -> VideoCamera {
        if let name = options.camera {
            let camera = try VideoCamera.find(name, in: system)
            guard !camera.isDepth else { throw VideoDeviceError(.unsupported, name, "delivers depth alone: name it with --depth-camera") }
            return camera
        }
        let cameras = VideoCamera.all(in: system).filter { !$0.isDepth }
        guard let first = cameras.first else { throw VideoDeviceError(.missing, "camera", "no camera is plugged in; --wait waits for one") }
        guard let usable = cameras.first(where: { $0.problem == nil }) else { throw first.problem ?? VideoDeviceError(.missing, first.path, "") }
        guard cameras.count(where: { $0.problem == nil }) == 1 else {
            let list = cameras.map { "\($0.uniqueID) (\($0.name))" }.joined(separator: ", ")
            throw VideoDeviceError(.unsupported, "camera", "there are several: \(list); give the identifier of one with --camera")
        }
        return usable
    }
}

extension CaptureEnvironment {
    /// Adds a microphone that `open` opens.
    fileprivate mutating func addMicrophone(
        _ name: String, _ layout: Sound.Layout, open: @escaping @Sendable (CameraProfile) throws -> any SoundSource
    ) {
        let mode = AVCaptureMultichannelAudioMode(layout)
        cameras.append(.microphone(uniqueID: name, name: name, audioModes: mode == .none ? [] : [mode.rawValue]))
        openMicrophone = { profile in
            do { return try open(profile) } catch let error as VideoDeviceError { throw AVError(error) }
        }
    }
}

extension AVCaptureMultichannelAudioMode {
    /// Mode of a microphone that delivers a layout.
    fileprivate init(_ layout: Sound.Layout) {
        switch layout {
        case .mono: self = .none
        case .stereo: self = .stereo
        case .firstOrderAmbisonics: self = .firstOrderAmbisonics
        }
    }
}
