extension VisionTuning {
    /// Thresholds by which a track that no detector sees counts as present. Shares and scores 0…1.
    public struct Presence: Sendable, Equatable {
        /// Least share of a seen head, or of a thing, inside the picture.
        public var seenInside = 0.3
        /// The same share of a head that no detector sees.
        public var unseenInside = 0.35
        /// Share of a coasting person that something nearer covers when the person is hidden.
        public var covered = 0.6
        /// Share of a hidden person that may still be covered when the person is found again.
        public var foundCovered = 0.3
        /// Correlation of the patch, -1…1, from which on a coasting head is where the patch says.
        public var steadyScore = 0.5
        /// The same correlation where flow agrees, and depth tells nothing.
        public var flowScore = 0.3
        /// Least share of flow's points that hold a head whose patch changes: a body that turns looks different.
        public var flowAgreement = 0.5
        /// Correlation at which a hidden head is found again.
        public var foundScore = 0.6
        /// Correlation, -1…1, at which a thing is like itself.
        public var thingScore = 0.4
        /// Share of the way to the place of the patch: it keeps what flow's small errors would carry away.
        public var patchShare = 0.25
        /// Frames from one update of a patch to the next.
        public var learningInterval = 3
        /// Share of the new look in an update while a detector sees the head.
        public var seenLearning = 0.2
        /// The same share while the patch alone says so, which must not learn what is in front.
        public var steadyLearning = 0.1
        /// The same share while flow carries a head that turns.
        public var turningLearning = 0.3
        /// The same share of a thing.
        public var thingLearning = 0.1

        /// Creates the default thresholds.
        public init() {}
    }
}
