import AVFCapture
import CameraApp
import Foundation
import Optics
import Pipeline
import RunReport
import ScenarioFormat
import Support
import Synchronization

/// Observer of a capture that plays a scenario on the app: makes its touches and calls, checks its expectations, keeps its trace and its drawing.
///
///     let observer = ScenarioObserver(scenario)
///     // open a session over StageSource(scenario.world()) with `observer`, then
///     observer.connect(TouchConnections(target: recogniser, layer: preview) { input.simulatedAperture = Float($0) })
///     let failures = observer.finish()
public final class ScenarioObserver: CaptureObserver {
    fileprivate struct State {
        /// Touches ahead of frames that are not decided yet.
        var pending: [(frame: Int, actions: [ScriptedAction])] = []
        var labels = SubjectLabels()
        var checks: ExpectationChecks
        var trace: TraceWriter
        /// Nil when nothing but the trace is wanted.
        var decisions: DecisionFile?
        /// Nil likewise.
        var plot: FocusPlot?
        var failures: [RunFailure] = []
        /// Verb of the touch that is down, in words; nil while none is.
        var finger: String?
        var isFinished = false
        var lensFailure: LensFailure?
        var invariants: InvariantWatch
        var video: VideoWatch
        var broken: [RunFailure] = []
        /// Frames that the source gave, and those that were decided.
        var framesSeen = 0
        var frames = 0
        /// Number of frames that never arrived, by the gaps in their indices.
        var dropped = 0
        var lastTime: Int64?
        var lastIndex: Int?
        var recording: (@Sendable () -> Expectation.Recording)?
        var camera: Expectation.Camera?
        /// Query of the objects that the app was notified of last.
        var reportedObjects: (@Sendable () -> [AVMetadataObject])?
        /// Messages of the capture graph since the last frame.
        var remarks: [RunRemark] = []
        /// Digest of the part of the trace that was handed on.
        var digest = SHA256()
    }

    /// Scenario of the run.
    public let scenario: ScenarioFile
    private let script: ScriptPlayer
    private let onTrace: (@Sendable ([UInt8]) -> Void)?
    private let state: Mutex<State>
    /// Bytes of the trace that are kept at most before they are handed on.
    private static let pieceLength = 1 << 16
    /// Samples in the drawing of a run whose trace is handed on: more than it has pixels.
    private static let mostSamples = 16_384

    /// Creates a run; with `tracesOnly` it leaves its trace, no `decisions.json` and no drawing.
    ///
    /// - Parameter onTrace: receives the trace piece by piece while the run lasts, so that a long one takes no more memory than a short one; nil keeps
    ///   it for `trace`.
    public init(_ scenario: ScenarioFile, tracesOnly: Bool = false, onTrace: (@Sendable ([UInt8]) -> Void)? = nil) {
        self.scenario = scenario
        self.onTrace = onTrace
        script = ScriptPlayer(scenario)
        state = Mutex(
            State(
                checks: ExpectationChecks(scenario), trace: TraceWriter(scenario), decisions: tracesOnly ? nil : DecisionFile(),
                plot: tracesOnly ? nil : FocusPlot(scenario, most: onTrace == nil ? nil : Self.mostSamples),
                invariants: InvariantWatch(scenario), video: VideoWatch(scenario)))
    }

    /// Connects an app with the touches, before the first frame.
    public func connect(_ connections: TouchConnections) { script.connect(connections) }

    /// Event up to `time` (ns) that has to be played between two frames; see `ScriptPlayer.nextAct`.
    package func nextAct(to time: Int64) -> TimelineEvent? { script.nextAct(to: time) }
    /// Keeps how that event went: the reason of its failure, or nil.
    package func note(act failure: String?) { script.note(act: failure) }

    /// Plays the touches that are due by the frame's time.
    public func willProcess(_ frame: Frame) {
        let actions = script.advance(to: frame) { name in state.withLock { $0.labels.objectID(of: name) } }
        state.withLock { state in
            state.lastTime = frame.presentationTime.nanoseconds
            state.framesSeen += 1
        }
        if !actions.isEmpty { state.withLock { $0.pending.append((frame.index, actions)) } }
    }

