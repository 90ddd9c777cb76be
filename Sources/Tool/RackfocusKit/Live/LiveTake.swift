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
        var camera: CameraSource?
        var error: AVError?
        var isMovieOver = false
        /// Whether the end was asked for; it comes with the second frame at the earliest, when the session runs for sure.
        var isStopping = false
        var isEnding = false
    }

    private let script: ScenarioObserver
    private let options: RecordOptions
    private let state = Mutex(State())
    /// Signalled when the movie file is complete.
    private let movieOver = DispatchSemaphore(value: 0)
    private let app = Mutex<CinematicCamera?>(nil)
    private let connections = Mutex<(session: AVCaptureSession?, output: AVCaptureMovieFileOutput?)>((nil, nil))

    init(_ script: ScenarioObserver, _ options: RecordOptions) { (self.script, self.options) = (script, options) }

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

    func connect(_ camera: CameraSource) { state.withLock { $0.camera = camera } }

    var status: RecordStatus { state.withLock { $0.status } }
    var frames: Int { state.withLock { $0.frames } }
    var camera: CameraSource? { state.withLock { $0.camera } }
    /// Time from the first frame to the last.
    var duration: Double { state.withLock { state in state.first.map { (state.last - $0).seconds } ?? 0 } }
    /// Error that ended the movie; nil where it ended as asked.
    var error: AVError? { state.withLock { $0.error } }

    // MARK: frames

    func willProcess(_ frame: Frame) {
        let isFirst = state.withLock { state in
            let isFirst = state.first == nil
            state.first = state.first ?? frame.presentationTime
            return isFirst
        }
        if isFirst { startMovie() }
        script.willProcess(frame)
    }

    private func startMovie() {
        guard let path = options.take, let output = connections.withLock({ $0.output }) else { return }
        // `unlink` leaves a directory alone.
        if options.replacesExisting { unlink(path) }
        if let duration = options.duration { output.maxRecordedDuration = duration }
        output.minFreeDiskSpaceLimit = RecordOptions.leastDiskSpace
        output.startRecording(to: URL(fileURLWithPath: path), recordingDelegate: self)
    }

    func didDecide(_ record: FrameRecord) {
        script.didDecide(record)
        let now = ContinuousClock.now
        let isOver = state.withLock { state in
            state.frames += 1
            let before = state.last
            state.last = record.frame.presentationTime
            state.recent = state.recent.filter { now - $0 < .seconds(1) } + [now]
            let time = (state.last - (state.first ?? state.last)).seconds
            state.status.time = time
            state.status.framesPerSecond = Double(state.recent.count)
            state.status.dropped = state.camera?.figures.dropped ?? 0
            state.status.isDark = record.notEnoughLight
            state.status.subject = Self.words(record)
            if state.frames % 30 == 1 { state.status.freeSpace = options.main.flatMap { Self.freeSpace(beside: $0) } }
            state.status.unbaked = latePictures()
            if let least = state.status.freeSpace, least < RecordOptions.leastDiskSpace { state.error = state.error ?? AVError(.diskFull) }
            // The movie file knows its own length.
            let length = (state.last - (state.first ?? state.last) + (state.last - before)).seconds
            let isLong = options.take == nil && options.duration.map { length >= $0.seconds } ?? false
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
            session?.stopRunning()
        }
    }

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
