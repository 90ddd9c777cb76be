import Foundation
import Pipeline
import Support

/// Benchmark of the commands that users run, from file to file, beside ffmpeg's nearest equivalent, by turns in one run.
///
/// A command is a process of its own, run over `frames` + 1 frames and over one: the difference is the time of a frame, the shorter run the time of
/// the start. What happens inside is what the command itself says with `--timings`.
public struct ChainBench: Sendable {
    /// Options of a run.
    public struct Options: Sendable {
        /// Width of the frames in pixels, even.
        public var width = 1920
        /// Height of the frames in pixels, even.
        public var height = 1080
        /// Frames timed at a time, behind the first.
        public var frames = 30
        /// Number of times that a command and ffmpeg are timed by turns.
        public var rounds = 3
        /// Part of the names of the commands to run; nil runs all.
        public var scene: String?
        /// Vulkan device by number or part of its name; nil takes the best.
        public var gpu: String?
        /// Path of a file that gets all figures as JSON; nil for none.
        public var json: String?
        /// Whether stages, passes and copies are printed too.
        public var isTimed = false
        /// Path of the tool whose commands are timed.
        public var tool = ChildProcess.runningProgram.path

        /// Creates options for thirty frames at 1080p.
        public init() {}
    }

    /// Names of the commands that are timed.
    public static var commandNames: [String] { ChainCommand.allCases.map(\.rawValue) }

    /// The file of all figures, where one is wanted.
    public var outputs: [String] { options.json.map { [$0] } ?? [] }

    private let options: Options

    /// Creates a run.
    public init(_ options: Options) { self.options = options }

    /// Prints a table, row by row as they are measured; `progress` receives the work under way, an empty text at each end. Throws what keeps the
    /// commands from running; ffmpeg's failures stand in the table.
    public func run(progress: (String) -> Void = { _ in }, print: (String) -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "rackfocus-bench-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let json = try options.json.map { try OutputFile(path: $0, replacingExisting: true) }
        progress("  painting …")
        let whole = try ChainFootage(width: options.width, height: options.height, frames: options.frames + 1, folder: folder + "/whole")
        let first = try ChainFootage(width: options.width, height: options.height, frames: 1, folder: folder + "/first")
        progress("")
        let ffmpeg = InstalledProgram.path(of: "ffmpeg", saying: "ffmpeg version")
        print(
            "\(options.width)x\(options.height): \(options.frames) frames behind the first, medians of \(options.rounds) by turns;"
                + " ffmpeg: varblur by a second picture's luma, the same encoder")
        print(ChainResult.heading)
        var results: [ChainResult] = []
        for command in ChainCommand.allCases where options.scene.map(command.rawValue.contains) ?? true {
            progress("  \(command.rawValue) …")
            let result = try measure(command, whole, first, ffmpeg)
            progress("")
            print(result.text)
            if options.isTimed { print(result.stageTable) }
            results.append(result)
        }
        if let json {
            let report = ChainReport(width: options.width, height: options.height, frames: options.frames, rounds: options.rounds, results: results)
            try json.write(report.json())
            try json.commit()
        }
    }

    private func measure(_ command: ChainCommand, _ whole: ChainFootage, _ first: ChainFootage, _ ffmpeg: String?) throws -> ChainResult {
        var (ours, theirs): ([ChainResult.Run], [ChainResult.Run]) = ([], [])
        var (figures, failure): (RunFigures?, String?) = (nil, ffmpeg == nil ? "not installed: apt install ffmpeg" : nil)
        // Drivers keep what they compiled: no round but this one waits for that.
        _ = try InstalledProgram.time(options.tool, [command.arguments(whole, gpu: options.gpu)])
        for _ in 0..<options.rounds {
            ours.append(try time(options.tool) { command.arguments($0, gpu: options.gpu) })
            figures = try JSONDecoder().decode(RunFigures.self, from: FileContents.read(whole.figures))
            guard let ffmpeg, failure == nil else { continue }
            do { theirs.append(try time(ffmpeg) { command.ffmpeg($0) }) } catch { failure = "failed: \(error)" }
        }
        func time(_ program: String, _ arguments: (ChainFootage) -> [String]) throws -> ChainResult.Run {
            // Each is a first render: what an earlier one kept of the footage would be used again.
            for footage in [first, whole] { try? FileManager.default.removeItem(atPath: footage.run) }
            let start = try InstalledProgram.time(program, [arguments(first)])
            return ChainResult.Run(start: start, frame: (try InstalledProgram.time(program, [arguments(whole)]) - start) / options.frames)
        }
        guard let figures else { preconditionFailure("a bench has a round at least") }
        return ChainResult(
            command: command.rawValue, ours: .median(ours), ffmpeg: failure == nil ? .median(theirs) : nil, failure: failure, figures: figures)
    }
}
