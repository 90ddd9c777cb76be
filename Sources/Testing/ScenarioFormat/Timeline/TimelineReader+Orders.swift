extension TimelineReader {
    /// The event that an option orders: `3s: {on: maya, over: 1.5s}`. Errors count lines and columns in the option's own words.
    static func events(
        of order: ReadingOptions.TimelineOrder, in scenario: ScenarioFile, _ timebase: Timebase
    ) throws(ScenarioError) -> [TimelineEvent] {
        let example = "`\(order.option) '3s: \(order.verb == "aperture" ? "f/2.8" : "{on: {at: [0.4, 0.5]}}")'`"
        let own = try Node.parse(order.text, file: order.option, isShown: true)
        guard case .mapping(let entries) = own.content, entries.count == 1, let entry = entries.first else {
            throw own.error("an order is a time and what is ordered, like \(example), not `\(order.text)`")
        }
        let verb = Node(source: own.source, mark: entry.value.mark, content: .scalar(order.verb, isPlain: true))
        let event = Node(source: own.source, mark: entry.value.mark, content: .mapping([Node.Entry(key: verb, value: entry.value)]))
        let item = Node(source: own.source, mark: own.mark, content: .mapping([Node.Entry(key: entry.key, value: event)]))
        var reader = TimelineReader(scenario: scenario, clock: TimelineClock(timebase))
        var faults = Faults()
        let events = reader.read(Node(source: own.source, mark: own.mark, content: .sequence([item])), &faults)
        if let error = faults.error { throw error }
        return events
    }
}
