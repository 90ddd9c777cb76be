import Foundation
import Pipeline

/// Track: one detected object over time, in plain numbers, so that a copy is only bytes.
struct DetectionTrack: Sendable {
    let objectID: Int
    let kind: Detection.Kind
    /// Bounds in the last detection, as are yaw and confidence.
    private(set) var bounds: CGRect
    private(set) var yaw: Double?
    private(set) var confidence: Double
    private(set) var lastSeen: Int64
    /// Time of the first detection, or of the first after a gap longer than `coast`, ns.
    private(set) var presentSince: Int64
    private(set) var disparity = DisparityTracker()
    private(set) var motion = MotionTracker()
    private(set) var sharpness = SmoothedCue()
    private(set) var brightness = SmoothedCue()
    /// Whether the detector offers it as a subject though it is a thing.
    private(set) var isOffered = false
    /// Index of its subject in the list.
    var home: Int

    /// Starts a track; `known` is the track that had its object ID before.
    init(_ detection: Detection, home: Int, known: DetectionTrack?, at time: Int64, elapsed: Double, _ tuning: FocusTuning) {
        (objectID, kind, bounds, self.home) = (detection.objectID, detection.kind, detection.bounds, home)
        (yaw, confidence, lastSeen, presentSince) = (detection.yaw, detection.confidence, time, time)
        if let known {
            (disparity, sharpness, brightness) = (known.disparity, known.sharpness, known.brightness)
            if known.isPresent(at: time, tuning) { (presentSince, motion) = (known.presentSince, known.motion) }
        }
        measure(detection, elapsed: elapsed, tuning)
    }

    func isPresent(at time: Int64, _ tuning: FocusTuning) -> Bool { time - lastSeen <= tuning.coast }

    /// Whether it has been present for `confirm`.
    func isConfirmed(at time: Int64, _ tuning: FocusTuning) -> Bool { time - presentSince >= tuning.confirm }

    /// Updates the track with a detection of this frame.
    mutating func observe(_ detection: Detection, at time: Int64, elapsed: Double, _ tuning: FocusTuning) {
        if !isPresent(at: time, tuning) { (presentSince, motion) = (time, MotionTracker()) }
        (bounds, yaw, confidence, lastSeen) = (detection.bounds, detection.yaw, detection.confidence, time)
        measure(detection, elapsed: elapsed, tuning)
    }

    /// Coasts through a frame without a detection.
    mutating func miss(elapsed: Double, _ tuning: FocusTuning) {
        disparity.step(nil, elapsed: elapsed, tuning)
        motion.step(nil, elapsed: elapsed, tuning)
    }

    private mutating func measure(_ detection: Detection, elapsed: Double, _ tuning: FocusTuning) {
        isOffered = detection.salience != nil
        sharpness.step(detection.sharpness, elapsed: elapsed, tuning)
        brightness.step(detection.brightness, elapsed: elapsed, tuning)
        disparity.step(detection.disparity, elapsed: elapsed, tuning)
        motion.step(CGPoint(x: bounds.midX, y: bounds.midY), elapsed: elapsed, tuning)
    }
}

extension Detection.Kind {
    /// Rank within a group; the lowest that is present represents it.
    var rank: Int {
        switch self {
        case .face, .catHead, .dogHead: 0
        case .humanHead: 1
        case .humanBody, .catBody, .dogBody: 2
        case .salientObject: 3
        }
    }

    var isPet: Bool {
        switch self {
        case .catHead, .catBody, .dogHead, .dogBody: true
        case .face, .humanHead, .humanBody, .salientObject: false
        }
    }

    var isPerson: Bool { !isPet && self != .salientObject }
}
