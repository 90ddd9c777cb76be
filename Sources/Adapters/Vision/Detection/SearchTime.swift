/// Duration of a search of the whole picture at a frame rate.
enum SearchTime {
    /// Time of a frame's other work, seconds on one core: flow, verification of known tracks, disparity.
    private static let fixed = 0.022
    /// The rate that periods are given for; frames that come faster are not searched more slowly.
    private static let usual = 1.0 / 30

    /// Seconds between two frames, of which `last` is nil where the rate is not known yet: 30 a second.
    static func frameDuration(from last: Int64?, to time: Int64) -> Double {
        last.map { min(max(Double(time - $0) * 1e-9, 0.005), 0.5) } ?? 1.0 / 30
    }

    /// Seconds of a search that takes `period` at 30 frames a second: the longer frames last, the larger the share of their time that is left for it.
    static func seconds(_ period: Double, frameDuration: Double) -> Double {
        period * (1 - fixed / usual) / (1 - fixed / max(frameDuration, usual))
    }
}
