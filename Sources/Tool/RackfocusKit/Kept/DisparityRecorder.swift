import AVFoundation
import Foundation
import Media
import Pipeline
import Support
import Synchronization

/// Recorder of disparity: writes every map that an estimator makes to a file, up to a limit, on a thread of its own.
///
/// The file takes no more than the disk has left beside it, where the movie is to lie. The maps of a run under way can be read, each once: where no more
/// may be written nothing is kept in the end, and they wait in memory.
final class DisparityRecorder: DisparityMaps {
    /// Path of the file under way.
    let path: String
    /// Most bytes of the file.
    private let limit: Int
    /// Bytes that the disk of a file has left; nil where that is not known.
    private let room: @Sendable (Int32) -> Int?
    private let descriptor: Int32
    private let state: Mutex<State>
    private let queue = DispatchQueue(label: "rackfocus maps")
    private let compression = DisparityCompression()
    /// Another one's memory, so that nobody who reads waits for a map to be compressed.
    private let reading = DisparityCompression()
    /// Maps that may wait for the file.
    private let waiting = DispatchSemaphore(value: 2)

    private struct State {
        var bytes = 0
        /// Places of the maps of a run that another reads behind; nil where none does.
        var places: [Int64: Range<Int>]?
        /// Compressed maps that wait to be read, where they are not written.
        var held: [Int64: Data] = [:]
        var hasMaps = false
        /// Limits of the disparity measured, as its estimator says.
        var remarks: [String] = []
        /// Reason why nothing is kept.
        var refusal: String?
    }

    /// Creates the file, which takes at most `limit` bytes. Where it cannot be made nothing is kept, and `refusal` says why.
    init(path: String, limit: Int, room: @escaping @Sendable (Int32) -> Int? = DisparityRecorder.room(ofFile:)) {
        (self.path, self.limit, self.room) = (path, limit, room)
        descriptor = SystemCall.repeated { open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666) }
        state = Mutex(State(refusal: descriptor < 0 ? String(cString: strerror(errno)) : nil))
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Bytes so far; nil where no estimator was asked, or nothing is kept.
    var byteCount: Int? { queue.sync { state.withLock { $0.hasMaps && $0.refusal == nil ? $0.bytes : nil } } }

    /// Reason why nothing is kept, in words; nil where all is well.
    var refusal: String? { state.withLock { $0.refusal } }

    /// Limits of the disparity that was measured last.
    var remarks: [String] { state.withLock { $0.remarks } }

    /// Lets the maps be read while they are written; false where nothing can be.
    func beginReading() -> Bool {
        state.withLock { state in
            guard state.refusal == nil else { return false }
            state.places = [:]
            return true
        }
    }

    func map(at time: Int64) throws -> DisparityMap {
        func find() -> (held: Data?, place: Range<Int>?) { state.withLock { ($0.held.removeValue(forKey: time), $0.places?[time]) } }
        var found = find()
        if found.held == nil, found.place == nil {
            queue.sync {}
            found = find()
        }
        if let held = found.held { return try reading.map(held) }
        guard let place = found.place else {
            throw KeptError(path: path, reason: "has no map at \(Double(time) / 1e9) s\(refusal.map { ": \($0)" } ?? "")")
        }
        let map = try DisparityMapFile.map(at: time, in: place, of: descriptor, path: path, reading)
        state.withLock { state in
            state.places?[time] = nil
            if state.refusal != nil { empty(&state) }
        }
        return map
    }

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
        guard state.withLock({ $0.refusal == nil || $0.places != nil }) else { return }
        waiting.wait()
        queue.async { [self] in
            write(map, at: time)
            waiting.signal()
        }
    }

    private func write(_ map: DisparityMap, at time: Int64) {
        let compressed = try? compression.compressed(map)
        state.withLock { state in
            state.hasMaps = true
            guard state.refusal == nil || state.places != nil else { return }
            guard let compressed else { return give(up: "there is no memory to compress it", &state) }
            let bytes = state.bytes + compressed.count + 16
            if state.refusal == nil, bytes > limit { give(up: "it takes more than \(limit.inBytes); --keep sets another limit", &state) }
            if state.refusal == nil, let room = room(descriptor), bytes > room { give(up: "it takes more than the disk has left", &state) }
            if state.refusal == nil { append(compressed, at: time, &state) }
            if state.refusal != nil, state.places != nil { state.held[time] = compressed }
        }
    }

    private func append(_ compressed: Data, at time: Int64, _ state: inout State) {
        var words = Data()
        for word in [time, Int64(compressed.count)] { withUnsafeBytes(of: word.littleEndian) { words.append(contentsOf: $0) } }
        for data in [words, compressed] {
            if let failure = data.withUnsafeBytes({ OutputFile.writeAll($0, to: descriptor) }) {
                return give(up: String(cString: strerror(failure)), &state)
            }
            state.bytes += data.count
        }
        state.places?[time] = state.bytes - compressed.count..<state.bytes
    }

    private func give(up reason: String, _ state: inout State) {
        state.refusal = reason
        empty(&state)
    }

    /// Empties the file as soon as no other run is to read from it.
    private func empty(_ state: inout State) {
        if state.places?.isEmpty ?? true, SystemCall.repeated({ ftruncate(descriptor, 0) }) == 0 { state.bytes = 0 }
    }

    /// Bytes that the disk has left for its users.
    static func room(ofFile descriptor: Int32) -> Int? {
        var status = statvfs()
        // File systems that do not know their size say that it is 0.
        guard SystemCall.repeated({ fstatvfs(descriptor, &status) }) == 0, status.f_blocks > 0 else { return nil }
        let (bytes, isTooMany) = Int(clamping: status.f_bavail).multipliedReportingOverflow(by: Int(clamping: status.f_frsize))
        return isTooMany ? nil : bytes
    }

    /// A feed whose estimator's maps are kept.
    func recording(_ feed: CameraFeed) -> CameraFeed {
        feed.replacingDepth(measured: { RecordingEstimator($0, self) }, estimated: { RecordingMonocularEstimator($0, self) })
    }
}

/// Estimator whose maps a recorder keeps.
final class RecordingEstimator: DisparityEstimator {
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

    var opening: Int64 { estimator.opening }

    func open(_ frames: [Frame]) throws { try estimator.open(frames) }
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

    var opening: Int64 { estimator.opening }

    func open(_ frames: [(frame: Frame, detections: [Detection])]) throws { try estimator.open(frames) }
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
