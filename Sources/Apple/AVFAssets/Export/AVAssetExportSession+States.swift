import Foundation

extension AVAssetExportSession {
    /// State of an export with its progress.
    public enum State: Sendable {
        /// It has not begun.
        case pending
        /// It waits for another; never seen here.
        case waiting
        /// It runs; the progress counts to 100.
        case exporting(progress: Progress)
    }

    /// Returns the export's states, the first at once and then one in `updateInterval` seconds, by default .1, until it has ended.
    public func states(updateInterval: TimeInterval = .infinity) -> some AsyncSequence<State, Never> & Sendable {
        let step = updateInterval.isFinite ? max(updateInterval, 0.01) : 0.1
        let (stream, continuation) = AsyncStream.makeStream(of: State.self)
        let watch = Task { [self] in
            while let state = now, !Task.isCancelled {
                continuation.yield(state)
                try? await Task.sleep(for: .seconds(step))
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in watch.cancel() }
        return stream
    }

    /// State now; nil where the export has ended.
    private var now: State? {
        switch status {
        case .unknown: return .pending
        case .waiting: return .waiting
        case .exporting:
            let done = Progress(totalUnitCount: 100)
            done.completedUnitCount = Int64(progress * 100)
            return .exporting(progress: done)
        case .completed, .failed, .cancelled: return nil
        }
    }
}
