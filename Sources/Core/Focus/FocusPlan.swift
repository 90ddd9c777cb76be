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
    /// shot opens on whom it shows within `openingKnown`. Racks of more than `rackLongest` begin as much earlier.
    public let future: Int64
    private let tuning: FocusTuning
    private let state: Mutex<State>
    /// Time between two looks at a record that grows, ns; in long shots `lookShare` of their length, so that no frame is looked at a thousand times.
    private static let (pause, lookShare) = (Int64(250_000_000), Int64(64))

    private struct State {
        /// Presentation times, increasing, ns.
        var times: [Int64] = []
        var states: [FocusState] = []
        /// Record of the shot under way, and number of its frames that are planned.
        var shot: [LookAhead.Recorded] = []
        var planned = 0
        /// Time of the newest frame when the shot was looked at last; nil before that.
        var lastLook: Int64?

        /// Plans the frames of the shot up to `time`; a rack under way keeps its ends.
        mutating func plan(through time: Int64, _ tuning: FocusTuning) {
            let planned = FocusPlan.states(of: shot, tuning)
            while self.planned < shot.count, shot[self.planned].time <= time {
                var state = planned[self.planned]
                if let rack = states.last?.rack, rack.start == state.rack?.start { state.rack = rack }
                times.append(shot[self.planned].time)
                states.append(state)
                self.planned += 1
            }
        }

        mutating func endShot(_ tuning: FocusTuning) {
            plan(through: .max, tuning)
            (shot, planned, lastLook) = ([], 0, nil)
        }
    }

    /// Creates an empty plan.
    public init(growingBy tuning: FocusTuning = FocusTuning()) {
        self.tuning = tuning
        future = 2_500_000_000 + max(0, (tuning.rack ?? 0) - tuning.rackLongest)
        state = Mutex(State())
    }

    /// Plans the racks of a recorded live run.
    public convenience init(_ recorded: [LookAhead.Recorded], _ tuning: FocusTuning = FocusTuning()) {
        self.init(growingBy: tuning)
        for frame in recorded { append(frame) }
        end()
    }

    private static func states(of frames: [LookAhead.Recorded], _ tuning: FocusTuning) -> [FocusState] {
        func whole(_ disparity: Double) -> Double { (disparity * 65536).rounded() / 65536 }
        return LookAhead.states(of: frames, tuning).map { state in
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
            let pause = max(Self.pause, (frame.time - state.shot[0].time) / Self.lookShare)
            let isDue = state.lastLook.map { frame.time - $0 >= pause } ?? true
            if isDue, state.shot[state.planned].time <= frame.time - future {
                state.plan(through: frame.time - future, tuning)
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
