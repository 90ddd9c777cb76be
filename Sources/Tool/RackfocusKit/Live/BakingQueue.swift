import AVFoundation
import CameraApp
import CoreMedia
import Foundation
import Media
import Pipeline
import Synchronization

/// Writer of a recording's baked movie, on a thread of its own; it lies in fragments under its name, so that whatever ends the process leaves most of it.
///
/// The movie is opened with the first shot: one that is to be replaced stays where no picture comes.
final class BakingQueue: ShotTaker {
    /// Movie under way.
    private struct Movie: Sendable {
        let writer: MovieFileWriter
        let queue: EncodingQueue
        /// Time of the first shot.
        let start: CMTime
    }

    private struct State: Sendable {
        var movie: Movie?
        /// Error of opening the movie, or of its sound.
        var failure: (any Error)?
        /// Sound from before the first shot, newest last.
        var early: [Sound] = []
        var isFinished = false
    }

    private let path: String
    private let description: MovieDescription
    private let encoder: DeliveryOptions.Encoder
    private let replacesExisting: Bool
    private let timings: Timings
    private let onEncoded: (@Sendable (CMTime) -> Void)?
    /// Times of the pictures on their way to the encoder.
    private let times = Mutex<[CMTime]>([])
    private let state = Mutex(State())

    init(
        _ path: String, _ format: LiveFormat, _ frameDuration: CMTime, _ timings: Timings, encoder: DeliveryOptions.Encoder,
        sound: Sound.Layout? = nil, replacingExisting: Bool, onEncoded: (@Sendable (CMTime) -> Void)? = nil
    ) {
        var description = MovieDescription(width: format.width, height: format.height, frameDuration: frameDuration)
        description.fragments = .all
        description.sound = sound.map { .init(layout: $0, sampleRate: 48_000) }
        (self.path, self.description, self.encoder, replacesExisting) = (path, description, encoder, replacingExisting)
        (self.timings, self.onEncoded) = (timings, onEncoded)
    }

    private var movie: Movie? { state.withLock { $0.movie } }

    var remarks: [String] { movie?.writer.remarks ?? [] }
    var frames: Int { movie?.queue.frames ?? 0 }
    var failure: (any Error)? {
        let state = state.withLock { $0 }
        return state.failure ?? state.movie?.queue.failure
    }

    /// Appends a shot, its time counted from the first; false when the movie cannot go on.
    func append(_ shot: CinematicCamera.Shot) -> Bool {
        guard let image = CMSampleBufferGetImageBuffer(shot.sampleBuffer) else { return true }
        let time = CMSampleBufferGetPresentationTimeStamp(shot.sampleBuffer)
        guard let movie = openMovie(at: time) else { return false }
        if onEncoded != nil { times.withLock { $0.append(time) } }
        return movie.queue.append(image, at: time - movie.start) { _, _ in }
    }

    /// Appends sound, which comes before the pictures of its time; what lies before the first shot is left out.
    func append(_ sample: CMSampleBuffer) {
        guard let sound = Sound(sample) else { return }
        let (movie, sounds) = state.withLock { state -> (Movie?, [Sound]) in
            guard !state.isFinished, state.failure == nil else { return (nil, []) }
            state.early.append(sound)
            guard let movie = state.movie else {
                // No shot takes a second to follow its sound.
                state.early.removeAll { $0.presentationTime + $0.duration < sound.presentationTime - CMTime(value: 1, timescale: 1) }
                return (nil, [])
            }
            defer { state.early = [] }
            return (movie, state.early)
        }
        guard let movie else { return }
        do {
            for var sound in sounds {
                sound = sound.cut(from: movie.start)
                sound.presentationTime = sound.presentationTime - movie.start
                if sound.sampleCount > 0 { try movie.writer.append(sound) }
            }
        } catch {
            state.withLock { if !$0.isFinished { $0.failure = $0.failure ?? error } }
        }
    }

    /// Movie under way, opened by the first call; nil where it could not be.
    private func openMovie(at time: CMTime) -> Movie? {
        state.withLock { state in
            guard state.failure == nil else { return nil }
            if let movie = state.movie { return movie }
            do {
                var settings = MovieFileWriter.Settings(preset: .ultrafast)
                settings.encoder = encoder
                let writer = try MovieFileWriter(path: path, movie: description, replacingExisting: replacesExisting, settings: settings)
                let queue = EncodingQueue(writer: writer, overlay: nil, timings: timings) { [onEncoded, weak self] _ in
                    if let onEncoded, let time = self?.times.withLock({ $0.removeFirst() }) { onEncoded(time) }
                }
                state.movie = Movie(writer: writer, queue: queue, start: time)
            } catch {
                state.failure = error
            }
            return state.movie
        }
    }

    /// Completes the movie; one without a picture is not written.
    func finish() throws {
        let movie = state.withLock { state in
            state.isFinished = true
            return state.movie
        }
        movie?.queue.finish()
        if let failure { throw failure }
        guard let movie else { return }
        if movie.queue.frames == 0 { movie.writer.cancel() } else { try movie.writer.finish() }
    }

    func cancel() {
        guard let movie else { return }
        movie.queue.finish()
        if movie.queue.frames == 0 || !movie.writer.salvage() { movie.writer.cancel() }
    }
}
