import CoreMedia
import Focus
import Foundation
import Synchronization

/// Detections of one subject over time: one a frame in which it is seen, or one for any time.
open class CNDetectionTrack: NSObject, @unchecked Sendable {
    /// Kind of the subject.
    open var detectionType: CNDetectionType { content.withLock { $0.type } }
    /// Number of the subject; 0 until a track of one's own is in a script.
    open var detectionID: CNDetectionID { CNDetectionID(content.withLock { $0.id }) }
    /// Number of its group; 0 without one.
    open var detectionGroupID: CNDetectionGroupID { CNDetectionGroupID(content.withLock { $0.group }) }
    /// Whether it was added to the recording.
    public let isUserCreated: Bool
    /// Whether there are single detections; else there is one for any time.
    public let isDiscrete: Bool
    private let content: Mutex<Content>
    /// Detection for any time of a continuous track.
    private let always: (@Sendable (CMTime) -> CNDetection?)?

    private struct Content {
        var type: CNDetectionType
        var id: Int64
        var group: Int64
        /// In order of time.
        var detections: [CNDetection]
    }

    /// A track of single detections, in order of time.
    init(_ detections: [CNDetection], type: CNDetectionType, id: Int64 = 0, group: Int64 = 0, isUserCreated: Bool) {
        (self.isUserCreated, isDiscrete, always) = (isUserCreated, true, nil)
        content = Mutex(Content(type: type, id: id, group: group, detections: detections))
    }

    /// A continuous track.
    init(type: CNDetectionType, id: Int64 = 0, isUserCreated: Bool, at always: @escaping @Sendable (CMTime) -> CNDetection?) {
        (self.isUserCreated, isDiscrete, self.always) = (isUserCreated, false, always)
        content = Mutex(Content(type: type, id: id, group: 0, detections: []))
    }

    /// Gives the track its number in a script.
    func number(_ id: Int64) {
        content.withLock { content in
            content.id = id
            for index in content.detections.indices { content.detections[index].id = CNDetectionID(id) }
        }
    }

    /// Last detection at or before a time; nil where there is none.
    open func detection(atOrBefore time: CMTime) -> CNDetection? {
        always.map { numbered($0(time)) } ?? content.withLock { $0.detections.last { $0.time <= time } }
    }

    /// Detection nearest to a time; nil in an empty track.
    open func detection(nearest time: CMTime) -> CNDetection? {
        always.map { numbered($0(time)) }
            ?? content.withLock { $0.detections.min { CMTimeAbsoluteValue($0.time - time) < CMTimeAbsoluteValue($1.time - time) } }
    }

    /// Detections in a time range; empty of a continuous track.
    open func detections(in timeRange: CMTimeRange) -> [CNDetection] {
        content.withLock { $0.detections.filter { timeRange.containsTime($0.time) } }
    }

    /// All single detections.
    var all: [CNDetection] { content.withLock { $0.detections } }

    private func numbered(_ detection: CNDetection?) -> CNDetection? {
        var detection = detection
        let id = content.withLock { $0.id }
        if id > 0 { detection?.id = CNDetectionID(id) }
        return detection
    }
}

/// A distance that is held: one detection for any time.
public final class CNFixedDetectionTrack: CNDetectionTrack, @unchecked Sendable {
    /// Disparity that is held, larger is nearer.
    public let focusDisparity: Float
    /// Detection whose disparity is held, which is not part of the track; nil without one.
    public let originalDetection: CNDetection?

    /// Makes a track of a disparity.
    public convenience init(focusDisparity: Float) { self.init(focusDisparity, nil) }

    /// Makes a track of the disparity of a detection.
    public convenience init(originalDetection: CNDetection) { self.init(originalDetection.focusDisparity, originalDetection) }

    init(_ disparity: Float, _ original: CNDetection?, id: Int64 = 0, isUserCreated: Bool = true) {
        (focusDisparity, originalDetection) = (disparity, original)
        let rect = original?.normalizedRect ?? CGRect(x: 0.5, y: 0.5, width: 0, height: 0)
        super.init(type: .fixedFocus, id: id, isUserCreated: isUserCreated) { time in
            CNDetection(time: time, detectionType: .fixedFocus, normalizedRect: rect, focusDisparity: disparity)
        }
    }
}

/// Track of detections of one's own, as of an object tracker.
public final class CNCustomDetectionTrack: CNDetectionTrack, @unchecked Sendable {
    /// Makes a track, whose detections are put in order of time.
    ///
    /// - Parameter applySmoothing: whether the disparities are rid of their jitter, by the filter of a recording.
    public init(detections: [CNDetection], smooth applySmoothing: Bool) {
        var sorted = detections.sorted { $0.time < $1.time }
        if applySmoothing {
            let smoothed = DisparitySmoothing.smoothed(
                zip(sorted, sorted.prefix(1) + sorted).map { (elapsed: $0.time.seconds - $1.time.seconds, disparity: Double($0.focusDisparity)) })
            sorted = zip(sorted, smoothed).map { detection, disparity in
                CNDetection(
                    time: detection.time, detectionType: detection.detectionType, normalizedRect: detection.normalizedRect,
                    focusDisparity: Float(disparity))
            }
        }
        super.init(sorted, type: sorted.first?.detectionType ?? .custom, isUserCreated: true)
    }

    /// All detections, in order of time.
    public var allDetections: [CNDetection] { all }
}
