import Foundation
import Pipeline
import Support

extension SceneTracker {
    /// Follows the bodies, and says which face belongs to which.
    mutating func followBodies(_ sightings: [Sighting]?, picture: ReducedPicture, depth: DepthProbe, time: Int64) throws(VisionError) {
        guard bodies != nil else { return }
        if let sightings { try bodies!.step(sightings, picture: picture, depth: depth, time: time, identities: &identities) }
        findAgain(in: picture)
        let people = bodies!.tracks.indices.filter { bodies!.tracks[$0].family == .person && bodies!.tracks[$0].objectID > 0 }
        let faces = tracks.indices.filter { tracks[$0].kind == .person && tracks[$0].objectID > 0 && tracks[$0].phase != .hidden }
        let costs = faces.map { face in people.map { Self.cost(of: tracks[face], on: bodies!.tracks[$0]) } }
        for (face, place) in zip(faces, Assignment.solve(costs, columns: people.count)) {
            if let place {
                unite(face: face, body: people[place])
            } else if tracks[face].introduced == time, let body = try hiddenBody(of: tracks[face], in: picture) {
                unite(face: face, body: body)
                bodies!.edit(body) { $0.wait(under: tracks[face].box) }
            } else if let known = tracks[face].measuredBody, !bodies!.tracks.contains(where: { $0.objectID == known && $0.phase != .hidden }) {
                // The body that was measured is gone: the one under the face stands in again.
                tracks[face].measuredBody = nil
            }
        }
        tracks.removeAll(where: \.isGone)
        uniteHeads(in: picture)
    }

    /// A face where the head of a body is whose own face went unseen is that face.
    private mutating func findAgain(in picture: ReducedPicture) {
        for index in tracks.indices where tracks[index].kind == .person && tracks[index].phase == .seen && tracks[index].measuredBody == nil {
            let head = tracks[index].head
            let owner = bodies!.tracks.first { body in
                guard body.family == .person, body.phase != .hidden, let place = body.head(in: picture) else { return false }
                return place.overlap(head) > 0.2 && tracks.contains { $0.objectID == body.faceID && $0.phase == .unseen }
            }
            if let known = owner?.faceID { rename(index, to: known) }
        }
        tracks.removeAll(where: \.isGone)
    }

    /// The face is one that is known; whoever bore its number needs no waiting for any more.
    private mutating func rename(_ index: Int, to known: Int) {
        for old in tracks.indices where tracks[old].objectID == known { tracks[old].isGone = true }
        tracks[index].objectID = known
    }

    /// Index of the hidden body that a new face belongs to: of the same colours, and not far from where it vanished; nil when there is none.
    private func hiddenBody(of face: Track, in picture: ReducedPicture) throws(VisionError) -> Int? {
        let colours = try BodyTracker.colours(of: face.body.box(face: face.box, in: picture).intersection(picture.luma.bounds), in: picture)
        var best: (likeness: Double, index: Int)?
        for (index, body) in bodies!.tracks.enumerated() where body.family == .person && body.phase == .hidden {
            guard let known = body.faceID, !isInSight(known), let likeness = body.likeness(colours) else { continue }
            let distance = hypot(face.box.midX - body.box.midX, face.box.midY - body.box.minY - 0.12 * body.box.height) / body.box.height
            if distance < 0.8, likeness > max(0.7, best?.likeness ?? 0) { best = (likeness, index) }
        }
        return best?.index
    }

    /// The head of a pet and the body around it are one, whether a cascade saw the head or the body says where it must be; whose head nobody saw
    /// has it on the body.
    private mutating func uniteHeads(in picture: ReducedPicture) {
        for index in tracks.indices where tracks[index].kind == .cat && tracks[index].objectID > 0 {
            let place = bodies!.tracks.firstIndex { $0.kind == .catBody && $0.phase != .hidden && $0.box.contains(tracks[index].box.center) }
            tracks[index].groupID = place.map { bodies!.tracks[$0].groupID } ?? -1
            guard let place else { continue }
            if let known = bodies!.tracks[place].headID, !isInSight(known) { tracks[index].objectID = known }
            let id = tracks[index].objectID
            bodies!.edit(place) { $0.headID = id }
        }
        for index in bodies!.tracks.indices where bodies!.tracks[index].headID == nil && bodies!.tracks[index].objectID > 0 {
            guard bodies!.tracks[index].head(in: picture) != nil else { continue }
            let id = identities.object()
            bodies!.edit(index) { $0.headID = id }
        }
    }

    /// Whether a face is where none belongs: on an animal or low on a person, and at the top of nobody.
    func isMisplaced(_ face: Track) -> Bool {
        guard let bodies, face.kind == .person else { return false }
        let around = bodies.tracks.filter { $0.family != .ball && $0.phase != .hidden && $0.box.contains(face.box.center) }
        return !around.isEmpty && !around.contains { $0.family == .person && Self.cost(of: face, on: $0) != nil }
    }

    /// Distance of a face from where the body's face belongs, in body sizes, + 0.5 for one not known as this body's; nil when it cannot be.
    private static func cost(of face: Track, on body: BodyTrack) -> Double? {
        guard body.phase != .hidden || face.measuredBody == body.objectID else { return nil }
        let x = (face.box.midX - body.box.minX) / body.box.width
        let y = (face.box.midY - body.box.minY) / body.box.height
        guard (0.0...1).contains(x), (-0.1...0.6).contains(y), face.box.width < body.box.width * 1.05 else { return nil }
        let isKnown = face.measuredBody == body.objectID
        return abs(x - 0.5) + max(y - 0.1, 0) + (isKnown ? 0 : 0.5)
    }

    private func isInSight(_ objectID: Int) -> Bool { tracks.contains { $0.objectID == objectID && $0.phase != .hidden } }

    private mutating func unite(face index: Int, body: Int) {
        let (track, whole) = (tracks[index], bodies!.tracks[body])
        if let known = whole.faceID, known != track.objectID, !isInSight(known), track.measuredBody == nil {
            // The head turned away and back, or was hidden.
            rename(index, to: known)
        }
        tracks[index].measuredBody = whole.objectID
        tracks[index].groupID = whole.groupID
        if let known = whole.headID { tracks[index].headID = known }
        let united = tracks[index]
        bodies!.edit(body) {
            $0.faceID = united.objectID
            $0.headID = united.headID
            if united.phase == .seen { $0.headPlace = $0.box.place(of: united.head) }
        }
    }
}
