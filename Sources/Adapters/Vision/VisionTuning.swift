/// Every number of the detector that a user may want to change. Times in nanoseconds of presentation time.
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
    /// What must have come together (two a look) before a network's unsure face is believed.
    public var networkEvidence = 6
    /// How long a face waits for the object network to see its body before one is drawn under it.
    public var bodyPatience: Int64 = 1_000_000_000
    /// Frames that must agree, plainly, where a face does not stand out from its surroundings in depth.
    public var flatEvidence = 12
    /// How long a face is still reported after its cascades fell silent.
    public var faceHold: Int64 = 200_000_000
    /// The same for a cat's head, whose cascade blinks more often.
    public var catHold: Int64 = 500_000_000
    /// How long a cat's head is followed by its looks and depth alone.
    public var catMemory: Int64 = 3_000_000_000
    /// Frames in which a face was seen before its body goes on without it.
    public var hitsForBody = 6
    /// How long something else may be at a track's place before the track counts as hidden.
    public var doubt: Int64 = 250_000_000
    /// How long what is hidden behind something inside the picture is remembered by its colours.
    public var memory: Int64 = 4_000_000_000
    /// How often the object network looks.
    public var objectInterval: Int64 = 120_000_000
    /// How long a body that the object network misses is carried by flow.
    public var bodyHold: Int64 = 600_000_000
    /// How long a track is remembered whose place is in plain sight.
    public var occlusion: Int64 = 1_000_000_000
    /// How long a tapped object may be unlike itself.
    public var thingMemory: Int64 = 500_000_000
    /// 0…1: how alike colours must be when a hidden face comes back.
    public var colourLikeness = 0.75

    /// Creates the default tuning.
    public init() {}
}
