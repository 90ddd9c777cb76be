import Focus
import Foundation
import Pipeline

extension Detection {
    /// Everything of one group is one person (or animal); whoever has no group is alone.
    var person: Int { groupID > 0 ? groupID : -objectID }
}

extension Detection.Kind {
    /// The order in which the parts of a person stand for it.
    var place: Int {
        switch self {
        case .face, .catHead, .dogHead: 1
        case .humanHead: 2
        case .humanBody, .catBody, .dogBody: 3
        case .salientObject: 4
        }
    }

    fileprivate var worth: Double {
        switch self {
        case .face: 1
        case .humanHead: 0.9
        case .humanBody: 0.8
        case .catHead, .catBody, .dogHead, .dogBody: 0.45
        case .salientObject: 0.3
        }
    }
}

/// Facts that the model reads out of its list of looks.
extension FocusModel {
    /// Nanoseconds for which somebody who is missing is remembered.
    private var memory: Int64 { max(tuning.coast, tuning.weakLost, tuning.strongLost) + tuning.dwell }

    func lastLook(ofObject objectID: Int) -> (time: Int64, detection: Detection)? {
        for look in looks.reversed() {
            if let detection = look.seen.first(where: { $0.objectID == objectID }) { return (look.time, detection) }
        }
        return nil
    }

    func lastLook(of person: Int) -> (time: Int64, seen: [Detection])? {
        looks.last { look in look.seen.contains { $0.person == person } }.map { look in (look.time, look.seen.filter { $0.person == person }) }
    }
    func firstLook(of person: Int) -> Int64 { sightings { $0.person == person }.first?.time ?? now }

    /// The looks at somebody, oldest first, back to when it came: a gap longer than memory makes a stranger of it.
    private func sightings(_ isMeant: (Detection) -> Bool) -> [(time: Int64, seen: [Detection])] {
        var found: [(time: Int64, seen: [Detection])] = []
        /// The look before the earliest one found.
        var before: Int64?
        for look in looks.reversed() {
            if !found.isEmpty, before == nil { before = look.time }
            guard look.seen.contains(where: isMeant) else { continue }
            if let before, before - look.time > memory { break }
            found.append((look.time, look.seen.filter(isMeant)))
            before = nil
        }
        return found.reversed()
    }

    /// The object that stands for a person: the named one, else the foremost that is there for sure, else the foremost.
    func standIn(for person: Int, pinned: Int? = nil) -> Detection? {
        var there: [Detection] = []
        for look in looks.reversed() where now - look.time <= tuning.coast {
            for detection in look.seen where detection.person == person && !there.contains(where: { $0.objectID == detection.objectID }) {
                there.append(detection)
            }
        }
        there.sort { ($0.kind.place, $0.objectID) < ($1.kind.place, $1.objectID) }
        return there.first { $0.objectID == pinned } ?? there.first { now - thereSince($0.objectID) >= tuning.confirm } ?? there.first
    }

    private func thereSince(_ objectID: Int) -> Int64 {
        var since = now
        for look in looks.reversed() where look.seen.contains(where: { $0.objectID == objectID }) {
            guard since - look.time <= tuning.coast else { break }
            since = look.time
        }
        return since
    }

    func isAway(_ person: Int) -> Bool { facing(of: person).isAway }

    /// A person looks away once turned for `faceAway` on end, and back once facing for `faceBack` on end.
    private func facing(of person: Int) -> (isAway: Bool, arrived: Int64) {
        let sightings = sightings { $0.person == person }
        var (isAway, arrived) = (false, sightings.first?.time ?? now)
        var turnedSince: Int64?
        var backSince: Int64?
        var faceSeen: Int64?
        for (index, sighting) in sightings.enumerated() {
            if sighting.seen.contains(where: { $0.kind == .face }) { faceSeen = sighting.time }
            let yaw = sighting.seen.lazy.compactMap(\.yaw).first.map { min(abs($0), 360 - abs($0)) }
            // Without a yaw, somebody whose face has been seen but is not seen now has turned round.
            let limit = isAway || turnedSince != nil ? tuning.faceBackYaw : tuning.faceAwayYaw
            let isTurned = yaw.map { $0 > limit } ?? faceSeen.map { $0 < sighting.time } ?? false
            if isAway {
                backSince = isTurned ? nil : backSince ?? sighting.time
                if let since = backSince, sighting.time - since >= tuning.faceBack { (isAway, arrived, backSince) = (false, sighting.time, nil) }
            } else {
                turnedSince = isTurned ? turnedSince ?? (yaw == nil ? faceSeen : nil) ?? sighting.time : nil
                let cameInTurned = index == 0 && (yaw ?? 0) > tuning.faceAwayYaw
                if let since = turnedSince, cameInTurned || sighting.time - since >= tuning.faceAway { (isAway, turnedSince) = (true, nil) }
            }
        }
        return (isAway, arrived)
    }

