import AVFCapture
import CoreMedia
import Foundation
import Pipeline
import RunReport
import ScenarioFormat
import Synchronization

extension ScenarioFile {
    /// The feed with the faults of the timeline in it.
    package func withFaults(_ feed: CameraFeed) -> CameraFeed {
        var feed = feed
        feed.detector = withFaults(feed.detector)
        guard var lost = lostFrames ?? (gaps.isEmpty ? nil : LostFrames([])) else { return feed }
        lost.gaps = gaps
        if let source = feed.source as? any AdjustableSource {
            feed.source = LossyAdjustableSource(source, lost)
        } else {
            feed.source = LossySource(feed.source, lost)
        }
        return feed
    }

    /// The detector with the faults of the timeline in it; the detector itself without any.
    package func withFaults(_ detector: any SubjectDetector) -> any SubjectDetector {
        let faults = timeline.compactMap { event in (event.verb as? FaultVerb).map { (time: event.time, fault: $0.fault) } }
        return faults.isEmpty ? detector : FaultyDetector(detector, faults)
    }

    /// Frames that the timeline drops; nil for none.
    package var lostFrames: LostFrames? {
        var drops: [(time: Int64, count: Int)] = []
        for event in timeline {
            if case .dropFrames(let count) = (event.verb as? FaultVerb)?.fault { drops.append((event.time, count)) }
        }
        return drops.isEmpty ? nil : LostFrames(drops)
    }

    /// Gaps in which no frame comes, because the camera is not there or the session does not run: the frame in which one begins still comes.
    private var gaps: [Range<Int64>] {
        var (gaps, stopped): ([Range<Int64>], Int64?) = ([], nil)
        for event in timeline {
            switch ((event.verb as? FaultVerb)?.fault, (event.verb as? SessionVerb)?.step) {
            case (.interrupt(_, let end), _): gaps.append(event.time..<end)
            case (_, .stop): stopped = stopped ?? event.time
            case (_, .start):
                if let start = stopped { gaps.append(start..<event.time) }
                stopped = nil
            default: break
            }
        }
        return gaps
    }

    /// Whether the app starts its session again after it stopped it at `time`.
    package func restarts(after time: Int64) -> Bool {
        timeline.contains { ($0.verb as? SessionVerb)?.step == .start && $0.time > time }
    }

    /// The scenario without what goes wrong around the app: the faults of its frames and of its detector stay.
    package var withoutFaultsOfSystem: ScenarioFile {
        var scenario = self
        scenario.timeline.removeAll { ($0.verb as? FaultVerb)?.fault.isInFeed == false }
        return scenario
    }

    /// Faults of the timeline, whenever they happen.
    package var faults: [Fault] { timeline.compactMap { ($0.verb as? FaultVerb)?.fault } }
}

/// Detector with scripted faults: missed detections and identity switches.
private final class FaultyDetector: SubjectDetector {
    private let detector: any SubjectDetector
    private let faults: [(time: Int64, fault: Fault)]

    init(_ detector: any SubjectDetector, _ faults: [(time: Int64, fault: Fault)]) {
        self.detector = detector
        self.faults = faults
    }

    func detections(in frame: Frame, disparity: DisparityMap?) throws -> [Detection] {
        var seen = try detector.detections(in: frame, disparity: disparity)
        let now = frame.presentationTime.nanoseconds
        for (time, fault) in faults where time <= now {
            switch fault {
            case .missDetection(let name, let until): if now < until { seen.removeAll { Self.name(of: $0, in: frame) == name } }
            case .swapIDs(let one, let other): Self.swap(&seen, one, other, in: frame)
            case .dropFrames, .interrupt, .runtimeError, .disconnect, .diskFull, .pressure, .lateMetadata, .deny: break
            }
        }
        return seen
    }

    func salientObject(at point: CGPoint, in frame: Frame, disparity: DisparityMap?) throws -> Detection? {
        try detector.salientObject(at: point, in: frame, disparity: disparity)
    }

    /// Subject of a detection; detectors do not know names, but ground truth does.
    private static func name(of detection: Detection, in frame: Frame) -> String? {
        detection.label ?? SubjectLabels.overlapping(detection, frame.truth ?? [])
    }

    /// Kind by kind: each takes the other's number and group, as a tracker does that loses two who cross.
    private static func swap(_ seen: inout [Detection], _ one: String, _ other: String, in frame: Frame) {
        let names = seen.map { name(of: $0, in: frame) }
        for index in seen.indices where names[index] == one {
            guard let twin = seen.indices.first(where: { names[$0] == other && seen[$0].kind == seen[index].kind }) else { continue }
            (seen[index].objectID, seen[twin].objectID) = (seen[twin].objectID, seen[index].objectID)
            (seen[index].groupID, seen[twin].groupID) = (seen[twin].groupID, seen[index].groupID)
        }
    }
}

/// Source of which some frames never arrive.
private final class LossySource: FrameSource {
    let description: SourceDescription
    var remarks: [String] { source.remarks }
    private let source: any FrameSource
    private let lost: Mutex<LostFrames>

    init(_ source: any FrameSource, _ lost: LostFrames) {
        self.source = source
        description = source.description
        self.lost = Mutex(lost)
    }

    func nextFrame() throws -> Frame? {
        while let frame = try source.nextFrame() {
            if !lost.withLock({ $0.takes(frame.presentationTime.nanoseconds) }) { return frame }
        }
        return nil
    }
}

/// Source of which some frames never arrive, and whose pictures follow the app's settings.
private final class LossyAdjustableSource: AdjustableSource {
    private let lossy: LossySource
    private let adjustable: any AdjustableSource

    init(_ source: any AdjustableSource, _ lost: LostFrames) {
        adjustable = source
        lossy = LossySource(source, lost)
    }

    var description: SourceDescription { lossy.description }
    func adjust(_ settings: CameraSettings) { adjustable.adjust(settings) }
    func nextFrame() throws -> Frame? { try lossy.nextFrame() }
}
