import AVFoundation
import Foundation
import Pipeline
import Synchronization

/// One performance of a scenario: moves its fingers, checks its expectations, keeps its trace and its drawing.
public final class ScenarioRun: CaptureObserver {
    fileprivate struct State {
        /// What fingers did ahead of frames that are not decided yet.
        var pending: [(frame: Int, actions: [ScriptedAction])] = []
        var labels = SubjectLabels()
        var checks: ExpectationChecks
        var trace: TraceWriter
        var plot: FocusPlot
        var decisions: [String] = []
        var failures: [RunFailure] = []
        /// What holds the finger down at the moment.
        var finger: String?
        var isFinished = false
        var passThroughs: (count: Int, first: String) = (0, "")
        var invariants: InvariantWatch
        var broken: [RunFailure] = []
        var frames = 0
        /// What the graph said since the last frame, with the trace's key for it.
        var remarks: [(key: String, text: String)] = []
    }

    public let scenario: ScenarioFile
    private let fingers: ScriptedFingers
    private let state: Mutex<State>

    public init(_ scenario: ScenarioFile) {
        self.scenario = scenario
        fingers = ScriptedFingers(scenario)
        state = Mutex(
            State(checks: ExpectationChecks(scenario), trace: TraceWriter(scenario), plot: FocusPlot(scenario), invariants: InvariantWatch(scenario)))
    }

    /// Puts an app under the fingers; before the first frame.
    public func connect(_ connections: FingerConnections) { fingers.connect(connections) }

    public func willProcess(_ frame: Frame) {
        let labels = state.withLock { $0.labels }
        let actions = fingers.advance(to: frame, objectOf: labels.objectID)
        state.withLock { $0.pending.append((frame.index, actions)) }
    }

    public func didDecide(_ record: FrameRecord) {
        state.withLock { state in
            while let next = state.pending.first, next.frame <= record.frame.index {
                state.pending.removeFirst()
                for action in next.actions { state.note(action) }
            }
            state.frames += 1
            for remark in state.remarks { state.note(remark, at: record.time, scenario) }
            state.remarks = []
            let labels = state.labels.labels(in: record)
            state.trace.append(record, labels: labels, known: state.labels)
            state.plot.append(record, labels: labels, known: state.labels)
            for decision in record.decisions { state.decisions.append(TraceWriter.decision(decision, state.labels)) }
            let label = state.labels.label(of: record.state.subject)
            for result in state.checks.observe(record, labels: labels, focused: label, finger: state.finger) { state.note(result) }
            for rule in state.invariants.observe(record) {
                let message = "at \(TimelineClock.seconds(record.time)) an invariant broke: \(rule)"
                state.broken.append(RunFailure(location: FileLocation(file: scenario.path, line: 1, column: 1), message: message))
            }
        }
    }

    public func didPassThrough(_ frame: Frame, because error: any Error) {
        state.withLock { state in
            if state.passThroughs.count == 0 { state.passThroughs.first = "frame \(frame.index): \(error)" }
            state.passThroughs.count += 1
        }
    }

    /// The graph says that a call has no effect.
    public func note(diagnostic: String) { state.withLock { $0.remarks.append(("diagnostic", diagnostic)) } }

    /// A call that nobody expected to raise would have raised; the run has failed.
    public func note(violation: CaptureEnvironment.Violation) { state.withLock { $0.remarks.append(("raised", violation.description)) } }

    /// How many frames were decided.
    public var frameCount: Int { state.withLock { $0.frames } }

    /// The rules of focus that the run broke, whatever the scenario expects.
    public var brokenInvariants: [RunFailure] { state.withLock { $0.broken } }

    /// How many frames went out sharp because the lens failed, and what became of the first.
    public var passThroughs: (count: Int, first: String) { state.withLock { $0.passThroughs } }

    /// The frames are over; what failed, in the order it did.
    public func finish() -> [RunFailure] {
        state.withLock { state in
            guard !state.isFinished else { return state.failures }
            state.isFinished = true
            for result in state.checks.finish() { state.note(result) }
            for event in fingers.remaining {
                guard state.failures.last?.location != event.location else { continue }
                state.failures.append(RunFailure(location: event.location, message: "the clip ended before `\(event.summary)` was over"))
            }
            return state.failures
        }
    }

    /// What the run leaves: `trace.jsonl` with its checksum, `focus.svg`, `decisions.json`.
    public func files() -> [(name: String, data: Data)] {
        state.withLock { state in
            let trace = Data(state.trace.text.utf8)
            let decisions = "[\n\(state.decisions.joined(separator: ",\n"))\n]\n"
            return [
                ("trace.jsonl", trace),
                ("trace.jsonl.sha256", Data("\(SHA256.hexadecimal(Array(trace)))  trace.jsonl\n".utf8)),
                ("focus.svg", Data(state.plot.svg().utf8)),
                ("decisions.json", Data(decisions.utf8)),
            ]
        }
    }
}

/// Something the scenario asked for and did not get.
public struct RunFailure: Error, Sendable, Equatable, CustomStringConvertible {
    public var location: FileLocation
    public var message: String

    public var description: String { "\(location): \(message)" }
}

extension ScenarioRun.State {
    fileprivate mutating func note(_ action: ScriptedAction) {
        trace.append(action)
        plot.append(action)
        switch action.outcome {
        case .touched(.down, _): finger = "the finger of `\(action.summary)`, down since \(TimelineClock.seconds(action.time)), was still down"
        case .touched(.up, _): finger = nil
        case .failed(let reason):
            finger = nil
            failures.append(RunFailure(location: action.location, message: "\(action.summary): \(reason)"))
        default: break
        }
    }

    fileprivate mutating func note(_ remark: (key: String, text: String), at time: Int64, _ scenario: ScenarioFile) {
        trace.append(remark.key, remark.text, at: time)
        guard remark.key == "raised" else { return }
        let place = FileLocation(file: scenario.path, line: 1, column: 1)
        failures.append(RunFailure(location: place, message: "before \(TimelineClock.seconds(time)) this would have been raised: \(remark.text)"))
    }

    fileprivate mutating func note(_ result: CheckResult) {
        trace.append(result)
        plot.append(result)
        if let failure = result.failure { failures.append(RunFailure(location: result.location, message: failure)) }
    }
}
