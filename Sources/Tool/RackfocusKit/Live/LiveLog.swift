import CoreMedia
import Pipeline
import Support
import Synchronization

/// Files of a live run that grow while it lasts: its trace, and the log of what its decisions came from, `detections.jsonl`.
///
/// They lie in the run directory, so an hour takes no more memory than a second. `ReplayJob` takes the decisions again from the log.
final class LiveLog: Sendable {
    private struct State: Sendable {
        var entries: [UInt8] = []
        /// Frame that has come and is not decided.
        var pending: Frame?
        var failure: OutputError?
    }

    private static let name = "detections.jsonl"
    private static let traceName = "trace.jsonl"
    private static let pieceLength = 1 << 16
    private let directory: OutputDirectory
    private let state: Mutex<State>

    init(in directory: OutputDirectory, _ header: DetectionLog.Header) {
        self.directory = directory
        state = Mutex(State(entries: Array(header.line.utf8)))
    }

    /// Takes note of a frame that is about to be decided.
    func frameCame(_ frame: Frame) { state.withLock { $0.pending = frame } }

    /// Appends the inputs of a frame's decisions.
    func append(_ entry: DetectionLog.Entry) {
        state.withLock { state in
            state.pending = nil
            state.entries.append(contentsOf: entry.line.utf8)
            if state.entries.count >= Self.pieceLength { write(&state) }
        }
    }

    /// Appends a piece of the trace.
    var appendTrace: @Sendable ([UInt8]) -> Void {
        { [self] piece in
            let failure = attempt { () throws(OutputError) in try directory.append(piece, to: Self.traceName) }
            if let failure { state.withLock { $0.failure = $0.failure ?? failure } }
        }
    }

    private func write(_ state: inout State) {
        let failure = attempt { () throws(OutputError) in try directory.append(state.entries, to: Self.name) }
        state.failure = state.failure ?? failure
        state.entries = []
    }

    private func attempt(_ body: () throws(OutputError) -> Void) -> OutputError? {
        do throws(OutputError) { try body() } catch { return error }
        return nil
    }

    /// Writes what is left, and the frame that the run ended in; throws where a file could not be written, now or before.
    func finish() throws(OutputError) {
        let failure = state.withLock { state in
            if let frame = state.pending {
                var entry = DetectionLog.Entry(frame: frame.index, time: frame.presentationTime.nanoseconds, detections: [])
                entry.capture = DetectionLog.Capture()
                entry.capture?.isUndecided = true
                state.entries.append(contentsOf: entry.line.utf8)
            }
            write(&state)
            return state.failure
        }
        if let failure { throw failure }
    }
}
