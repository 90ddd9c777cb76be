import Foundation
import Pipeline

/// Focus puller: decides, frame by frame, the subject in focus and the path of focus to it.
///
/// A plain value without a clock: detections, the user's requests and the time go in, a state and the decisions taken come out. The same calls give
/// the same answers, bit for bit. It reads no pixels and draws none.
///
///     var engine = FocusEngine()
///     let step = engine.step(at: 0, detections: [maya], requests: [], ambientDisparity: 0.4)
///     step.state.subject          // maya's object ID, weakly in focus
///     step.decisions.first?.why   // .entered
///
/// | holds | moves on by itself | ends |
/// |---|---|---|
/// | nothing | to whatever appears | |
/// | weak | by prominence, after `weakHold` when the user chose; when the subject looks away | when the subject is gone |
/// | strong | only within the subject's group | when the subject is gone |
/// | fixed, weak | by prominence, after `weakHold` | |
/// | fixed, strong | never | |
///
/// `FocusTuning` has every number, `SubjectList` the tracks and subjects, `SubjectList+Prominence` their prominence, `DisparityTracker` their
/// disparity, `FocusRing` the racks. `LookAhead` moves the racks of a recorded run to where they belong when the future is known.
public struct FocusEngine: Sendable {
    let tuning: FocusTuning
    var subjects: SubjectList
    var hold = Hold.nothing
    var ring: FocusRing
    /// Time of the last automatic switch, ns; nil before the first.
    var lastSwitch: Int64?
    var decisions: [FocusDecision] = []
    var withholding: Withholding?
    private(set) var isFirstStep = true
    /// Whether the first step is the first frame of a shot of footage.
    private let opensShot: Bool
    /// End of the shot's opening, ns; nil outside a shot, before its first frame, and from the user's first request on.
    private var openingEnd: Int64?
    private var time: Int64 = 0
    private var ambient = DisparityTracker()
    /// Disparity at which focus rests without any measurement, 1/m.
    private var rest: Double

    /// Object in focus; `pinned` is the one the user asked for, which represents its group while it is present.
    struct Target: Equatable {
        var objectID: Int
        var pinned: Int?
    }

    struct Plane: Equatable {
        var objectID: Int
        var point: CGPoint
        var disparity: Double
    }

    /// Protection of a user's weak choice: its end (ns); `evenAway` when the subject already looked away as it was chosen.
    struct Protection: Equatable {
        var until = Int64.min
        var evenAway = false
    }

    enum Hold: Equatable {
        case nothing
        case weak(Target, Protection)
        case strong(Target)
        case fixed(Plane, FocusMode, Protection)

        var target: Target? {
            switch self {
            case .weak(let target, _), .strong(let target): target
            case .nothing, .fixed: nil
            }
        }

        var mode: FocusMode {
            switch self {
            case .nothing: .none
            case .weak: .weak
            case .strong: .strong
            case .fixed(_, let mode, _): mode
            }
        }
    }

    /// Creates an engine that rests at `tuning.restDisparity`; one that `opensShot` of footage has no racks in `tuning.opening`.
    public init(tuning: FocusTuning = FocusTuning(), opensShot: Bool = false) {
        self.tuning = tuning
        self.opensShot = opensShot
        subjects = SubjectList(isFootage: opensShot)
        rest = tuning.restDisparity
        ring = FocusRing(position: tuning.restDisparity)
    }

    /// Decides one frame. `time` (ns) increases from call to call; `ambientDisparity` (1/m) is the nearest surface about the middle, nil if unknown.
    public mutating func step(
        at time: Int64, detections: [Detection], requests: [FocusRequest], ambientDisparity: Double?
    ) -> FocusStep {
        let elapsed = isFirstStep ? 0 : max(0, seconds(time - self.time))
        self.time = time
        if opensShot, isFirstStep { openingEnd = time + tuning.opening }
        if !requests.isEmpty { openingEnd = nil }
        if !decisions.isEmpty { decisions = [] }
        subjects.observe(detections, at: time, elapsed: elapsed, tuning)
        ambient.step(ambientDisparity, elapsed: elapsed, tuning)
        ring.follow(aim, at: time, elapsed: elapsed, tuning)

        let refused = requests.isEmpty ? [] : requests.filter { !apply($0, at: time) }
        keepTarget(at: time)
        chooseAutomatically(at: time)
        if isFirstStep || isOpening { ring.snap(to: aim) }

        isFirstStep = false
        let withheld = noteWithheld(at: time)
        subjects.prune(at: time, tuning)
        return FocusStep(state: state, decisions: decisions, withheld: withheld, fixedObject: fixedObject, refused: refused)
    }

