import Foundation

/// A run of inputs, each drawn from a seed of its own, so that one that fails is made again from its number.
///
/// Without a word a run has a fixed count of inputs and is the same every time. `RACKFOCUS_FUZZ_SECONDS` bounds it by time instead,
/// `RACKFOCUS_FUZZ_COUNT` by another count; `RACKFOCUS_FUZZ_SEED` is the seed of the first input (1). In the folder `RACKFOCUS_FUZZ_FOLDER`
/// it keeps the input under way (`NAME.input`), for when that ends the process, and how many there were (`NAME.count`).
public struct FuzzRun {
    /// An input that took longer than `longest`.
    public struct TooSlow: Error {
        public let seed: UInt64
        public let seconds: Double
    }

    /// Seconds one input may take.
    private static let longest = 5.0
    private let name: String
    private let count: Int
    private let seconds: Double?
    private let first: UInt64
    private let folder: URL?

    public init(_ name: String, count: Int) {
        let environment = ProcessInfo.processInfo.environment
        self.name = name
        seconds = environment["RACKFOCUS_FUZZ_SECONDS"].flatMap(Double.init)
        self.count = environment["RACKFOCUS_FUZZ_COUNT"].flatMap { Int($0) } ?? (seconds == nil ? count : .max)
        first = environment["RACKFOCUS_FUZZ_SEED"].flatMap { UInt64($0) } ?? 1
        folder = environment["RACKFOCUS_FUZZ_FOLDER"].map { URL(fileURLWithPath: $0) }
    }

    /// Makes inputs and checks them; `check` gets the seed for its messages. Throws what `check` throws, and `TooSlow`.
    public func callAsFunction(
        _ make: (inout FuzzGenerator) -> Data, check: (_ input: Data, _ seed: UInt64) throws -> Void
    ) throws {
        if let folder { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
        let begin = ContinuousClock.now
        var done = 0
        while done < count, seconds.map({ begin.duration(to: .now) < .seconds($0) }) ?? true {
            let seed = first &+ UInt64(done)
            var generator = FuzzGenerator(seed: seed)
            let input = make(&generator)
            if let folder { try input.write(to: folder.appending(path: "\(name).input")) }
            let start = ContinuousClock.now
            try check(input, seed)
            let taken = start.duration(to: .now) / .seconds(1)
            if taken > Self.longest { throw TooSlow(seed: seed, seconds: taken) }
            done += 1
        }
        if let folder { try Data("\(done)\n".utf8).write(to: folder.appending(path: "\(name).count")) }
    }
}
