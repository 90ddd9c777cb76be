import Foundation
import Synchronization

/// Wall and processor time per stage of the pipeline; never part of a result.
public final class Timings: Sendable {
    /// Sum and distribution of one stage's calls.
    public struct Stage: Sendable {
        /// Name of the stage; leading spaces mark one inside another.
        public var name: String
        /// Number of calls.
        public var count: Int
        /// Wall time of all calls, seconds.
        public var seconds: Double
        /// Processor time of all calls on the threads that made them, seconds; what they have other threads do is not in it.
        public var coreSeconds: Double = 0
        /// Histogram of calls by duration, in steps of a tenth of an octave from 1 µs on.
        var histogram = [Int](repeating: 0, count: 256)

        /// 95th percentile of a call's duration, seconds, within 4 %.
        public var p95: Double {
            var left = count - (count * 95 + 99) / 100
            for step in histogram.indices.reversed() {
                left -= histogram[step]
                if left < 0 { return 1e-6 * exp2(Double(step) / 10) }
            }
            return 0
        }

        mutating func book(_ duration: Double, cores: Double) {
            count += 1
            seconds += duration
            coreSeconds += cores
            histogram[min(max(Int((log2(max(duration, 1e-9) * 1e6) * 10).rounded()), 0), 255)] += 1
        }
    }

    private let stages = Mutex<[Stage]>([])

    @usableFromInline let isOn: Bool
    private let whole: Timings?

    /// Creates an empty collection; one that is off measures nothing and costs next to nothing.
    public init(isOn: Bool = true) { (self.isOn, whole) = (isOn, nil) }

    /// Creates a collection whose stages are booked, indented, as parts of a stage of `whole`.
    package init(inside whole: Timings) { (isOn, self.whole) = (whole.isOn, whole) }

    /// Runs `body` and adds its wall time, and the processor time of its thread, to the stage `name`, thrown or not.
    @inlinable
    public func measure<Result, Failure: Error>(_ name: String, _ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        guard isOn else { return try body() }
        let (start, used) = (ContinuousClock.now, Self.threadTime)
        defer { book(name, ContinuousClock.now - start, cores: Self.threadTime - used) }
        return try body()
    }

    /// Processor time of the calling thread so far, seconds.
    @usableFromInline static var threadTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }

    /// Adds a call of the given duration to the stage `name`; `cores`: processor time of its thread, seconds.
    public func book(_ name: String, _ duration: Duration, cores: Double = 0) {
        if let whole { return whole.book("  " + name, duration, cores: cores) }
        let seconds = Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
        stages.withLock { stages in
            let index = stages.firstIndex { $0.name == name } ?? stages.endIndex
            if index == stages.endIndex { stages.append(Stage(name: name, count: 0, seconds: 0)) }
            stages[index].book(seconds, cores: cores)
        }
    }

    /// Clears all stages, as after a warm-up.
    public func clear() { stages.withLock { $0 = [] } }

    /// Stages in order of their first appearance.
    public var report: [Stage] { stages.withLock { $0 } }
}

extension [Timings.Stage] {
    /// Table of stage, calls, milliseconds and processor milliseconds a call, 95th percentile, and share of all time; inner stages are indented.
    public var table: String {
        func depth(_ stage: Timings.Stage) -> Int { stage.name.prefix { $0 == " " }.count }
        let outermost = map(depth).min() ?? 0
        let total = filter { depth($0) == outermost }.map(\.seconds).reduce(0, +)
        let width = Swift.max(12, map(\.name.count).max() ?? 0)
        return map { stage in
            let name = stage.name.padding(toLength: width, withPad: " ", startingAt: 0)
            let calls = Double(Swift.max(stage.count, 1))
            let (time, core): (Double, Double) = (stage.seconds / calls * 1000, stage.coreSeconds / calls * 1000)
            let (late, share): (Double, Double) = (stage.p95 * 1000, stage.seconds / Swift.max(total, 1e-9) * 100)
            return String(
                format: "  %@ %6d × %8.2f ms  core %8.2f ms  p95 %8.2f ms  %4.1f %%", name, stage.count, time, core, late, share)
        }.joined(separator: "\n")
    }
}
