import CoreMedia
import Foundation

/// Reads `timeline`: a list of times, each with its verbs.
struct TimelineReader {
    let scenario: ScenarioFile
    var clock: TimelineClock
    /// End of the touch under way, and its place in the file; one touch at a time.
    private var finger: (until: Int64, line: Int)?
    /// Lines of the configurations under way, which `session: begin` began.
    var configurations: [Int] = []

    init(scenario: ScenarioFile, clock: TimelineClock) {
        self.scenario = scenario
        self.clock = clock
    }

    var timebase: Timebase { clock.timebase }
    /// Whether a synthetic world is filmed, and not footage.
    var isWorld: Bool { scenario.clip.source.isSynthetic }

    /// Reads every event; goes on after one that is at fault.
    mutating func read(_ node: Node, _ faults: inout Faults) -> [TimelineEvent] {
        var items: [Node] = []
        faults.attempt { () throws(ScenarioError) in items = try node.list(of: "timeline") }
        var events: [TimelineEvent] = []
        for item in items { faults.attempt { () throws(ScenarioError) in try read(item, into: &events) } }
        return events
    }

    /// Reads the events of one time; throws the faults of all its verbs.
    private mutating func read(_ item: Node, into events: inout [TimelineEvent]) throws(ScenarioError) {
        let entries = try item.entries(of: "an event, `time: {verb: …}`,")
        guard let entry = entries.first else { throw item.error("there is no event here") }
        if entries.count > 1 {
            throw entries[1].key.error("one time per list item", suggestion: "put `- ` before `\(entries[1].key.raw)` on its own line")
        }
        let before = clock
        let time = try clock.time(entry.key)
        if let length = scenario.clip.length, time >= length, time != TimelineClock.end {
            clock = before
            throw entry.key.error("\(TimelineClock.seconds(time)) is not in the clip, which ends at \(TimelineClock.seconds(length))")
        }
        let verbs = try Fields(entry.value, of: "an event", verbs: Verbs.table)
        var faults = Faults()
        for key in verbs.keys {
            for type in Verbs.all where type.name == key.raw {
                faults.attempt { () throws(ScenarioError) in
                    let verb = try verb(type, VerbEntry(key: key, value: verbs[key.raw] ?? key, time: time))
                    events.append(TimelineEvent(time: time, location: key.location, verb: verb))
                }
            }
        }
        if let error = faults.error { throw error }
    }

    private mutating func verb(_ type: any ReadableVerb.Type, _ entry: VerbEntry) throws(ScenarioError) -> any TimelineVerb {
        if entry.time == TimelineClock.end, !type.mayStandAtEnd {
            throw entry.key.error("nothing can happen at the end any more; only `expect` stands there")
        }
        if type is any WorldVerb.Type, !isWorld {
            throw entry.key.error("`\(type.name)` changes a synthetic world; footage is as it is")
        }
        return try type.init(entry, &self)
    }

    /// Checks that no touch is under way and that the touch ends before the clip does, and notes it as under way.
    mutating func occupyFinger(for steps: [TouchStep], _ entry: VerbEntry) throws(ScenarioError) {
        if let finger, entry.time < finger.until {
            throw entry.key.error(
                "the finger of line \(finger.line) is still down until \(TimelineClock.seconds(finger.until)); there is one finger")
        }
        let until = entry.time + (steps.last?.delay ?? 0)
        if let length = scenario.clip.length, until >= length {
            throw entry.key.error("the finger would still be down when the clip ends at \(TimelineClock.seconds(length))")
        }
        finger = (until, entry.key.mark.line)
    }

    /// Refuses a verb whose output the file's own `session` does not have.
    func requireOutput(_ output: ScenarioFile.Output, _ entry: VerbEntry) throws(ScenarioError) {
        guard scenario.hasSession, !scenario.outputs.contains(output) else { return }
        throw entry.key.error("the session has no `\(output.rawValue)` output", suggestion: "add it to `session: {outputs: […]}`")
    }
}
