import Foundation
import Pipeline

extension SceneTracker {
    /// Pictures of the last frames of a shot, through which who is confirmed late is followed back.
    struct Past {
        /// One frame: what it showed, and who was reported in it.
        struct Moment {
            let time: Int64
            let picture: ReducedPicture
            /// Object IDs of all detections.
            let objects: [Int]
            /// Heads in sight, with their object IDs, and whether a detector saw them there.
            let reported: [(objectID: Int, box: CGRect, isSeen: Bool)]
            /// Bodies in sight, with their object IDs, and whether the network saw them in this frame.
            let bodies: [(objectID: Int, box: CGRect, isSeen: Bool)]
        }

        /// Time that is kept, nanoseconds: the longest round of a search, and what a head takes to prove itself.
        static let length: Int64 = 1_800_000_000
        /// Detections of a confirmed head after which it is followed back: patterns that pass for a face seldom have as many.
        static let provenHits = 5
        /// Most frames in a row in which no detector sees the face.
        fileprivate static let mostUnseen = 5
        /// Overlap with somebody reported from which on the face was known already.
        fileprivate static let known = 0.2

        private(set) var moments: [Moment] = []

        mutating func append(_ moment: Moment) {
            moments.append(moment)
            moments.removeAll { moment.time - $0.time > Self.length }
        }
    }

    /// Detections of a head in the frames before it was confirmed, newest first: flow carries it back, and in every frame the detectors that verify a
    /// track look for it. They end before the first frame in which it is not seen, or in which somebody known is there, itself as well: where it was only
    /// carried, its detections are put right.
    func earlierDetections(
        of track: Track, in picture: ReducedPicture, through past: Past, isMeasured: Bool
    ) throws(VisionError) -> [EarlierDetections] {
        var (track, unseen, seen) = (track, 0, 0)
        if !isMeasured { track.disparity = nil }
        var found: [EarlierDetections] = []
        let flow = try Flow()
        try flow.push(picture.luma)
        for (index, moment) in past.moments.reversed().enumerated() {
            try flow.push(moment.picture.luma)
            if moment.time >= track.identity.introduced ?? 0 {
                track.box = moment.reported.first { $0.objectID == track.identity.objectID }?.box ?? track.box
                continue
            }
            let motion = try flow.motion(of: track.box.scaled(0.8))
            if motion.agreement >= tuning.following.flowAgreement { track.shift(dx: motion.dx, dy: motion.dy, growth: 1) }
            let hit = try searcher.verify(track, moment.picture, index)
            let isSeen = hit.map { $0.look.kind == track.kind && track.distance(to: $0.box, tuning.association) != nil } ?? false
            if let hit, isSeen { track.follow(hit, tuning.following) }
            unseen = isSeen ? 0 : unseen + 1
            let isKnown = moment.reported.contains {
                $0.objectID == track.identity.objectID ? $0.isSeen : $0.box.overlap(track.box) > Past.known
            }
            guard unseen <= Past.mostUnseen, !isKnown, track.visibleShare(in: moment.picture) >= tuning.presence.seenInside else { break }
            let detections = report(track, moment.picture, moment.time)
            found.append(EarlierDetections(time: moment.time, detections: PictureCues(moment.picture).added(to: detections)))
            if isSeen { seen = found.count }
        }
        return Array(found.prefix(seen))
    }

    /// Detections of a body in the frames before the network saw it, newest first: flow carries it back. They end before the first frame in which it has
    /// not its colours, is out of the picture, or somebody known is there.
    func earlierDetections(of body: BodyTrack, in picture: ReducedPicture, through past: Past) throws(VisionError) -> [EarlierDetections] {
        var (body, found) = (body, [EarlierDetections]())
        let flow = try Flow()
        try flow.push(picture.luma)
        for moment in past.moments.reversed() {
            try flow.push(moment.picture.luma)
            guard try body.follow(flow, tuning.bodies), body.box.intersection(moment.picture.luma.bounds).area > 0 else { break }
            let colours = try BodyTracker.colours(of: body.box.intersection(moment.picture.luma.bounds), in: moment.picture)
            guard body.likeness(colours) ?? 0 > tuning.bodies.nearLikeness else { break }
            guard !moment.bodies.contains(where: { $0.box.overlap(body.box) > Past.known }) else { break }
            guard let earlier = earlierDetections(of: body, in: moment) else { break }
            found.append(earlier)
        }
        return found
    }

    /// Detections of what stands out by itself in the frames before it was offered, newest first: flow carries it back. They end before the first frame
    /// in which anything was detected, its points do not move together, or half of it is out of the picture.
    func earlierDetections(ofThing thing: Detection, in picture: ReducedPicture, through past: Past) throws(VisionError) -> [EarlierDetections] {
        var (box, found) = (picture.pixels(thing.bounds), [EarlierDetections]())
        let flow = try Flow()
        try flow.push(picture.luma)
        for moment in past.moments.reversed() {
            guard moment.objects.isEmpty else { break }
            try flow.push(moment.picture.luma)
            let motion = try flow.motion(of: box.scaled(0.8))
            box = box.offsetBy(dx: motion.dx, dy: motion.dy)
            guard motion.agreement >= tuning.following.flowAgreement else { break }
            guard 2 * box.intersection(moment.picture.luma.bounds).area > box.area else { break }
            var earlier = thing
            earlier.bounds = moment.picture.normalized(box)
            found.append(EarlierDetections(time: moment.time, detections: PictureCues(moment.picture).added(to: [earlier])))
        }
        return found
    }

    /// Detections of a body in the frames between its last two sightings, through which flow alone carried it: straight from one to the other.
    func interpolatedDetections(of body: BodyTrack, seenAt time: Int64, through past: Past) -> [EarlierDetections] {
        let boxes = past.moments.map { moment in moment.bodies.first { $0.objectID == body.objectID } }
        guard let last = boxes.lastIndex(where: { $0?.isSeen == true }), let start = boxes[last]?.box else { return [] }
        let begin = past.moments[last].time
        return zip(past.moments, boxes).dropFirst(last + 1).compactMap { moment, box in
            guard box != nil else { return nil }
            var between = body
            between.box = start.interpolated(to: body.box, Double(moment.time - begin) / Double(time - begin))
            return earlierDetections(of: between, in: moment)
        }
    }

    /// A body's detections in an earlier frame, with its head where no detector saw that; nil where the body is out of the picture.
    private func earlierDetections(of body: BodyTrack, in moment: Past.Moment) -> EarlierDetections? {
        guard let whole = body.detection(in: moment.picture, tuning.bodies) else { return nil }
        let isHeadSeen = moment.reported.contains { $0.objectID == body.headID || $0.objectID == body.faceID }
        let head = isHeadSeen ? nil : body.headDetection(in: moment.picture, tuning.bodies)
        return EarlierDetections(time: moment.time, detections: PictureCues(moment.picture).added(to: [whole, head].compactMap { $0 }))
    }
}
