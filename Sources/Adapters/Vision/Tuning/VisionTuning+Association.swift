extension VisionTuning {
    /// Gates and costs of the assignment of detections to heads. Distances in widths of the track's box, overlaps as intersection over union, 0…1.
    public struct Association: Sendable, Equatable {
        /// Largest distance of a detection from a candidate or a track that was seen: a head moves less between two frames.
        public var seenReach = 0.6
        /// The same from a coasting track, which flow may have carried off, box widths.
        public var coastingReach = 0.9
        /// The same from a hidden track, which moves unseen, box widths.
        public var hiddenReach = 1.5
        /// Largest ratio of the widths of a detection and a track, either way.
        public var growth = 1.6
        /// Largest ratio for a hidden track, of which the colours must agree as well.
        public var hiddenGrowth = 1.5
        /// Largest ratio of the widths of a new face and of an unseen head that it is in, either way.
        public var refoundGrowth = 2.2
        /// Share of the smaller of their bodies within the other from which on they are one person, too.
        public var refoundBody = 0.6
        /// Speed of an unseen head without depth, box widths a second, and the farthest it gets, by which a new face of the same colours is that person.
        public var refoundSpeed = 2.0
        /// Largest distance of such a face, box widths.
        public var refoundReach = 4.0
        /// Overlap from which on a detection belongs to a track that is there already, and begins none.
        public var explainedOverlap = 0.15
        /// Largest width, as a factor of the face's, of a pattern on a chest that passes for a face.
        public var chestWidth = 1.1
        /// Overlap of two detections of one kind in one frame that are one head.
        public var duplicateHit = 0.3
        /// Overlap of two tracks of one kind that are one head, and of a face and a cat's head.
        public var duplicateTrack = 0.45
        /// Overlap of a face and a cat's head that are one.
        public var duplicateOtherKind = 0.3

        /// Creates the default gates.
        public init() {}
    }
}
