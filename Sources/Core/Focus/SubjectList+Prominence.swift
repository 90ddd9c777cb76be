import Foundation
import Pipeline

/// Representative and prominence of a subject.
extension SubjectList {
    /// Track that represents a subject: that of `pinned` while it is present, else the confirmed one of the lowest rank.
    func representative(of index: Int, at time: Int64, pinned: Int? = nil, _ tuning: FocusTuning) -> Int? {
        var (present, confirmed): (Int?, Int?)
        for track in all[index].members where tracks[track].isPresent(at: time, tuning) {
            if tracks[track].objectID == pinned { return track }
            present = present ?? track
            if confirmed == nil, tracks[track].isConfirmed(at: time, tuning) { confirmed = track }
        }
        return confirmed ?? present
    }

    /// Track seen last; of several, the one of the lowest rank.
    func latest(of index: Int) -> Int? { all[index].members.max { tracks[$0].lastSeen < tracks[$1].lastSeen } }

    func lastSeen(of index: Int) -> Int64 { latest(of: index).map { tracks[$0].lastSeen } ?? all[index].firstSeen }

    /// Lowest of its object IDs; nil without objects.
    func firstID(of index: Int) -> Int? { all[index].members.lazy.map { tracks[$0].objectID }.min() }

    /// Whether automatic choice may take it: things only after a request, or where the detector offers them.
    func isEligible(_ index: Int) -> Bool {
        all[index].wasRequested || all[index].members.contains { tracks[$0].kind != .salientObject || tracks[$0].isOffered }
    }

    /// Whether it is a thing that the detector offers and nobody asked for.
    func isOfferedThing(_ index: Int) -> Bool {
        !all[index].wasRequested && all[index].members.allSatisfy { tracks[$0].kind == .salientObject && tracks[$0].isOffered }
    }

    /// Whether its representative is a pet.
    func isPet(_ index: Int) -> Bool { all[index].standIn.map { tracks[$0].kind.isPet } ?? false }

    /// Whether its representative is a person who does not look away.
    func isFacingPerson(_ index: Int) -> Bool {
        guard let object = all[index].standIn, !all[index].facing.isAway else { return false }
        return tracks[object].kind.isPerson
    }

    /// Whether it was at the picture's edge when it was last seen.
    func hasLeft(_ index: Int, _ tuning: FocusTuning) -> Bool {
        guard let last = latest(of: index).map({ tracks[$0].bounds }) else { return false }
        return last.minX <= tuning.edge || last.minY <= tuning.edge || last.maxX >= 1 - tuning.edge || last.maxY >= 1 - tuning.edge
    }

    /// Prominence of a subject, a weighted sum; about 0…1.
    func prominence(of index: Int, at time: Int64, _ tuning: FocusTuning) -> Double {
        guard let object = all[index].standIn ?? latest(of: index) else { return 0 }
        let (subject, track) = (all[index], tracks[object])
        var bounds = track.bounds
        // A newcomer from a side counts at its extrapolated position: by the time the rack ends, it is there.
        if subject.cameFromSide, time - subject.firstSeen < tuning.newcomer { bounds.origin.x += track.motion.x * seconds(tuning.anticipation) }
        let isAway = subject.facing.isAway
        let sum =
            tuning.weightSize * min(side(of: index, standIn: track, in: bounds, at: time, tuning) / tuning.fullSize, 1)
            + tuning.weightNearness * min(track.disparity.position / tuning.fullNearness, 1)
            + tuning.weightKind * track.kind.prior
            + tuning.weightFacing * (isAway ? 0 : track.facingCue)
            + tuning.weightCentrality * centrality(of: bounds)
            + tuning.weightConfidence * track.confidence
            + tuning.weightRecency * max(0, 1 - seconds(time - subject.arrived) / max(seconds(tuning.recency), 0.001))
            + tuning.weightMotion * min(track.motion.speed / tuning.fullSpeed, 1)
        return isAway ? sum * tuning.awayFactor : sum
    }

    /// Apparent side of a subject: a person's by its representative, a pet's by its largest part.
    private func side(of index: Int, standIn track: DetectionTrack, in bounds: CGRect, at time: Int64, _ tuning: FocusTuning) -> Double {
        var side = track.kind.side(of: bounds, tuning)
        guard track.kind.isPet else { return side }
        for member in all[index].members where tracks[member].isPresent(at: time, tuning) {
            side = max(side, tracks[member].kind.side(of: tracks[member].bounds, tuning))
        }
        return side
    }

    func centrality(of bounds: CGRect) -> Double {
        let (x, y) = (bounds.midX - 0.5, bounds.midY - 0.5)
        return max(0, 1 - (x * x + y * y) / 0.5)
    }
}

extension Detection.Kind {
    fileprivate var prior: Double {
        switch self {
        case .face: 1
        case .humanHead: 0.9
        case .humanBody: 0.8
        case .catHead, .catBody, .dogHead, .dogBody: 0.45
        case .salientObject: 0.3
        }
    }

    /// Side of the square of the same area as the visible part of a box, scaled to be comparable between classes.
    fileprivate func side(of bounds: CGRect, _ tuning: FocusTuning) -> Double {
        let width = max(0, min(bounds.maxX, 1) - max(bounds.minX, 0))
        let height = max(0, min(bounds.maxY, 1) - max(bounds.minY, 0))
        let scale =
            switch self {
            case .humanHead: tuning.headSize
            case .humanBody: tuning.bodySize
            case .catHead, .dogHead: tuning.petHeadSize
            case .face, .catBody, .dogBody, .salientObject: 1.0
            }
        return (width * height).squareRoot() * scale
    }
}

extension DetectionTrack {
    /// Evidence of facing from the object alone, 0…1.
    fileprivate var facingCue: Double {
        if yaw != nil || kind == .face { return 1 }
        return kind.isPet ? 0.9 : 0.5
    }
}
