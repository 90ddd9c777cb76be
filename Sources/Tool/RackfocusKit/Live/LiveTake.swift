import AVFoundation
import CameraApp
import CoreMedia
import Foundation
import Pipeline
import RunReport
import ScenarioRun
import Support
import Synchronization
import VideoDevice

/// Observer of a recording: starts the movie with the first frame, plays the script, keeps the trace, and knows how it stands.
final class LiveTake: NSObject, CaptureObserver, AVCaptureFileOutputRecordingDelegate, Sendable {
    private struct State {
        var status = RecordStatus()
        /// Wall times of the frames of the last second.
        var recent: [ContinuousClock.Instant] = []
        var first: CMTime?
        var last = CMTime.zero
        var frames = 0
        var camera: (any LiveCameraSource)?
        var error: AVError?
        var isMovieOver = false
        /// Whether the end was asked for; it comes with the second frame at the earliest, when the session runs for sure.
        var isStopping = false
        var isEnding = false
        /// Whether the frame under way counts: one that comes once the end is due may or may not be decided, and stays out of script and log, as does
        /// one that ends beyond the length of the movies.
        var takesFrame = true
        /// Frames at each step of degradation.
        var degraded = [Int](repeating: 0, count: Degradation.allCases.count)
    }

    private let script: ScenarioObserver
    private let options: RecordOptions
    /// Nil where no run directory is written.
    private let log: LiveLog?
    private let state = Mutex(State())
    /// Signalled when the movie file is complete.
    private let movieOver = DispatchSemaphore(value: 0)
    /// Signalled when a picture comes that is as late as the last frame, or later, once the end is due.
    private let picturesOver = DispatchSemaphore(value: 0)
    private let app = Mutex<CinematicCamera?>(nil)
    private let connections = Mutex<(session: AVCaptureSession?, output: AVCaptureMovieFileOutput?)>((nil, nil))

    init(_ script: ScenarioObserver, _ options: RecordOptions, log: LiveLog?) { (self.script, self.options, self.log) = (script, options, log) }

    func connect(_ app: CinematicCamera) {
        connections.withLock { $0 = (app.session, app.movieOutput) }
        self.app.withLock { $0 = app }
    }
    /// Lets go of the app, whose session holds this observer.
    func disconnect() {
        connections.withLock { $0 = (nil, nil) }
        app.withLock { $0 = nil }
    }

    private func latePictures() -> Int { app.withLock { $0 }?.latePictures ?? 0 }

    func connect(_ camera: any LiveCameraSource) { state.withLock { $0.camera = camera } }

    var status: RecordStatus { state.withLock { $0.status } }
    var frames: Int { state.withLock { $0.frames } }
    var camera: (any LiveCameraSource)? { state.withLock { $0.camera } }
    /// Time from the first frame to the last.
    var duration: Double { state.withLock { state in state.first.map { (state.last - $0).seconds } ?? 0 } }
    /// Error that ended the movie; nil where it ended as asked.
    var error: AVError? { state.withLock { $0.error } }

    /// Frames at each step of degradation that was in force.
    var degradation: [(Degradation, Int)] {
        let counts = state.withLock { $0.degraded }
        return Degradation.allCases.map { ($0, counts[$0.rawValue]) }.filter { $0.1 > 0 }
    }
    /// Work that was left out, in a line; empty without any.
    var degradationRemarks: [String] {
        let steps = degradation.filter { $0.0 != .none }
        guard !steps.isEmpty else { return [] }
        return ["the machine was late: " + steps.map { "\($0.0.words) in \($0.1.counted("frame"))" }.joined(separator: ", ")]
    }

    // MARK: frames

    func willProcess(_ frame: Frame) {
        let (isFirst, isTaken) = state.withLock { state in
            let isFirst = state.first == nil
            state.first = state.first ?? frame.presentationTime
            state.takesFrame = !state.isEnding && (isFirst || fits(frame.presentationTime, state))
            return (isFirst, state.takesFrame)
        }
        if isFirst { startMovie() }
        guard isTaken else { return }
        log?.frameCame(frame)
        script.willProcess(frame)
    }

    /// Logs what the decisions on the frame under way come from.
    func note(_ inputs: DetectionLog.Entry) { if state.withLock({ $0.takesFrame }) { log?.append(inputs) } }

    private func startMovie() {
        guard let path = options.take, let output = connections.withLock({ $0.output }) else { return }
        // `unlink` leaves a directory alone.
        if options.replacesExisting { unlink(path) }
        if let length = state.withLock({ length($0) }) { output.maxRecordedDuration = length }
        output.minFreeDiskSpaceLimit = RecordOptions.leastDiskSpace
        output.startRecording(to: URL(fileURLWithPath: path), recordingDelegate: self)
    }

