import Pipeline

/// Where focus is to be, frame by frame, for a run whose future is known: what `LookAhead` makes of a live run of the same.
public struct FocusPlan: Sendable, Equatable {
    /// Increasing, nanoseconds.
    private let times: [Int64]
    private let states: [FocusState]

    public init(_ recorded: [LookAhead.Recorded], _ tuning: FocusTuning = FocusTuning()) {
        times = recorded.map(\.time)
        states = LookAhead.states(of: recorded, tuning)
    }

    /// The state of the frame at `time` with focus where the plan has it. Who is in focus is decided, not planned: a frame that the plan
    /// does not know, or knows with another subject, stays as it is.
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
