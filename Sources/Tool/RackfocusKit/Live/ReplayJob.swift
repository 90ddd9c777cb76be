import AVFoundation
import CameraApp
import CoreMedia
import Focus
import Foundation
import Pipeline
import RunReport
import ScenarioFormat
import ScenarioResults
import ScenarioRun
import Support
import Synchronization

/// Job that takes the decisions of a live take again, in virtual time, from the log in its run directory, and compares the traces.
public struct ReplayJob: Sendable {
    /// Result of a replay.
    public struct Result: Sendable {
        /// Frames that were decided.
        public var frames: Int
        /// Trace of the replay, JSON Lines.
        public var trace: [UInt8]
        /// First difference from the take's trace, ready to print; nil where they are the same, bit for bit.
        public var difference: String?
    }

    private let directory: String
    private let log: DetectionLog
    private let script: String?
    private let trace: [UInt8]

    /// Reads the run directory of a take, as `RecordJob` leaves it. Throws `InputError`, `DetectionLogError` or `ScenarioError`.
    public init(_ directory: String) throws {
        self.directory = directory
        let path = directory + "/detections.jsonl"
        log = try DetectionLog(path: path)
        guard log.header.scenario != nil, log.entries.allSatisfy({ $0.capture != nil }) else {
            throw DetectionLogError(path: path, reason: "is no log of a camera's take; `rackfocus record` writes one beside each movie")
        }
        let scriptPath = directory + "/" + LiveScenario.fileName
        script = FileManager.default.fileExists(atPath: scriptPath) ? try ScenarioFile.text(scriptPath) : nil
        trace = Array(try FileContents.read(directory + "/trace.jsonl"))
    }

    /// Runs the camera app on the log.
    public func run() throws -> Result {
        let header = log.header
        let frames = LoggedFrames(log)
        let scenario = try LiveScenario.scenario(
            script, path: "\(directory)/\(header.scenario ?? "take").yaml", at: frames.description.frameDuration)
        let detector = RecordedDetector(log, path: directory + "/detections.jsonl")
        let calls = Dictionary(log.entries.compactMap { entry in entry.capture?.calls.map { (entry.time, $0) } }) { $1 }
        let observer = ScenarioObserver(scenario)
        let take = ReplayedTake(observer)
        var environment = CaptureEnvironment(
            cameras: [CameraProfile(replaying: header)], renderer: SharpLens(), tuning: scenario.tuning, observer: take,
            timings: Timings(isOn: false)
        ) { _ in CameraFeed(source: frames, detector: detector) }
        environment.clock = .inline
        environment.focusCalls = { calls[$0.nanoseconds] ?? [] }
        environment.onDiagnostic = { observer.note(diagnostic: $0) }
        environment.onViolation = { observer.note(violation: $0) }
        environment.openMovie = { url, _ in CountingMovieWriter(path: url.path) }
        let app = try CaptureEnvironment.$scoped.withValue(environment) {
            try CinematicCamera(
                aperture: header.fNumber.map(Float.init), longPress: scenario.tuning.longPress, outputs: header.isRecording == true ? [.movie] : [])
        }
        observer.connect(app)
        take.connect(app.movieOutput)
        defer { take.connect(nil) }
        if case .failed(let error) = app.play(onShot: { _ in }) { throw error }
        // The take ended in this frame: what the script did by then is in its trace.
        if let last = log.entries.last, last.capture?.isUndecided == true { observer.willProcess(frames.frame(of: last)) }
        _ = observer.finish()
        let replayed = observer.trace
        let difference =
            replayed == trace ? nil : GoldenTrace.difference(String(decoding: trace, as: UTF8.self), String(decoding: replayed, as: UTF8.self))
        return Result(frames: observer.frameCount, trace: replayed, difference: difference)
    }
}

/// Observer that has a movie under way from the first frame on, of which nothing is kept, where the take had one.
private final class ReplayedTake: NSObject, CaptureObserver, AVCaptureFileOutputRecordingDelegate, Sendable {
    private let script: ScenarioObserver
    private let output = Mutex<AVCaptureMovieFileOutput?>(nil)

    init(_ script: ScenarioObserver) { self.script = script }

    func connect(_ output: AVCaptureMovieFileOutput?) { self.output.withLock { $0 = output } }

    func willProcess(_ frame: Frame) {
        let output = output.withLock { output in
            defer { output = nil }
            return output
        }
        output?.startRecording(to: FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).mov"), recordingDelegate: self)
        script.willProcess(frame)
    }

    func didDecide(_ record: FrameRecord) { script.didDecide(record) }

    func fileOutput(
        _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL, from connections: [AVCaptureConnection], error: (any Error)?
    ) {}
}
