import AVFoundation
import Foundation
import Pipeline
import Support
import Synchronization
import Vision

/// Read-ahead of a source's frames with their disparity: one thread decodes, one prepares for measuring and one measures, so that none waits for work
/// another has done. The result is the same as without.
final class FramesAhead: FrameSource {
    private let source: any FrameSource
    private let decoded = Channel<Frame>(capacity: 2)
    private let prepared = Channel<Frame>(capacity: 2)
    private let measured = Channel<Frame>(capacity: 2)
    private let ended = DispatchGroup()
    var description: SourceDescription { source.description }
    var remarks: [String] { source.remarks }

    /// `estimator` measures the frames that bring no disparity; nil leaves them so. `detector` begins with every frame that is decoded. Live, no frame is
    /// measured before a camera would give it, and decoding, which a camera does not need, gives way.
    init(
        _ source: any FrameSource, estimator: (any DisparityEstimator)?, detector: (any SubjectDetector)? = nil, timings: Timings,
        isLive: Bool = false
    ) {
        self.source = source
        fill(decoded, on: "decode", givingWay: isLive) {
            let frame = try timings.measure("decode") { try source.nextFrame() }
            if let detector, let frame { try detector.prepare(frame) }
            return frame
        }
        let preparing = isLive ? nil : estimator
        if let preparing {
            fill(prepared, on: "prepare") { [decoded] in
                let frame = try decoded.next()
                if let frame, frame.disparity == nil { try timings.measure("prepare disparity") { try preparing.prepare(frame) } }
                return frame
            }
        }
        let pace = Mutex(WallPace())
        let unmeasured = OpenedShots(preparing == nil ? decoded : prepared, for: preparing)
        fill(measured, on: "disparity") {
            guard var frame = try unmeasured.next() else { return nil }
            if isLive {
                let due = pace.withLock { $0.date(of: frame.presentationTime, since: frame.presentationTime) }
                Thread.sleep(until: due)
                frame.dueDate = due
            }
            if frame.disparity == nil, let estimator {
                frame.disparity = try timings.measure("disparity") { try estimator.disparity(of: frame) }
            }
            return frame
        }
    }

    private func fill(
        _ channel: Channel<Frame>, on name: String, givingWay: Bool = false, with next: @escaping @Sendable () throws -> Frame?
    ) {
        ended.enter()
        Thread.detach(named: name) { [ended] in
            defer { ended.leave() }
            if givingWay { Thread.giveWay() }
            do {
                while let frame = try next() { guard channel.send(frame) else { return } }
                channel.finish()
            } catch {
                channel.finish(error)
            }
        }
    }

    deinit { close() }

    /// The next frame; nil at the end.
    func nextFrame() throws -> Frame? { try measured.next() }

    /// Lets go of the source; needed before it may be used again.
    func close() {
        for channel in [decoded, prepared, measured] { channel.close() }
        ended.wait()
    }
}

/// Frames on their way to an estimator, which sees those that a shot opens with ahead.
private final class OpenedShots: Sendable {
    private let frames: Channel<Frame>
    private let estimator: (any DisparityEstimator)?
    private let state = Mutex((waiting: [Frame](), shot: Int?.none))

    init(_ frames: Channel<Frame>, for estimator: (any DisparityEstimator)?) { (self.frames, self.estimator) = (frames, estimator) }

    func next() throws -> Frame? {
        try state.withLock { state in
            guard let frame = try state.waiting.isEmpty ? frames.next() : state.waiting.removeFirst() else { return nil }
            guard let estimator, estimator.opening > 0, frame.shot != state.shot else { return frame }
            state.shot = frame.shot
            guard frame.shot != nil else { return frame }
            let end = frame.presentationTime.nanoseconds + estimator.opening
            func isOfOpening(_ other: Frame) -> Bool { other.shot == frame.shot && other.presentationTime.nanoseconds < end }
            while state.waiting.last.map(isOfOpening) ?? true, let more = try frames.next() { state.waiting.append(more) }
            try estimator.open([frame] + state.waiting.prefix(while: isOfOpening))
            return frame
        }
    }
}

extension CameraFeed {
    /// A feed whose frames are decoded ahead, and their disparity, which then every frame of the source gets, estimated by `estimator`; nil leaves that to
    /// the feed's own. Where every frame `isAsked` about, the detector begins as soon.
    func readAhead(estimator: (any DisparityEstimator)?, isAsked: Bool, timings: Timings) -> CameraFeed {
        var feed = self
        feed.source = FramesAhead(source, estimator: estimator, detector: isAsked ? detector : nil, timings: timings)
        return feed
    }

    /// Estimator that needs no detections but `recorded` ones; nil where frames bring their disparity, or it is guessed from what is yet to be detected.
    func estimator(recorded: RecordedDetector?) -> (any DisparityEstimator)? {
        switch depth {
        case .measured(let estimator): estimator
        case .estimated(let estimator): recorded.map { RecordedSubjects(estimator, $0) }
        case nil: nil
        }
    }
}

/// Estimator of disparity from a picture and its recorded detections.
private final class RecordedSubjects: DisparityEstimator {
    private let estimator: any MonocularEstimator
    private let recorded: RecordedDetector

    init(_ estimator: any MonocularEstimator, _ recorded: RecordedDetector) { (self.estimator, self.recorded) = (estimator, recorded) }

    func disparity(of frame: Frame) throws -> DisparityMap {
        try estimator.disparity(of: frame, detections: try recorded.detections(in: frame, disparity: nil))
    }

    func prepare(_ frame: Frame) throws { try estimator.prepare(frame) }

    var opening: Int64 { estimator.opening }

    func open(_ frames: [Frame]) throws { try estimator.open(frames.map { ($0, try recorded.detections(in: $0, disparity: nil)) }) }
}

/// Everything equally far away: for a run that is to see what is there, not how far it is.
final class FlatDisparity: MonocularEstimator {
    func disparity(of frame: Frame, detections: [Detection]) -> DisparityMap { .flat }
}
