/// Filter of one measured disparity: still when the subject is still, quick when it moves.
///
/// A g-h filter (position and speed) with critical damping, whose time constant shrinks when speed or the smoothed innovation says that the subject
/// moves. An outlier counts only once it has been confirmed; the filter then jumps.
struct DisparityTracker: Sendable {
    /// Disparity, 1/m.
    private(set) var position = 0.0
    /// Speed, 1/m per second.
    private(set) var speed = 0.0
    /// Whether an outlier was accepted in this step.
    private(set) var jumped = false
    private(set) var hasMeasured = false
    private var departure = 0.0
    private var outlier: (value: Double, seconds: Double)?

    /// Advances the filter by `elapsed` seconds; nil is a missed measurement.
    mutating func step(_ measurement: Double?, elapsed: Double, _ tuning: FocusTuning) {
        jumped = false
        guard let measurement, measurement.isFinite else { return coast(elapsed) }
        guard hasMeasured else {
            hasMeasured = true
            return reset(to: measurement)
        }
        guard elapsed > 0 else { return }
        let innovation = measurement - (position + speed * elapsed)
        guard abs(innovation) <= tuning.outlier else { return doubt(measurement, elapsed, tuning) }
        outlier = nil
        correct(by: innovation, elapsed, tuning)
    }

    private mutating func correct(by innovation: Double, _ elapsed: Double, _ tuning: FocusTuning) {
        departure += (innovation - departure) * elapsed / (elapsed + 0.1)
        let moving = max(
            smoothstep(abs(departure) / tuning.movingDeparture - 1), smoothstep((abs(speed) / tuning.movingSpeed - 1) / 2))
        let (still, quick) = (seconds(tuning.stillSmoothing), seconds(tuning.movingSmoothing))
        let constant = still + (quick - still) * moving
        let memory = constant / (constant + elapsed)
        position = max(0, position + speed * elapsed + (1 - memory * memory) * innovation)
        speed += (1 - memory) * (1 - memory) / elapsed * innovation
    }

    /// Extrapolates with decaying speed.
    private mutating func coast(_ elapsed: Double) {
        speed *= 0.1 / (0.1 + elapsed)
        position = max(0, position + speed * elapsed)
    }

    private mutating func doubt(_ measurement: Double, _ elapsed: Double, _ tuning: FocusTuning) {
        let earlier = outlier.flatMap { abs($0.value - measurement) <= tuning.outlier ? $0.seconds : nil } ?? 0
        outlier = (measurement, earlier + elapsed)
        guard earlier + elapsed >= seconds(tuning.outlierConfirm) else { return coast(elapsed) }
        reset(to: measurement)
        jumped = true
    }

    private mutating func reset(to measurement: Double) {
        (position, speed, departure, outlier) = (max(0, measurement), 0, 0, nil)
    }
}

/// Smoothstep: 0 below 0, 1 above 1, cubic between.
func smoothstep(_ x: Double) -> Double {
    let t = min(max(x, 0), 1)
    return t * t * (3 - 2 * t)
}

func seconds(_ nanoseconds: Int64) -> Double { Double(nanoseconds) / 1_000_000_000 }
