import Foundation
import Pipeline

extension FocusEngine {
    /// Applies a request (a mode of `none` counts as weak); false when that is impossible and nothing changed.
    mutating func apply(_ request: FocusRequest, at time: Int64) -> Bool {
        apply(request, nil, at: time)
    }

    private mutating func apply(_ request: FocusRequest, _ course: RackCourse?, at time: Int64) -> Bool {
        switch request {
        case .ordered(let request, let course): apply(request, course, at: time)
        case .track(let objectID, let mode): track(objectID, strongly: mode == .strong, course, at: time)
        case .fix(let point, let disparity, let objectID, let mode):
            fix(
                Plane(objectID: objectID, point: point, disparity: disparity), strongly: mode == .strong,
                why: mode == .strong ? .fixedByPress : .api, course, at: time)
        }
    }

    private mutating func track(_ objectID: Int, strongly: Bool, _ course: RackCourse?, at time: Int64) -> Bool {
        if case .fixed(let plane, let mode, _) = hold, plane.objectID == objectID {
            let why: FocusDecision.Why = if !strongly { .tapUnfocused } else if mode == .weak { .tapWeakAgain } else { .api }
            return fix(plane, strongly: strongly, why: why, course, at: time)
        }
        guard let track = subjects.track(ofObject: objectID), subjects.tracks[track].isPresent(at: time, tuning) else { return false }
        let index = subjects.tracks[track].home
        let why: FocusDecision.Why =
            if !strongly { .tapUnfocused } else if isWeak(on: objectID) { .tapWeakAgain } else { .api }
        let target = Target(objectID: objectID, pinned: objectID)
        subjects.forgetAutomaticHistory()
        subjects[index].wasFocused = true
        subjects[index].wasRequested = true
        let isAway = subjects[index].facing.isAway
        let next: Hold = strongly ? .strong(target) : .weak(target, protection(evenAway: isAway, from: time, course))
        decide(next, why: course == nil ? why : .ordered, isUser: true, at: time, course)
        return true
    }

    private mutating func fix(_ plane: Plane, strongly: Bool, why: FocusDecision.Why, _ course: RackCourse?, at time: Int64) -> Bool {
        guard plane.disparity.isFinite, plane.disparity >= 0 else { return false }
        subjects.forgetAutomaticHistory()
        let next = Hold.fixed(plane, strongly ? .strong : .weak, protection(evenAway: true, from: time, course))
        decide(next, why: course == nil ? why : .ordered, isUser: true, at: time, course)
        return true
    }

    /// From the choice on, or from the landing of an ordered rack.
    private func protection(evenAway: Bool, from time: Int64, _ course: RackCourse?) -> Protection {
        let begin = course.map { max(time, $0.end(automatic: tuning.rackLongest)) } ?? time
        return Protection(until: begin + tuning.weakHold, evenAway: evenAway)
    }

    private func isWeak(on objectID: Int) -> Bool {
        if case .weak(let target, _) = hold { target.objectID == objectID } else { false }
    }
}
