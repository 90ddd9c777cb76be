/// Numbers of the tracker: evidence and times of every kind of track here, thresholds of its steps in groups of their own. Times in nanoseconds of
/// presentation time.
///
/// A program sets them by `VisionDetector(tuning:)`; the tool uses the defaults, which were chosen on the footage and scenes of the tests.
public struct VisionTuning: Sendable, Equatable {
    /// Frames that must agree before a frontal face gets its ID.
    public var frontalEvidence = 3
    /// Frames that must agree before a profile gets its ID.
    public var profileEvidence = 5
    /// Frames that must agree before a cat's head gets its ID.
    public var catEvidence = 4
    /// Raw windows that must agree in each of those frames, on average.
    public var support = 3.7
    /// Raw windows in one frame that count for two frames.
    public var plainSupport = 15
    /// Sum of evidence, two points for each sighting, from which on a network's unsure face is believed.
    public var networkEvidence = 6
    /// Time that a face waits for the object network to see its body before one is derived from the face, nanoseconds.
    public var bodyPatience: Int64 = 1_000_000_000
    /// Frames that must agree, plainly, where a face does not stand out from its surroundings in depth.
    public var flatEvidence = 12
    /// Time for which a face is still reported after its detectors fell silent, nanoseconds.
    public var faceHold: Int64 = 200_000_000
    /// The same for a cat's head, whose cascade blinks more often, nanoseconds.
    public var catHold: Int64 = 500_000_000
    /// Time for which a cat's head is followed by appearance and depth alone, nanoseconds.
    public var catMemory: Int64 = 3_000_000_000
    /// Frames in which a face was seen before its body goes on without it.
    public var hitsForBody = 6
    /// Time for which something else may be at a track's place before the track counts as hidden, nanoseconds.
    public var doubt: Int64 = 250_000_000
    /// Time for which a track hidden behind something inside the picture is remembered by its colours, nanoseconds.
    public var memory: Int64 = 4_000_000_000
    /// Interval of the object network's searches, nanoseconds.
    public var objectInterval: Int64 = 120_000_000
    /// Time for which flow carries a body that the object network misses, nanoseconds.
    public var bodyHold: Int64 = 600_000_000
    /// Time for which a track is remembered whose place is in plain sight, nanoseconds.
    public var occlusion: Int64 = 1_000_000_000
    /// Time for which a tapped object may be unlike itself, nanoseconds.
    public var thingMemory: Int64 = 500_000_000
    /// 0…1: how alike colours must be when a hidden face comes back.
    public var colourLikeness = 0.75
    /// Assignment of detections to heads.
    public var association = Association()
    /// Motion of heads and things between detections.
    public var following = Following()
    /// Presence of what no detector sees.
    public var presence = Presence()
    /// Bodies of an object network.
    public var bodies = Bodies()
    /// Faces and the bodies they belong to.
    public var grouping = Grouping()

    /// Creates the default tuning.
    public init() {}
}
