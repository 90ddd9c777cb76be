// Media: footage in, pictures and movies out, over FFmpeg (libavformat, libavcodec, libswscale 59.27 / 59.37 / 6.7 of Debian 12).
//
// It gives frames as the pipeline wants them (`420v`, BT.709 video range, upright, even sizes, exact times from zero) and writes what the
// pipeline made. Where asked, frames bring their own coding besides: ten bits, HLG and PQ, other matrices. It plays nothing.
//
//     let footage = try StereoFileSource(left: "L.mp4", right: "R.mp4")
//     let size = footage.description
//     let movie = try MovieFileWriter(
//         path: "out.mp4", movie: MovieDescription(width: size.width, height: size.height, frameDuration: size.frameDuration))
//     while let frame = try footage.nextFrame() { try movie.append(frame.image, at: frame.presentationTime) }
//     try movie.finish()
//
//     sources   VideoFileSource · StereoFileSource · PackedStereoFileSource · DisparityFileSource      over ClipReader, ClipPair, Timeline
//     stills    PictureFile; PhotoFile (EXIF)
//     sound     SoundFile
//     movies    MovieFileWriter (MovieTracks: PictureEncoder, SoundEncoder, CinematicTracks, MovieMuxer); FragmentedFile while a recording runs
//     assets    MovieReader (any track, decoded or stored); cinematic: CinematicFileSource
//     errors    MediaError; OutputError (Pipeline) where the file system refused
//     C boundary *+C.swift, the only files that see FFmpeg
//
// CFFmpeg asks pkg-config for libavformat only: its .pc names libavcodec and libavutil as private, so the module map links those and libavfilter,
// libswscale, libswresample by name. Swift does not see AVERROR(…), AVERROR_EOF and AV_NOPTS_VALUE; shim.h turns them into constants.

import CoreMedia
import CoreVideo
import Foundation
import Pipeline
import Synchronization

/// Source of frames from any video that FFmpeg reads, or from an image sequence, as `420v` BT.709: upright, odd sizes cropped to even.
///
///     let clip = try VideoFileSource(path: "take3.mov")          // or "frames/%04d.png", "frames/*.jpg", "frames/"
///     while let frame = try clip.nextFrame() { ... }
///
/// Damage, and fewer frames than the file promised, are errors. The first frame is at time zero.
public final class VideoFileSource: FrameSource {
    /// Size of the upright picture, rate and length.
    public let description: SourceDescription
    /// Path as the caller gave it.
    public let path: String
    /// Metadata of the file, under its container's own keys: `com.apple.quicktime.title`, `title`.
    public let metadata: [String: String]
    /// The clip as one of a pair.
    let side: ClipSide
    /// Orientation of the stored pictures, which frames are rid of.
    let orientation: Orientation
    /// Size of the upright picture before odd sides were cropped to even, and where in it the cropped one begins.
    let uncropped: (width: Int, height: Int, x: Int, y: Int)
    /// Time from which frames come; nil where they come from the first on.
    let start: CMTime?
    /// First frame that is not read; nil for the end.
    private let end: FootageSpan.Point?
    private let state: Mutex<State>

    private struct State: ~Copyable {
        let reader: ClipReader
        let converter = PictureConverter()
        let storedPool: CVPixelBufferPool
        let uprightPool: CVPixelBufferPool
        /// Reader of the same frames in their own coding; nil where that is the pipeline's, or not wanted.
        let original: OriginalPictures?
        var hasReachedEnd = false
    }

    /// Opens a clip; throws `MediaError`.
    ///
    /// - Parameters:
    ///   - pictureDuration: time of one picture of an image sequence; a video brings its own.
    ///   - reading: choices of how it is read.
    public convenience init(
        path: String, pictureDuration: CMTime = CMTime(value: 1, timescale: 30), reading: FootageReading = FootageReading()
    ) throws(MediaError) {
        try self.init(path: path, pictureDuration: pictureDuration, threads: VideoDecoder.threads(), reading: reading)
    }

