import Foundation
import Pipeline

/// Everything seen lately, in order of appearance.
struct SubjectList: Sendable {
    private(set) var all: [Subject] = []

    subscript(index: Int) -> Subject {
        get { all[index] }
        set { all[index] = newValue }
    }

    func index(ofObject objectID: Int) -> Int? {
        all.firstIndex { $0.tracks.contains { $0.objectID == objectID } }
    }

    func track(ofObject objectID: Int) -> DetectionTrack? {
        for subject in all {
            if let track = subject.tracks.first(where: { $0.objectID == objectID }) { return track }
        }
        return nil
    }

    /// Takes in what one frame shows; of two detections with one ID the first counts.
    mutating func observe(_ detections: [Detection], at time: Int64, elapsed: Double, _ tuning: FocusTuning) {
        for detection in detections.enumerated().sorted(by: { ($0.element.objectID, $0.offset) < ($1.element.objectID, $1.offset) }) {
            place(detection.element, at: time, elapsed: elapsed, tuning)
        }
        for index in all.indices {
            for track in all[index].tracks.indices where all[index].tracks[track].lastSeen != time {
                all[index].tracks[track].disparity.step(nil, elapsed: elapsed, tuning)
                all[index].tracks[track].motion.step(nil, elapsed: elapsed, tuning)
            }
            all[index].tracks.sort { ($0.detection.kind.rank, $0.objectID) < ($1.detection.kind.rank, $1.objectID) }
            all[index].updateFacing(at: time, tuning)
        }
    }

    private mutating func place(_ detection: Detection, at time: Int64, elapsed: Double, _ tuning: FocusTuning) {
        let previous = index(ofObject: detection.objectID)
        let home = home(of: detection, previous: previous, at: time, tuning)
        var track = DetectionTrack(detection: detection, lastSeen: time, presentSince: time)
        if let previous, let position = all[previous].tracks.firstIndex(where: { $0.objectID == detection.objectID }) {
            let known = all[previous].tracks[position]
            guard known.lastSeen != time else { return }
            all[previous].tracks.remove(at: position)
            track.disparity = known.disparity
            if known.isPresent(at: time, tuning) { (track.presentSince, track.motion) = (known.presentSince, known.motion) }
        }
        track.disparity.step(detection.disparity, elapsed: elapsed, tuning)
        track.motion.step(CGPoint(x: detection.bounds.midX, y: detection.bounds.midY), elapsed: elapsed, tuning)
        all[home].tracks.append(track)
    }

    /// The subject of the detection's group, else the one it belonged to, else a new one.
    private mutating func home(of detection: Detection, previous: Int?, at time: Int64, _ tuning: FocusTuning) -> Int {
        let isGrouped = detection.groupID > 0
        if isGrouped, let index = all.firstIndex(where: { $0.groupID == detection.groupID }) { return index }
        if let previous, !isGrouped || all[previous].groupID < 0 {
            if isGrouped { all[previous].groupID = detection.groupID }
            return previous
        }
        let isAtSide = detection.bounds.minX <= tuning.edge || detection.bounds.maxX >= 1 - tuning.edge
        all.append(Subject(groupID: isGrouped ? detection.groupID : -1, firstSeen: time, cameFromSide: isAtSide))
        return all.count - 1
    }

    /// Forgets what has been missing longer than anything waits for.
    mutating func prune(at time: Int64, _ tuning: FocusTuning) {
        let patience = max(tuning.coast, tuning.weakLost, tuning.strongLost) + tuning.dwell
        for index in all.indices { all[index].tracks.removeAll { time - $0.lastSeen > patience } }
        all.removeAll { $0.tracks.isEmpty }
    }
}
