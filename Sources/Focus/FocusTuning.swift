/// Every number of the focus engine, by name. Times in nanoseconds, disparities in 1/m, angles in degrees, light in lux.
///
/// A scenario's `tuning:` sets them by name: see `set(_:to:)` and `names`.
public struct FocusTuning: Sendable, Equatable {
    // MARK: Touch

    /// A finger down this long is a long press.
    public var longPress: Int64 = 300_000_000

    // MARK: Looking away

    /// A face turned further than this, in degrees, looks away.
    public var faceAwayYaw = 50.0
    /// A face that looked away looks back below this, in degrees, ≤ `faceAwayYaw`.
    public var faceBackYaw = 40.0
    /// How long a face must look away before focus may leave it.
    public var faceAway: Int64 = 500_000_000
    /// How long a face must look back before it counts as facing.
    public var faceBack: Int64 = 200_000_000

    // MARK: Prominence, a weighted sum of terms of 0…1

    /// Apparent size against `fullSize`.
    public var weightSize = 0.30
    /// Closeness to the camera against `fullNearness`.
    public var weightNearness = 0.30
    /// What it is: face 1, head 0.9, body 0.8, pet 0.45, anything else 0.3.
    public var weightKind = 0.20
    /// Looking into the camera 1, away 0, unknown 0.5 (a pet 0.9).
    public var weightFacing = 0.10
    /// 1 in the middle of the picture, 0 in its corners.
    public var weightCentrality = 0.10
    /// The detector's confidence.
    public var weightConfidence = 0.05
    /// 1 when new or just facing back, falling to 0 over `recency`.
    public var weightRecency = 0.04
    /// Movement across the picture against `fullSpeed`.
    public var weightMotion = 0.04
    /// Side of a square, as a fraction of the picture, that counts as full size.
    public var fullSize = 0.40
    /// A person's head and body count as this much of their side, so that neither weighs more than the face would: a head reaches around it, and
    /// a body, of which the picture mostly cuts a part, is four to six faces large.
    public var headSize = 0.7
    public var bodySize = 0.2
    /// A pet's head counts as this much of its side, so that it weighs no less than the body behind it.
    public var petHeadSize = 2.0
    /// The disparity that counts as fully near.
    public var fullNearness = 1.25
    /// The speed that counts as full, picture widths per second.
    public var fullSpeed = 0.5
    /// Time constant of the filter of an object's speed across the picture.
    public var motionSmoothing: Int64 = 150_000_000
    /// A newcomer that came in at a side of the picture counts as where it will be after this long.
    public var anticipation: Int64 = 400_000_000
    /// How long arriving adds prominence.
    public var recency: Int64 = 1_500_000_000
    /// The prominence of a subject that looks away is multiplied by this, 0…1.
    public var awayFactor = 0.5
    /// The prominence of a fixed plane, against which subjects compete once a weak one's protection is over.
    public var fixedProminence = 0.60

    // MARK: Automatic choice

    /// A subject takes focus when its prominence is this many times that of the one in focus…
    public var hysteresis = 1.25
    /// …or this many times, while it is new…
    public var enterRatio = 1.08
    /// …or this many times, when focus left it because it looked away, and it looks back…
    public var backRatio = 1.05
    /// …or this many times, when the one in focus looks away.
    public var awayRatio = 1.0
    /// …and a pet at least this many times that of a person who does not look away, whose face is small beside its body.
    public var petRatio = 1.3
    /// How long a subject counts as new.
    public var newcomer: Int64 = 4_000_000_000
    /// How long a subject must stay ahead before focus goes to it; also the least time between any two automatic switches.
    public var dwell: Int64 = 500_000_000
    /// Least time between two automatic switches while the subject in focus is still there.
    public var switchInterval: Int64 = 1_000_000_000
    /// How long a subject must be seen before it may be chosen (except in the very first frame).
    public var confirm: Int64 = 100_000_000
    /// How long a user's weak choice is protected from automatic switches.
    public var weakHold: Int64 = 1_500_000_000

    // MARK: Presence

    /// An object missing no longer than this counts as there.
    public var coast: Int64 = 250_000_000
    /// A weakly focused subject missing this long is gone.
    public var weakLost: Int64 = 400_000_000
    /// A strongly focused subject missing this long is gone.
    public var strongLost: Int64 = 800_000_000
    /// A subject that vanishes this close to the picture's edge (fraction of the picture) has left; elsewhere it was lost.
    public var edge = 0.02

    // MARK: Racks, in disparity

    /// Length of every rack; nil chooses by distance between `rackShortest` and `rackLongest`.
    public var rack: Int64?
    public var rackShortest: Int64 = 300_000_000
    public var rackLongest: Int64 = 1_000_000_000
    /// Seconds a rack takes longer for each 1/m of distance.
    public var rackPerDisparity = 0.5
    /// The least time focus takes to brake when it is sent elsewhere at speed; bounds overshoot to 0.2 · speed · this.
    public var brake: Int64 = 150_000_000

    // MARK: Tracking focus

    /// Time constant of the disparity filter for a subject at rest.
    public var stillSmoothing: Int64 = 240_000_000
    /// Time constant of the disparity filter for a subject that moves.
    public var movingSmoothing: Int64 = 100_000_000
    /// Departure from the prediction (1/m) at which the filter begins to believe in movement; fully at twice that.
    public var movingDeparture = 0.024
    /// Speed (1/m per second) at which the filter begins to believe in movement; fully at three times that.
    public var movingSpeed = 0.06
    /// A measurement further than this from the prediction (1/m) is an outlier…
    public var outlier = 0.25
    /// …until it has been confirmed this long; then focus racks there.
    public var outlierConfirm: Int64 = 70_000_000
    /// The disparity focused on before anything was ever measured.
    public var restDisparity = 0.5

    // MARK: The object that stands for a fixed focus

    /// Width and height, fractions of the picture (a square at 16:9).
    public var fixedWidth = 0.06
    public var fixedHeight = 0.1067

    // MARK: Light

    /// Below this much light (lux), for `lowLightEnterHold`, there is not enough of it.
    public var lowLightEnter = 20.0
    /// Above this much light (lux), for `lowLightLeaveHold`, there is enough again; ≥ `lowLightEnter`.
    public var lowLightLeave = 40.0
    public var lowLightEnterHold: Int64 = 500_000_000
    public var lowLightLeaveHold: Int64 = 1_000_000_000

    public init() {}
}
