import Foundation

/// A run of inputs of one parser: first its corpus, then inputs each drawn from a seed of its own, so that one that fails is made again from its
/// number.
///
/// The corpus is the folder `Tests/Corpus/NAME`: a file there is a whole input, as it was when it failed, made small. Without a word a run has a
/// fixed count of inputs and is the same every time. `RACKFOCUS_FUZZ_SECONDS` bounds it by time instead, `RACKFOCUS_FUZZ_COUNT` by another count;
/// `RACKFOCUS_FUZZ_SEED` is the seed of the first input (1). In the folder `RACKFOCUS_FUZZ_FOLDER` it keeps the input under way (`NAME.input`), for
/// when that ends the process or fails, and how many there were, in how many seconds (`NAME.count`).
public struct FuzzRun {
    /// An input that took longer than `longest`, or more memory than `largest`.
    public struct TooMuch: Error, CustomStringConvertible {
        public let description: String
    }

    /// Seconds one input may take, of the clock and of the processor: a machine that is busy with other things makes no input slow.
    private static let longest = 5.0
    /// Seconds of the clock after which an input never ends.
    private static let endless = 120
    /// Bytes by which one input may raise what the process has held at most. Watched in runs that the environment asks for: in others the rest of the
    /// tests takes memory beside them.
    private static let largest = 1 << 30
    private let name: String
    private let count: Int
    private let seconds: Double?
    private let first: UInt64
    private let folder: URL?
    private let isAlone: Bool

    public init(_ name: String, count: Int) {
        let environment = ProcessInfo.processInfo.environment
        self.name = name
        seconds = environment["RACKFOCUS_FUZZ_SECONDS"].flatMap(Double.init)
        let asked = environment["RACKFOCUS_FUZZ_COUNT"].flatMap { Int($0) }
        self.count = asked ?? (seconds == nil ? count : .max)
        first = environment["RACKFOCUS_FUZZ_SEED"].flatMap { UInt64($0) } ?? 1
        folder = environment["RACKFOCUS_FUZZ_FOLDER"].map { URL(fileURLWithPath: $0) }
        isAlone = asked != nil || seconds != nil
    }

    /// Inputs of `name` that once failed, in the order of their names.
    public static func corpus(_ name: String) throws -> [Data] {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let folder = tests.appending(path: "Corpus/\(name)")
        guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .sorted { $0.path < $1.path }.map { try Data(contentsOf: $0) }
    }

    /// Checks the corpus, then inputs that `make` draws; `check` gets the seed for its messages, 0 for the corpus. Throws what `check` throws, and
    /// `TooMuch`.
    public func callAsFunction(
        _ make: (inout FuzzGenerator) throws -> Data, check: (_ input: Data, _ seed: UInt64) throws -> Void
    ) throws {
        let kept = try folder.map { try KeptInput($0.appending(path: "\(name).input")) }
        let watchdog = Watchdog(name, seconds: Self.endless)
        let begin = ContinuousClock.now
        for input in try Self.corpus(name) { try self.check(input, 0, kept, watchdog, check) }
        var done = 0
        while done < count, seconds.map({ begin.duration(to: .now) < .seconds($0) }) ?? true {
            let seed = first &+ UInt64(done)
            var generator = FuzzGenerator(seed: seed)
            try self.check(try make(&generator), seed, kept, watchdog, check)
            done += 1
            if done % 1000 == 0 { try note(done, since: begin) }
        }
        try note(done, since: begin)
    }

    private func check(
        _ input: Data, _ seed: UInt64, _ kept: KeptInput?, _ watchdog: Watchdog, _ check: (Data, UInt64) throws -> Void
    ) throws {
        try kept?.write(input)
        watchdog.begin(seed)
        let before = Usage()
        try check(input, seed)
        let usage = Usage()
        let taken = min(usage.clock - before.clock, usage.processor - before.processor)
        if taken > Self.longest { throw TooMuch(description: "\(name): the input of seed \(seed) took \(taken) s") }
        let grown = usage.mostBytes - before.mostBytes
        if isAlone, grown > Self.largest { throw TooMuch(description: "\(name): the input of seed \(seed) took \(grown >> 20) MiB") }
    }

    private func note(_ done: Int, since begin: ContinuousClock.Instant) throws {
        guard let folder else { return }
        let taken = Int(begin.duration(to: .now) / .seconds(1))
        try Data("\(done) inputs from seed \(first) in \(taken) s\n".utf8).write(to: folder.appending(path: "\(name).count"))
    }
}
