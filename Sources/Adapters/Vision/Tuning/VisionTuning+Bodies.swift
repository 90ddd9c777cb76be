extension VisionTuning {
    /// Bodies that an object network sees: scores 0…1, overlaps as intersection over union, shares 0…1 of the way or of an area, distances in heights.
    public struct Bodies: Sendable, Equatable {
        /// Least score, 0…1, of a box that is used at all.
        public var leastScore = 0.2
        /// Score, 0…1, from which on a box may begin a track; below it only continues one.
        public var startScore = 0.4
        /// Score, 0…1, from which on a track is confirmed at first sight.
        public var sureScore = 0.55
        /// Overlap of a cat's box and a dog's that are one animal.
        public var duplicate = 0.5
        /// Share of the smaller of two boxes of a kind within the other, from which on it is a part of it.
        public var part = 0.75
        /// Least overlap of a track and a box of a sure score.
        public var sureOverlap = 0.15
        /// Least overlap of a track and a box of an unsure score.
        public var unsureOverlap = 0.4
        /// Overlap with another body, from which on (and below `duplicate`) the colours of a box are not its own alone.
        public var crowded = 0.02
        /// Weight of unlike colours against overlap where a body is alone.
        public var colourWeight = 1.5
        /// Weight in a crowd, as a factor.
        public var crowdedColourWeight = 0.7
        /// Largest distance at which a hidden body comes out again; it grows by 1 a second.
        public var hiddenReach = 0.5
        /// Least likeness of colours, 0…1, of a body that comes out within that distance.
        public var nearLikeness = 0.7
        /// Least likeness of colours, 0…1, of a body that comes out farther away.
        public var farLikeness = 0.82
        /// Cost of the distance of a hidden body against unlike colours.
        public var distanceWeight = 0.1
        /// Height of a body that comes out again, in heights of what it was: one crouches, one comes nearer.
        public var hiddenHeights = 0.3...3.0
        /// Share of a body that another one in sight covers, from which on flow would follow that other.
        public var covered = 0.5
        /// Least share of a body inside the picture.
        public var inside = 0.3
        /// Distance from the picture's side, in picture widths, at which a body may be leaving.
        public var edge = 0.02
        /// Share of its usual width at which a body is cut off by the side.
        public var cut = 0.75
        /// Speed towards the side, pixels of the reduced picture a frame.
        public var exitSpeed = 0.3
        /// Least share of flow's points that move together.
        public var flowAgreement = 0.3
        /// Least share from which on their growth counts as well.
        public var growthAgreement = 0.5
        /// Largest growth or shrinking in one frame, as a factor less 1.
        public var growth = 0.03
        /// Share of a new velocity.
        public var velocityShare = 0.3
        /// Factor of the velocity in each frame without flow.
        public var velocityFading = 0.95
        /// The same factor while it is hidden: it stands or turns back as often as it goes on.
        public var hiddenFading = 0.85
        /// Share of the way to a box that the network sees; all of it when it is new or comes out again.
        public var boxShare = 0.6
        /// Share of a new score.
        public var scoreShare = 0.3
        /// Share of new colours.
        public var colourShare = 0.15
        /// Share of a new disparity.
        public var disparityShare = 0.25
        /// Share of a new width in the usual width.
        public var widthShare = 0.2
        /// Factor of the usual width that one box may show less.
        public var widthFading = 0.9
        /// Most that scores as a cat or as a dog add up to, a score of 0…1 for each frame.
        public var mostVotes = 5.0
        /// Share of the motion that flow missed, learned over the frames since the network saw it.
        public var slipShare = 0.25
        /// Size of a step, as a share of the box's, that is the tremble of a network's boxes.
        public var tremble = 0.04
        /// Frames for which a body goes on as it went before it is believed to slow down.
        public var slipFrames = 6
        /// Factor of the missed motion in each frame after those.
        public var slipFading = 0.9
        /// Least share of a body inside the picture that is reported.
        public var reportedShare = 0.1
        /// The same share of its head.
        public var reportedHeadShare = 0.3
        /// Factor of the confidence of a head that only its body tells.
        public var headConfidence = 0.7

        /// Creates the default numbers.
        public init() {}
    }

    /// Faces and the bodies they belong to: places in box sizes of the body, 0…1 from its top left corner.
    public struct Grouping: Sendable, Equatable {
        /// Highest place of a face's middle, as a share of the body's height from its top; negative is above the box.
        public var highest = -0.1
        /// Lowest place of a face's middle, of somebody who bends down, the same share.
        public var lowest = 0.6
        /// Largest width of a face, as a share of the body's.
        public var widest = 1.05
        /// Place above which the height of a face costs nothing, as a share of the body's height.
        public var freeTop = 0.1
        /// Cost of a face that is not known as this body's, in units of a distance of one body width.
        public var strangerCost = 0.5
        /// Place of the middle of a face on a body that stands, as a share of the body's height.
        public var faceTop = 0.12
        /// Largest distance, in body heights, of a new face from a hidden body that may be its own.
        public var hiddenReach = 0.8
        /// Least likeness of the colours of the two, 0…1.
        public var hiddenLikeness = 0.7
        /// Overlap of a new face's head with the head of a body whose face went unseen, from which on it is that face.
        public var headOverlap = 0.2

        /// Creates the default numbers.
        public init() {}
    }
}
