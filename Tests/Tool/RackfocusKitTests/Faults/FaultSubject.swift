import CoreMedia
import CoreVideo
import Foundation
import Media
import Pipeline
import Support
import TestSupport

/// A command whose calls are failed, or which is killed, in a folder with its inputs and the outputs of an earlier run.
///
/// `render` draws a stage that is sharp everywhere, `lens` one that blurs, on the device, and `footage` decodes a pair. `cinematic` records disparity and
/// metadata besides what `recording` does.
enum FaultSubject: String, CaseIterable, Sendable {
    case render, lens, footage, test, merge, recover, recording, cinematic

    /// Frames that the recorder takes.
    static let framesOfTake = 20

    /// Faults of a sample; with the lens a run lasts seconds.
    var sampledFaults: Int { self == .lens ? 4 : 24 }

    /// Its outputs in its folder; old ones are there before.
    var outputs: [String] {
        switch self {
        case .render, .lens, .footage: ["a.mp4", "a.run"]
        case .test, .merge: ["out"]
        case .recover: ["whole.mov"]
        case .recording, .cinematic: ["take.mov"]
        }
    }

    /// Recording among its outputs; nil where there is none.
    var take: String? {
        switch self {
        case .recover: "whole.mov"
        case .recording, .cinematic: "take.mov"
        case .render, .lens, .footage, .test, .merge: nil
        }
    }

    /// Whether its outputs are replaced whole or not at all.
    var isAtomic: Bool {
        switch self {
        case .render, .lens, .footage, .merge, .recover: true
        case .test, .recording, .cinematic: false
        }
    }

    /// Whether it is the recorder of takes.
    var isRecording: Bool { self == .recording || self == .cinematic }

    var program: String {
        isRecording ? Project.tool.deletingLastPathComponent().appending(path: "take-recorder").path : Project.tool.path
    }

    func arguments(in folder: String, jobs: Int = 1) -> [String] {
        switch self {
        case .render, .lens: ["render", "\(folder)/small.yaml", "-o", "\(folder)/a.mp4", "--force"]
        case .footage: ["render", "--side-by-side", "\(folder)/pair.mp4", "--aperture", "22", "-o", "\(folder)/a.mp4", "--force"]
        case .test: ["test", "\(folder)/scenarios", "-o", "\(folder)/out", "--force", "--jobs", String(jobs)]
        case .merge: ["merge", "\(folder)/part-1", "\(folder)/part-2", "-o", "\(folder)/out", "--force"]
        case .recover: ["recover", "\(folder)/cut.mov", "-o", "\(folder)/whole.mov", "--force"]
        case .recording, .cinematic:
            ["\(folder)/take.mov", "default", String(Self.framesOfTake), "\(folder)/../log"] + (self == .cinematic ? ["cinematic"] : [])
        }
    }

    private static func scenario(_ seed: Int, frames: Int, device: String) -> String {
        """
        scenario: Small \(seed)
        clip: {source: synthetic, size: 32x18, fps: 30, length: \(frames)f, seed: \(seed)}
        device: {\(device)}
        subjects:
          maya: {kind: face, box: [0.4, 0.2, 0.15, 0.35], depth: 1.5m}

        """
    }

    /// Fills an empty folder with the inputs, and the outputs that an earlier run on other inputs left.
    func prepare(_ folder: String, scratch: Scratch) throws {
        func run(_ arguments: [String]) throws {
            let done = try LimitedRun(Project.tool.path, arguments, scratch: scratch)
            guard done.ending == .exited(0) else { throw Unprepared(errors: done.errors + done.output) }
        }
        func write(_ seed: Int, to name: String, frames: Int, device: String = "aperture: f/16, focalLength: 26mm") throws {
            try Self.scenario(seed, frames: frames, device: device).write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
        }
        try FileManager.default.createDirectory(atPath: "\(folder)/scenarios", withIntermediateDirectories: true)
        switch self {
        case .render:
            try write(1, to: "small.yaml", frames: 2)
            try run(arguments(in: folder))
            try write(2, to: "small.yaml", frames: 3)
        case .lens:
            try write(1, to: "small.yaml", frames: 2)
            try run(arguments(in: folder))
            try write(2, to: "small.yaml", frames: 3, device: "aperture: f/2, focalLength: 200mm")
        case .footage:
            try Self.writePair("\(folder)/pair.mp4", frames: 2)
            try run(arguments(in: folder))
            try Self.writePair("\(folder)/pair.mp4", frames: 3)
        case .test:
            for seed in 1...3 { try write(seed, to: "scenarios/s\(seed).yaml", frames: 6) }
            try run(arguments(in: folder))
            for seed in 1...3 { try write(seed + 10, to: "scenarios/s\(seed).yaml", frames: 6) }
        case .merge:
            for seed in 1...2 { try write(seed, to: "scenarios/s\(seed).yaml", frames: 6) }
            for part in 1...2 { try run(["test", "\(folder)/scenarios", "--shard", "\(part)/2", "-o", "\(folder)/part-\(part)"]) }
            try run(["merge", "\(folder)/part-1", "\(folder)/part-2", "-o", "\(folder)/out"])
            for seed in 1...2 { try write(seed + 10, to: "scenarios/s\(seed).yaml", frames: 6) }
            for part in 1...2 { try run(["test", "\(folder)/scenarios", "--shard", "\(part)/2", "-o", "\(folder)/part-\(part)", "--force"]) }
        case .recover:
            try Self.writeCutRecording("\(folder)/cut.mov")
            try Data("old".utf8).write(to: URL(fileURLWithPath: "\(folder)/whole.mov"))
        case .recording, .cinematic: break
        }
    }

    /// Both eyes in one picture, which get brighter.
    private static func writePair(_ path: String, frames: Int) throws {
        let movie = MovieDescription(width: 64, height: 18, frameDuration: CMTime(value: 1, timescale: 30))
        let writer = try MovieFileWriter(path: path, movie: movie, replacingExisting: true)
        for index in 0..<frames {
            let picture = CVPixelBuffer(width: 64, height: 18, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
            for y in 0..<18 { picture.plane(0).row(y, as: UInt8.self).update(repeating: UInt8(40 + 40 * index), count: 64) }
            try writer.append(picture, at: CMTime(value: Int64(index), timescale: 30))
        }
        try writer.finish()
    }

    /// A recording whose last fragment is cut.
    private static func writeCutRecording(_ path: String) throws {
        let movie = MovieDescription(
            width: 32, height: 18, frameDuration: CMTime(value: 1, timescale: 30), sound: .init(layout: .mono, sampleRate: 48_000), fragments: .all)
        let writer = try MovieFileWriter(path: path, movie: movie)
        let picture = CVPixelBuffer(width: 32, height: 18, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        for index in 0..<20 {
            let time = CMTime(value: Int64(index), timescale: 30)
            try writer.append(picture, at: time)
            try writer.append(
                Sound(presentationTime: time, sampleRate: 48_000, layout: .mono, samples: [Float](repeating: 0.1, count: 1600)))
        }
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        writer.cancel()
        try whole.dropLast(40).write(to: URL(fileURLWithPath: path))
    }

    struct Unprepared: Error { let errors: String }
}
