import CoreMedia
import CoreVideo
import Foundation
import Media
import Pipeline
import Support
import Vision

/// Job that detects subjects in footage, or in a folder of pictures, and writes a sidecar; on request a movie with their boxes too.
public final class DetectJob {
    /// Options of a job.
    public struct Options: Sendable {
        /// Path of the JSON Lines.
        public var output: String
        /// Path of a movie with the boxes drawn in.
        public var overlay: String?
        /// Right picture of a rectified pair; excludes `disparity`.
        public var right: String?
        /// Recorded disparity; excludes `right`.
        public var disparity: String?
        /// Whether every picture is a scene of its own.
        public var isStills = false
        /// Whether frames come at their own times, as from a camera, and wait for no search; else each waits for its searches.
        public var isLive = false
        /// Networks that vision may use.
        public var models = VisionModels()
        /// Whether existing files are replaced.
        public var replacesExisting = false

        /// Creates options for a sidecar at `output`.
        public init(output: String) { self.output = output }
    }

    /// Result of a job.
    public struct Result: Sendable {
        /// Number of frames or pictures.
        public var frames = 0
        /// Number of detections in all.
        public var detections = 0
        /// Wall time of each stage.
        public var timings: [Timings.Stage] = []
        /// Duration of a frame of the footage, seconds; nil for pictures.
        public var frameDuration: Double?
        /// Whether frames came at their own times.
        public var isLive = false
        /// Limits of the disparity measured, ready to print.
        public var remarks: [String] = []

        /// Comparison of the 95th percentile of a frame's time with the frame duration, in words; nil for pictures.
        public var budget: String? {
            guard let frameDuration, let frame = timings.first(where: { $0.name == " frame" }) else { return nil }
            let verdict = frame.p95 <= frameDuration ? "in time" : "slower than the footage plays"
            let span = isLive ? "when it is due to its result" : "one result to the next"
            let text = "  p95 of a frame is %.1f ms from \(span), the footage leaves %.1f ms: "
            return String(format: text, frame.p95 * 1000, frameDuration * 1000) + verdict
        }
    }

    /// Frames for which a still picture is shown: by then every slice of every search has had its turn.
    private static let framesPerStill = 30

    /// Number of frames or pictures; nil when the footage does not say.
    public let frameCount: Int?
    private let input: String
    private let options: Options
    private let timings = Timings()
    private let source: (any FrameSource)?
    private let estimator: (any DisparityEstimator)?
    private let pictures: [String]
    /// Of footage; a picture, which is a scene of its own, gets a fresh one.
    private let detector: VisionDetector

    /// Opens everything and refuses what cannot work; nothing is written yet.
    public init(_ input: String, options: Options) throws {
        self.input = input
        self.options = options
        detector = try VisionDetector(
            models: options.models, pace: options.isLive ? .free : .lockStep, looksBack: !options.isLive && !options.isStills, timings: timings)
        if options.isStills {
            pictures = try PictureSequence.files(of: input) ?? [input]
            (source, estimator, frameCount) = (nil, nil, pictures.count)
            return
        }
        pictures = []
        if let right = options.right {
            source = try StereoFileSource(left: input, right: right)
            estimator = StereoDisparityEstimator(parameters: .boxes)
        } else if let disparity = options.disparity {
            (source, estimator) = (try RecordedDisparitySource(video: input, disparity: disparity, purpose: .boxes), nil)
        } else {
            (source, estimator) = (try VideoFileSource(path: input), nil)
        }
        frameCount = source?.description.frameCount
    }

    /// The files it reads.
    package var inputs: [String] {
        get throws { try PictureSequence.inputs([input] + [options.right, options.disparity].compactMap { $0 }) + options.models.files }
    }

    /// Detects in everything; `progress` is called with the number of frames or pictures done.
    public func run(progress: (Int) -> Void) throws -> Result {
        let file = try OutputFile(path: options.output, replacingExisting: options.replacesExisting)
        defer { file.discard() }
        var result = try source.map { try lookAtFootage($0, file, progress) } ?? lookAtPictures(file, progress)
        result.timings = timings.report
        result.remarks = estimator?.remarks ?? []
        (result.frameDuration, result.isLive) = (source?.description.frameDuration.seconds, options.isLive)
        return result
    }

