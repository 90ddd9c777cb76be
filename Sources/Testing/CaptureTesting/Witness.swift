import AVFCapture
import Foundation
import Pipeline
import RunReport
import ScenarioFormat
import ScenarioRun
import Synchronization

/// Observer of the capture graph that keeps the state a test may ask for.
final class Witness: CaptureObserver {
    private struct State: Sendable {
        var watch = FocusWatch()
        var truth: [Detection] = []
        var frameCount = 0
        var violations: [CaptureEnvironment.Violation] = []
        var diagnostics: [String] = []
        var movies: [TestMovie] = []
        var chronicle = Chronicle()
        var failures: [String] = []
        /// Number of `expectViolation` under way.
        var expectations = 0
        var hasStrayLookups = false
        var hasToldEnding = false
        /// Run of the scenario; nil without one.
        var run: ScenarioObserver?
        /// Records of a test without a scenario.
        var recorder = RunRecorder()

        init(_ scenario: ScenarioFile?) { run = scenario.map { ScenarioObserver($0) } }
    }

    private let state: Mutex<State>

    init(_ scenario: ScenarioFile?) { state = Mutex(State(scenario)) }

    /// Forgets everything, for the next test on the same phone.
    func restart(_ scenario: ScenarioFile?) {
        let new = State(scenario)
        state.withLock { $0 = new }
    }

    /// Run of the scenario; nil without one.
    var run: ScenarioObserver? { state.withLock { $0.run } }

    /// Files of the run so far.
    var files: [(name: String, data: Data)] {
        let (run, recorder) = state.withLock { ($0.run, $0.recorder) }
        return run?.files() ?? recorder.files
    }

    func willProcess(_ frame: Frame) { run?.willProcess(frame) }

    func didDecide(_ record: FrameRecord) {
        let run = run
        run?.didDecide(record)
        state.withLock { state in
            if run == nil { state.recorder.observe(record) }
            state.watch.observe(record)
            state.chronicle.observe(record, state.watch)
            state.truth = record.frame.truth ?? []
            state.frameCount += 1
        }
    }

    var watch: FocusWatch { state.withLock { $0.watch } }
    var frameCount: Int { state.withLock { $0.frameCount } }
    var violations: [CaptureEnvironment.Violation] { state.withLock { $0.violations } }
    var diagnostics: [String] { state.withLock { $0.diagnostics } }
    var movies: [TestMovie] { state.withLock { $0.movies } }

    /// Failures of the app at what a scenario did.
    var failures: [String] { state.withLock { $0.failures } }

    /// Box of a subject in the newest frame, that of the face first; nil when it is not visible.
    func box(of name: String) -> CGRect? { state.withLock { $0.truth.first { $0.label == name }?.bounds } }

    func note(_ violation: CaptureEnvironment.Violation) {
        state.withLock { state in
            state.violations.append(violation)
            state.recorder.note(.raised(violation.description))
        }
    }
    func note(failure: String) { state.withLock { $0.failures.append(failure) } }
    func note(diagnostic: String) {
        state.withLock { state in
            state.diagnostics.append(diagnostic)
            state.recorder.note(.diagnostic(diagnostic))
            state.chronicle.note("told: \(diagnostic)")
        }
    }

    /// Focus of the last seconds, a line for each change; empty without one.
    var chronicle: [String] { state.withLock { $0.chronicle.lines } }

    func noteStrayLookup() { state.withLock { $0.hasStrayLookups = true } }
    /// Whether something asked for a camera outside of every phone's scope.
    var hasStrayLookups: Bool { state.withLock { $0.hasStrayLookups } }

    /// Whether a call that would have ended the app stands before a failure of the test.
    var hasToldEnding: Bool { state.withLock { $0.hasToldEnding } }
    /// Notes that it is told; false where it was.
    func tellsEnding() -> Bool {
        state.withLock { state in
            defer { state.hasToldEnding = true }
            return !state.hasToldEnding
        }
    }

    func beginExpecting() { state.withLock { $0.expectations += 1 } }
    func endExpecting() { state.withLock { $0.expectations -= 1 } }
    /// Whether a call that would end the app is expected just now.
    var expectsViolations: Bool { state.withLock { $0.expectations > 0 } }

    /// Removes and returns the violations from `start` on.
    func takeViolations(from start: Int) -> [CaptureEnvironment.Violation] {
        state.withLock { state in
            let taken = Array(state.violations[start...])
            state.violations.removeSubrange(start...)
            return taken
        }
    }

    func makeMovie(at url: URL, hasSound: Bool, on disk: ScriptedDisk, written file: (any MovieWriter)?) -> TestMovieWriter {
        let movie = TestMovie(url: url)
        state.withLock { $0.movies.append(movie) }
        return TestMovieWriter(movie, hasSound: hasSound, on: disk, written: file)
    }
}