    /// Checks a decided frame, and records it in trace and drawing.
    public func didDecide(_ record: FrameRecord) {
        let (watchedRecording, watchedObjects) = state.withLock { ($0.recording, $0.reportedObjects) }
        let (recording, reported) = (watchedRecording?() ?? .off, watchedObjects?())
        state.withLock { state in
            state.dropped += record.frame.index - (state.lastIndex ?? record.frame.index - 1) - 1
            state.lastIndex = record.frame.index
            while let next = state.pending.first, next.frame <= record.frame.index {
                state.pending.removeFirst()
                for action in next.actions { state.note(action) }
                state.checkOrders(among: next.actions, in: record)
            }
            state.frames += 1
            for remark in state.remarks { state.note(remark, at: record.time, scenario) }
            state.remarks = []
            let labels = state.labels.labels(in: record)
            state.trace.append(record, labels: labels, known: state.labels)
            state.plot?.append(record, labels: labels, known: state.labels)
            state.decisions?.append(record, labels: labels, known: state.labels)
            let label = state.labels.label(of: record.state.subject)
            for result in state.checks.observe(
                record, labels: labels, focused: label, app: state.app(recording))
            { state.note(result) }
            state.note(broken: state.invariants.observe(record, reported: reported), at: record.time, scenario)
            state.video.observe(record)
            if state.trace.bytes.count >= Self.pieceLength { handOn(&state) }
        }
    }

    /// Hands on the trace so far, where somebody takes it.
    private func handOn(_ state: inout State) {
        guard let onTrace else { return }
        let piece = state.trace.take()
        state.digest = state.digest.adding(piece)
        onTrace(piece)
    }

    /// The app got a picture.
    package func observe(_ shot: CinematicCamera.Shot) {
        state.withLock { state in
            state.note(broken: state.video.observe(shot), at: shot.sampleBuffer.presentationTimeStamp.nanoseconds, scenario)
        }
    }

    /// The lens makes the next picture with this blur.
    package func willRender(_ circle: CircleOfConfusion) { state.withLock { $0.video.observe(circle) } }

    /// Counts a frame that passed sharp because the lens failed.
    public func didPassThrough(_ frame: Frame, because error: any Error) {
        state.withLock { state in
            if state.lensFailure == nil { state.lensFailure = LensFailure(frames: 0, first: frame.index, underlying: error) }
            state.lensFailure?.frames += 1
        }
    }

    /// The graph says that a call has no effect.
    public func note(diagnostic: String) { state.withLock { $0.remarks.append(.diagnostic(diagnostic)) } }

    /// Records an unexpected call that would have raised; the run has failed.
    public func note(violation: CaptureEnvironment.Violation) { state.withLock { $0.remarks.append(.raised(violation.description)) } }

    func note(_ event: CinematicCamera.Event) {
        state.withLock { $0.remarks.append(.event(key: event.words.key, value: event.words.value)) }
        guard case .cameraSwitched(let type) = event else { return }
        note(camera: Expectation.Camera(type))
        noteRestart()
    }

    /// Sets the camera in use from now on, or that none may be used.
    package func note(camera: Expectation.Camera) { state.withLock { $0.camera = camera } }

    /// Sets the query of the app's movie output.
    package func watchRecording(_ recording: @escaping @Sendable () -> Expectation.Recording) { state.withLock { $0.recording = recording } }

    /// Sets the query of the objects that the app's metadata output delivered last.
    func watchMetadata(_ objects: @escaping @Sendable () -> [AVMetadataObject]) { state.withLock { $0.reportedObjects = objects } }

    /// The session did not run for a while: the frames since the last one were not dropped.
    package func noteRestart() {
        state.withLock { state in
            state.lastIndex = nil
            state.invariants.restart()
            state.plot?.restart()
        }
    }

    /// The time of the last frame that was looked at or about to be; nil before the first.
    package var lastTime: Int64? { state.withLock { $0.lastTime } }

    /// Number of frames decided.
    public var frameCount: Int { state.withLock { $0.frames } }

    /// The rules of focus that the run broke, whatever the scenario expects.
    public var brokenInvariants: [RunFailure] { state.withLock { $0.broken } }

    /// Number of frames that the camera's source gave, whether or not the camera took them.
    package var framesSeen: Int { state.withLock { $0.framesSeen } }

    /// Frames that passed sharp because the lens failed; nil without any.
    public var lensFailure: LensFailure? { state.withLock { $0.lensFailure } }

    /// Releases the app: its session holds the run, so the run must not hold the app any longer than it is played.
    package func disconnect() {
        script.connect(nil)
        state.withLock { ($0.recording, $0.reportedObjects) = (nil, nil) }
    }

