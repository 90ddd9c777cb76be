import Bokeh
import CoreMedia
import CoreVideo
import Foundation
import Media
import Pipeline
import Stage
import Support
import Synchronization
import VideoDevice

/// Benchmark of the live chain: a camera in memory at true speed through capture, eyes, focus, lens and encoder, as `rackfocus record --baked` runs it.
public struct LiveBench: Sendable {
    /// Options of a run.
    public struct Options: Sendable {
        /// Width of the pictures in pixels, even.
        public var width = 1280
        /// Height of the pictures in pixels, even.
        public var height = 720
        /// Frames per second.
        public var rate = 30
        /// Length in seconds.
        public var seconds = 10
        /// Path of a video that the camera shows, to and fro, in its own size; nil for people painted by the stage.
        public var footage: String?
        /// Quality of the lens; nil for the full one, and the coarser where the machine is too slow.
        public var quality: BokehOptions.Quality?
        /// Vulkan device by number or part of its name; nil takes the best.
        public var gpu: String?
        /// Path of a file that gets all figures as JSON; nil for none.
        public var json: String?
        /// Whether the stages' times are printed too.
        public var isTimed = false

        /// Creates options for ten seconds of 720p30.
        public init() {}
    }

    /// Figures of a run.
    struct Report: Codable, Sendable {
        struct Latency: Codable, Sendable {
            var p50: Double
            var p95: Double
            var p99: Double
            var most: Double
        }

        struct Share: Codable, Sendable {
            /// Name of the threads.
            var thread: String
            /// Part of all processor time, 0…1.
            var share: Double
        }

        var width: Int
        var height: Int
        var rate: Int
        var processors: Int
        var seconds: Double
        /// Frames decided, and pictures encoded.
        var frames: Int
        var pictures: Int
        var framesPerSecond: Double
        /// Frames that the camera lost, and pictures that the lens left out.
        var lost: Int
        var leftOut: Int
        /// Milliseconds from a frame's capture to the end of its encoding, behind the first second.
        var latency: Latency?
        /// Milliseconds from the start of the camera to the first encoded picture.
        var firstPicture: Double?
        var coreMillisecondsPerFrame: Double
        var shares: [Share]
        /// Resident memory at most, and at a quarter and at the end of the run, in units of 2^20 bytes; the camera's pictures are in it.
        var peakMemory: Double
        var earlyMemory: Double
        var lateMemory: Double
        /// Frames at each step of degradation.
        var degradation: [String: Int]
        /// Copies of pictures and maps on their way from the driver's memory to the encoder, by step.
        var copies: [PictureCopies.Count]
    }

    private struct Samples: Sendable {
        /// Nanoseconds of presentation time and of latency.
        var latencies: [(time: Int64, nanoseconds: Int64)] = []
        var threads = ThreadTimes()
        var early = 0.0
        var late = 0.0
    }

    private let options: Options

    /// The file of all figures, where one is wanted.
    public var outputs: [String] { options.json.map { [$0] } ?? [] }

    /// Creates a run.
    public init(_ options: Options) { self.options = options }

