import Foundation
import Pipeline

extension SceneTracker {
    /// Pictures of the last frames of a shot, through which a face that is confirmed late is followed back.
    struct Past {
        /// One frame: what it showed, and who was reported in it.
        struct Moment {
            let time: Int64
            let picture: ReducedPicture
            /// Heads in sight, with their object IDs, and whether a detector saw them there.
            let reported: [(objectID: Int, box: CGRect, isSeen: Bool)]
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
}
