/// Easing curve of a move or a rack; polynomials only, so that every machine computes the same.
public enum Ease: String, Sendable, Codable, CaseIterable {
    /// Constant speed.
    case linear
    /// Speeds up: t².
    case `in`
    /// Slows down: t (2 − t).
    case out
    /// Cubic smoothstep: t² (3 − 2 t).
    case inOut
    /// Quintic smootherstep, the path of least jerk from rest to rest: t³ (10 − 15 t + 6 t²). Speed and acceleration are 0 at both ends.
    ///
    /// Source: T. Flash and N. Hogan, "The coordination of arm movements", J. Neurosci. 5 (7), 1985, equation A6.
    case smooth

    /// Progress 0…1 after the fraction `t` (0…1) of the duration.
    public func callAsFunction(_ t: Double) -> Double {
        switch self {
        case .linear: t
        case .in: t * t
        case .out: t * (2 - t)
        case .inOut: t * t * (3 - 2 * t)
        case .smooth: t * t * t * (10 - t * (15 - 6 * t))
        }
    }

    /// Rate of change of the progress at the fraction `t` (0…1), per duration.
    public func slope(_ t: Double) -> Double {
        switch self {
        case .linear: 1
        case .in: 2 * t
        case .out: 2 - 2 * t
        case .inOut: 6 * t * (1 - t)
        case .smooth: 30 * t * t * (1 - t) * (1 - t)
        }
    }
}
