import Foundation
import Synchronization

/// Wall time spent per stage of the pipeline; never part of a result.
public final class Timings: Sendable {
    public struct Stage: Sendable {
        public var name: String
        public var count: Int
        public var seconds: Double
    }

    private let stages = Mutex<[Stage]>([])

    private let isOn: Bool

    /// Off, it books nothing and costs next to nothing.
    public init(isOn: Bool = true) { self.isOn = isOn }

    /// Runs `body` and books its wall time under `name`.
    public func measure<Result, Failure: Error>(_ name: String, _ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        guard isOn else { return try body() }
        let start = ContinuousClock.now
        defer { book(name, ContinuousClock.now - start) }
        return try body()
    }

    public func book(_ name: String, _ duration: Duration) {
        let seconds = Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
        stages.withLock { stages in
            if let index = stages.firstIndex(where: { $0.name == name }) {
                stages[index].count += 1
                stages[index].seconds += seconds
            } else {
                stages.append(Stage(name: name, count: 1, seconds: seconds))
            }
        }
    }

    /// The stages in order of their first appearance.
    public var report: [Stage] { stages.withLock { $0 } }
}