    init(path: String, pictureDuration: CMTime, threads: Int, reading: FootageReading = FootageReading()) throws(MediaError) {
        let reader = try ClipReader(path: path, pictureDuration: pictureDuration, threads: threads, toneMaps: reading.toneMaps)
        let (width, height) = (reader.width & ~1, reader.height & ~1)
        guard width > 0, height > 0 else {
            throw MediaError(code: .unsupported, path: path, reason: "is \(reader.width)x\(reader.height), less than 2x2")
        }
        let upright = reader.orientation.size(of: (width, height))
        let format = kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
        self.path = path
        metadata = reader.metadata
        var description = SourceDescription(
            width: upright.width, height: upright.height, frameDuration: reader.frameDuration, frameCount: reader.frameCount)
        description.end = reader.end
        description.timecode = reader.timecode
        description.pixelAspect = reader.orientation.swapsSides ? reader.pixelAspect.turned : reader.pixelAspect
        if reading.keepsCoding { (description.pixelFormat, description.colors) = (reader.coding.pixelFormat, reader.coding.colors) }
        self.description = description
        side = ClipSide(reader, description)
        orientation = reader.orientation
        let full = orientation.size(of: (reader.width, reader.height))
        let kept = orientation.upright(
            CGRect(x: 0, y: 0, width: Double(width) / Double(reader.width), height: Double(height) / Double(reader.height)))
        uncropped = (
            full.width, full.height, Int((kept.minX * Double(full.width)).rounded()), Int((kept.minY * Double(full.height)).rounded())
        )
        (start, end) = (Self.start(of: reading.span, reader, description), reading.span.to)
        if let start { try reader.seek(to: start) }
        state = Mutex(
            State(
                reader: reader,
                storedPool: CVPixelBufferPool(width: width, height: height, pixelFormat: format),
                uprightPool: CVPixelBufferPool(width: upright.width, height: upright.height, pixelFormat: format),
                original: reading.keepsCoding ? OriginalPictures(reader.coding, width: width, height: height, orientation: reader.orientation) : nil))
    }

    /// Time from which a part is read; nil where its frames have to be counted from the first on.
    private static func start(of span: FootageSpan, _ reader: ClipReader, _ description: SourceDescription) -> CMTime? {
        func isCounted(_ point: FootageSpan.Point?) -> Bool { if case .frame = point { true } else { false } }
        guard let from = span.from, reader.isRegular || !isCounted(from) && !isCounted(span.to) else { return nil }
        return from.time(in: description)
    }

    /// Number of the first of this clip's frames that has a partner: where reading began further on, those before it count.
    func firstNumber(_ frame: Frame) -> Int { start == nil ? 0 : frame.index }

    /// Whether reading ended where the part that is used ends, not with the file.
    var hasReachedEnd: Bool { state.withLock { $0.hasReachedEnd } }

    /// Treatment of the pictures besides decoding, in words: deinterlaced.
    public var remarks: [String] { state.withLock { $0.reader.remarks } }

    /// Makes the first frame from a time on the next one; throws `MediaError` for damage before it.
    func seek(to time: CMTime) throws(MediaError) {
        try state.withLock { state throws(MediaError) in try state.reader.seek(to: time) }
    }

    /// Decodes the next frame; nil at the end, throws `MediaError` for damage or a file shorter than promised.
    public func nextFrame() throws -> Frame? {
        try state.withLock { state -> Frame? in
            guard !state.hasReachedEnd, let (decoded, time) = try state.reader.next() else { return nil }
            let stored = state.storedPool.makeBuffer()
            try state.converter.convert(decoded, into: stored, path: path)
            var image = stored
            if state.reader.orientation != .upright {
                image = state.uprightPool.makeBuffer()
                state.reader.orientation.copy(stored, to: image)
            }
            var frame = Frame(index: state.reader.framesRead - 1, presentationTime: time, image: image)
            if end?.isReached(by: frame, of: description) == true {
                state.hasReachedEnd = true
                return nil
            }
            if let original = state.original { frame.original = try original.picture(of: decoded, path: path) }
            return frame
        }
    }
}