    private func lookAtFootage(_ source: any FrameSource, _ file: OutputFile, _ progress: (Int) -> Void) throws -> Result {
        let description = source.description
        let movie = try options.overlay.map {
            try MovieFileWriter(
                path: $0,
                movie: MovieDescription(width: description.width, height: description.height, frameDuration: description.frameDuration),
                replacingExisting: options.replacesExisting)
        }
        var result = Result()
        try file.write(DetectionLog.Header(description, named: (input as NSString).lastPathComponent).line)
        let ahead = FramesAhead(ShotSource(source), estimator: estimator, timings: timings, isLive: options.isLive)
        defer {
            ahead.close()
            detector.waitForSearch()
        }
        // Frames to which something may be added yet, and their pictures where they are drawn.
        var (waiting, pictures) = ([DetectionLog.Entry](), [Frame]())
        func write(_ entry: DetectionLog.Entry) throws {
            waiting.removeFirst()
            try file.write(entry.line)
            result.detections += entry.detections.count
            guard let movie else { return }
            let frame = pictures.removeFirst()
            try DetectionDrawing.draw(entry.detections, on: frame.image)
            try movie.append(frame.image, at: frame.presentationTime)
        }
        do {
            var last = Date()
            while let frame = try ahead.nextFrame() {
                let map = frame.disparity
                let seen = try timings.measure("detect") { try detector.detections(in: frame, disparity: map) }
                // Time that footage has to keep up with: from one result to the next; live, from a frame's due time to its result.
                let now = Date()
                timings.book(" frame", .seconds(now.timeIntervalSince(frame.dueDate ?? last)))
                last = now
                let entry = DetectionLog.Entry(
                    frame: frame.index, time: frame.presentationTime.nanoseconds, detections: seen, disparity: map?.statistics, shot: frame.shot)
                waiting.append(entry)
                waiting.add(detector.takeEarlier())
                if movie != nil { pictures.append(frame) }
                while let first = waiting.first, options.isLive || entry.time - first.time > VisionDetector.longestLookBack { try write(first) }
                result.frames += 1
                progress(result.frames)
            }
            while let first = waiting.first { try write(first) }
            if let movie { try movie.finish(with: [file]) } else { try file.commit() }
        } catch {
            movie?.cancel()
            throw error
        }
        return result
    }

    private func lookAtPictures(_ file: OutputFile, _ progress: (Int) -> Void) throws -> Result {
        var result = Result()
        let still = CMTime(value: 1, timescale: 30)
        for (index, path) in pictures.enumerated() {
            let image = try timings.measure("decode") { try PictureFile.read(path, as: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange) }
            let (width, height) = (CVPixelBufferGetWidth(image), CVPixelBufferGetHeight(image))
            if index == 0 {
                let header = DetectionLog.Header(
                    source: (input as NSString).lastPathComponent, width: width, height: height, frameDuration: [1, 30])
                try file.write(header.line)
            }
            let detector = try VisionDetector(models: options.models, timings: timings)
            var seen: [Detection] = []
            for index in 0..<Self.framesPerStill {
                let frame = Frame(index: index, presentationTime: CMTime(value: Int64(index), timescale: still.timescale), image: image)
                seen = try timings.measure("detect") { try detector.detections(in: frame, disparity: nil) }
            }
            var entry = DetectionLog.Entry(frame: index, time: Int64(index), detections: seen)
            (entry.picture, entry.size) = ((path as NSString).lastPathComponent, [width, height])
            try file.write(entry.line)
            result.frames += 1
            result.detections += seen.count
            progress(result.frames)
        }
        try file.commit()
        return result
    }
}

extension VisionModels {
    /// Paths of the models that are given.
    var files: [String] { [face, object, depth].compactMap { $0 } }
}
