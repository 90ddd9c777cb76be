import Pipeline

/// Regulator of a live capture's work: leaves out a step more where frames are late, before they are lost, and does it again once they have been in time.
///
///     4 of 12 frames late or waiting before the lens, those that wait not becoming fewer ──► a step more, then 12 frames count for nothing
///     a picture lost ──► a step more, but none within 12 frames of the last
///     `patience` frames, at most one of 12 late or waiting ──► a step less
///
/// The step that leaves out pictures itself is taken only where 4 of 12 frames are late or lose their picture: some wait before the lens whenever the
/// machine has just enough time for it.
///
/// A step that has to be taken again right after it was taken back doubles the patience, so that a machine at its limit does not swing.
struct LoadRegulator {
    /// Step that is in force.
    private(set) var step: Degradation
    private let least: Degradation
    private let most: Degradation
    /// Frames, of them those that ask for a step more, and those that forbid a step less.
    private var window = (frames: 0, late: 0, busy: 0)
    /// Pictures that waited before the lens as the window began.
    private var mostWaiting = 0
    /// Frames that count for nothing; in the beginning a second of them, in which caches are cold.
    private var settling = firstFrames
    /// Frames since the last window with more than one late frame.
    private var calm = 0
    private(set) var patience = leastPatience
    /// Whether the last change was a step less, which has not proved itself yet.
    private var isTrying = false

    static let firstFrames = 30
    private static let windowLength = 12
    private static let mostLate = 4
    static let leastPatience = 150
    private static let mostPatience = 2400

    /// Leaves out `least` to begin with and ever, and at most `most`.
    init(least: Degradation = .none, most: Degradation) { (self.least, self.most, step) = (min(least, most), most, min(least, most)) }

    /// Takes note of a frame, of whether its picture found no place before the lens, and of how many wait there; returns whether the step changed.
    mutating func note(isLate: Bool, isLost: Bool = false, waiting: Int = 0) -> Bool {
        defer { if window.frames == 0 { mostWaiting = waiting } }
        let leavesOutNext = step.rawValue + 1 == Degradation.previewRate.rawValue
        if isLost, !leavesOutNext, settling == 0 || settling > Self.windowLength { return stepUp() }
        guard settling == 0 else {
            settling -= 1
            return false
        }
        let isBusy = isLate || isLost || waiting > 0
        let asksForMore = leavesOutNext ? isLate || isLost : isBusy
        window = (window.frames + 1, window.late + (asksForMore ? 1 : 0), window.busy + (isBusy ? 1 : 0))
        guard window.frames >= Self.windowLength || (window.late >= Self.mostLate && (waiting == 0 || isLost)) else { return false }
        let (frames, late, busy) = window
        window = (0, 0, 0)
        guard late < Self.mostLate else {
            calm = 0
            // The last step was enough while fewer wait than as the window began.
            return waiting >= mostWaiting && stepUp()
        }
        calm = busy <= 1 ? calm + frames : 0
        return calm >= patience && stepDown()
    }

    private mutating func stepUp() -> Bool {
        (window, calm) = ((0, 0, 0), 0)
        guard step < most, let next = Degradation(rawValue: step.rawValue + 1) else { return false }
        if isTrying { patience = min(2 * patience, Self.mostPatience) }
        (step, settling, isTrying) = (next, Self.windowLength, false)
        return true
    }

    private mutating func stepDown() -> Bool {
        calm = 0
        guard step > least, let next = Degradation(rawValue: step.rawValue - 1) else {
            (patience, isTrying) = (Self.leastPatience, false)
            return false
        }
        (step, settling, isTrying) = (next, Self.windowLength, true)
        return true
    }
}
