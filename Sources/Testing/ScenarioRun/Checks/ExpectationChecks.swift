import AVFCapture
import Foundation
import Pipeline
import RunReport
import ScenarioFormat

/// Checks frames against the timeline's expectations.
struct ExpectationChecks: Sendable {
    private struct Pending {
        var time: Int64
        var location: FileLocation
        var expectation: Expectation
        /// Whether a frame has been looked at; the first one counts, however late.
        var isSeen = false

        /// The first frame that is looked at.
        var start: Int64 { if case .never(let since, _) = expectation.span { since } else { time } }
    }

    private var waiting: ArraySlice<Pending>
    private var active: [Pending] = []
    private var history: FocusHistory

    init(_ scenario: ScenarioFile) {
        history = FocusHistory(isMetric: scenario.clip.isMetric)
        waiting =
            scenario.timeline.compactMap { event -> Pending? in
                guard let verb = event.verb as? any CheckVerb else { return nil }
                return Pending(time: event.time, location: event.location, expectation: verb.expectation)
            }
            .enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }.map(\.element)[...]
    }

    /// Looks at the next frame.
    mutating func observe(_ record: FrameRecord, labels: [String?], focused: String?, app: AppState) -> [CheckResult] {
        history.observe(record, labels: labels, focused: focused, app: app)
        while let next = waiting.first, next.start <= record.time {
            active.append(next)
            waiting.removeFirst()
        }
        guard !active.isEmpty else { return [] }
        var results: [CheckResult] = []
        var still: [Pending] = []
        for pending in active {
            let expected = pending.expectation
            switch expected.span {
            case .moment: break
            case .hold(let until), .never(_, let until):
                if pending.isSeen, record.time >= until {
                    results.append(CheckResult(time: record.time, location: pending.location))
                } else if isBroken(pending) {
                    results.append(CheckResult(time: record.time, location: pending.location, failure: failure(pending)))
                } else {
                    still.append(Pending(time: pending.time, location: pending.location, expectation: expected, isSeen: true))
                }
                continue
            }
            let isLate = pending.isSeen && record.time > pending.time + expected.within
            if !isLate, history.satisfies(expected) {
                results.append(CheckResult(time: record.time, location: pending.location))
            } else if record.time < pending.time + expected.within {
                still.append(Pending(time: pending.time, location: pending.location, expectation: expected, isSeen: true))
            } else {
                results.append(CheckResult(time: record.time, location: pending.location, failure: failure(pending)))
            }
        }
        active = still
        return results
    }

    /// Finishes the checks: expectations of the end are checked, those waiting for more frames have failed.
    mutating func finish(_ app: AppState) -> [CheckResult] {
        history.conclude(app)
        let end = history.time
        var results = active.map { pending in
            if pending.isSeen, case .hold(TimelineClock.end) = pending.expectation.span { return CheckResult(time: end, location: pending.location) }
            if pending.isSeen, case .never(_, TimelineClock.end) = pending.expectation.span {
                return CheckResult(time: end, location: pending.location)
            }
            return CheckResult(time: end, location: pending.location, failure: cutShort(pending))
        }
        for pending in waiting {
            if pending.time != TimelineClock.end {
                let failure = "the clip ended at \(TimelineClock.seconds(end)), before \(TimelineClock.seconds(pending.time))"
                results.append(CheckResult(time: end, location: pending.location, failure: failure))
            } else {
                let holds = history.satisfies(pending.expectation)
                results.append(CheckResult(time: end, location: pending.location, failure: holds ? nil : failure(pending)))
            }
        }
        active = []
        waiting = []
        return results
    }

    /// Whether a frame shows what `hold` forbids to end, or `never` to begin.
    private func isBroken(_ pending: Pending) -> Bool {
        if case .never = pending.expectation.span { history.satisfies(pending.expectation) } else { !history.satisfies(pending.expectation) }
    }

    private func cutShort(_ pending: Pending) -> String {
        switch pending.expectation.span {
        case .moment: failure(pending)
        case .hold(let until), .never(_, let until):
            "the clip ended at \(TimelineClock.seconds(history.time)), before \(TimelineClock.name(of: until))"
        }
    }

    private func failure(_ pending: Pending) -> String {
        let camera = pending.expectation.camera == nil ? "" : "; camera \(history.camera)"
        return failureOfFocus(pending) + camera
    }

    private func failureOfFocus(_ pending: Pending) -> String {
        switch pending.expectation.span {
        case .moment: break
        case .hold(let until):
            let end = TimelineClock.name(of: until)
            return "expected \(pending.expectation.summary) from \(TimelineClock.seconds(pending.time)) to \(end), but \(history.account)"
        case .never(let since, let until):
            let end = TimelineClock.name(of: until)
            return "expected never \(pending.expectation.summary) from \(TimelineClock.seconds(since)) to \(end), but \(history.account)"
        }
        let within = pending.expectation.within
        let limit = within > 0 ? " within \(TimelineClock.seconds(within)) of \(TimelineClock.seconds(pending.time))" : ""
        return "expected \(pending.expectation.summary)\(limit), but \(history.account)"
    }
}
