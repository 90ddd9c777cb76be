import CoreMedia
import CoreVideo
import Foundation
import Pipeline
import Synchronization

/// Writes pictures and sound as a MOV or MP4 file, after its extension; the same media give the same file.
///
///     let writer = try MovieFileWriter(path: "out.mp4", movie: MovieDescription(width: 1920, height: 1080, frameDuration: thirtieth))
///     try writer.append(image, at: time)
///     try writer.finish()                        // only now is there an out.mp4
///
/// Either may be missing. Pictures become H.264 or HEVC, BT.709. One or two channels of sound become AAC; ambisonics become 24-bit PCM, marked by the box `SA3D`,
/// for which only MOV has a place. `append` returns when the encoder, on the caller's thread, has taken the picture; pictures are not
/// copied and must not be changed afterwards.
///
/// Without a fragment interval the file is hidden until it is complete, and after an error nothing is left of it. With one it lies under
/// its name from the start and can be read up to the last whole fragment, whatever ended the process; `finish` then makes an ordinary
/// movie of it. After an error every further call throws that error again.
public final class MovieFileWriter: MovieWriter {
    /// How much work the encoder puts into compression.
    public enum Preset: String, Sendable, CaseIterable { case ultrafast, superfast, veryfast, faster, fast, medium, slow }

    public struct Settings: Sendable {
        public var preset: Preset
        /// The constant rate factor of x264 or x265, 0…51; lower is better, 18 is visually lossless for most material.
        public var quality: Int
        /// FFmpeg's name of the encoder, in place of the usual one.
        var encoder: String?

        public init(preset: Preset = .veryfast, quality: Int = 18) {
            self.preset = preset
            self.quality = quality
        }
    }

    public let path: String
    private let movie: MovieDescription
    /// Ticks per second: the usual frame rates, 1001/30000 among them, are whole numbers of them.
    private let timescale: Int32
    private let state: Mutex<State>

    /// writing ──finish──► finished;  writing ──cancel──► cancelled;  writing ──error──► failed ──salvage──► finished
    private enum State {
        case writing(Writing)
        case finished
        case cancelled
        case failed(any Error, Place?)
    }

    private struct Writing {
        let tracks: MovieTracks
        let place: Place
        /// When the last picture was, ticks.
        var last: Int64?
        /// Samples per channel so far.
        var samples: Int64 = 0
    }

    /// Where the bytes lie until the end.
    private enum Place {
        case hidden(OutputFile)
        case open(FragmentedFile)

        func discard() {
            switch self {
            case .hidden(let file): file.discard()
            case .open(let file): file.discard()
            }
        }
    }

    /// Refuses an existing file, a missing directory and what cannot be written at once; throws `OutputError` or `MediaError`.
    public init(path: String, movie: MovieDescription, replacingExisting: Bool = false, settings: Settings = Settings()) throws {
        if let refusal = Self.refusal(of: movie, path: path) { throw MediaError(code: .unsupported, path: path, reason: refusal) }
        (self.path, self.movie) = (path, movie)
        timescale = Self.timescale(for: movie.frameDuration)
        let place: Place
        let file: String
        if movie.fragmentInterval.isNumeric {
            place = .open(try FragmentedFile(path: path, replacingExisting: replacingExisting))
            file = path
        } else {
            let hidden = try OutputFile(path: path, replacingExisting: replacingExisting)
            (place, file) = (.hidden(hidden), hidden.temporaryPath)
        }
        do {
            let tracks = try MovieTracks(path: path, file: file, movie: movie, timescale: timescale, settings: settings)
            state = Mutex(.writing(Writing(tracks: tracks, place: place)))
        } catch {
            place.discard()
            throw error
        }
    }

    deinit {
        // Nobody ended it: what was recorded stays.
        if movie.fragmentInterval.isNumeric { _ = salvage() } else { cancel() }
    }

    public func append(_ image: CVPixelBuffer, at presentationTime: CMTime) throws {
        try step { writing in
            guard image.format == movie.pixelFormat, image.size == (movie.width, movie.height) else {
                throw MediaError(
                    code: .mismatch, path: path,
                    reason: "a picture of \(image.size.width)x\(image.size.height) in \(Self.name(image.format)) does not fit a movie of "
                        + "\(movie.width)x\(movie.height) in \(Self.name(movie.pixelFormat))")
            }
            guard presentationTime.isNumeric, presentationTime.value >= 0 else {
                throw MediaError(code: .unsupported, path: path, reason: "a picture without a time, or before zero, cannot be written")
            }
            let ticks = Self.count(presentationTime, perSecond: Int64(timescale))
            if let last = writing.last, ticks <= last {
                throw MediaError(
                    code: .unsupported, path: path, reason: "a picture at \(presentationTime.seconds) s is not later than the one before")
            }
            try writing.tracks.encode(image, at: ticks)
            writing.last = ticks
            try fillSilence(&writing, until: presentationTime - Self.longestWait)
        }
    }

