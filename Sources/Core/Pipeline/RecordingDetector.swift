import CoreMedia
import CoreVideo
import Foundation
import Synchronization

/// Records a detector's answers while passing them on.
public final class RecordingDetector: SubjectDetector {
    private let detector: any SubjectDetector
    private let kept: Mutex<DetectionLog>
    private let amended = Mutex(false)

    /// Wraps a detector; `name` becomes the header's source.
    public init(_ detector: any SubjectDetector, of source: SourceDescription, named name: String) {
        self.detector = detector
        kept = Mutex(DetectionLog(header: DetectionLog.Header(source, named: name)))
    }

    /// Whether the log holds more than was answered: what the detector found later to belong to earlier frames.
    public var isAmended: Bool { amended.withLock { $0 } }

    /// Log of all frames and queries so far, with what the detector found later to belong to earlier frames.
    public var log: DetectionLog { kept.withLock { $0 } }

    /// Entries from a number on, as they are now.
    package func entries(from first: Int) -> [DetectionLog.Entry] { kept.withLock { Array($0.entries[first...]) } }

    /// Detections of the wrapped detector, recorded with the map's statistics.
    public func detections(in frame: Frame, disparity: DisparityMap?) throws -> [Detection] {
        let seen = try detector.detections(in: frame, disparity: disparity)
        let entry = DetectionLog.Entry(
            frame: frame.index, time: frame.presentationTime.nanoseconds, detections: seen, disparity: disparity?.statistics,
            shot: frame.shot)
        let earlier = detector.takeEarlier()
        if !earlier.isEmpty { amended.withLock { $0 = true } }
        kept.withLock { log in
            log.entries.append(entry)
            log.entries.add(earlier)
        }
        return seen
    }

    /// Lets the wrapped detector begin.
    public func prepare(_ frame: Frame) throws { try detector.prepare(frame) }

    /// Answer of the wrapped detector; recorded when it is about the newest frame.
    public func salientObject(at point: CGPoint, in frame: Frame, disparity: DisparityMap?) throws -> Detection? {
        let found = try detector.salientObject(at: point, in: frame, disparity: disparity)
        kept.withLock { log in
            guard let last = log.entries.indices.last, log.entries[last].time == frame.presentationTime.nanoseconds else { return }
            log.entries[last].taps.append(DetectionLog.Tap(point: point, found: found))
        }
        return found
    }
}

extension DetectionLog.Header {
    /// Creates the header of a sidecar from a source's size and frame duration.
    public init(_ source: SourceDescription, named name: String) {
        self.init(
            source: name, width: source.width, height: source.height,
            frameDuration: [Int(source.frameDuration.value), Int(source.frameDuration.timescale)])
    }
}