    func didDecide(_ record: FrameRecord) {
        let isTaken = state.withLock { $0.takesFrame }
        if isTaken { script.didDecide(record) }
        let now = ContinuousClock.now
        let isOver = state.withLock { state in
            // The last frame that would have counted may have been lost; a movie file ends by itself then.
            guard isTaken else { return state.isStopping || options.take == nil }
            state.frames += 1
            state.last = record.frame.presentationTime
            state.recent = state.recent.filter { now - $0 < .seconds(1) } + [now]
            let time = (state.last - (state.first ?? state.last)).seconds
            state.status.time = time
            state.status.framesPerSecond = Double(state.recent.count)
            state.status.dropped = state.camera?.figures.dropped ?? 0
            state.status.isDark = record.notEnoughLight
            state.degraded[record.frame.degradation.rawValue] += 1
            state.status.degradation = record.frame.degradation
            state.status.subject = Self.words(record)
            if state.frames % 30 == 1 { state.status.freeSpace = options.main.flatMap { Self.freeSpace(beside: $0) } }
            state.status.unbaked = latePictures()
            if let least = state.status.freeSpace, least < RecordOptions.leastDiskSpace { state.error = state.error ?? AVError(.diskFull) }
            // The movie file knows its own length.
            let isLong = options.take == nil && !fits(state.last + frameDuration(state), state)
            return isLong || state.error != nil || (state.isStopping && state.frames > 1)
        }
        if isOver { end() }
    }

    func didPassThrough(_ frame: Frame, because error: any Error) { script.didPassThrough(frame, because: error) }

    private static func words(_ record: FrameRecord) -> String? {
        guard let subject = record.state.subject, let detection = record.detections.first(where: { $0.objectID == subject }) else { return nil }
        let mode = record.state.isFixed ? "fixed" : record.state.mode == .weak ? "weak" : "strong"
        return "\(detection.label ?? "\(detection.kind.rawValue) \(subject)"), \(mode)"
    }

    private static func freeSpace(beside path: String) -> Int64? {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        let size = (try? FileManager.default.attributesOfFileSystem(forPath: folder))?[.systemFreeSize]
        return (size as? NSNumber)?.int64Value
    }

    // MARK: the end

    /// Ends the movie, then the session, or has the second frame do so where it did not come yet; returns at once.
    func stop() {
        let may = state.withLock { state in
            state.isStopping = true
            return state.frames > 1
        }
        if may { end() }
    }

    /// Seconds that the end waits for a lens that is behind.
    private static let longestDrawing = 10.0

    /// Ends the movie, then the session; returns at once, and does nothing the second time.
    private func end() {
        let isMine = state.withLock { state in
            defer { state.isEnding = true }
            return !state.isEnding
        }
        guard isMine else { return }
        DispatchQueue.global().async { [self] in
            let (session, output) = connections.withLock { $0 }
            output?.stopRecording()
            // A session that stops leaves out what waits for the lens: up to eight pictures, the last second of a movie on a slow machine.
            if options.baked != nil, session?.isRunning == true { _ = picturesOver.wait(timeout: .now() + Self.longestDrawing) }
            session?.stopRunning()
        }
    }

    /// Whether a picture of a time from the first frame's clock belongs to the take; those that come while the end waits for the lens do not.
    func takesPicture(at time: CMTime) -> Bool {
        let (isTaken, isLast) = state.withLock { state in (takes(time, state), state.isEnding && time >= state.last) }
        if isLast { picturesOver.signal() }
        return isTaken
    }

    /// Whether sound of a time belongs to the take, as a picture does.
    func takesSound(at time: CMTime) -> Bool { state.withLock { takes(time, $0) } }

    /// The movie file ends by itself at its length, before it has told.
    private func takes(_ time: CMTime, _ state: State) -> Bool { fits(time, state) && (!state.isEnding || time <= state.last) }

    /// Whether a frame of a time ends within the length of the movies.
    private func fits(_ time: CMTime, _ state: State) -> Bool {
        guard let length = length(state), let first = state.first else { return true }
        return time - first + frameDuration(state) <= length
    }

    /// Length of the movies at most, that which is asked for and half a frame, as no camera's times are exact; nil where they end when told to.
    private func length(_ state: State) -> CMTime? {
        options.duration.map { $0 + CMTimeMultiplyByRatio(frameDuration(state), multiplier: 1, divisor: 2) }
    }

    private func frameDuration(_ state: State) -> CMTime { state.camera?.description.frameDuration ?? .zero }

    /// Waits until the movie file is complete; returns at once where none was begun.
    func waitForMovie() {
        guard options.take != nil, state.withLock({ $0.first }) != nil else { return }
        movieOver.wait()
    }

    func fileOutput(
        _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL, from connections: [AVCaptureConnection], error: (any Error)?
    ) {
        let error = error as? AVError
        state.withLock { $0.error = $0.error ?? error }
        movieOver.signal()
        if error != nil { stop() }
    }
}
