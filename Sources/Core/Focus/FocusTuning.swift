import Pipeline

/// Named numbers of the focus engine. Times in nanoseconds, disparities in 1/m, angles in degrees, light in lux.
///
/// A scenario's `tuning:` sets them by name: see `set(_:to:)` and `names`.
public struct FocusTuning: Sendable, Equatable {
    // MARK: Touch

    /// Duration of a touch from which on it is a long press.
    public var longPress: Int64 = 300_000_000

    // MARK: Looking away

    /// Yaw in degrees beyond which a face looks away.
    public var faceAwayYaw = 50.0
    /// Yaw in degrees below which a face that looked away looks back, ≤ `faceAwayYaw`.
    public var faceBackYaw = 40.0
    /// Time a face must look away before focus may leave it, nanoseconds.
    public var faceAway: Int64 = 500_000_000
    /// Time a face must look back before it counts as facing, nanoseconds.
    public var faceBack: Int64 = 200_000_000

    // MARK: Prominence, a weighted sum of terms of 0…1

    /// Weight of apparent size against `fullSize`.
    public var weightSize = 0.30
    /// Weight of nearness against `fullNearness`.
    public var weightNearness = 0.30
    /// Weight of the class: face 1, head 0.9, body 0.8, pet 0.45, anything else 0.3.
    public var weightKind = 0.20
    /// Weight of facing: into the camera 1, away 0, unknown 0.5 (a pet 0.9).
    public var weightFacing = 0.10
    /// Weight of centrality: 1 in the middle of the picture, 0 in its corners.
    public var weightCentrality = 0.10
    /// Weight of the detector's confidence.
    public var weightConfidence = 0.05
    /// Weight of recency: 1 when new or just facing back, falling to 0 over `recency`.
    public var weightRecency = 0.04
    /// Weight of motion across the picture against `fullSpeed`.
    public var weightMotion = 0.04
    /// Side of a square, as a fraction of the picture, that counts as full size.
    public var fullSize = 0.40
    /// Scale of the side of a person's head, so that it weighs no more than the face it reaches around.
    public var headSize = 0.7
    /// Scale of the side of a person's body, which is mostly cut by the picture and four to six faces large, so that it weighs no more than the face.
    public var bodySize = 0.2
    /// Scale of the side of a pet's head, so that it weighs no less than the body behind it.
    public var petHeadSize = 2.0
    /// Disparity that counts as fully near, 1/m.
    public var fullNearness = 1.25
    /// Speed that counts as full, picture widths per second.
    public var fullSpeed = 0.5
    /// Time constant of the filter of an object's speed across the picture, nanoseconds.
    public var motionSmoothing: Int64 = 150_000_000
    /// Time by which the position of a newcomer from a side of the picture is extrapolated, nanoseconds.
    public var anticipation: Int64 = 400_000_000
    /// Time over which arrival adds prominence, nanoseconds.
    public var recency: Int64 = 1_500_000_000
    /// Factor of the prominence of a subject that looks away, 0…1.
    public var awayFactor = 0.5
    /// Prominence of a fixed plane, against which subjects compete once a weak one's protection is over.
    public var fixedProminence = 0.60

    // MARK: Automatic choice

    /// Hysteresis: a subject takes focus when its prominence is this many times that of the one in focus…
    public var hysteresis = 1.25
    /// …or this many times, while it is new…
    public var enterRatio = 1.08
    /// …or this many times, when focus left it because it looked away, and it looks back…
    public var backRatio = 1.05
    /// …or this many times, when the one in focus looks away.
    public var awayRatio = 1.0
    /// …and a pet at least this many times that of a person who does not look away, whose face is small beside its body.
    public var petRatio = 1.3
    /// Time for which a subject counts as new, nanoseconds.
    public var newcomer: Int64 = 4_000_000_000
    /// Time for which a subject must stay ahead before it takes focus; also the least time between any two automatic switches, nanoseconds.
    public var dwell: Int64 = 500_000_000
    /// Least time between two automatic switches while the subject in focus is still there, nanoseconds.
    public var switchInterval: Int64 = 1_000_000_000
    /// Time for which a subject must be seen before it may be chosen (except in the very first frame), nanoseconds.
    public var confirm: Int64 = 100_000_000
    /// Time for which a user's weak choice is protected from automatic switches, nanoseconds.
    public var weakHold: Int64 = 1_500_000_000

    // MARK: Shots of footage

    /// Time from the start of a shot in which focus has no racks: it stands at once on the first subject, and on a better one, nanoseconds.
    public var opening: Int64 = 500_000_000
    /// Time from the start of a shot, in nanoseconds, in which a subject that did not come from a side is led back to its first frame, the future being
    /// known.
    public var openingKnown: Int64 = 2_000_000_000
    /// Prominence from which on the first subject of a shot is taken at once, about 0…1; a lesser one waits until somebody was seen for `confirm`.
    public var openingSure = 0.80

