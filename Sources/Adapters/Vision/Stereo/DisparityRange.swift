/// Range of disparities to search in a picture, fitted to those that a coarse match found there.
///
/// It is as short as the matcher can make use of, moves at once where the scene leaves it, and becomes shorter only when less has been enough for
/// `patience` looks in a row: what comes and goes does not change it every time.
struct DisparityRange: Equatable {
    /// Disparities to search, pixels.
    private(set) var searched = 0..<StereoMatcher.step
    /// Looks in a row for which a shorter range would have done.
    private var generous = 0

    /// Looks before it becomes shorter.
    static let patience = 25

    /// Fits the range to disparities found with an uncertainty of `tolerance` pixels; nil, none found, leaves it as it is.
    mutating func fit(_ found: ClosedRange<Double>?, tolerance: Double) {
        guard let found else { return }
        let lowest = max(0, Int((found.lowerBound - tolerance).rounded(.down)))
        let highest = max(lowest, Int((found.upperBound + tolerance).rounded(.up)))
        let steps = (highest - lowest) / StereoMatcher.step + 1
        let count = min(steps * StereoMatcher.step, StereoMatcher.most)
        // Of a scene deeper than any range the near end is given up: what is nearer than the range can be told, what is behind it cannot.
        let holds = searched.lowerBound <= lowest && (highest < searched.upperBound || count == StereoMatcher.most && searched.count == count)
        generous = holds && count < searched.count ? generous + 1 : 0
        if holds && generous < Self.patience { return }
        // Things come nearer faster than a background recedes.
        let margin = max(2 * tolerance, found.upperBound / 4)
        let first = min(lowest, max(0, highest + 1 + Int(margin) - count))
        searched = first..<first + count
        generous = 0
    }
}
