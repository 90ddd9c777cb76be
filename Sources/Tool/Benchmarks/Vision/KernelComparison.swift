import Foundation
import Support

/// Kernel of CVisionKernels and its oracle, prepared on the same input, to be run as often as wanted.
package struct KernelComparison {
    /// Folder of the kernel in CVisionKernels, and the part of it after a comma.
    package let kernel: String
    /// Function that the kernel replaces; "plain: …" is a plain computation of our own, as no library has the algorithm.
    package let oracle: String

    private let runKernel: () throws -> Void
    private let runOracle: () throws -> Void
    private let compare: () -> Agreement

    /// Creates a comparison; `compare` looks at what the last runs of both left behind.
    init(
        _ kernel: String, oracle: String, runKernel: @escaping () throws -> Void, runOracle: @escaping () throws -> Void,
        compare: @escaping () -> Agreement
    ) {
        self.kernel = kernel
        self.oracle = oracle
        self.runKernel = runKernel
        self.runOracle = runOracle
        self.compare = compare
    }

    /// Runs both once and compares the results; throws `OracleError`.
    package func agreement() throws -> Agreement {
        try runKernel()
        try runOracle()
        return compare()
    }

    /// Processor seconds of one run each, and the oracle's over the kernel's: medians.
    package struct Times {
        /// Processor seconds of the kernel.
        package var kernel: Double
        /// Processor seconds of the oracle.
        package var oracle: Double
        /// Times of the oracle over those of the kernel beside it.
        package var ratio: Double
    }

    /// Times both by turns, `rounds` times, each for about `span` seconds or one run.
    package func times(rounds: Int, span: Double = 0.02) throws -> Times {
        let kernelRuns = try Self.runs(in: span, runKernel), oracleRuns = try Self.runs(in: span, runOracle)
        let pairs = try (0..<rounds).map { _ in
            (kernel: try Self.seconds(kernelRuns, runKernel), oracle: try Self.seconds(oracleRuns, runOracle))
        }
        return Times(
            kernel: Self.median(pairs.map(\.kernel)), oracle: Self.median(pairs.map(\.oracle)),
            ratio: Self.median(pairs.map { $0.oracle / $0.kernel }))
    }

    /// Number of runs that take about `span` seconds, at least one; the first run warms up.
    private static func runs(in span: Double, _ run: () throws -> Void) throws -> Int {
        try run()
        let one = try seconds(1, run)
        return max(1, Int(span / max(one, 1e-6)))
    }

    /// Processor seconds of one of `count` runs.
    private static func seconds(_ count: Int, _ run: () throws -> Void) throws -> Double {
        try ProcessorTime.measure(.ours) { for _ in 0..<count { try run() } }.cores / Double(count)
    }

    private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}
