import AVFoundation
import Foundation
import Pipeline

/// Outcome of one expectation.
public struct CheckResult: Sendable, Equatable {
    /// Time at which it was decided, nanoseconds.
    public var time: Int64
    /// Place in the scenario file, for messages.
    public var location: FileLocation
    /// Expectation, the state found instead, its start and reason, in words; nil when it held.
    public var failure: String?
}

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
    private var story: FocusStory

    init(_ scenario: ScenarioFile) {
        story = FocusStory(isMetric: scenario.clip.isMetric)
        waiting =
            scenario.timeline.compactMap { event -> Pending? in
                guard case .expect(let expectation) = event.action else { return nil }
                return Pending(time: event.time, location: event.location, expectation: expectation)
            }
            .enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }.map(\.element)[...]
    }

    /// Looks at the next frame.
    mutating func observe(_ record: FrameRecord, labels: [String?], focused: String?, app: AppState) -> [CheckResult] {
        story.observe(record, labels: labels, focused: focused, app: app)
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
            if !isLate, story.satisfies(expected) {
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
        story.conclude(app)
        let end = story.time
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
                let holds = story.satisfies(pending.expectation)
                results.append(CheckResult(time: end, location: pending.location, failure: holds ? nil : failure(pending)))
            }
        }
        (active, waiting) = ([], [])
        return results
    }

    /// Whether a frame shows what `hold` forbids to end, or `never` to begin.
    private func isBroken(_ pending: Pending) -> Bool {
        if case .never = pending.expectation.span { story.satisfies(pending.expectation) } else { !story.satisfies(pending.expectation) }
    }

    private func cutShort(_ pending: Pending) -> String {
        switch pending.expectation.span {
        case .moment: failure(pending)
        case .hold(let until), .never(_, let until):
            "the clip ended at \(TimelineClock.seconds(story.time)), before \(TimelineClock.name(of: until))"
        }
    }

    private func failure(_ pending: Pending) -> String {
        let camera = pending.expectation.camera == nil ? "" : "; camera \(story.camera)"
        return failureOfFocus(pending) + camera
    }

    private func failureOfFocus(_ pending: Pending) -> String {
        switch pending.expectation.span {
        case .moment: break
        case .hold(let until):
            let end = TimelineClock.name(of: until)
            return "expected \(pending.expectation.summary) from \(TimelineClock.seconds(pending.time)) to \(end), but \(story.account)"
        case .never(let since, let until):
            let end = TimelineClock.name(of: until)
            return "expected never \(pending.expectation.summary) from \(TimelineClock.seconds(since)) to \(end), but \(story.account)"
        }
        let within = pending.expectation.within
        let limit = within > 0 ? " within \(TimelineClock.seconds(within)) of \(TimelineClock.seconds(pending.time))" : ""
        return "expected \(pending.expectation.summary)\(limit), but \(story.account)"
    }
}

extension Expectation.Recording {
    var word: String {
        switch self {
        case .on: "true"
        case .off: "false"
        case .paused: "paused"
        case .failed(let word): word
        }
    }
}

extension Expectation {
    /// The fields in words: `focus maya, mode strong`.
    var summary: String {
        var parts: [String] = []
        switch focus {
        case .subject(let name): parts.append("focus \(name)")
        case .some(.none): parts.append("focus none")
        case .object(let kind, let near):
            parts.append("focus" + (kind.map { " on a \($0.rawValue)" } ?? "") + (near.map { " near \($0.summary)" } ?? ""))
        case nil: break
        }
        if let mode { parts.append("mode \(mode.name)") }
        if let fixed { parts.append("fixed \(fixed)") }
        if let racking { parts.append("racking \(racking)") }
        if let settled { parts.append("settled \(settled)") }
        if let distance { parts.append("distance \(Self.metres(distance.value)) ±\(Self.metres(distance.tolerance))") }
        if let disparity { parts.append("disparity \(Self.thousandths(disparity.value)) ±\(Self.thousandths(disparity.tolerance))") }
        switch objects {
        case .count(let count): parts.append("\(count) objects")
        case .names(let names): parts.append("objects [\(names.joined(separator: ", "))]")
        case nil: break
        }
        if !rects.isEmpty { parts.append("rect \(rects.map { "\($0.subject): \($0.style.rawValue)" }.joined(separator: ", "))") }
        if let why { parts.append("why \(why.rawValue)") }
        if let aperture { parts.append("aperture f/\(Node.plain(aperture))") }
        if let notEnoughLight { parts.append("status [\(notEnoughLight ? "notEnoughLight" : "")]") }
        if let recording { parts.append("recording \(recording.word)") }
        if let droppedFrames { parts.append("\(droppedFrames) dropped frames") }
        if let camera { parts.append("camera \(camera.rawValue)") }
        if !blurs.isEmpty { parts.append("blur \(blurs.map(\.summary).joined(separator: ", "))") }
        return parts.joined(separator: ", ")
    }

    private static func thousandths(_ value: Double) -> String { Node.plain((value * 1000).rounded() / 1000) }

    static func metres(_ value: Double) -> String { "\((value * 1000).rounded() / 1000) m" }
}
