import CoreMedia
import Foundation
import Pipeline

extension SceneTracker {
    /// Starts to follow what the object network knows at a point, else what stands out around it; nil when nothing does.
    mutating func addObject(at point: CGPoint, frame: Frame, disparity: DisparityMap) throws(VisionError) -> Detection? {
        let picture = try ReducedPicture(frame.image)
        // The network serves one at a time.
        if bodies != nil { settle() }
        var found = try searcher.thing(at: point, in: picture)
        if found == nil { found = try SalientFinder(picture: picture, disparity: disparity).object(at: point) }
        guard let found else { return nil }
        let depth = DepthProbe(disparity, picture: picture)
        guard var track = try thing(found.box, picture: picture, depth: depth, time: frame.presentationTime.nanoseconds) else { return nil }
        track.confidence = found.confidence
        tracks.append(track)
        return Detection(
            objectID: track.objectID, kind: .salientObject, bounds: found.box, confidence: found.confidence, disparity: track.disparity)
    }

    /// Offers what moves in depth and is nobody that is known; what turns out to be somebody is offered no longer.
    mutating func offerWhatMoves(_ picture: ReducedPicture, depth: DepthProbe, time: Int64) throws(VisionError) {
        // An object network knows what moves.
        guard bodies == nil else { return }
        let known = tracks.map { track in
            switch track.kind {
            case .thing: picture.normalized(track.box)
            case .cat: picture.normalized(track.pet.box(head: track.box) ?? track.box.scaled(3))
            case .person: picture.normalized(track.body.box(face: track.box, in: picture).union(track.box))
            }
        }
        func isExplained(_ box: CGRect, by other: CGRect) -> Bool {
            other.intersection(box).area > 0.25 * min(box.area, other.area) || box.contains(other.center)
        }
        for index in tracks.indices where tracks[index].isOffered {
            let box = picture.normalized(tracks[index].box)
            let isSomebody = tracks.indices.contains {
                tracks[$0].kind != .thing && tracks[$0].phase != .candidate && isExplained(box, by: known[$0])
            }
            if isSomebody { tracks[index].isGone = true }
        }
        tracks.removeAll(where: \.isGone)
        let moving = movement.step(depth, time: time) { box in known.contains { isExplained(box, by: $0) } }
        guard let moving, tracks.count(where: \.isOffered) < Self.mostOffered else { return }
        guard var track = try thing(moving, picture: picture, depth: depth, time: time) else { return }
        track.isOffered = true
        tracks.append(track)
    }

    /// What is at a place (0…1), ready to be followed under its own number; nil when it is too small.
    private mutating func thing(_ place: CGRect, picture: ReducedPicture, depth: DepthProbe, time: Int64) throws(VisionError) -> Track? {
        let box = picture.pixels(place)
        guard let pixels = PixelBox(box, in: picture.luma), pixels.width >= 8, pixels.height >= 8 else { return nil }
        var track = Track(thing: box, at: time)
        track.objectID = identities.object()
        track.follower = try ObjectFollower(picture.luma, box: pixels)
        track.appearance = try Appearance(of: box, in: picture)
        track.disparity = depth.median(box.scaled(0.5))
        return track
    }
}
