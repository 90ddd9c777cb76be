import Foundation
import Pipeline

/// Subjects seen lately, in order of appearance, and their tracks.
///
/// Both lists hold plain numbers. A frame that shows the objects of the frame before changes them in place and allocates nothing; only when objects
/// come, go or change group are they sorted anew.
struct SubjectList: Sendable {
    private(set) var all: [Subject] = []
    /// Tracks, those of one subject side by side.
    private(set) var tracks: [DetectionTrack] = []
    /// Index among `tracks` of each detection of the last frame.
    private var places: [Int] = []
    /// Whether subjects are judged as in edited footage.
    let isFootage: Bool
    /// Greatest sharpness and brightness of a subject that is present; nil where none was measured.
    var sharpest: Double?
    var brightest: Double?

    init(isFootage: Bool = false) { self.isFootage = isFootage }

    subscript(index: Int) -> Subject {
        get { all[index] }
        set { all[index] = newValue }
        _modify { yield &all[index] }
    }

    /// Index of the subject that an object belongs to; nil if unknown.
    func index(ofObject objectID: Int) -> Int? { track(ofObject: objectID).map { tracks[$0].home } }

    func track(ofObject objectID: Int) -> Int? { tracks.firstIndex { $0.objectID == objectID } }

    /// Updates tracks and subjects from one frame; of two detections with one ID the first counts.
    mutating func observe(_ detections: [Detection], at time: Int64, elapsed: Double, _ tuning: FocusTuning) {
        if !isKnown(detections) {
            admit(detections, at: time, elapsed: elapsed, tuning)
        } else {
            for (place, detection) in zip(places, detections) where tracks[place].lastSeen != time {
                tracks[place].observe(detection, at: time, elapsed: elapsed, tuning)
            }
        }
        for track in tracks.indices where tracks[track].lastSeen != time { tracks[track].miss(elapsed: elapsed, tuning) }
        if isFootage { compareCues(at: time, tuning) }
        for index in all.indices { judge(index, at: time, tuning) }
    }

    /// Whether every object is known, with its class and group; finds their indices.
    private mutating func isKnown(_ detections: [Detection]) -> Bool {
        for (index, detection) in detections.enumerated() {
            if index >= places.count { places.append(.max) }
            if !(places[index] < tracks.count && tracks[places[index]].objectID == detection.objectID) {
                guard let place = track(ofObject: detection.objectID) else { return false }
                places[index] = place
            }
            let track = tracks[places[index]]
            guard track.kind == detection.kind, detection.groupID <= 0 || all[track.home].groupID == detection.groupID else { return false }
        }
        return true
    }

    private mutating func judge(_ index: Int, at time: Int64, _ tuning: FocusTuning) {
        var (isSeen, showsFace) = (false, false)
        var yaw: Double?
        for track in all[index].members where tracks[track].lastSeen == time {
            isSeen = true
            if tracks[track].kind == .face { showsFace = true }
            yaw = yaw ?? tracks[track].yaw
        }
        if isSeen { all[index].updateFacing(showsFace: showsFace, yaw: yaw, at: time, tuning) }
        all[index].standIn = representative(of: index, at: time, tuning)
        all[index].prominence = isFootage ? footageProminence(of: index, at: time, tuning) : prominence(of: index, at: time, tuning)
    }

    // MARK: coming and going

    /// Assigns every detection to a subject, and sorts the tracks.
    private mutating func admit(_ detections: [Detection], at time: Int64, elapsed: Double, _ tuning: FocusTuning) {
        for detection in detections.enumerated().sorted(by: { ($0.element.objectID, $0.offset) < ($1.element.objectID, $1.offset) }) {
            place(detection.element, at: time, elapsed: elapsed, tuning)
        }
        sort()
    }

    private mutating func place(_ detection: Detection, at time: Int64, elapsed: Double, _ tuning: FocusTuning) {
        let previous = track(ofObject: detection.objectID)
        let home = home(of: detection, previous: previous.map { tracks[$0].home }, at: time, tuning)
        var known: DetectionTrack?
        if let previous {
            guard tracks[previous].lastSeen != time else { return }
            known = tracks.remove(at: previous)
        }
        tracks.append(DetectionTrack(detection, home: home, known: known, at: time, elapsed: elapsed, tuning))
    }

    /// Subject of the detection's group, else the one it belonged to, else a new one.
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

    /// Removes tracks that have been missing longer than anything waits for.
    mutating func prune(at time: Int64, _ tuning: FocusTuning) {
        let patience = max(tuning.coast, isFootage ? tuning.footageLost : tuning.weakLost, tuning.strongLost) + tuning.dwell
        guard tracks.contains(where: { time - $0.lastSeen > patience }) || all.contains(where: { $0.members.isEmpty }) else { return }
        tracks.removeAll { time - $0.lastSeen > patience }
        sort()
        var (kept, homes) = ([Subject](), [Int]())
        for subject in all {
            homes.append(kept.count)
            if !subject.members.isEmpty { kept.append(subject) }
        }
        all = kept
        for track in tracks.indices { tracks[track].home = homes[tracks[track].home] }
    }

    private mutating func sort() {
        tracks.sort { ($0.home, $0.kind.rank, $0.objectID) < ($1.home, $1.kind.rank, $1.objectID) }
        var next = 0
        for index in all.indices {
            let first = next
            while next < tracks.count, tracks[next].home == index { next += 1 }
            all[index].members = first..<next
        }
    }
}
