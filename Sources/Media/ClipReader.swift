import CoreMedia
import Foundation

/// Decoded frames with their times, from a video file or from an image sequence.
final class ClipReader {
    /// As the caller gave it.
    let path: String
    /// Of the stored picture, before it is turned upright.
    let width: Int
    let height: Int
    let frameDuration: CMTime
    /// How many frames there will be, as far as the file or the directory says; `isCountExact` when it can be relied on.
    let frameCount: Int?
    let isCountExact: Bool
    let orientation: Orientation
    let metadata: [String: String]
    private(set) var framesRead = 0
    private var timeline: Timeline
    private var source: Source

    private enum Source {
        case video(VideoDecoder)
        case pictures([String], first: FFmpegFrame?)
    }

    /// `pictureDuration` is the time of one picture of an image sequence; a video brings its own, and is decoded by `threads`.
    init(path: String, pictureDuration: CMTime, threads: Int = 2) throws(MediaError) {
        self.path = path
        if let files = try PictureSequence.files(of: path) {
            let first = try PictureFile.decode(files[0])
            (width, height) = (first.width, first.height)
            frameDuration = pictureDuration
            (frameCount, isCountExact, orientation) = (files.count, true, .upright)
            metadata = [:]
            timeline = Timeline(timeBase: (1, 1), frameDuration: pictureDuration)
            source = .pictures(files, first: first)
            return
        }
        let decoder = try VideoDecoder(path: path, threads: threads)
        (width, height) = (decoder.width, decoder.height)
        guard width > 0, height > 0 else {
            throw MediaError(code: .corrupt, path: path, reason: "is damaged: not even its picture size can be told")
        }
        metadata = decoder.metadata
        let rates = decoder.frameRates
        frameDuration = Timeline.frameDuration(average: rates.average, real: rates.real) ?? pictureDuration
        (frameCount, isCountExact) = (decoder.expectedFrames, decoder.isFrameCountExact)
        timeline = Timeline(timeBase: decoder.timeBase, frameDuration: frameDuration)
        if let matrix = decoder.displayMatrix {
            guard let turned = Orientation(displayMatrix: matrix) else {
                throw MediaError(code: .unsupported, path: path, reason: "asks to be rotated by other than quarter turns; rotate it first")
            }
            orientation = turned
        } else {
            orientation = .upright
        }
        source = .video(decoder)
    }

    /// The next frame and its time; nil at the end.
    func next() throws(MediaError) -> (frame: FFmpegFrame, time: CMTime)? {
        guard let frame = try nextFrame() else { return nil }
        guard frame.width == width, frame.height == height else {
            throw MediaError(
                code: .mismatch, path: currentPath,
                reason: "frame \(framesRead) is \(frame.width)x\(frame.height), but the first one is \(width)x\(height)")
        }
        var timestamp: Int64?
        if case .video = source { timestamp = frame.timestamp }
        framesRead += 1
        return (frame, timeline.next(timestamp: timestamp))
    }

    private func nextFrame() throws(MediaError) -> FFmpegFrame? {
        switch source {
        case .video(let decoder): return try decoder.next()
        case .pictures(let files, let first):
            guard framesRead < files.count else { return nil }
            guard let first else { return try PictureFile.decode(files[framesRead]) }
            source = .pictures(files, first: nil)
            return first
        }
    }

    private var currentPath: String {
        if case .pictures(let files, _) = source { return files[framesRead] }
        return path
    }
}
