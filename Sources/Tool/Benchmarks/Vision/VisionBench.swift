import Foundation

/// Benchmark of every kernel of CVisionKernels beside the library function that it replaces, on painted pictures, with their agreement.
public struct VisionBench: Sendable {
    /// Options of a run.
    public struct Options: Sendable {
        /// Width of the pictures in pixels, even; most kernels work on a third of it.
        public var width = 1920
        /// Height of the pictures in pixels, even.
        public var height = 1080
        /// Number of times that a kernel and its library are timed by turns.
        public var rounds = 9
        /// Parts of the names of the kernels to run, in any case; nil runs all.
        public var kernels: [String]?
        /// Folder of stereo pairs with exact disparity to measure instead of the kernels.
        public var stereo: String?

        /// Creates options for all kernels at 1080p.
        public init() {}
    }

    /// Names of the kernels that are compared.
    public static let kernelNames = makers.map(\.name)

    private let options: Options

    /// Creates a run.
    public init(_ options: Options) { self.options = options }

    /// Prints a row for each kernel as it is measured; `progress` receives the work under way, an empty text at each end.
    public func run(progress: (String) -> Void = { _ in }, print: (String) -> Void) throws {
        if let folder = options.stereo { return try run(StereoPair.all(in: folder).map { .stereoDisparity($0) }, progress: progress, print: print) }
        progress("  painting …")
        let scene = try VisionScene(width: options.width, height: options.height)
        progress("")
        print("\(options.width)x\(options.height): processor time of one thread, medians of \(options.rounds) by turns")
        print(Self.heading)
        for maker in Self.makers where isWanted(maker.name) {
            progress("  \(maker.name) …")
            defer { progress("") }
            try measure(maker.make(scene), progress: progress, print: print)
        }
    }

    private func run(_ pairs: [KernelComparison], progress: (String) -> Void, print: (String) -> Void) throws {
        print("disparity of stereo pairs, wrong by more than 2 pixels: processor time of one thread, medians of \(options.rounds) by turns")
        print(Self.heading)
        for pair in pairs {
            progress("  \(pair.kernel) …")
            defer { progress("") }
            try measure(pair, progress: progress, print: print)
        }
    }

    private func measure(_ comparison: KernelComparison, progress: (String) -> Void, print: (String) -> Void) throws {
        let agreement = try comparison.agreement()
        let times = try comparison.times(rounds: options.rounds)
        progress("")
        print(Self.row(comparison, times, agreement))
    }

    private static var makers: [(name: String, make: (VisionScene) throws -> KernelComparison)] {
        [
            ("HaarCascade", { try .haarCascade($0) }), ("FHOG", { try .fhog($0) }), ("FHOG, pyramid", { .pyramid($0) }),
            ("SemiglobalMatching", { .semiglobalMatching($0) }), ("SemiglobalMatching, speckles", { .speckleFilter($0) }),
            ("SemiglobalMatching, refined", { .stereoDisparity($0) }),
            ("FastGlobalSmoother", { .fastGlobalSmoother($0) }), ("EdgeSharpening, extrema 17x17", { .extrema($0, radius: 8) }),
            ("EdgeSharpening, extrema 5x5", { .extrema($0, radius: 2) }),
            ("EdgeSharpening, ramps", { .rampSharpener($0) }), ("EdgeSharpening, mode", { .weightedMode($0) }),
            ("EdgeSharpening, upsampling", { .jointUpsampling($0) }), ("HoleFilling", { .holeFilling($0) }),
            ("DisparityRefinement", { .disparityRefinement($0) }),
            ("AreaReduction, luma", { .areaReduction($0) }), ("AreaReduction, 8 : 3", { .sharedReduction($0) }),
            ("AreaReduction, chroma", { .chromaReduction($0) }),
            ("LightMeter", { .lightMeter($0) }), ("TemporalAverage", { .temporalAverage($0) }), ("MinimumBarrier", { try .minimumBarrier($0) }),
            ("ColourPalette", { try .colourPalette($0) }), ("ColourModel", { _ in .colourModel() }), ("MedianFlow", { _ in .medianFlow() }),
            ("NetworkDecoding, suppression", { _ in .nonMaximumSuppression() }),
        ]
    }

    private func isWanted(_ name: String) -> Bool { options.kernels.map { $0.contains { name.localizedCaseInsensitiveContains($0) } } ?? true }

    private static let heading = "  kernel                          ours ms library ms   ratio  agreement"

    private static func row(_ comparison: KernelComparison, _ times: KernelComparison.Times, _ agreement: Agreement) -> String {
        "  " + comparison.kernel.padding(toLength: 29, withPad: " ", startingAt: 0)
            + String(format: " %9.3f %10.3f %7.2f  ", times.kernel * 1000, times.oracle * 1000, times.ratio) + "\(agreement); \(comparison.oracle)"
    }
}