    /// Runs the chain and prints what it measured; `progress` receives the work under way, an empty text at each end.
    public func run(progress: (String) -> Void = { _ in }, print: (String) -> Void) throws {
        let json = try options.json.map { try OutputFile(path: $0, replacingExisting: true) }
        progress("  painting …")
        let camera = try self.camera()
        progress("")
        let folder = FileManager.default.temporaryDirectory.appending(path: "rackfocus-live-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var record = RecordOptions()
        record.camera = camera.path
        record.baked = folder + "/live.mp4"
        record.duration = CMTime(value: Int64(options.seconds), timescale: 1)
        record.gpu = options.gpu
        if let quality = options.quality { (record.lens.quality, record.isLensGraded) = (quality, false) }

        progress("  filming …")
        let samples = Mutex(Samples())
        let system = LoopedCameras([camera])
        let owner = Mutex<RecordJob?>(nil)
        let job = try RecordJob(record, in: system) { time in
            guard let zero = owner.withLock({ $0 })?.cameraZero else { return }
            let nanoseconds = time.nanoseconds
            samples.withLock { $0.latencies.append((nanoseconds, system.now - zero - nanoseconds)) }
        }
        owner.withLock { $0 = job }
        defer { owner.withLock { $0 = nil } }
        let timer = DispatchSource.makeTimerSource(queue: .global())
        let quarter = Double(options.seconds) / 4
        timer.schedule(deadline: .now() + 0.25, repeating: 0.25)
        timer.setEventHandler {
            let (memory, time) = (ProcessMemory()?.now ?? 0, job.status?.time ?? 0)
            samples.withLock { samples in
                samples.threads.look()
                if time > 0, time <= quarter { samples.early = memory }
                samples.late = memory
            }
        }
        timer.resume()
        ProcessMemory.forgetPeak()
        var result: RecordResult?
        let time: ProcessorTime
        do {
            defer { timer.cancel() }
            time = try ProcessorTime.measure(.ours) { result = try job.run() }
        }
        progress("")
        guard let result else { preconditionFailure("a job that throws nothing has a result") }
        let report = report(result, time, samples.withLock { $0 }, of: camera)
        print(report.text)
        if options.isTimed { print(result.timings.table) }
        if let json {
            try json.write(JSONEncoder.readable.encode(report))
            try json.commit()
        }
    }

    private func report(_ result: RecordResult, _ time: ProcessorTime, _ samples: Samples, of camera: LoopedCameras.Camera) -> Report {
        let settled = samples.latencies.filter { $0.time >= 1_000_000_000 }.map(\.nanoseconds).sorted().map { Double($0) / 1e6 }
        func percentile(_ share: Double) -> Double { settled[min(Int(Double(settled.count) * share), settled.count - 1)] }
        let latency =
            settled.isEmpty
            ? nil : Report.Latency(p50: percentile(0.5), p95: percentile(0.95), p99: percentile(0.99), most: settled[settled.count - 1])
        let sums = samples.threads.sums
        let known = sums.map(\.seconds).reduce(0, +)
        let total = max(time.cores, known)
        let named = sums.map { Report.Share(thread: $0.name, share: $0.seconds / total) }.filter { $0.share >= 0.005 }
        return Report(
            width: camera.width, height: camera.height, rate: options.rate, processors: ProcessInfo.processInfo.activeProcessorCount,
            seconds: result.duration, frames: result.frames, pictures: result.bakedFrames,
            framesPerSecond: result.duration > 0 ? Double(max(result.bakedFrames - 1, 0)) / result.duration : 0, lost: result.lost,
            leftOut: result.leftOut, latency: latency, firstPicture: samples.latencies.first.map { Double($0.time + $0.nanoseconds) / 1e6 },
            coreMillisecondsPerFrame: time.cores / Double(max(result.frames, 1)) * 1000, shares: named, peakMemory: ProcessMemory()?.peak ?? 0,
            earlyMemory: samples.early, lateMemory: samples.late,
            degradation: Dictionary(uniqueKeysWithValues: result.degradation.map { ($0.name, $1) }), copies: PictureCopies.report)
    }

    /// Camera of the footage, or of a street with two people.
    private func camera() throws -> LoopedCameras.Camera {
        let source: any FrameSource =
            if let path = options.footage { try VideoFileSource(path: path) } else { StageSource(world: Self.world(options.width, options.height)) }
        var pictures: [[UInt8]] = []
        // Two seconds of 720p are 80 MB.
        while pictures.count < 60, let frame = try source.nextFrame() { pictures.append(Self.bytes(frame.image)) }
        guard !pictures.isEmpty else { throw MediaError(code: .noVideoStream, path: options.footage ?? "footage", reason: "has no picture") }
        let (width, height) = (source.description.width, source.description.height)
        // To and fro, so that nothing jumps.
        let back = pictures.dropFirst().dropLast().reversed()
        return LoopedCameras.Camera(width: width, height: height, rate: options.rate, pictures: pictures + back)
    }

    private static func bytes(_ image: CVPixelBuffer) -> [UInt8] {
        let (width, height) = image.size
        var bytes: [UInt8] = []
        bytes.reserveCapacity(width * height * 3 / 2)
        for (plane, rows) in [(0, height), (1, height / 2)] {
            for y in 0..<rows { bytes += UnsafeBufferPointer(start: image.plane(plane).row(y, as: UInt8.self), count: width) }
        }
        return bytes
    }

    private static func world(_ width: Int, _ height: Int) -> World {
        var world = World()
        (world.width, world.height, world.frameCount) = (width, height, 60)
        world.light = Motion(180)
        world.backdrop.kind = .street
        func person(_ name: String, x: Double, to goal: Double, depth: Double, size: Double) -> Stage.Subject {
            let box = CGRect(x: x, y: 0.2, width: size, height: size * 2.2)
            var subject = Stage.Subject(name: name, kind: .face, placement: Motion(Placement(box: box, depth: depth)))
            subject.placement.move(to: Placement(box: box.offsetBy(dx: goal - x, dy: 0), depth: depth), start: 0, over: 2_000_000_000)
            return subject
        }
        world.subjects = [person("maya", x: 0.2, to: 0.35, depth: 2, size: 0.11), person("ben", x: 0.7, to: 0.6, depth: 1.3, size: 0.15)]
        return world
    }
}

extension LiveBench.Report {
    /// Figures as they are printed.
    var text: String {
        func number(_ value: Double?, _ format: String = "%.0f") -> String { value.map { String(format: format, $0) } ?? "-" }
        var lines = [
            "\(width)x\(height) at \(rate) fps for \(number(seconds, "%.1f")) s on \(processors) processors: \(frames) frames decided, \(pictures) encoded, "
                + "\(number(framesPerSecond, "%.1f")) fps; \(lost) lost by the camera, \(leftOut) left out by the lens",
            "capture to encoded, ms: p50 \(number(latency?.p50))  p95 \(number(latency?.p95))  p99 \(number(latency?.p99))  most \(number(latency?.most));"
                + " first picture after \(number(firstPicture))",
            "core ms a frame: \(number(coreMillisecondsPerFrame, "%.1f")); memory MiB: \(number(earlyMemory)) after a quarter, \(number(lateMemory)) at the end,"
                + " \(number(peakMemory)) at most",
        ]
        let steps = Degradation.allCases.compactMap { step in degradation[step.name].map { "\(step.words) \($0)" } }
        lines.append("frames by degradation: \(steps.joined(separator: ", "))")
        lines += copies.map { copy in
            let (size, share) = (Double(copy.bytes) / Double(max(copy.count, 1)) / 1e6, Double(copy.count) / Double(max(frames, 1)))
            return String(format: "copies: %@, %.2f a frame of %.2f MB", copy.step.rawValue, share, size)
        }
        lines += shares.map { share in
            "  \(share.thread.padding(toLength: 16, withPad: " ", startingAt: 0)) \(number(share.share * 100, "%5.1f")) % of the processor time"
        }
        return lines.joined(separator: "\n")
    }
}
