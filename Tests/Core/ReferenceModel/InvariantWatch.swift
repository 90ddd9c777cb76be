import Focus
import Foundation
import Pipeline

/// The invariants of the scenario format, checked from frame to frame.
struct InvariantWatch {
    let tuning: FocusTuning
    private var last: (state: FocusState, time: Int64)?
    private var lastAutomatic: Int64?
    private var lastSeen: [Int: Int64] = [:]
    private var people: [Int: Int] = [:]
    private var (speed, runOn) = (0.0, 1e-9)
    private var (least, greatest) = (Double.infinity, -Double.infinity)

    init(tuning: FocusTuning) { self.tuning = tuning }

    /// The invariant that this frame breaks, if any.
    mutating func breach(of step: FocusStep, seen: [Detection], at time: Int64) -> String? {
        let state = step.state
        for detection in seen {
            (lastSeen[detection.objectID], people[detection.objectID]) = (time, detection.person)
            widen(detection.disparity ?? 0)
        }
        if let plane = step.fixedObject?.disparity { widen(plane) }
        widen(state.rack == nil ? state.focusDisparity : state.rack!.to)
        defer { last = (state, time) }
        if (state.subject == nil) != (state.mode == .none) { return "mode \(state.mode) without a subject, or a subject without a mode" }
        if state.isFixed != (step.fixedObject != nil) { return "a fixed focus without its object, or an object without fixed focus" }
        noteRunOn(state, at: time)
        if state.focusDisparity < least - runOn || state.focusDisparity > greatest + runOn { return "focus overshoots to \(state.focusDisparity)" }
        for decision in step.decisions where !decision.isUserDecision && decision.why != .groupMember {
            if let lastAutomatic, time - lastAutomatic < tuning.dwell { return "two automatic switches within the dwell time" }
            lastAutomatic = time
        }
        guard let last else { return nil }
        return change(from: last.state, at: last.time, to: step, at: time)
    }

    /// Sent elsewhere at speed, focus runs on while it brakes: a fifth of what it would cover in the new rack, and the frame before it.
    private mutating func noteRunOn(_ state: FocusState, at time: Int64) {
        guard let last else { return }
        let elapsed = Double(time - last.time) / 1e9
        if let rack = state.rack, rack != last.state.rack { runOn = abs(speed) * (elapsed + 0.2 * Double(rack.duration) / 1e9) + 1e-9 }
        if state.rack == nil { runOn = 1e-9 }
        speed = (state.focusDisparity - last.state.focusDisparity) / elapsed
    }

    private mutating func widen(_ disparity: Double) { (least, greatest) = (min(least, disparity), max(greatest, disparity)) }

    private func change(from before: FocusState, at earlier: Int64, to step: FocusStep, at time: Int64) -> String? {
        let state = step.state
        if abs(state.focusDisparity - before.focusDisparity) > 4.5 * Double(time - earlier) / 1e9 {
            return "focus leaps from \(before.focusDisparity) to \(state.focusDisparity)"
        }
        if step.decisions.isEmpty, state.subject != before.subject || state.mode != before.mode || state.fixedPoint != before.fixedPoint {
            return "focus changes without a decision"
        }
        if before.isFixed, state.fixedPoint == before.fixedPoint, before.rack == nil, state.focusDisparity != before.focusDisparity {
            return "fixed focus moves"
        }
        guard before.mode == .strong, let left = before.subject else { return nil }
        for decision in step.decisions where !decision.isUserDecision {
            if before.isFixed { return "strong fixed focus is left" }
            let person = people[left]
            if decision.why == .groupMember, decision.subject.flatMap({ people[$0] }) == person { continue }
            let missing = lastSeen.filter { people[$0.key] == person }.map { time - $0.value }.min() ?? .max
            if missing < tuning.strongLost { return "strong leaves a subject that is present" }
        }
        return nil
    }
}
