import AVFoundation
import Foundation
import Media
import Pipeline
import Support
import Synchronization

/// Recorder of disparity: writes every map that an estimator makes to a file, up to a limit, on a thread of its own.
final class DisparityRecorder: Sendable {
    /// Path of the file under way.
    let path: String
    /// Most bytes of the file.
    private let limit: Int
    private let descriptor: Int32
    private let state: Mutex<State>
    private let queue = DispatchQueue(label: "rackfocus maps")
    private let compression = DisparityCompression()
    /// Maps that may wait for the file.
    private let room = DispatchSemaphore(value: 2)

    private struct State {
        var bytes = 0
        var hasMaps = false
        /// Limits of the disparity measured, as its estimator says.
        var remarks: [String] = []
        /// Reason why nothing is kept.
        var refusal: String?
    }

    /// Creates the file, which takes at most `limit` bytes. Where it cannot be made nothing is kept, and `refusal` says why.
    init(path: String, limit: Int) {
        (self.path, self.limit) = (path, limit)
        descriptor = SystemCall.repeated { open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666) }
        state = Mutex(State(refusal: descriptor < 0 ? String(cString: strerror(errno)) : nil))
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Bytes so far; nil where no estimator was asked, or nothing is kept.
    var byteCount: Int? { queue.sync { state.withLock { $0.hasMaps && $0.refusal == nil ? $0.bytes : nil } } }

    /// Reason why nothing is kept, in words; nil where all is well.
    var refusal: String? { state.withLock { $0.refusal } }

    /// Limits of the disparity that was measured last.
    var remarks: [String] { state.withLock { $0.remarks } }

    fileprivate func note(_ remarks: [String]) { state.withLock { $0.remarks = remarks } }

    /// Begins anew, for another run over the same footage.
    func restart() {
        queue.sync {}
        state.withLock { state in
            guard state.refusal == nil else { return }
            if SystemCall.repeated({ ftruncate(descriptor, 0) }) != 0 { state.refusal = String(cString: strerror(errno)) }
            lseek(descriptor, 0, SEEK_SET)
            (state.bytes, state.hasMaps) = (0, false)
        }
    }

    /// Waits until a disk has all of it.
    func flush() {
        queue.sync {}
        state.withLock { state in
            if state.refusal == nil, SystemCall.repeated({ fsync(descriptor) }) != 0 { state.refusal = String(cString: strerror(errno)) }
        }
    }

    /// Keeps a map, soon.
    fileprivate func keep(_ map: DisparityMap, at time: Int64) {
        guard refusal == nil else { return }
        room.wait()
        queue.async { [self] in
            write(map, at: time)
            room.signal()
        }
    }

    private func write(_ map: DisparityMap, at time: Int64) {
        let compressed = try? compression.compressed(map)
        state.withLock { state in
            state.hasMaps = true
            guard state.refusal == nil else { return }
            guard let compressed else { return give(up: "there is no memory to compress it", &state) }
            guard state.bytes + compressed.count + 16 <= limit else { return give(up: "it takes more than \(limit.inBytes)", &state) }
            var words = Data()
            for word in [time, Int64(compressed.count)] { withUnsafeBytes(of: word.littleEndian) { words.append(contentsOf: $0) } }
            for data in [words, compressed] {
                if let failure = data.withUnsafeBytes({ OutputFile.writeAll($0, to: descriptor) }) {
                    return give(up: String(cString: strerror(failure)), &state)
                }
                state.bytes += data.count
            }
        }
    }

    private func give(up reason: String, _ state: inout State) {
        state.refusal = reason
        if SystemCall.repeated({ ftruncate(descriptor, 0) }) == 0 { state.bytes = 0 }
    }

    /// A feed whose estimator's maps are kept.
    func recording(_ feed: CameraFeed) -> CameraFeed {
        feed.replacingDepth(measured: { RecordingEstimator($0, self) }, estimated: { RecordingMonocularEstimator($0, self) })
    }
}

private final class RecordingEstimator: DisparityEstimator {
    private let estimator: any DisparityEstimator
    private let recorder: DisparityRecorder
    var remarks: [String] { estimator.remarks }

    init(_ estimator: any DisparityEstimator, _ recorder: DisparityRecorder) { (self.estimator, self.recorder) = (estimator, recorder) }

    func disparity(of frame: Frame) throws -> DisparityMap {
        let map = try estimator.disparity(of: frame)
        recorder.note(estimator.remarks)
        recorder.keep(map, at: frame.presentationTime.nanoseconds)
        return map
    }

    func prepare(_ frame: Frame) throws { try estimator.prepare(frame) }
}

private final class RecordingMonocularEstimator: MonocularEstimator {
    private let estimator: any MonocularEstimator
    private let recorder: DisparityRecorder

    init(_ estimator: any MonocularEstimator, _ recorder: DisparityRecorder) { (self.estimator, self.recorder) = (estimator, recorder) }

    func disparity(of frame: Frame, detections: [Detection]) throws -> DisparityMap {
        let map = try estimator.disparity(of: frame, detections: detections)
        recorder.keep(map, at: frame.presentationTime.nanoseconds)
        return map
    }

    func prepare(_ frame: Frame) throws { try estimator.prepare(frame) }
}

extension Int {
    /// Bytes in words, `12.3 MB`.
    var inBytes: String {
        switch self {
        case ..<1_000_000: "\((self + 999) / 1000) kB"
        case ..<1_000_000_000: "\(Double(self / 100_000) / 10) MB"
        default: "\(Double(self / 100_000_000) / 10) GB"
        }
    }
}
