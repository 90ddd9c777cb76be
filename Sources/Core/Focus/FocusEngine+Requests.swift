import Foundation
import Pipeline

extension FocusEngine {
    /// Applies a request (a mode of `none` counts as weak); false when that is impossible and nothing changed.
    mutating func apply(_ request: FocusRequest, at time: Int64) -> Bool {
        switch request {
        case .track(let objectID, let mode): track(objectID, strongly: mode == .strong, at: time)
        case .fix(let point, let disparity, let objectID, let mode):
            fix(
                Plane(objectID: objectID, point: point, disparity: disparity), strongly: mode == .strong,
                why: mode == .strong ? .fixedByPress : .api, at: time)
        }
    }

    private mutating func track(_ objectID: Int, strongly: Bool, at time: Int64) -> Bool {
        if case .fixed(let plane, let mode, _) = hold, plane.objectID == objectID {
            let why: FocusDecision.Why = if !strongly { .tapUnfocused } else if mode == .weak { .tapWeakAgain } else { .api }
            return fix(plane, strongly: strongly, why: why, at: time)
        }
        guard let track = subjects.track(ofObject: objectID), subjects.tracks[track].isPresent(at: time, tuning) else { return false }
        let index = subjects.tracks[track].home
        let why: FocusDecision.Why =
            if !strongly { .tapUnfocused } else if isWeak(on: objectID) { .tapWeakAgain } else { .api }
        let target = Target(objectID: objectID, pinned: objectID)
        subjects.forgetAutomaticHistory()
        subjects[index].wasFocused = true
        subjects[index].wasRequested = true
        let next: Hold = strongly ? .strong(target) : .weak(target, protection(evenAway: subjects[index].facing.isAway, from: time))
        decide(next, why: why, isUser: true, at: time)
        return true
    }

    private mutating func fix(_ plane: Plane, strongly: Bool, why: FocusDecision.Why, at time: Int64) -> Bool {
        guard plane.disparity.isFinite, plane.disparity >= 0 else { return false }
        subjects.forgetAutomaticHistory()
        decide(.fixed(plane, strongly ? .strong : .weak, protection(evenAway: true, from: time)), why: why, isUser: true, at: time)
        return true
    }

    private func protection(evenAway: Bool, from time: Int64) -> Protection {
        Protection(until: time + tuning.weakHold, evenAway: evenAway)
    }

    private func isWeak(on objectID: Int) -> Bool {
        if case .weak(let target, _) = hold { target.objectID == objectID } else { false }
    }
}