    /// Whether the current frame is in the opening of a shot.
    var isOpening: Bool { openingEnd.map { time < $0 } ?? false }

    /// Aim of the current hold.
    private var aim: Aim {
        switch hold {
        case .fixed(let plane, _, _): Aim(position: plane.disparity)
        case .nothing: Aim(ambient) ?? Aim(position: rest)
        case .weak(let target, _), .strong(let target):
            subjects.track(ofObject: target.objectID).flatMap { Aim(subjects.tracks[$0].disparity) } ?? Aim(ambient) ?? Aim(position: rest)
        }
    }

    /// Puts a decision into effect: takes the hold, starts a rack when the target changes, and records it.
    mutating func decide(_ next: Hold, why: FocusDecision.Why, isUser: Bool, at time: Int64, _ course: RackCourse? = nil) {
        let before = (hold.target?.objectID, plane)
        hold = next
        if case .nothing = next { rest = ring.position }
        let isNew = before != (hold.target?.objectID, plane)
        if let course {
            let ease = course.ease ?? tuning.rackEase
            if isNew || ring.rack != nil { ring.move(to: aim, at: time, landing: landing(of: course, on: aim), ease, tuning) }
        } else if isNew {
            ring.move(to: aim, at: time, tuning)
        }
        decisions.append(
            FocusDecision(
                time: time, subject: plane?.objectID ?? hold.target?.objectID, mode: hold.mode, isUserDecision: isUser, isFixed: plane != nil,
                why: why, disparity: aim.position, course: course))
    }

    /// Time at which an ordered rack ends on an aim, ns.
    private func landing(of course: RackCourse, on aim: Aim) -> Int64 {
        course.end(automatic: FocusRing.duration(of: abs(aim.position - ring.position), tuning))
    }

    private var plane: Plane? {
        if case .fixed(let plane, _, _) = hold { plane } else { nil }
    }

    private var state: FocusState {
        FocusState(
            focusDisparity: max(0, ring.position), subject: plane?.objectID ?? hold.target?.objectID, mode: hold.mode, fixedPoint: plane?.point,
            rack: ring.rack)
    }

    private var fixedObject: Detection? {
        guard let plane else { return nil }
        return .fixedFocus(objectID: plane.objectID, at: plane.point, disparity: plane.disparity, tuning)
    }
}

extension Detection {
    /// Salient object that stands for a fixed focus at a point.
    static func fixedFocus(objectID: Int, at point: CGPoint, disparity: Double, _ tuning: FocusTuning) -> Detection {
        let (width, height) = (tuning.fixedWidth, tuning.fixedHeight)
        let bounds = CGRect(x: point.x - width / 2, y: point.y - height / 2, width: width, height: height)
        return Detection(objectID: objectID, kind: .salientObject, bounds: bounds, disparity: disparity)
    }
}

/// Result of one frame's step.
public struct FocusStep: Sendable, Equatable {
    /// Focus state of the frame.
    public var state: FocusState
    /// Decisions taken in this frame, in order; empty in most frames.
    public var decisions: [FocusDecision]
    /// Withheld decisions whose reason begins to hold in this frame.
    public var withheld: [WithheldDecision]
    /// Salient object that stands for a fixed focus; nil while focus is not fixed.
    public var fixedObject: Detection?
    /// Refused requests: the object is not present, or the disparity is not a number ≥ 0.
    public var refused: [FocusRequest]
}

extension Aim {
    fileprivate init?(_ tracker: DisparityTracker) {
        guard tracker.hasMeasured else { return nil }
        self.init(position: tracker.position, speed: tracker.speed, jumped: tracker.jumped)
    }
}
