import AVFoundation
import Bokeh
import Cinematic
import CoreMedia
import Foundation
import Media
import Optics
import Pipeline
import Support

/// Options of an export.
public struct ExportOptions: Sendable {
    /// Path of the movie, or the pattern of a picture sequence.
    public var output: String
    /// Coding and quality of the movie, and the part of the recording.
    public var delivery = DeliveryOptions()
    /// Edits that are applied.
    public var edits = EditedMovie.Choice.sidecar
    /// Simulated f-number; nil is what was recorded or edited, frame by frame.
    public var aperture: Double?
    /// Options of the lens.
    public var lens = BokehOptions(highlights: 8)
    /// Whether focus rectangles and a status line are drawn over the picture.
    public var overlay = false
    /// A number or a part of a name from `VulkanBokehRenderer.devices()`; nil takes the best.
    public var gpu: String?
    /// Whether ambisonic sound becomes stereo.
    public var mixesAmbisonics = false
    /// Style in which ambisonic sound becomes stereo, and its strength, 0…1; nil leaves foreground and background as they are.
    public var spatialMix: (style: SpatialMix.Style, intensity: Float)?
    /// Whether segments are kept beside the movie until it is complete, and those of an export that was killed are gone on with.
    public var isResumable = false
    /// Length of a segment.
    package var segmentSeconds = 5.0
    /// Words of the command, for the record; nil where there was none.
    public var arguments: [String]?
    /// Whether an existing movie is replaced.
    public var replacesExisting = false

    /// Creates options for a movie at `output`.
    public init(output: String) { self.output = output }
}

/// Result of an export.
public struct ExportResult: Sendable {
    /// Number of frames written.
    public var frames: Int
    /// Frames and tracks that are left out or in another coding, and why; ready to print.
    public var remarks: [String]
    /// Why frames from some on are without the user's filter; nil where all have it, or none is asked for.
    public var filterFailure: BokehError?
}

/// Job that bakes a cinematic movie: its pictures through the lens, focused as it was decided, with the writers and the options of `RenderJob`.
public final class ExportJob {
    /// Number of frames of the recording.
    public var frameCount: Int { movie.script.times.count }
    private let movie: EditedMovie
    private let source: any CinematicFrameSource
    private let session: CNRenderingSession
    private let options: ExportOptions
    private let delivery: DeliveryOptions.Resolved
    private let renderer: VulkanBokehRenderer

    /// Opens everything and refuses what cannot work; nothing is written yet.
    public init(_ path: String, options: ExportOptions) throws {
        movie = try EditedMovie(path, options.edits)
        source = try movie.openFrames(FootageReading(keepsCoding: true, toneMaps: options.delivery.isToneMapped))
        self.options = options
        delivery = try options.delivery.resolved(for: source.description, path: options.output)
        renderer = try VulkanBokehRenderer(gpu: GPUChoice(options.gpu), options: options.lens)
        guard let queue = MTLCreateSystemDefaultDevice()?.makeCommandQueue() else { preconditionFailure("the host has a device of its own") }
        // Frames come upright from their source.
        session = CNRenderingSession(
            commandQueue: queue, sessionAttributes: .init(movie.script.info, in: .editing(renderer: renderer)), preferredTransform: .identity,
            quality: .export)
    }

    /// The files it reads.
    package var inputs: [String] { [movie.path] + [movie.file, options.lens.shader?.path].compactMap { $0 } }

    /// The movie, or the pictures of the sequence that are there, and the record.
    package var outputs: [String] {
        get throws { try (delivery.codec.isSequence ? PictureSequenceWriter.existing(options.output) : [options.output]) + [recordPath] }
    }

    private var recordPath: String { delivery.path(beside: options.output, suffix: "export.json") }

    /// Bakes; `progress` is called with the number of frames written so far.
    public func run(progress: @escaping @Sendable (Int) -> Void) throws -> ExportResult {
        try OutputFile.check(outputs, beside: recordPath, replacingExisting: options.replacesExisting)
        let reel = try TrimmedReel(movie, source, options.delivery.span)
        let record = try OutputFile(path: recordPath, replacingExisting: options.replacesExisting)
        let output = try output(of: reel)
        let (writer, done) = (output.writer, output.done)
        let queue = EncodingQueue(writer: writer, overlay: options.overlay ? Overlay() : nil, timings: Timings()) { progress(done + $0) }
        do {
            do { try bake(reel, into: queue, output.expect) } catch {
                queue.finish()
                throw error
            }
            queue.finish()
            if let failure = queue.failure { throw failure }
            let frames = done + queue.frames
            let remarks = try source.remarks + [reel.early].compactMap { $0 } + writer.remarks + soundRemarks
            try record.write(self.record(frames: frames, remarks: remarks).json)
            try writer.finish(with: [record])
            return ExportResult(frames: frames, remarks: remarks, filterFailure: renderer.filterFailure)
        } catch {
            writer.cancel()
            throw error
        }
    }

