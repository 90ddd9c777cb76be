import Pipeline

/// What focus aims at in one frame: a disparity (1/m), its speed (1/m per second), and whether it leapt since the frame before.
struct Aim: Equatable {
    var position: Double
    var speed = 0.0
    var jumped = false
}

/// The lens's focus ring: where it stands and how it gets to its aim.
///
/// A rack adds to the aim an error that a quintic brings from where focus was, at the speed it had, to nothing, at rest; so position and
/// speed are continuous whenever the aim changes, and focus arrives on a subject that walks meanwhile.
struct FocusRing: Sendable {
    /// 1/m.
    private(set) var position: Double
    /// 1/m per second.
    private(set) var speed = 0.0
    private(set) var rack: Rack?
    private var offset = 0.0
    private var offsetSpeed = 0.0

    init(position: Double) { self.position = position }

    /// Stands at once where the aim is.
    mutating func snap(to aim: Aim) { (position, speed, rack) = (aim.position, aim.speed, nil) }

    /// Starts on its way to a new aim.
    mutating func turn(to aim: Aim, at time: Int64, _ tuning: FocusTuning) {
        (offset, offsetSpeed) = (position - aim.position, speed - aim.speed)
        rack = Rack(start: time, duration: duration(tuning), from: position, to: aim.position)
    }

    /// Starts on its way to a new aim that is known to be at `end` in `duration` nanoseconds, and to be there then.
    mutating func turn(along aim: Aim, to end: Double, at time: Int64, lasting duration: Int64) {
        (offset, offsetSpeed) = (position - aim.position, speed - aim.speed)
        rack = Rack(start: time, duration: max(1, duration), from: position, to: end)
    }

    /// How long a rack over a distance (1/m) takes, nanoseconds.
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
            return turn(to: aim, at: time, tuning)
        }
        guard let rack, time < rack.start + rack.duration else { return snap(to: aim) }
        let (error, errorSpeed) = glide(at: seconds(time - rack.start), of: seconds(rack.duration))
        (position, speed) = (aim.position + error, aim.speed + errorSpeed)
    }

    /// Error and its speed `t` seconds into `length`: (1-s)³ (c0 + c1 s + c2 s²), so that it ends without speed or acceleration.
    private func glide(at t: Double, of length: Double) -> (Double, Double) {
        let s = t / length
        let (c0, c1, c2) = (offset, 3 * offset + length * offsetSpeed, 6 * offset + 3 * length * offsetSpeed)
        let (rest, polynomial) = (1 - s, c0 + s * (c1 + s * c2))
        let slope = rest * (c1 + 2 * c2 * s) - 3 * polynomial
        return (rest * rest * rest * polynomial, rest * rest * slope / length)
    }

    /// By distance; shorter when focus already races towards the aim and would run past it.
    private func duration(_ tuning: FocusTuning) -> Int64 {
        var length = Self.rackLength(of: abs(offset), tuning)
        if offset * offsetSpeed < 0 { length = min(length, max(2 * abs(offset / offsetSpeed), seconds(tuning.brake))) }
        return max(1, Int64(length * 1_000_000_000))
    }
}
