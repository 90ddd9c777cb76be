import Foundation
import Pipeline
import Support

extension SceneTracker {
    /// Follows the bodies, and says which face belongs to which.
    mutating func followBodies(_ sightings: [Sighting]?, picture: ReducedPicture, depth: DepthProbe, time: Int64) throws(VisionError) {
        guard bodies != nil else { return }
        if let sightings {
            let known = Set(bodies!.tracks.map(\.objectID))
            try bodies!.step(sightings, picture: picture, depth: depth, time: time, identities: &identities)
            for index in bodies!.tracks.indices where bodies!.tracks[index].isConfirmed && !known.contains(bodies!.tracks[index].objectID) {
                let body = picture.normalized(bodies!.tracks[index].box)
                guard let group = conspicuous.takeGroup(for: body, body: body) else { continue }
                bodies!.edit(index) { $0.groupID = group }
            }
        }
        findAgain(in: picture, time: time)
        let people = bodies!.tracks.indices.filter { bodies!.tracks[$0].family == .person && bodies!.tracks[$0].isConfirmed }
        let faces = tracks.indices.filter { tracks[$0].kind == .person && tracks[$0].isConfirmed && !tracks[$0].life.isHidden }
        let costs = faces.map { face in people.map { bodies!.tracks[$0].distance(to: tracks[face], tuning.grouping) } }
        for (face, place) in zip(faces, Assignment.solve(costs, columns: people.count)) {
            if let place {
                unite(face: face, body: people[place], time: time)
            } else if tracks[face].identity.introduced == time, let body = try hiddenBody(of: tracks[face], in: picture) {
                unite(face: face, body: body, time: time)
                let (box, tuning) = (tracks[face].box, tuning)
                bodies!.edit(body) { $0.wait(under: box, tuning.grouping) }
            } else if let known = tracks[face].measuredBody, !bodies!.tracks.contains(where: { $0.objectID == known && !$0.life.isHidden }) {
                // The body that was measured is gone: the one under the face stands in again.
                tracks[face].measuredBody = nil
            }
        }
        for index in tracks.indices where isUnfounded(tracks[index], at: time) { tracks[index].handle(.superseded, at: time, tuning) }
        tracks.removeAll { $0.life == .gone }
        uniteHeads(in: picture)
    }

    /// Whether a head is that of nobody: its face went unseen, and the network sees no body below it.
    private func isUnfounded(_ track: Track, at time: Int64) -> Bool {
        guard track.kind == .person, track.life.isCoasting, track.measuredBody == nil, let contact = track.life.contact else { return false }
        return time - contact.lastHit > tuning.bodyPatience
    }

    /// A face where the head of a body is whose own face went unseen is that face.
    private mutating func findAgain(in picture: ReducedPicture, time: Int64) {
        for index in tracks.indices where tracks[index].kind == .person && tracks[index].life.isSeen && tracks[index].measuredBody == nil {
            let head = tracks[index].head
            let owner = bodies!.tracks.first { body in
                guard body.family == .person, !body.life.isHidden, let place = body.head(in: picture) else { return false }
                return place.overlap(head) > tuning.grouping.headOverlap
                    && tracks.contains { $0.identity.objectID == body.faceID && $0.life.isCoasting }
            }
            if let known = owner?.faceID { rename(index, to: known, time: time) }
        }
        tracks.removeAll { $0.life == .gone }
    }

    /// Gives a face the object ID of one that is known, and lets the track go that bore it.
    private mutating func rename(_ index: Int, to known: Int, time: Int64) {
        for old in tracks.indices where tracks[old].identity.objectID == known { tracks[old].handle(.superseded, at: time, tuning) }
        tracks[index].identity.objectID = known
    }

