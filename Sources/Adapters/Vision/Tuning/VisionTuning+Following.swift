extension VisionTuning {
    /// Motion of heads and things: prediction by flow, and correction by detections. Shares are 0…1 of the way, a frame.
    public struct Following: Sendable, Equatable {
        /// Least share of flow's points that move together; with fewer a box goes on at its last velocity.
        public var flowAgreement = 0.3
        /// Least share from which on their growth counts as well.
        public var growthAgreement = 0.5
        /// Largest growth or shrinking in one frame, as a factor less 1.
        public var growth = 0.04
        /// Share of a new velocity.
        public var velocityShare = 0.3
        /// Factor of the velocity in each frame without flow.
        public var velocityFading = 0.97
        /// Share of a person that may be covered where the middle of what is left still counts.
        public var coveredToCentre = 0.1
        /// Share of a person that may be covered before flow would follow what is in front.
        public var coveredToFollow = 0.25
        /// Least share of pixels of the person's depth that tell the middle of the body, and share of the way to it.
        public var centreShare = 0.1
        /// Share of the way to that middle.
        public var centring = 0.25
        /// Least share of pixels of the person's depth that tell that the person is still there.
        public var bodyShare = 0.18
        /// Share of the way to a network's face, whose place is measured.
        public var measuredPlace = 0.6
        /// Share of the way to a network's size.
        public var measuredSize = 0.4
        /// Shares of the way to a cascade's place that is near, off by more than `off`, and by more than `farOff`: jitter must not show.
        public var nearPlace = 0.15
        /// Share for a place off by more than `off`.
        public var offPlace = 0.35
        /// Share for a place off by more than `farOff`.
        public var farOffPlace = 0.7
        /// Distance as a share of the box's width.
        public var off = 0.12
        /// Distance as a share of the box's width.
        public var farOff = 0.3
        /// Share of the way to a cascade's size, one step of whose ladder is jitter.
        public var nearSize = 0.1
        /// Share for a size that is off by more than `offSize`.
        public var farSize = 0.5
        /// Difference of sizes, as a factor less 1.
        public var offSize = 0.35
        /// Share of a detection's confidence.
        public var confidenceShare = 0.2
        /// Raw windows at which a detection's confidence, from 0.5 on, reaches 1, times two.
        public var fullSupport = 40.0
        /// Step of a measured yaw that is a turn and no noise, degrees.
        public var turn = 12.0
        /// Share of the way to a measured yaw whose step is smaller.
        public var yawShare = 0.6
        /// Share of a new disparity while a head is seen, and where it jumps.
        public var disparityShare = 0.25
        /// Share of a disparity that does not agree with the one before.
        public var disparityJump = 0.5
        /// Share of a new disparity of a coasting head.
        public var coastingDisparityShare = 0.15
        /// Share of a new disparity of a thing.
        public var thingDisparityShare = 0.2

        /// Creates the default numbers.
        public init() {}
    }
}
