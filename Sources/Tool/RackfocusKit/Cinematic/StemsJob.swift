import Cinematic
import CoreMedia
import CoreVideo
import Foundation
import Media
import Optics
import Pipeline
import Support
import Vision

/// Job that writes what compositors take of a cinematic movie, a numbered file a frame from 0001 on:
///
///     picture.%04d.png     the sharp picture, 8 bits, 16 where it has more
///     disparity.%04d.exr   disparity in 1/m where the maps are metric, 32-bit float, exactly as recorded
///     coc.%04d.exr         circle of confusion of the lens: diameter in pixels of the picture, > 0 behind the focus, < 0 before it
///     matte.%04d.png       the subject in focus by its depth, 8 bits
///     lens.%04d.json       lens, focus, subject and sizes
///     export.json          the command and what it read (`RenderRecord`)
///
/// Maps and mattes have the size in which disparity was recorded. The folder is there when all of it is written, or not at all.
public final class StemsJob {
    /// Options of the stems.
    public struct Options: Sendable {
        /// Folder that is written.
        public var folder: String
        /// Edits that are applied.
        public var edits = EditedMovie.Choice.sidecar
        /// Part of the recording.
        public var span = FootageSpan()
        /// Simulated f-number; nil is what was recorded or edited.
        public var aperture: Double?
        /// Words of the command, for the record; nil where there was none.
        public var arguments: [String]?
        /// Whether an existing folder of stems is replaced.
        public var replacesExisting = false

        /// Creates options for a folder.
        public init(folder: String) { self.folder = folder }
    }

    /// Number of frames of the recording.
    public var frameCount: Int { movie.script.times.count }
    private let movie: EditedMovie
    private let source: any CinematicFrameSource
    private let options: Options

    /// Opens the movie and its edits; nothing is written yet.
    public init(_ path: String, options: Options) throws {
        movie = try EditedMovie(path, options.edits)
        self.options = options
        source = try movie.openFrames(FootageReading(keepsCoding: true))
    }

    /// The files it reads.
    package var inputs: [String] { [movie.path] + [movie.file].compactMap { $0 } }

    /// Writes the folder; `progress` is called with the number of frames so far. Returns their number and what is left out.
    public func run(progress: @escaping @Sendable (Int) -> Void) throws -> (frames: Int, remarks: [String]) {
        let reel = try TrimmedReel(movie, source, options.span)
        OutputDirectory.removeOrphans(beside: options.folder)
        // Flushed one by one, the files of a minute would wait for the disk some ten thousand times.
        let folder = try OutputDirectory(path: options.folder, replacingExisting: options.replacesExisting, isFlushed: false)
        do {
            let coder = StemCoder(pixelFormat: source.description.pixelFormat, colors: source.description.colors)
            let clock = MovieClock(movie.script)
            var count = 0
            while let (frame, recorded) = try reel.next() {
                guard let map = frame.disparity else { continue }
                var sample = recorded
                if let aperture = options.aperture { sample.lens.fNumber = aperture }
                count += 1
                let names = FrameStem.Files(number: count)
                func path(_ name: String) -> String { "\(options.folder)/\(name)" }
                try folder.write(coder.picture(frame.picture, path: path(names.picture)), to: names.picture)
                try folder.write(coder.floats(map, path: path(names.disparity)), to: names.disparity)
                let circle = sample.circle
                try folder.write(
                    coder.floats(map, path: path(names.coc)) { Float(circle.diameter(at: Double($0))) }, to: names.coc)
                try folder.write(coder.mask(Self.matte(sample, map), path: path(names.matte)), to: names.matte)
                let stem = FrameStem(
                    frame, map, sample, number: count, at: clock.moment(of: frame.presentationTime), rate: movie.script.frameDuration.rateText, names)
                try folder.write(JSONEncoder.readable.encode(stem) + Data("\n".utf8), to: names.lens)
                progress(count)
            }
            let remarks = source.remarks + [reel.early].compactMap { $0 }
            try folder.write(record(frames: count, remarks: remarks).json, to: "export.json")
            try folder.commit()
            return (count, remarks)
        } catch {
            folder.discard()
            throw error
        }
    }

    private func record(frames: Int, remarks: [String]) -> RenderRecord {
        RenderRecord(
            arguments: options.arguments, inputs: RenderRecord.sizes(of: inputs),
            source: .init(source.description, options.span, isToneMapped: false), output: .init(path: options.folder), edits: movie.file,
            frames: frames, remarks: remarks)
    }

    /// Matte of the subject in focus; all black where there is none, the plane in focus where a distance is held.
    private static func matte(_ sample: CinematicSample, _ map: DisparityMap) -> CVPixelBuffer {
        let matte = SubjectMatte(of: map, disparity: sample.focus.focusDisparity)
        guard !sample.focus.isFixed else { return matte.plane }
        guard let subject = sample.subject else { return SubjectMatte.empty(for: map) }
        return SubjectMatte(of: map, disparity: subject.disparity ?? map.median(in: subject.bounds) ?? sample.focus.focusDisparity)
            .subject(of: subject.kind, in: subject.bounds)
    }
}

extension CinematicSample {
    /// Detection of the subject in focus; nil where it is not seen in this frame.
    var subject: Detection? { focus.subject.flatMap { id in detections.first { $0.objectID == id } } }
}
