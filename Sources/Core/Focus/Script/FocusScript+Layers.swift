import Foundation
import Optics
import Pipeline

extension FocusScript {
    /// Metadata of every frame as edited: focus, decisions, detections of what was added, and aperture.
    public var samples: [CinematicSample] {
        let focused = isFocusRecorded ? recorded : layered
        guard !pulls.isEmpty else { return focused }
        return focused.enumerated().map { index, sample in
            var sample = sample
            sample.lens.fNumber = fNumber(in: index, pulls[...])
            return sample
        }
    }

    /// Whether the decisions are those of the recording.
    private var isFocusRecorded: Bool { userDecisions == recordedDecisions.filter(\.isUser) }

    /// f-number after some pulls; what was recorded before the first.
    private func fNumber(in frame: Int, _ pulls: ArraySlice<(frame: Int, pull: FocusEdit.AperturePull)>) -> Double {
        guard let place = pulls.lastIndex(where: { $0.frame <= frame }) else { return recorded[frame].lens.fNumber }
        let (start, pull) = pulls[place]
        let elapsed = times[frame] - times[start]
        guard elapsed < pull.over else { return pull.fNumber }
        let before = 1 / fNumber(in: start, pulls[..<place])
        return 1 / (before + (1 / pull.fNumber - before) * pull.ease(seconds(elapsed) / seconds(pull.over)))
    }

    /// A decision as it is planned: a user's lands at its time, however close the next one is, as an order does.
    private func planned(_ decision: FocusDecision) -> FocusDecision {
        guard decision.isUserDecision, decision.course == nil else { return decision }
        var decision = decision
        decision.course = RackCourse(begin: decision.time)
        return decision
    }

    /// The samples with the user's decisions laid over the base.
    private var layered: [CinematicSample] {
        var (walk, samples) = (ScriptWalk(self), recorded)
        let frames = samples.indices.map { index in
            walk.step(to: index, &samples[index])
            let sample = samples[index]
            return LookAhead.Recorded(
                time: times[index], detections: sample.detections, state: sample.focus, decisions: sample.decisions.map(planned), shot: sample.shot)
        }
        for (index, state) in LookAhead.states(of: frames, tuning).enumerated() { samples[index].focus = state }
        return samples
    }
}

/// Walk through the frames of a script, from decision to decision.
private struct ScriptWalk {
    private let script: FocusScript
    /// Decision in effect, nil before the first.
    private var current: ScriptDecision?
    /// Last decisions of the recording and of its base.
    private var lastRecorded: ScriptDecision?
    private var base: ScriptDecision?
    private var (nextRecorded, nextUser) = (0, 0)
    /// Places of the objects by their IDs.
    private let places: [Int: Int]
    /// Frame in which each object was last seen, by its place.
    private var seen: [Int?]
    /// Places of the parts of the current subject: the object itself first, then by rank.
    private var members: [Int] = []
    private var standIn: Int?
    /// Object that represented the subject in the frame before.
    private var representative: Int?
    private var nextStandIn: Int

    init(_ script: FocusScript) {
        self.script = script
        seen = script.objects.map { _ in nil }
        places = Dictionary(script.objects.indices.map { (script.objects[$0].objectID, $0) }) { first, _ in first }
        let fixed = script.recorded.lazy.compactMap(\.focus.subject).max() ?? 0
        nextStandIn = max(fixed, script.objects.map(\.objectID).max() ?? 0) + 1
    }

    /// Replaces detections, decisions and focus of a frame by those of the script; the racks come later.
    mutating func step(to index: Int, _ sample: inout CinematicSample) {
        let recordedState = sample.focus
        let recordedStandIn = recordedState.isFixed ? recordedState.subject : nil
        var detections = sample.detections.filter { $0.objectID != recordedStandIn }
        detections += script.added[index] ?? []
        for detection in detections { if let place = places[detection.objectID] { seen[place] = index } }
        let taken = decide(in: index, sample.decisions)
        sample.decisions = taken
        if let current, current.recorded != nil, current.recorded == lastRecorded?.recorded {
            if let fixed = recordedStandIn { detections += sample.detections.filter { $0.objectID == fixed } }
        } else {
            sample.focus = state(in: index, sample, &detections)
            for place in sample.decisions.indices where sample.decisions[place].subject == nil {
                sample.decisions[place].subject = sample.focus.subject
            }
        }
        sample.detections = detections
    }

