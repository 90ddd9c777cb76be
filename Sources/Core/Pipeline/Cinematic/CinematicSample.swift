import Optics

/// Sample of a cinematic movie's timed metadata: what was seen and decided in one frame, and the lens to draw it with.
///
/// There is one a frame, with the presentation time of its picture and its disparity map. All times in it are nanoseconds of the movie. The layout of its
/// bytes is in `Sources/CINEMATIC-MOVIE.md`.
public struct CinematicSample: Sendable, Equatable {
    /// Simulated lens: focal length and f-number.
    public var lens: Lens
    /// Width in pixels of the whole sensor in the scale of the picture, by which the lens measures its circle of confusion.
    public var sensorWidth: Int
    /// Coding of the frame's disparity map.
    public var disparity: DisparityCoding
    /// Focus of the frame, racks included.
    public var focus: FocusState
    /// Disparity that focus rests on without a subject, 1/m; nil when unknown.
    public var ambientDisparity: Double?
    /// Detected objects, in the order in which an app got them.
    public var detections: [Detection]
    /// Decisions taken in this frame; most often none.
    public var decisions: [FocusDecision]
    /// Number of the shot of edited footage, from 0; nil where no cuts are looked for.
    public var shot: Int?
    /// Whether there was too little light for cinematic capture.
    public var notEnoughLight: Bool

    /// Creates a sample; detections and decisions are empty unless given.
    public init(
        lens: Lens, sensorWidth: Int, disparity: DisparityCoding, focus: FocusState, ambientDisparity: Double? = nil, detections: [Detection] = [],
        decisions: [FocusDecision] = [], shot: Int? = nil, notEnoughLight: Bool = false
    ) {
        self.lens = lens
        self.sensorWidth = sensorWidth
        self.disparity = disparity
        self.focus = focus
        self.ambientDisparity = ambientDisparity
        self.detections = detections
        self.decisions = decisions
        self.shot = shot
        self.notEnoughLight = notEnoughLight
    }

    /// Circle of confusion of the frame: its lens, focused as it was decided.
    public var circle: CircleOfConfusion {
        lens.circleOfConfusion(focusDisparity: focus.focusDisparity, pictureWidth: sensorWidth)
    }

    /// The same sample with its times moved by nanoseconds, from one clock to another.
    public func moved(by nanoseconds: Int64) -> CinematicSample {
        guard nanoseconds != 0 else { return self }
        var sample = self
        sample.focus.rack?.start += nanoseconds
        for index in sample.decisions.indices {
            sample.decisions[index].time += nanoseconds
            sample.decisions[index].course?.begin += nanoseconds
            if let landing = sample.decisions[index].course?.landing { sample.decisions[index].course?.landing = landing + nanoseconds }
        }
        return sample
    }
}

/// Part of a frame that a cinematic movie keeps beside the sharp picture: its metadata and its disparity map.
public struct CinematicFrame: Sendable {
    /// Metadata; its coding is that of `disparity`.
    public var sample: CinematicSample
    /// Disparity map of the picture.
    public var disparity: DisparityMap

    /// Creates the part of a frame.
    public init(sample: CinematicSample, disparity: DisparityMap) {
        (self.sample, self.disparity) = (sample, disparity)
    }
}