    /// Sound that is later than this is taken for missing, so that a microphone that fell silent does not hold up the file.
    private static let longestWait = CMTime(value: 1, timescale: 1)

    private func fillSilence(_ writing: inout Writing, until time: CMTime) throws {
        guard let track = movie.sound else { return }
        let missing = Self.count(time, perSecond: Int64(track.sampleRate)) - writing.samples
        guard missing > 0 else { return }
        try writing.tracks.encode(repeatElement(0, count: Int(missing) * track.layout.channelCount))
        writing.samples += missing
    }

    public func append(_ sound: Sound) throws {
        try step { writing in
            guard let track = movie.sound, track.layout == sound.layout, track.sampleRate == sound.sampleRate else {
                let wanted = movie.sound.map { "\($0.layout.rawValue) at \($0.sampleRate) Hz" } ?? "no sound"
                throw MediaError(
                    code: .mismatch, path: path,
                    reason: "sound in \(sound.layout.rawValue) at \(sound.sampleRate) Hz does not fit a movie with \(wanted)")
            }
            guard sound.presentationTime.isNumeric else {
                throw MediaError(code: .unsupported, path: path, reason: "sound without a time cannot be written")
            }
            try fillSilence(&writing, until: sound.presentationTime)
            let start = Self.count(sound.presentationTime, perSecond: Int64(track.sampleRate))
            let late = min(Int(writing.samples - start), sound.sampleCount)
            try writing.tracks.encode(sound.samples.dropFirst(late * track.layout.channelCount))
            writing.samples += Int64(sound.sampleCount - late)
        }
    }

    public var byteCount: Int64 {
        state.withLock { state in
            if case .writing(let writing) = state { writing.tracks.byteCount } else { 0 }
        }
    }

    public func finish() throws {
        try state.withLock { state in
            let writing = try Self.writing(state, path: path)
            do {
                guard movie.hasPictures ? writing.last != nil : writing.samples > 0 else {
                    throw MediaError(
                        code: .encodingFailed, path: path,
                        reason: "a movie without a single \(movie.hasPictures ? "frame" : "sound") is not written")
                }
                try writing.tracks.finish()
                switch writing.place {
                case .hidden(let file):
                    if movie.sound?.layout == .firstOrderAmbisonics { try AmbisonicMark.write(to: file.temporaryPath) }
                    try file.commit()
                case .open(let file): file.settle(movie)
                }
                state = .finished
            } catch {
                state = Self.failed(error, writing.place)
                throw error
            }
        }
    }

    public func salvage() -> Bool {
        if (try? finish()) != nil { return true }
        return state.withLock { state in
            switch state {
            case .finished: return true
            case .failed(_, .open(let file)) where file.salvage():
                file.settle(movie)
                state = .finished
                return true
            default: return false
            }
        }
    }

    public func cancel() {
        state.withLock { state in
            switch state {
            case .writing(let writing): writing.place.discard()
            case .failed(_, let place): place?.discard()
            case .finished, .cancelled: return
            }
            state = .cancelled
        }
    }

    private func step(_ body: (inout Writing) throws -> Void) throws {
        try state.withLock { state in
            var writing = try Self.writing(state, path: path)
            do {
                try body(&writing)
                state = .writing(writing)
            } catch {
                state = Self.failed(error, writing.place)
                throw error
            }
        }
    }

    private static func writing(_ state: State, path: String) throws -> Writing {
        switch state {
        case .writing(let writing): return writing
        case .failed(let error, _): throw error
        case .finished: throw MediaError(code: .encodingFailed, path: path, reason: "the movie is finished already")
        case .cancelled: throw MediaError(code: .encodingFailed, path: path, reason: "writing the movie was cancelled")
        }
    }

    /// What was hidden is gone at once; what lies open waits to be salvaged.
    private static func failed(_ error: any Error, _ place: Place) -> State {
        guard case .hidden(let file) = place else { return .failed(error, place) }
        file.discard()
        return .failed(error, nil)
    }
}