    /// Index of the hidden body that a new face belongs to: of the same colours, and not far from where it vanished; nil when there is none.
    private func hiddenBody(of face: Track, in picture: ReducedPicture) throws(VisionError) -> Int? {
        guard let shape = face.bodyBox(in: picture) else { return nil }
        let colours = try BodyTracker.colours(of: shape.intersection(picture.luma.bounds), in: picture)
        var best: (likeness: Double, index: Int)?
        for (index, body) in bodies!.tracks.enumerated() where body.family == .person && body.life.isHidden {
            guard let known = body.faceID, !isInSight(known), let likeness = body.likeness(colours) else { continue }
            let top = tuning.grouping.faceTop
            let distance = hypot(face.box.midX - body.box.midX, face.box.midY - body.box.minY - top * body.box.height) / body.box.height
            if distance < tuning.grouping.hiddenReach, likeness > max(tuning.grouping.hiddenLikeness, best?.likeness ?? 0) {
                best = (likeness, index)
            }
        }
        return best?.index
    }

    /// The head of a pet and the body around it are one, whether a cascade saw the head or the body says where it must be; whose head nobody saw
    /// has it on the body.
    private mutating func uniteHeads(in picture: ReducedPicture) {
        for index in tracks.indices where tracks[index].kind == .cat && tracks[index].isConfirmed {
            let place = bodies!.tracks.firstIndex { $0.kind == .catBody && !$0.life.isHidden && $0.box.contains(tracks[index].box.center) }
            tracks[index].identity.groupID = place.map { bodies!.tracks[$0].groupID } ?? -1
            guard let place else { continue }
            if let known = bodies!.tracks[place].headID, !isInSight(known) { tracks[index].identity.objectID = known }
            let id = tracks[index].identity.objectID
            bodies!.edit(place) { $0.headID = id }
        }
        for index in bodies!.tracks.indices where bodies!.tracks[index].headID == nil && bodies!.tracks[index].isConfirmed {
            guard bodies!.tracks[index].head(in: picture) != nil else { continue }
            let id = identities.object()
            bodies!.edit(index) { $0.headID = id }
        }
    }

    /// Whether a face is where none belongs: on an animal or low on a person, and at the top of nobody.
    func isMisplaced(_ face: Track) -> Bool {
        guard let bodies, face.kind == .person else { return false }
        let around = bodies.tracks.filter { $0.family != .ball && !$0.life.isHidden && $0.box.contains(face.box.center) }
        return !around.isEmpty && !around.contains { $0.family == .person && $0.distance(to: face, tuning.grouping) != nil }
    }

    private func isInSight(_ objectID: Int) -> Bool { tracks.contains { $0.identity.objectID == objectID && !$0.life.isHidden } }

    /// Makes a face whose body turned out to be another's a person of its own, with a head under a number of its own.
    private mutating func part(face index: Int) {
        tracks[index].measuredBody = nil
        tracks[index].identity.groupID = identities.group()
        tracks[index].identity.headID = identities.object()
    }

    private mutating func unite(face index: Int, body: Int, time: Int64) {
        let (track, whole) = (tracks[index], bodies!.tracks[body])
        if let known = whole.faceID, known != track.identity.objectID, !isInSight(known), track.measuredBody == nil {
            // The head turned away and back, or was hidden.
            rename(index, to: known, time: time)
        }
        for other in tracks.indices where other != index && tracks[other].measuredBody == whole.objectID { part(face: other) }
        tracks[index].measuredBody = whole.objectID
        tracks[index].identity.groupID = whole.groupID
        if let known = whole.headID { tracks[index].identity.headID = known }
        let united = tracks[index]
        bodies!.edit(body) {
            $0.faceID = united.identity.objectID
            $0.headID = united.identity.headID
            if united.life.isSeen { $0.headPlace = ($0.box.place(of: united.head), $0.box.height / $0.box.width) }
        }
    }
}

extension BodyTrack {
    /// Distance of a face from where the body's face belongs, in body sizes, and more where it is not known as this body's; nil when it cannot be.
    func distance(to face: Track, _ tuning: VisionTuning.Grouping) -> Double? {
        let isKnown = face.measuredBody == objectID
        guard !life.isHidden || isKnown else { return nil }
        let x = (face.box.midX - box.minX) / box.width
        let y = (face.box.midY - box.minY) / box.height
        guard (0.0...1).contains(x), (tuning.highest...tuning.lowest).contains(y), face.box.width < box.width * tuning.widest else { return nil }
        return abs(x - 0.5) + max(y - tuning.freeTop, 0) + (isKnown ? 0 : tuning.strangerCost)
    }
}
