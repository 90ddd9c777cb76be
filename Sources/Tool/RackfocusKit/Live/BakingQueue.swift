import AVFoundation
import CameraApp
import CoreMedia
import Foundation
import Media
import Pipeline
import Synchronization

/// Writer of a recording's baked movie, on a thread of its own; it lies in fragments under its name, so that whatever ends the process leaves most of it.
final class BakingQueue: ShotTaker {
    private let writer: MovieFileWriter
    private let queue: EncodingQueue
    private let start = Mutex<CMTime?>(nil)

    init(_ path: String, _ format: LiveFormat, _ frameDuration: CMTime, _ timings: Timings, replacingExisting: Bool) throws {
        var movie = MovieDescription(width: format.width, height: format.height, frameDuration: frameDuration)
        movie.fragments = .all
        writer = try MovieFileWriter(path: path, movie: movie, replacingExisting: replacingExisting, settings: .init(preset: .ultrafast))
        queue = EncodingQueue(writer: writer, overlay: nil, timings: timings) { _ in }
    }

    var frames: Int { queue.frames }
    var failure: (any Error)? { queue.failure }

    /// Appends a shot, its time counted from the first; false when the movie cannot go on.
    func append(_ shot: CinematicCamera.Shot) -> Bool {
        guard let image = CMSampleBufferGetImageBuffer(shot.sampleBuffer) else { return true }
        let time = CMSampleBufferGetPresentationTimeStamp(shot.sampleBuffer)
        let first = start.withLock { start in
            start = start ?? time
            return start ?? time
        }
        return queue.append(image, at: time - first) { _ in }
    }

    /// Completes the movie; one without a picture is not written.
    func finish() throws {
        queue.finish()
        if let failure = queue.failure { throw failure }
        if queue.frames == 0 { writer.cancel() } else { try writer.finish() }
    }

    func cancel() {
        queue.finish()
        if queue.frames == 0 || !writer.salvage() { writer.cancel() }
    }
}