    /// Weight of the size of the head against `fullSize`, by its square root…
    public var footageSize = 0.50
    /// Weight in footage of the class: a face seen lately 1, somebody without 0.8, a pet 0.6, a thing 0.3…
    public var footageKind = 0.15
    /// …of facing: a face 1, unknown 0.5, away 0…
    public var footageFacing = 0.15
    /// …and of centrality.
    public var footageCentrality = 0.20
    /// Share of prominence that somebody without any sharpness beside somebody sharp loses.
    public var footageSharpness = 0.60
    /// Share of prominence that somebody black beside somebody bright loses.
    public var footageBrightness = 0.40
    /// Factor of somebody who looks away.
    public var footageAway = 0.85
    /// Factor of somebody without a face whom the lower edge cuts: the row in front.
    public var footageForeground = 0.5
    /// Factor of a thing that nobody asked for.
    public var footageThing = 0.3
    /// Scale of the side of a person's body to that of the face.
    public var footageBody = 0.25
    /// Scale of the side of a pet's body to that of a person's face.
    public var footagePet = 0.4
    /// Time for which a face counts after it was seen, nanoseconds.
    public var footageFaceMemory: Int64 = 1_000_000_000
    /// Time constant of the filter of sharpness and brightness, nanoseconds.
    public var footageSmoothing: Int64 = 400_000_000
    /// Time for which a subject must stay ahead in footage before it takes focus, nanoseconds…
    public var footageDwell: Int64 = 800_000_000
    /// …and the least time between two automatic switches while the subject in focus is still there, nanoseconds: ten a minute are restless.
    public var footageInterval: Int64 = 6_000_000_000
    /// Time in nanoseconds after which a missing subject in weak focus is gone in footage, whose detections come without depth and are missed more
    /// often.
    public var footageLost: Int64 = 1_000_000_000

    // MARK: Presence

    /// Time for which a missing object counts as present, nanoseconds.
    public var coast: Int64 = 250_000_000
    /// Time after which a missing subject in weak focus is gone, nanoseconds.
    public var weakLost: Int64 = 400_000_000
    /// Time after which a missing subject in strong focus is gone, nanoseconds.
    public var strongLost: Int64 = 800_000_000
    /// Margin of the picture (fraction of it) in which a vanishing subject has left; elsewhere it was lost.
    public var edge = 0.02

    // MARK: Racks, in disparity

    /// Duration of every rack; nil chooses by distance between `rackShortest` and `rackLongest`.
    public var rack: Int64?
    /// Curve of every rack that is not ordered with one of its own.
    public var rackEase = Ease.smooth
    /// Least duration of a rack.
    public var rackShortest: Int64 = 300_000_000
    /// Greatest duration of a rack.
    public var rackLongest: Int64 = 1_000_000_000
    /// Seconds of rack duration added for each 1/m of distance.
    public var rackPerDisparity = 0.5
    /// Least braking time when focus is sent elsewhere at speed; bounds overshoot to 0.2 · speed · this, nanoseconds.
    public var brake: Int64 = 150_000_000

    // MARK: Tracking focus

    /// Time constant of the disparity filter for a subject at rest, nanoseconds.
    public var stillSmoothing: Int64 = 240_000_000
    /// Time constant of the disparity filter for a subject that moves, nanoseconds.
    public var movingSmoothing: Int64 = 100_000_000
    /// Smoothed innovation (1/m) at which the filter begins to assume movement; fully at twice that.
    public var movingDeparture = 0.024
    /// Speed (1/m per second) at which the filter begins to assume movement; fully at three times that.
    public var movingSpeed = 0.06
    /// Innovation (1/m) beyond which a measurement is an outlier…
    public var outlier = 0.25
    /// …until it has been confirmed this long; then focus racks there, nanoseconds.
    public var outlierConfirm: Int64 = 70_000_000
    /// Focus disparity before anything has been measured, 1/m.
    public var restDisparity = 0.5

    // MARK: The object that stands for a fixed focus

    /// Width of the object for a fixed focus, fraction of the picture (a square at 16:9).
    public var fixedWidth = 0.06
    /// Height of that object, fraction of the picture.
    public var fixedHeight = 0.1067

    // MARK: Light

    /// Illuminance (lux) below which, for `lowLightEnterHold`, there is not enough light.
    public var lowLightEnter = 20.0
    /// Illuminance (lux) above which, for `lowLightLeaveHold`, there is enough light again; ≥ `lowLightEnter`.
    public var lowLightLeave = 40.0
    /// Time below `lowLightEnter` before the status is reported, nanoseconds.
    public var lowLightEnterHold: Int64 = 500_000_000
    /// Time above `lowLightLeave` before the status is withdrawn, nanoseconds.
    public var lowLightLeaveHold: Int64 = 1_000_000_000

    /// Creates the default tuning.
    public init() {}
}
