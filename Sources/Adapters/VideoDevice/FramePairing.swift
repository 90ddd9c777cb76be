/// Pairs the frames of two free-running cameras by their timestamps, and measures how their clocks lie to each other.
///
/// Two frames belong together when they are at most half a frame apart. The phase of a camera is the time of a frame less its number times the nominal
/// duration; a least-squares line through the difference of both phases over time is their drift, what is left of it their jitter.
package struct FramePairing: Sendable {
    /// Judgement of the two frames at hand.
    package enum Match: Equatable, Sendable {
        case pair
        /// The first camera's frame has no partner; the next one of the first is wanted.
        case firstAlone
        /// The second camera's frame has none.
        case secondAlone
    }

    /// Numbers of pairs, and of frames without a partner.
    package private(set) var pairs = 0
    package private(set) var firstAlone = 0
    package private(set) var secondAlone = 0
    private let duration: Double
    /// Time of the first pair, and sums over all, in seconds from it: of times, of the differences of phases, of their products.
    private var start: Int64?
    private var sums = (t: 0.0, d: 0.0, tt: 0.0, td: 0.0, dd: 0.0)
    /// Sum of the distances of partners, seconds.
    private var apart = 0.0

    /// - Parameter duration: nominal duration of a frame, nanoseconds.
    package init(duration: Int64) { self.duration = Double(duration) }

    /// Judges the oldest frames of both: their numbers in their own streams, which count what was lost, and their times in nanoseconds of one clock.
    package mutating func match(first: (index: Int, time: Int64), second: (index: Int, time: Int64)) -> Match {
        let difference = Double(second.time - first.time)
        if difference > duration / 2 {
            firstAlone += 1
            return .firstAlone
        }
        if difference < -duration / 2 {
            secondAlone += 1
            return .secondAlone
        }
        let start = start ?? first.time
        self.start = start
        let time = Double(first.time - start) / 1e9
        let phases = (difference - Double(second.index - first.index) * duration) / 1e9
        sums = (sums.t + time, sums.d + phases, sums.tt + time * time, sums.td + time * phases, sums.dd + phases * phases)
        apart += difference / 1e9
        pairs += 1
        return .pair
    }

    /// Seconds by which the second camera's partner comes later, on average; nil without a pair.
    package var offset: Double? { pairs > 0 ? apart / Double(pairs) : nil }

    /// Drift of the second camera's clock against the first's, as a fraction: 1e-6 is a microsecond a second; nil before the third pair.
    package var drift: Double? { line?.slope }

    /// Root mean square of what the times miss the line by, seconds; nil before the third pair.
    package var jitter: Double? { line?.rest }

    private var line: (slope: Double, rest: Double)? {
        let n = Double(pairs)
        guard pairs >= 3 else { return nil }
        let (stt, std) = (sums.tt - sums.t * sums.t / n, sums.td - sums.t * sums.d / n)
        guard stt > 0 else { return nil }
        let sdd = sums.dd - sums.d * sums.d / n
        return (std / stt, max((sdd - std * std / stt) / n, 0).squareRoot())
    }
}
