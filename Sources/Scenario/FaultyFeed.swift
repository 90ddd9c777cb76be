import AVFoundation
import CoreMedia
import Foundation
import Pipeline
import Synchronization

extension ScenarioFile {
    /// The feed with the faults of the timeline in it.
    func withFaults(_ feed: CameraFeed) -> CameraFeed {
        let faults = timeline.compactMap { event -> (time: Int64, fault: Fault)? in
            if case .fault(let fault) = event.action { (event.time, fault) } else { nil }
        }
        guard !faults.isEmpty else { return feed }
        var drops: [(time: Int64, count: Int)] = []
        for (time, fault) in faults { if case .dropFrames(let count) = fault { drops.append((time, count)) } }
        var feed = feed
        feed.detector = FaultyDetector(feed.detector, faults)
        if !drops.isEmpty { feed.source = LossySource(feed.source, drops) }
        return feed
    }
}

/// Eyes that miss subjects and take one for the other.
private final class FaultyDetector: SubjectDetector {
    private let detector: any SubjectDetector
    private let faults: [(time: Int64, fault: Fault)]

    init(_ detector: any SubjectDetector, _ faults: [(time: Int64, fault: Fault)]) {
        self.detector = detector
        self.faults = faults
    }

    func detections(in frame: Frame, disparity: DisparityMap) throws -> [Detection] {
        var seen = try detector.detections(in: frame, disparity: disparity)
        let now = frame.presentationTime.nanoseconds
        for (time, fault) in faults where time <= now {
            switch fault {
            case .missDetection(let name, let until): if now < until { seen.removeAll { $0.label == name } }
            case .swapIDs(let one, let other): Self.swap(&seen, one, other)
            case .dropFrames: break
            }
        }
        return seen
    }

    func salientObject(at point: CGPoint, in frame: Frame, disparity: DisparityMap) throws -> Detection? {
        try detector.salientObject(at: point, in: frame, disparity: disparity)
    }

    /// Kind by kind: each takes the other's number and group, as a tracker does that loses two who cross.
    private static func swap(_ seen: inout [Detection], _ one: String, _ other: String) {
        for index in seen.indices where seen[index].label == one {
            guard let twin = seen.indices.first(where: { seen[$0].label == other && seen[$0].kind == seen[index].kind }) else { continue }
            (seen[index].objectID, seen[twin].objectID) = (seen[twin].objectID, seen[index].objectID)
            (seen[index].groupID, seen[twin].groupID) = (seen[twin].groupID, seen[index].groupID)
        }
    }
}

/// A source of which some frames never arrive.
private final class LossySource: FrameSource {
    let description: SourceDescription
    private let source: any FrameSource
    private let drops: Mutex<[(time: Int64, count: Int)]>

    init(_ source: any FrameSource, _ drops: [(time: Int64, count: Int)]) {
        self.source = source
        description = source.description
        self.drops = Mutex(drops)
    }

    func nextFrame() throws -> Frame? {
        while let frame = try source.nextFrame() {
            let isLost = drops.withLock { drops in
                guard let next = drops.firstIndex(where: { $0.time <= frame.presentationTime.nanoseconds && $0.count > 0 }) else { return false }
                drops[next].count -= 1
                return true
            }
            if !isLost { return frame }
        }
        return nil
    }
}
