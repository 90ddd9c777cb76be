import CoreMedia
import Foundation
import Pipeline

extension SceneTracker {
    /// Starts to follow what the object network knows at a point, else what stands out around it; nil when nothing does.
    mutating func addObject(at point: CGPoint, frame: Frame, disparity: DisparityMap) throws(VisionError) -> Detection? {
        let picture = try ReducedPicture(frame.image)
        // The network serves one at a time.
        if bodies != nil { waitForSearch() }
        let known = try searcher.thing(at: point, in: picture)
        let object = known == nil ? try SalientFinder(picture: picture, disparity: disparity).object(at: point) : nil
        guard let found = known ?? object.map({ ($0.box, $0.confidence) }) else { return nil }
        let depth = DepthProbe(disparity, picture: picture)
        guard var track = try thing(found.box, isOffered: false, picture: picture, depth: depth, time: frame.presentationTime.nanoseconds) else {
            return nil
        }
        track.confidence = found.confidence
        if let object { track.identity.groupID = person(on: object, in: picture)?.identity.groupID ?? -1 }
        tracks.append(track)
        return Detection(
            objectID: track.identity.objectID, groupID: track.identity.groupID, kind: .salientObject, bounds: found.box,
            confidence: found.confidence, disparity: track.disparity)
    }

    /// The one person whose face is on an object; nil for none and for several.
    private func person(on object: SalientObject, in picture: ReducedPicture) -> Track? {
        let people = tracks.filter { $0.kind == .person && $0.life.isReported && object.contains(picture.normalized($0.box).center) }
        return people.count == 1 ? people[0] : nil
    }

    /// Offers what moves in depth and is nobody that is known; what turns out to be somebody is offered no longer.
    mutating func offerWhatMoves(_ picture: ReducedPicture, depth: DepthProbe, time: Int64) throws(VisionError) {
        // An object network knows what moves.
        guard bodies == nil else { return }
        let known = tracks.map { track in
            let body = track.bodyBox(in: picture)
            switch track.kind {
            case .thing: return picture.normalized(track.box)
            case .cat: return picture.normalized(body ?? track.box.scaled(3))
            case .person: return picture.normalized(track.box.union(body ?? track.box))
            }
        }
        func isExplained(_ box: CGRect, by other: CGRect) -> Bool {
            other.intersection(box).area > 0.25 * min(box.area, other.area) || box.contains(other.center)
        }
        for index in tracks.indices where tracks[index].isOffered {
            let box = picture.normalized(tracks[index].box)
            let isSomebody = tracks.indices.contains {
                tracks[$0].kind != .thing && !tracks[$0].life.isCandidate && isExplained(box, by: known[$0])
            }
            if isSomebody { tracks[index].handle(.superseded, at: time, tuning) }
        }
        tracks.removeAll { $0.life == .gone }
        let moving = movement.step(depth, time: time) { box in known.contains { isExplained(box, by: $0) } }
        guard let moving, tracks.count(where: \.isOffered) < Self.mostOffered else { return }
        guard let track = try thing(moving, isOffered: true, picture: picture, depth: depth, time: time) else { return }
        tracks.append(track)
    }

    /// Track of the thing in a box (0…1), under a new object ID; nil when it is below 8 x 8 pixels.
    private mutating func thing(
        _ place: CGRect, isOffered: Bool, picture: ReducedPicture, depth: DepthProbe, time: Int64
    ) throws(VisionError) -> Track? {
        let box = picture.pixels(place)
        guard let pixels = PixelBox(box, in: picture.luma), pixels.width >= 8, pixels.height >= 8 else { return nil }
        var track = Track(thing: box, follower: try ObjectFollower(picture.luma, box: pixels), isOffered: isOffered, at: time)
        track.identity.objectID = identities.object()
        track.appearance = try Appearance(of: box, in: picture)
        track.disparity = depth.median(box.scaled(0.5))
        return track
    }
}
