import CoreMedia
import Foundation
import Stage

/// Reads `timeline`: a list of times, each with its verbs.
struct TimelineReader {
    let scenario: ScenarioFile
    var clock: TimelineClock
    /// End of the touch under way, and its place in the file; one touch at a time.
    private var finger: (until: Int64, line: Int)?

    private static let worldVerbs = ["enter", "exit", "move", "turn", "light", "cover", "occlude", "camera"]
    /// Duration of the touch of `tap`.
    private static let tapDuration: Int64 = 100_000_000

    init(scenario: ScenarioFile, clock: TimelineClock) {
        self.scenario = scenario
        self.clock = clock
    }

    var timebase: Timebase { clock.timebase }
    var isWorld: Bool { scenario.clip.source.isSynthetic }

    mutating func read(_ node: Node) throws(ScenarioError) -> [TimelineEvent] {
        var events: [TimelineEvent] = []
        for item in try node.list(of: "timeline") {
            let entries = try item.entries(of: "an event, `time: {verb: …}`,")
            guard let entry = entries.first else { throw item.error("there is no event here") }
            if entries.count > 1 {
                throw entries[1].key.error("one time per list item", suggestion: "put `- ` before `\(entries[1].key.raw)` on its own line")
            }
            let time = try clock.time(entry.key)
            if let length = scenario.clip.length, time >= length, time != TimelineClock.end {
                throw entry.key.error("\(TimelineClock.seconds(time)) is not in the clip, which ends at \(TimelineClock.seconds(length))")
            }
            let verbs = try Fields(entry.value, of: "an event", verbs: Format.verbs)
            for verb in verbs.keys { events.append(try event(verb, verbs[verb.raw] ?? verb, at: time)) }
        }
        return events
    }

    private mutating func event(_ verb: Node, _ value: Node, at time: Int64) throws(ScenarioError) -> TimelineEvent {
        if time == TimelineClock.end, verb.raw != "expect", verb.raw != "never" {
            throw verb.error("nothing can happen at the end any more; only `expect` stands there")
        }
        if Self.worldVerbs.contains(verb.raw), !isWorld {
            throw verb.error("`\(verb.raw)` changes a synthetic world; footage is as it is")
        }
        let (action, about) = try action(verb, value, at: time)
        let summary = about.isEmpty ? verb.raw : "\(verb.raw) \(about)"
        return TimelineEvent(time: time, location: verb.location, summary: summary, action: action)
    }

    private mutating func action(_ verb: Node, _ value: Node, at time: Int64) throws(ScenarioError) -> (TimelineEvent.Action, String) {
        switch verb.raw {
        case "tap":
            let point = try touchPoint(value)
            let steps = [FingerStep(delay: 0, phase: .down, point: point), FingerStep(delay: Self.tapDuration, phase: .up)]
            return (.finger(try down(steps, verb, at: time)), point.summary)
        case "press":
            let fields = try Fields(value, of: "press", Format.press)
            let duration = try timebase.duration(try fields.required("for", "how long, like 310ms"), "how long to press")
            let point = try touchPoint(value, Format.press)
            let steps = [FingerStep(delay: 0, phase: .down, point: point), FingerStep(delay: duration, phase: .up)]
            return (.finger(try down(steps, verb, at: time)), point.summary)
        case "touch":
            return (.finger(try down(try touchSteps(value), verb, at: time)), "")
        case "set":
            return try set(value)
        case "record", "photo", "session", "switchCamera":
            let (call, about) = try cameraCall(verb, value)
            return (.camera(call), about)
        case "mark":
            let name = try clock.mark(value, at: time)
            return (.mark(name), name)
        case "expect": return (.expect(try expectation(value)), "")
        case "hold": return (.expect(try hold(value, from: time)), "")
        case "never": return (.expect(try never(value, at: time)), "")
        case "api":
            let call = try apiCall(value)
            return (.api(call), call.summary)
        case "throws":
            let (call, error) = try raisingCall(value)
            return (.throwing(call, error: error), error)
        case "fault":
            guard isWorld else { throw verb.error("`fault` breaks a synthetic world; footage is as it is") }
            let (fault, about) = try fault(value, at: time)
            return (.fault(fault), about)
        default:
            let (verb, about) = try worldVerb(verb, value)
            return (.world(verb), about)
        }
    }

    /// Checks that no touch is under way and that the touch ends before the clip does.
    private mutating func down(_ steps: [FingerStep], _ verb: Node, at time: Int64) throws(ScenarioError) -> [FingerStep] {
        if let finger, time < finger.until {
            throw verb.error("the finger of line \(finger.line) is still down until \(TimelineClock.seconds(finger.until)); there is one finger")
        }
        let until = time + (steps.last?.delay ?? 0)
        if let length = scenario.clip.length, until >= length {
            throw verb.error("the finger would still be down when the clip ends at \(TimelineClock.seconds(length))")
        }
        finger = (until, verb.mark.line)
        return steps
    }

    /// `[{down: maya}, {wait: 200ms}, {move: {view: [0.5, 0.5]}}, up]`.
    private func touchSteps(_ node: Node) throws(ScenarioError) -> [FingerStep] {
        var (steps, delay): ([FingerStep], Int64) = ([], 0)
        for item in try node.list(of: "touch") {
            if steps.last?.phase == .up { throw item.error("nothing follows `up`") }
            if item.raw == "up" {
                guard !steps.isEmpty else { throw item.error("a touch begins with `down`") }
                steps.append(FingerStep(delay: delay, phase: .up))
                continue
            }
            let fields = try Fields(item, of: "a step of touch (down, wait, move, up)", Format.touchStep)
            guard let key = fields.keys.first, fields.keys.count == 1, let value = fields[key.raw] else {
                throw item.error("a step of touch is one of {down: point}, {wait: time}, {move: point}, up")
            }
            guard steps.isEmpty == (key.raw == "down") else {
                throw key.error(steps.isEmpty ? "a touch begins with `down`" : "the finger is down already")
            }
            switch key.raw {
            case "wait": delay += try timebase.duration(value)
            case let phase: steps.append(FingerStep(delay: delay, phase: phase == "down" ? .down : .move, point: try touchPoint(value)))
            }
        }
        guard steps.last?.phase == .up else { throw node.error("a touch ends with `up`") }
        return steps
    }
}