    /// Remark where a mix of ambisonics is asked for, and there are none.
    private var soundRemarks: [String] {
        get throws {
            guard options.mixesAmbisonics || options.spatialMix != nil else { return [] }
            let isThere = try movie.script.info.asset.loadedTracks().contains { $0.track.isAmbisonic }
            return isThere ? [] : ["\(movie.path) has no ambisonic sound; its sound is as it was recorded"]
        }
    }

    private func record(frames: Int, remarks: [String]) -> RenderRecord {
        RenderRecord(
            arguments: options.arguments, inputs: RenderRecord.sizes(of: inputs),
            source: .init(source.description, options.delivery.span, isToneMapped: options.delivery.isToneMapped),
            output: .init(options.output, delivery, overlay: options.overlay, isDraft: false),
            lens: .init(options.lens, aperture: options.aperture, device: renderer.device.name), edits: movie.file, frames: frames,
            remarks: remarks)
    }

    /// Writer of the movie, the number of frames that an earlier export left done, and what is to be told of the entry of each frame.
    private func output(of reel: TrimmedReel) throws -> (writer: any DeliveryWriter, done: Int, expect: (Int) -> Void) {
        var description = source.description
        description.end = options.delivery.span.end(in: description).map { $0 - reel.start }
        var footage = MovieFileWriter.Footage(
            path: movie.path, start: reel.start, timecode: reel.start == .zero ? nil : description.timecode(at: reel.start),
            length: options.delivery.span.to?.end(in: description).map { $0 - reel.start })
        if let mix = options.spatialMix {
            let angle = movie.script.info.fieldOfView ?? SpatialMix.usualFieldOfView
            footage.ambisonics = .mixed(SpatialMix(style: mix.style, intensity: mix.intensity, fieldOfView: angle))
        } else if options.mixesAmbisonics {
            footage.ambisonics = .stereo
        }
        guard options.isResumable else {
            let writer = try delivery.writer(path: options.output, of: description, footage: footage, replacingExisting: options.replacesExisting)
            return (writer, 0, { _ in })
        }
        guard !delivery.codec.isSequence else {
            throw MediaError(
                code: .unsupported, path: options.output, reason: "is a sequence of pictures, which --resume does not go on with; name a movie")
        }
        try SegmentedWriter.check(options.output, replacingExisting: options.replacesExisting)
        let parts = try ExportParts(for: options.output, identity)
        if let last = parts.segments.last { try reel.seek(to: last.next) }
        let writer = SegmentedWriter(
            path: options.output, movie: delivery.movie(of: description), delivery: delivery, footage: footage, parts: parts,
            length: max(Int((options.segmentSeconds / description.frameDuration.seconds).rounded()), 1), replacingExisting: options.replacesExisting)
        return (writer, parts.frames, { writer.expect(entry: $0) })
    }

    /// Settings that decide what a segment holds.
    private var identity: ExportParts.Identity {
        var lens = options.lens
        // Its file counts, wherever that lies.
        lens.shader = nil
        let source = options.lens.shader.flatMap { try? FileContents.read($0.path) }.map { SHA256().adding([UInt8]($0)).hexadecimal } ?? "none"
        return [
            "format": "1", "movie and edits": movie.editedDigest, "coding": "\(delivery)",
            "--aperture": options.aperture.map { "\($0)" } ?? "recorded",
            "--overlay": "\(options.overlay)", "--from and --to": "\(options.delivery.span)", "--gpu": options.gpu ?? "best", "--shader": source,
            "segments": "\(options.segmentSeconds) s", "lens": "\(lens)",
        ]
    }

    /// Draws each frame while the one before is being finished and encoded.
    private func bake(_ reel: TrimmedReel, into queue: EncodingQueue, _ expect: (Int) -> Void) throws {
        var begun: (picture: PendingPicture, number: Int, time: CMTime, sample: CinematicSample)?
        func finish() throws -> Bool {
            guard let ready = begun else { return true }
            begun = nil
            let image = try ready.picture.finish()
            expect(ready.number)
            return queue.append(image, at: ready.time) { try $0.draw(ready.sample, at: ready.time, on: $1) }
        }
        while let (frame, recorded) = try reel.next() {
            guard let disparity = frame.disparity else { continue }
            var sample = recorded
            if let aperture = options.aperture { sample.lens.fNumber = aperture }
            if begun == nil { try session.prepare(for: frame.picture, disparity: disparity) }
            let picture = try session.begin(frame.picture, disparity: disparity, .init(sample))
            guard try finish() else { return }
            begun = (picture, frame.index, frame.presentationTime - reel.start, sample)
        }
        _ = try finish()
    }
}
