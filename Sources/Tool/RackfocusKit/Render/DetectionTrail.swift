import Pipeline
import Synchronization
import Vision

/// Detections of a pass, handed to a replay as they become settled: nothing is found any more that belongs to them.
final class DetectionTrail: Sendable {
    /// Most time that an entry is not settled for, ns.
    static let longest = VisionDetector.longestLookBack + DetectionLog.opening

    /// Replay for the passes behind.
    let replay: RecordedDetector
    private let completesOpenings: Bool
    private let state = Mutex(State())

    private struct State {
        /// Number of entries handed on.
        var count = 0
        /// The first entry of the shot under way; nil where it was not handed on.
        var opening: DetectionLog.Entry?
    }

    /// - Parameters:
    ///   - completesOpenings: whether subjects that shots open with are completed (`DetectionLog.completingOpenings`), and earlier detections waited for.
    ///   - path: names the replay in errors.
    init(completesOpenings: Bool, path: String) {
        self.completesOpenings = completesOpenings
        replay = RecordedDetector(DetectionLog(header: .init(source: path, width: 0, height: 0, frameDuration: [0, 1])), path: path)
    }

    /// Hands on what is settled of a record; all of it once it `isOver`. Returns the time of the newest entry handed on, ns, nil for none.
    func advance(_ record: RecordingDetector, isOver: Bool = false) -> Int64? {
        state.withLock { state in
            var (entries, settled) = (record.entries(from: state.count)[...], Int64?.none)
            while let first = entries.first {
                let shot = entries.prefix { $0.shot == first.shot }
                let isWhole = isOver || shot.count < entries.count
                let ready = isWhole ? shot : shot.prefix { isSettled($0, newest: entries.last!, opening: state.opening ?? first) }
                guard let last = ready.last else { break }
                replay.append(state.opening == nil ? completed(Array(ready)) : Array(ready))
                state.opening = isWhole ? nil : state.opening ?? first
                state.count += ready.count
                settled = last.time
                guard isWhole else { break }
                entries = entries.dropFirst(ready.count)
            }
            return settled
        }
    }

    private func isSettled(_ entry: DetectionLog.Entry, newest: DetectionLog.Entry, opening: DetectionLog.Entry) -> Bool {
        guard completesOpenings else { return true }
        return newest.time - entry.time > VisionDetector.longestLookBack && newest.time - opening.time > Self.longest
    }

    /// The first entries of a shot, with those that it opens with.
    private func completed(_ entries: [DetectionLog.Entry]) -> [DetectionLog.Entry] {
        guard completesOpenings else { return entries }
        return DetectionLog(header: .init(source: "", width: 0, height: 0, frameDuration: [0, 1]), entries: entries).completingOpenings().entries
    }
}