    func prominence(of person: Int) -> Double {
        guard var object = standIn(for: person) ?? lastLook(of: person)?.seen[0] else { return 0 }
        let motion = motion(of: object.objectID)
        if cameFromSide(person), now - firstLook(of: person) < tuning.newcomer {
            object.bounds.origin.x += motion.x * Double(tuning.anticipation) / 1e9
        }
        let (isAway, arrived) = facing(of: person)
        let middle = (object.bounds.midX - 0.5) * (object.bounds.midX - 0.5) + (object.bounds.midY - 0.5) * (object.bounds.midY - 0.5)
        let knowsFacing = object.yaw != nil || object.kind == .face
        let age = Double(now - arrived) / Double(max(tuning.recency, 1_000_000))
        var sum = tuning.weightSize * min(side(of: object) / tuning.fullSize, 1)
        sum += tuning.weightNearness * min(disparity(of: object.objectID) / tuning.fullNearness, 1)
        sum += tuning.weightKind * object.kind.worth
        sum += tuning.weightFacing * (isAway ? 0 : knowsFacing ? 1 : 0.5)
        sum += tuning.weightCentrality * max(0, 1 - middle / 0.5)
        sum += tuning.weightConfidence * object.confidence
        sum += tuning.weightRecency * max(0, 1 - age)
        sum += tuning.weightMotion * min((motion.x * motion.x + motion.y * motion.y).squareRoot() / tuning.fullSpeed, 1)
        return isAway ? sum * tuning.awayFactor : sum
    }

    private func cameFromSide(_ person: Int) -> Bool {
        let first = sightings { $0.person == person }.first?.seen.min { $0.objectID < $1.objectID }
        return first.map { $0.bounds.minX <= tuning.edge || $0.bounds.maxX >= 1 - tuning.edge } ?? false
    }

    /// Motion of an object since it was last missing, later frames weighing more.
    private func motion(of objectID: Int) -> (x: Double, y: Double) {
        var seen: [(time: Int64, box: CGRect)] = []
        for look in looks.reversed() {
            guard let box = look.seen.first(where: { $0.objectID == objectID })?.bounds else { continue }
            if let later = seen.first?.time, later - look.time > tuning.coast { break }
            seen.insert((look.time, box), at: 0)
        }
        var (x, y) = (0.0, 0.0)
        for (before, after) in zip(seen, seen.dropFirst()) {
            let time = Double(after.time - before.time) / 1e9
            let weight = time / (time + Double(tuning.motionSmoothing) / 1e9)
            x = (1 - weight) * x + weight * (after.box.midX - before.box.midX) / time
            y = (1 - weight) * y + weight * (after.box.midY - before.box.midY) / time
        }
        return (x, y)
    }

    private func side(of object: Detection) -> Double {
        let inside = object.bounds.intersection(CGRect(x: 0, y: 0, width: 1, height: 1))
        let side = inside.isNull ? 0 : (inside.width * inside.height).squareRoot()
        return object.kind == .humanHead ? side * tuning.headSize : object.kind == .humanBody ? side * tuning.bodySize : side
    }

    /// The distance last believed: a leap counts only when it has lasted.
    private func disparity(of objectID: Int) -> Double {
        var believed: Double?
        var doubtful: (value: Double, lasted: Int64)?
        for sighting in sightings({ $0.objectID == objectID }) {
            let value = sighting.seen[0].disparity ?? 0
            guard let known = believed, abs(value - known) > tuning.outlier else {
                (believed, doubtful) = (value, nil)
                continue
            }
            let before = looks.last { $0.time < sighting.time }?.time ?? sighting.time
            let lasted = (doubtful.map { abs($0.value - value) <= tuning.outlier ? $0.lasted : 0 } ?? 0) + sighting.time - before
            doubtful = (value, lasted)
            if lasted >= tuning.outlierConfirm { (believed, doubtful) = (value, nil) }
        }
        return believed ?? 0
    }
}