    /// Takes the decisions that are due, and returns those that come into effect.
    private mutating func decide(in index: Int, _ recorded: [FocusDecision]) -> [FocusDecision] {
        let follows = current?.recorded != nil && current?.recorded == lastRecorded?.recorded
        var bases: [(ScriptDecision, FocusDecision)] = []
        let first = nextRecorded
        while nextRecorded < script.recordedDecisions.count, script.recordedDecisions[nextRecorded].frame == index {
            let decision = script.recordedDecisions[nextRecorded]
            lastRecorded = decision
            if !decision.isUser {
                let taken = recorded[nextRecorded - first]
                if taken.why != .groupMember || base?.target.isOneSubject(with: decision.target) == true { base = decision }
                bases.append((decision, taken))
            }
            nextRecorded += 1
        }
        var due: ScriptDecision?
        while nextUser < script.userDecisions.count, script.userDecisions[nextUser].frame == index {
            due = script.userDecisions[nextUser]
            nextUser += 1
        }
        if let decision = due {
            if let place = decision.recorded { return take(decision, [recorded[place - first]] + bases.filter { $0.0.recorded! > place }.map(\.1)) }
            return take(decision, [made(decision, why: .ordered, in: index)])
        }
        let counted = bases.filter { follows || $0.1.why != .groupMember }
        if let last = counted.last, follows || current?.isUserAndStrong != true { return take(last.0, bases.map(\.1)) }
        guard let over = current, over.isUser, over.recorded == nil || over.recorded != lastRecorded?.recorded, hasEnded(over, before: index)
        else { return [] }
        let next =
            base ?? ScriptDecision(frame: index, target: .nobody, mode: .none, isUser: false, disparity: script.recorded[index].focus.focusDisparity)
        return take(next, [made(next, why: next.target == .nobody ? .nothingLeft : .lost, in: index)])
    }

    private mutating func take(_ decision: ScriptDecision, _ taken: [FocusDecision]) -> [FocusDecision] {
        (current, representative, standIn) = (decision, nil, nil)
        if case .object(let id, let group) = decision.target { members = parts(id, group) } else { members = [] }
        return taken
    }

    private func made(_ decision: ScriptDecision, why: FocusDecision.Why, in index: Int) -> FocusDecision {
        var subject: Int?
        var isFixed = false
        switch decision.target {
        case .nobody: break
        case .object(let id, _): subject = id
        case .plane: isFixed = true
        }
        return FocusDecision(
            time: script.times[index], subject: subject, mode: decision.mode, isUserDecision: decision.isUser, isFixed: isFixed, why: why,
            disparity: decision.disparity)
    }

    /// Whether no part of its subject is seen any more.
    private func hasEnded(_ decision: ScriptDecision, before index: Int) -> Bool {
        guard case .object = decision.target else { return false }
        return members.allSatisfy { script.objects[$0].last < index }
    }

    /// Places of an object and of the others of its group.
    private func parts(_ id: Int, _ group: Int) -> [Int] {
        let places = script.objects.indices.filter { script.objects[$0].objectID == id || group >= 1 && script.objects[$0].groupID == group }
        return places.sorted { one, other in
            func key(_ place: Int) -> (Int, Int, Int) {
                let object = script.objects[place]
                return (object.objectID == id ? 0 : 1, object.kind.rank, object.objectID)
            }
            return key(one) < key(other)
        }
    }

    private mutating func state(in index: Int, _ sample: CinematicSample, _ detections: inout [Detection]) -> FocusState {
        let rest = FocusState(focusDisparity: sample.ambientDisparity ?? sample.focus.focusDisparity)
        guard let current else { return rest }
        switch current.target {
        case .nobody: return rest
        case .object(let id, _):
            let present = members.first { place in
                seen[place].map { script.times[index] - script.times[$0] <= script.tuning.coast } ?? false
            }
            representative = present.map { script.objects[$0].objectID } ?? representative ?? id
            return FocusState(focusDisparity: current.disparity, subject: representative, mode: current.mode)
        case .plane(let point, let disparity):
            if standIn == nil {
                standIn = nextStandIn
                nextStandIn += 1
            }
            let object = Detection.fixedFocus(objectID: standIn ?? 0, at: point, disparity: disparity, script.tuning)
            detections.append(object)
            return FocusState(focusDisparity: disparity, subject: object.objectID, mode: current.mode, fixedPoint: point)
        }
    }
}
