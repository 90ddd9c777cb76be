import Pipeline

/// Aim of focus in one frame: a disparity (1/m), its speed (1/m per second), and whether it jumped since the frame before.
struct Aim: Equatable {
    var position: Double
    var speed = 0.0
    var jumped = false

    /// The aim some seconds before, at the same speed.
    func earlier(by elapsed: Double) -> Aim { Aim(position: position - speed * elapsed, speed: speed) }
}

/// Focus ring of the lens: its position and its path to the aim.
///
/// A rack is a cross-fade from where focus was to where the aim is now: `w · aim + (1 - w) · origin`, `w` the quintic from 0 to 1 whose first
/// and second derivatives vanish at both ends. `origin` starts with the position and the speed focus had and brakes to a stand. So position and
/// speed are continuous, focus arrives on a subject that walks meanwhile, and it is never outside `origin…aim`, however the aim speeds up, brakes
/// or is estimated anew on the way. Only where it comes at speed and the aim comes to meet it does it pass the aim; then it brakes in `brake`.
///
/// `w` is `rackEase` of the tuning, or the curve of the order. An ordered rack lands when it was ordered to, also where its aim jumps on the way.
/// However long it takes, `origin` brakes as that of an automatic rack does.
struct FocusRing: Sendable {
    /// 1/m.
    private(set) var position: Double
    /// 1/m per second: what focus does, which is not what a filter takes its subject's speed for.
    private(set) var speed = 0.0
    private(set) var rack: Rack?
    /// Aim of the step before, 1/m.
    private var aimPosition: Double
    /// Position and speed when the rack began.
    private var (origin, originSpeed) = (0.0, 0.0)
    /// The speed of an aim that is known to keep it, 1/m per second; `origin` keeps it, too. Nil for any other aim.
    private var knownSpeed: Double?
    /// Curve of the rack.
    private var ease = Ease.smooth
    /// Time in which `origin` comes to a stand, seconds.
    private var braking = 0.0
    /// Whether the rack's end was ordered.
    private var isOrdered = false

    init(position: Double) {
        self.position = position
        aimPosition = position
    }

    /// Stands at once where the aim is.
    mutating func snap(to aim: Aim) {
        position = aim.position
        speed = aim.speed
        rack = nil
        knownSpeed = nil
        aimPosition = aim.position
    }

    /// Starts on its way to a new aim.
    mutating func move(to aim: Aim, at time: Int64, _ tuning: FocusTuning) {
        let duration = duration(to: aim, tuning)
        start(at: time, lasting: duration, braking: duration, to: aim.position, tuning.rackEase)
        aimPosition = aim.position
    }

    /// Starts on its way to a new aim, where it is to be at `end` (ns); stands there at once where that is over.
    mutating func move(to aim: Aim, at time: Int64, landing end: Int64, _ ease: Ease, _ tuning: FocusTuning) {
        start(at: time, lasting: end - time, braking: duration(to: aim, tuning), to: aim.position, ease)
        if end <= time { (position, speed) = (aim.position, aim.speed) }
        isOrdered = true
        aimPosition = aim.position
    }

    /// Starts on its way to an aim whose speed is constant and known, which is at `end` after `duration` nanoseconds.
    mutating func move(along aim: Aim, to end: Double, at time: Int64, lasting duration: Int64, _ ease: Ease, _ tuning: FocusTuning) {
        start(at: time, lasting: duration, braking: self.duration(to: aim, tuning), to: end, ease)
        knownSpeed = aim.speed
    }

    private mutating func start(at time: Int64, lasting duration: Int64, braking: Int64, to end: Double, _ ease: Ease) {
        self.ease = ease
        self.braking = seconds(max(1, min(braking, duration)))
        isOrdered = false
        origin = position
        originSpeed = speed
        knownSpeed = nil
        rack = Rack(start: time, duration: max(1, duration), from: position, to: end)
    }

    /// Duration of a rack over a distance (1/m), nanoseconds.
    static func duration(of distance: Double, _ tuning: FocusTuning) -> Int64 {
        Int64(rackLength(of: distance, tuning) * 1_000_000_000)
    }

    private static func rackLength(of distance: Double, _ tuning: FocusTuning) -> Double {
        let byDistance = seconds(tuning.rackShortest) + tuning.rackPerDisparity * distance
        return tuning.rack.map(seconds) ?? min(max(byDistance, seconds(tuning.rackShortest)), seconds(tuning.rackLongest))
    }

    /// Moves on to `time`, `elapsed` seconds after the last call.
    mutating func follow(_ aim: Aim, at time: Int64, elapsed: Double, _ tuning: FocusTuning) {
        if aim.jumped {
            position += speed * elapsed
            guard isOrdered, let rack, time < rack.start + rack.duration else { return move(to: aim, at: time, tuning) }
            return move(to: aim, at: time, landing: rack.start + rack.duration, ease, tuning)
        }
        let aimSpeed = knownSpeed ?? (elapsed > 0 ? (aim.position - aimPosition) / elapsed : 0)
        aimPosition = aim.position
        guard let rack, time < rack.start + rack.duration else { return snap(to: Aim(position: aim.position, speed: aimSpeed)) }
        let (t, drift) = (seconds(time - rack.start), knownSpeed ?? 0)
        let offset = origin + drift * t - aim.position
        let (error, errorSpeed, weight) = glide(offset, originSpeed - drift, at: t, of: seconds(rack.duration))
        position = aim.position + error
        speed = aimSpeed + errorSpeed + weight * (drift - aimSpeed)
        let hasPassed = offset * error < 0
        if hasPassed, knownSpeed == nil, !isOrdered, rack.duration > tuning.brake {
            start(at: time, lasting: tuning.brake, braking: tuning.brake, to: aim.position, tuning.rackEase)
        }
    }

    /// Remainder of an offset and of a speed `t` seconds into `length`, its rate of change, and the remainder of an offset of 1.
    ///
    /// The offset follows the curve. The speed leaves braking · speed · b (1 + 3 b) (1-b)³, the share that it has in a quintic of the length `braking`.
    private func glide(_ offset: Double, _ speed: Double, at t: Double, of length: Double) -> (Double, Double, weight: Double) {
        let (s, b) = (t / length, min(t / braking, 1))
        let (left, rest) = (1 - ease(s), 1 - b)
        let error = offset * left + braking * speed * b * (1 + 3 * b) * rest * rest * rest
        return (error, speed * rest * rest * (1 + 5 * b) * (1 - 3 * b) - offset * ease.slope(s) / length, left)
    }

    /// By distance; shorter when focus already races towards the aim and would run past it.
    private func duration(to aim: Aim, _ tuning: FocusTuning) -> Int64 {
        let (offset, offsetSpeed) = (position - aim.position, speed - aim.speed)
        var length = Self.rackLength(of: abs(offset), tuning)
        if offset * offsetSpeed < 0 { length = min(length, max(2 * abs(offset / offsetSpeed), seconds(tuning.brake))) }
        return max(1, Int64(length * 1_000_000_000))
    }
}
