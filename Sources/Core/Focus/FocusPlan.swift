import Pipeline
import Synchronization

/// Focus plan: the focus of every frame of a run whose future is known, made by `LookAhead` from a live run of the same.
///
/// A frame is planned when its shot has ended, or the record reaches `future` beyond it, and stays as it was planned (fixed-lag smoothing). So a plan that
/// grows with a run is that of the whole run, bit for bit. Disparities are in whole 1/65536 of 1/m, as a trace has them.
///
///     let plan = FocusPlan(growingBy: tuning)
///     plan.append(recorded)        // frame by frame; the time up to which focus is planned
///     plan.end()
public final class FocusPlan: Sendable {
    /// Time from a frame to the end of the record that it is planned by, ns.
    ///
    /// Smoothing forgets further measurements with time constants of .1 to .24 s: 2.5 s leave 2/65536 of 1/m of them at most (a noisy run of 40 s), and a
    /// shot opens on whom it shows within `openingKnown`. A glance is known as such when its subject has been lost, .1 s more for the frames between. Racks of
    /// more than `rackLongest`, by the tuning or ordered, begin as much earlier.
    public let future: Int64
    private let tuning: FocusTuning
    private let state: Mutex<State>
    /// Time between two looks at a record that grows, ns.
    private static let pause: Int64 = 250_000_000

    private struct State {
        /// Presentation times, increasing, ns.
        var times: [Int64] = []
        var states: [FocusState] = []
        /// Record of the shot under way, as far as further frames are planned by it, and number of its frames that are planned.
        var shot: [LookAhead.Recorded] = []
        var planned = 0
        /// Whether it begins where the shot does.
        var isFromItsStart = true
        /// Time of the newest frame when the shot was looked at last; nil before that.
        var lastLook: Int64?

        /// Plans the frames of the shot up to `time`; a rack under way keeps its ends.
        mutating func plan(through time: Int64, _ tuning: FocusTuning) {
            let planned = FocusPlan.states(of: shot, fromItsStart: isFromItsStart, tuning)
            while self.planned < shot.count, shot[self.planned].time <= time {
                var state = planned[self.planned]
                if let rack = states.last?.rack, rack.start == state.rack?.start { state.rack = rack }
                times.append(shot[self.planned].time)
                states.append(state)
                self.planned += 1
            }
        }

        /// Forgets what is further back from the last planned frame than `past` (ns), up to a frame in which focus rests, once that is half of it all:
        /// measurements are forgotten in a second, and no rack leads from there to what is to come.
        mutating func forget(_ past: Int64) {
            let latest = shot[max(planned - 1, 0)].time
            guard shot[0].time < latest - 2 * past else { return }
            let rest = (0..<planned).last { shot[$0].time <= latest - past && states[states.count - planned + $0].rack == nil }
            guard let rest, rest > 0 else { return }
            shot.removeFirst(rest)
            (planned, isFromItsStart) = (planned - rest, false)
        }

        mutating func endShot(_ tuning: FocusTuning) {
            plan(through: .max, tuning)
            (shot, planned, isFromItsStart, lastLook) = ([], 0, true, nil)
        }
    }

    /// Creates an empty plan; no rack is ordered that takes longer than `longest` (ns).
    public init(growingBy tuning: FocusTuning = FocusTuning(), longest: Int64 = 0) {
        self.tuning = tuning
        let glance = LookAhead.glance + max(tuning.weakLost, tuning.strongLost, tuning.footageLost) + 100_000_000
        future = max(glance, 1_500_000_000) + max(tuning.rack ?? 0, longest, tuning.rackLongest)
        state = Mutex(State())
    }

    /// Plans the racks of a recorded live run.
    public convenience init(_ recorded: [LookAhead.Recorded], _ tuning: FocusTuning = FocusTuning()) {
        let courses = recorded.lazy.flatMap { $0.decisions.compactMap(\.course) }
        self.init(growingBy: tuning, longest: courses.map { max($0.over ?? 0, ($0.landing ?? $0.begin) - $0.begin) }.max() ?? 0)
        for frame in recorded { append(frame) }
        end()
    }

    private static func states(of frames: [LookAhead.Recorded], fromItsStart isFirst: Bool, _ tuning: FocusTuning) -> [FocusState] {
        func whole(_ disparity: Double) -> Double { (disparity * 65536).rounded() / 65536 }
        return LookAhead.states(ofShot: frames, fromItsStart: isFirst, tuning).map { state in
            var state = state
            state.focusDisparity = whole(state.focusDisparity)
            if let rack = state.rack { state.rack = Rack(start: rack.start, duration: rack.duration, from: whole(rack.from), to: whole(rack.to)) }
            return state
        }
    }

    /// Adds the record of the next frame; returns the time up to which focus is planned, ns, nil before anything is.
    @discardableResult
    public func append(_ frame: LookAhead.Recorded) -> Int64? {
        state.withLock { state in
            if let last = state.shot.last, last.shot != frame.shot { state.endShot(tuning) }
            state.shot.append(frame)
            let isDue = state.lastLook.map { frame.time - $0 >= Self.pause } ?? true
            if isDue, state.shot[state.planned].time <= frame.time - future {
                state.plan(through: frame.time - future, tuning)
                state.forget(2 * future)
                state.lastLook = frame.time
            }
            return state.times.last
        }
    }

    /// Plans what is left: the run is over.
    public func end() { state.withLock { $0.endShot(tuning) } }

    /// Replaces disparity and rack of a state by the planned ones at `time` (ns).
    ///
    /// The subject is decided, not planned: a frame that the plan does not know, or knows with another subject, stays as it is.
    public func applied(to state: FocusState, at time: Int64) -> FocusState {
        self.state.withLock { plan in
            var (low, high) = (0, plan.times.count)
            while low < high {
                let middle = (low + high) / 2
                if plan.times[middle] < time { low = middle + 1 } else { high = middle }
            }
            guard low < plan.times.count, plan.times[low] == time else { return state }
            let planned = plan.states[low]
            return planned.subject == state.subject && planned.mode == state.mode && planned.fixedPoint == state.fixedPoint ? planned : state
        }
    }
}
