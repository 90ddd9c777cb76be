/// Faults of a file, gathered while reading goes on.
struct Faults {
    private static let most = 20
    private var found: [ScenarioError] = []

    /// The first fault of the file, with the others below it; nil without any.
    var error: ScenarioError? {
        let ordered = found.enumerated().sorted { a, b in
            let (first, second) = (a.element.location, b.element.location)
            return (first?.line ?? 0, first?.column ?? 0, a.offset) < (second?.line ?? 0, second?.column ?? 0, b.offset)
        }
        guard var first = ordered.first?.element else { return nil }
        first.others = ordered.dropFirst().prefix(Self.most - 1).map(\.element)
        return first
    }

    /// Adds a fault, and those that were found with it.
    mutating func add(_ error: ScenarioError) {
        var own = error
        own.others = []
        found += [own] + error.others
    }

    /// Goes on after what `read` throws.
    mutating func attempt(_ read: () throws(ScenarioError) -> Void) {
        do throws(ScenarioError) { try read() } catch { add(error) }
    }

    /// Value that `read` returns; nil, and the fault is kept, where it throws.
    mutating func value<Value>(_ read: () throws(ScenarioError) -> Value) -> Value? {
        do throws(ScenarioError) { return try read() } catch { add(error) }
        return nil
    }

    /// All faults and one after which nothing more can be read.
    func with(_ last: ScenarioError) -> ScenarioError {
        var all = self
        all.add(last)
        return all.error ?? last
    }
}
