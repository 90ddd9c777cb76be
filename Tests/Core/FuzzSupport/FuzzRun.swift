import Foundation
import Support

/// A run of inputs of one parser: first its corpus, then inputs each drawn from a seed of its own, so that one that fails is made again from its
/// number.
///
/// The corpus is the folder `Tests/Corpus/NAME`: a file there is a whole input, as it was when it failed, made small. Without a word a run has a
/// fixed count of inputs and is the same every time. `RACKFOCUS_FUZZ_SECONDS` bounds it by time instead, `RACKFOCUS_FUZZ_COUNT` by another count;
/// `RACKFOCUS_FUZZ_SEED` is the seed of the first input (1). In the folder `RACKFOCUS_FUZZ_FOLDER` it keeps the input under way (`NAME.input`), for
/// when that ends the process or fails, and what the run has been so far (`NAME.count`): inputs, seconds, the slowest input, and of a run that was asked
/// for the one that took most memory.
public struct FuzzRun {
    /// An input that took longer than `longest`, or more memory than `largest`.
    public struct TooMuch: Error, CustomStringConvertible {
        public let description: String
    }

    /// Seconds one input may take, of the clock and of the processor: a machine that is busy with other things makes no input slow. Watched, as memory
    /// is, in runs that the environment asks for: in others the rest of the tests takes both beside them.
    private static let longest = 5.0
    /// Seconds of the clock after which an input never ends.
    private static let endless = 120
    /// Megabytes that one input may take at most, beside what the process held before it.
    private static let largest = 1024.0
    /// Whether the environment asks for a run, with no other suite beside it.
    public static let isAskedFor = ["RACKFOCUS_FUZZ_COUNT", "RACKFOCUS_FUZZ_SECONDS"].contains { environment[$0] != nil }
    private static let environment = ProcessInfo.processInfo.environment
    private let name: String
    private let count: Int
    private let seconds: Double?
    private let first: UInt64
    private let folder: URL?

    public init(_ name: String, count: Int) {
        self.name = name
        seconds = Self.environment["RACKFOCUS_FUZZ_SECONDS"].flatMap(Double.init)
        let asked = Self.environment["RACKFOCUS_FUZZ_COUNT"].flatMap { Int($0) }
        self.count = asked ?? (seconds == nil ? count : .max)
        first = Self.environment["RACKFOCUS_FUZZ_SEED"].flatMap { UInt64($0) } ?? 1
        folder = Self.environment["RACKFOCUS_FUZZ_FOLDER"].map { URL(fileURLWithPath: $0) }
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
        let begin = Usage()
        var most = Most()
        func take(_ input: Data, _ seed: UInt64) throws {
            try kept?.write(input)
            watchdog.begin(seed)
            try measure(seed, &most) { try check(input, seed) }
        }
        for input in try Self.corpus(name) { try take(input, 0) }
        var (done, now) = (0, begin)
        while done < count, seconds.map({ now.clock - begin.clock < $0 }) ?? true {
            let seed = first &+ UInt64(done)
            var generator = FuzzGenerator(seed: seed)
            try take(try make(&generator), seed)
            done += 1
            now = Usage()
            if done % 1000 == 0 { try note(done, from: begin, to: now, most) }
        }
        try note(done, from: begin, to: now, most)
    }

    /// Runs one input and raises what inputs took at most: seconds of the clock or of the processor, whichever are fewer; and memory.
    private func measure(_ seed: UInt64, _ most: inout Most, _ check: () throws -> Void) throws {
        if Self.isAskedFor { ProcessMemory.forgetPeak() }
        let (before, memory) = (Usage(), Self.isAskedFor ? ProcessMemory() : nil)
        try check()
        let after = Usage()
        let seconds = min(after.clock - before.clock, after.processor - before.processor)
        if seconds > most.seconds.value { most.seconds = (seconds, seed) }
        guard Self.isAskedFor else { return }
        if seconds > Self.longest { throw TooMuch(description: "\(name): the input of seed \(seed) took \(seconds) s") }
        guard let memory, let peak = ProcessMemory()?.peak else { return }
        if peak - memory.now > most.grown.value { most.grown = (peak - memory.now, seed) }
        most.held = max(most.held, peak)
        if peak - memory.now > Self.largest { throw TooMuch(description: "\(name): the input of seed \(seed) took \(Int(peak - memory.now)) MiB") }
    }

    private func note(_ done: Int, from begin: Usage, to now: Usage, _ most: Most) throws {
        guard let folder else { return }
        let seconds = "\(Int(now.clock - begin.clock)) s, \(Int(now.processor - begin.processor)) s of the processor"
        let slowest = "at most \((most.seconds.value * 10_000).rounded() / 10) ms (seed \(most.seconds.seed))"
        let memory = "\(Int(most.grown.value)) MiB (seed \(most.grown.seed)), the process \(Int(most.held)) MiB"
        try Data("\(done) inputs from seed \(first) in \(seconds); \(slowest), \(memory)\n".utf8).write(to: folder.appending(path: "\(name).count"))
    }
}

/// Most time and memory that inputs of a run took, each with its seed, and the memory of the process with the hungriest.
private struct Most {
    var seconds = (value: 0.0, seed: UInt64(0))
    /// Megabytes beside what the process held before.
    var grown = (value: 0.0, seed: UInt64(0))
    var held = 0.0
}