    /// Finishes the run and releases the app; returns the failures in the order in which they happened.
    public func finish() -> [RunFailure] {
        let recording = state.withLock { $0.recording }?() ?? .off
        disconnect()
        return state.withLock { state in
            guard !state.isFinished else { return state.failures }
            state.isFinished = true
            for next in state.pending { for action in next.actions { state.note(action) } }
            for remark in state.remarks { state.note(remark, at: state.lastTime ?? 0, scenario) }
            state.pending = []
            state.remarks = []
            for result in state.checks.finish(state.app(recording)) { state.note(result) }
            // An app that may use no camera does nothing.
            for (event, failure) in state.camera == .denied ? [] : script.remaining {
                guard state.failures.last?.location != event.location else { continue }
                let message = failure.map { "\(event.summary): \($0)" } ?? "the clip ended before `\(event.summary)` was over"
                state.failures.append(RunFailure(location: event.location, message: message))
            }
            return state.failures
        }
    }

    /// Trace so far, JSON Lines.
    public var trace: [UInt8] { state.withLock { $0.trace.bytes } }

    /// Files of the run: `trace.jsonl` with its checksum, `decisions.json`, and the drawing `focus.svg` with its
    /// numbers, `focus.csv`; without `drawsPlot` all but the latter two. A trace that is handed on as it grows is not among them; its rest is handed on.
    public func files(drawsPlot: Bool = true) -> [(name: String, data: Data)] {
        state.withLock { state in
            handOn(&state)
            let sum = "\(state.digest.adding(state.trace.bytes).hexadecimal)  trace.jsonl\n"
            var files = onTrace == nil ? [("trace.jsonl", Data(state.trace.bytes))] : []
            files.append(("trace.jsonl.sha256", Data(sum.utf8)))
            if let decisions = state.decisions { files.append(("decisions.json", decisions.data)) }
            if drawsPlot, let plot = state.plot { files += [("focus.svg", Data(plot.svg().utf8)), ("focus.csv", Data(plot.csv().utf8))] }
            return files
        }
    }
}

extension ScenarioObserver.State {
    fileprivate func app(_ recording: Expectation.Recording) -> AppState {
        AppState(recording: recording, droppedFrames: dropped, finger: finger, camera: camera)
    }

    fileprivate mutating func note(_ action: ScriptedAction) {
        trace.append(action)
        plot?.append(action)
        switch action.outcome {
        case .touched(.down, _): finger = "the finger of `\(action.summary)`, down since \(TimelineClock.seconds(action.time)), was still down"
        case .touched(.up, _): finger = nil
        case .failed(let reason):
            finger = nil
            failures.append(RunFailure(location: action.location, message: "\(action.summary): \(reason)"))
        default: break
        }
    }

    /// Fails the orders of focus that a frame did not obey, with what the capture graph said.
    fileprivate mutating func checkOrders(among actions: [ScriptedAction], in record: FrameRecord) {
        let orders = actions.filter { $0.outcome == .focusOrdered }
        let obeyed = record.decisions.count { $0.why == .ordered }
        guard obeyed < orders.count else { return }
        let reasons = remarks.compactMap { if case .diagnostic(let text) = $0 { text } else { nil } }
        for order in orders.suffix(orders.count - obeyed) {
            let reason = reasons.last ?? "the camera films no cinematic video"
            failures.append(
                RunFailure(
                    location: order.location, message: "\(order.summary): not obeyed at \(TimelineClock.seconds(record.time)): \(reason)"))
        }
    }

    fileprivate mutating func note(_ remark: RunRemark, at time: Int64, _ scenario: ScenarioFile) {
        trace.append(remark, at: time)
        plot?.append(remark, at: time)
        guard case .raised(let text) = remark else { return }
        let place = FileLocation(file: scenario.path, line: 1, column: 1)
        failures.append(RunFailure(location: place, message: "before \(TimelineClock.seconds(time)) this would have been raised: \(text)"))
    }

    fileprivate mutating func note(broken rules: [String], at time: Int64, _ scenario: ScenarioFile) {
        for rule in rules {
            let message = "at \(TimelineClock.seconds(time)) an invariant broke: \(rule)"
            broken.append(RunFailure(location: FileLocation(file: scenario.path, line: 1, column: 1), message: message))
        }
    }

    fileprivate mutating func note(_ result: CheckResult) {
        trace.append(result)
        plot?.append(result)
        if let failure = result.failure { failures.append(RunFailure(location: result.location, message: failure)) }
    }
}
