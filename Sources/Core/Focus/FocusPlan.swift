import Pipeline

/// Focus plan: the focus of every frame of a run whose future is known, made by `LookAhead` from a live run of the same.
public struct FocusPlan: Sendable, Equatable {
    /// Presentation times, increasing, ns.
    private let times: [Int64]
    private let states: [FocusState]

    /// Plans the racks of a recorded live run.
    public init(_ recorded: [LookAhead.Recorded], _ tuning: FocusTuning = FocusTuning()) {
        times = recorded.map(\.time)
        states = LookAhead.states(of: recorded, tuning)
    }

    /// Replaces disparity and rack of a state by the planned ones at `time` (ns).
    ///
    /// The subject is decided, not planned: a frame that the plan does not know, or knows with another subject, stays as it is.
    public func applied(to state: FocusState, at time: Int64) -> FocusState {
        var (low, high) = (0, times.count)
        while low < high {
            let middle = (low + high) / 2
            if times[middle] < time { low = middle + 1 } else { high = middle }
        }
        guard low < times.count, times[low] == time else { return state }
        let planned = states[low]
        return planned.subject == state.subject && planned.mode == state.mode && planned.fixedPoint == state.fixedPoint ? planned : state
    }
}
