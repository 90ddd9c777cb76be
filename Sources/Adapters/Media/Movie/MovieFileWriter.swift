import CoreMedia
import CoreVideo
import Foundation
import Pipeline
import Support
import Synchronization

/// Writer of MOV, MP4 and Matroska files, after the extension; the same media give the same file.
///
///     let writer = try MovieFileWriter(path: "out.mp4", movie: MovieDescription(width: 1920, height: 1080, frameDuration: thirtieth))
///     try writer.append(image, at: time)
///     try writer.finish()                        // only now is there an out.mp4
///
/// Either may be missing. Pictures become H.264, HEVC, ProRes or FFV1 and keep their colour tags. One or two channels of sound become AAC; ambisonics become 24-bit PCM, marked by the
/// box `SA3D`, for which only MOV has a place. `append` returns when the encoder, on the caller's thread, has taken the picture; pictures are not
/// copied and must not be changed afterwards.
///
/// Without fragments, or with those of `beside`, the file is hidden until it is complete, and after an error nothing is left of it. With others
/// it lies under its name from the start, and whatever ends the process, no more than 0.3 s are lost of any track (of sound: from 16 kHz on);
/// `finish` then makes an ordinary movie of it. What a player sees meanwhile says `MovieDescription.Fragments`; `MovieRecovery` finds all. After
/// an error every further call throws that error again.
public final class MovieFileWriter: MovieWriter {
    /// Speed preset of x264 and x265: the slower, the smaller the file.
    public enum Preset: String, Sendable, CaseIterable {
        case ultrafast, superfast, veryfast, faster, fast, medium, slow

        /// Options of x264 in which we leave the preset, by FFmpeg's names: without the searches that cost most, `veryfast` takes 20 instead of 34 ms for
        /// a picture of 1920x1080, and up to a sixth more bytes.
        public var searches: KeyValuePairs<String, String> {
            self == .veryfast ? ["subq": "1", "motion-est": "dia", "partitions": "none", "weightp": "none"] : [:]
        }

        /// Preset of x265: with `superfast` it takes two thirds of the time of `veryfast`, and what it loses, .5 dB of 49 at 7 % fewer bytes, a little
        /// more quality brings back.
        public var ofHEVC: Preset { self == .veryfast ? .superfast : self }
    }

    /// Encoder settings: speed, quality and pixels.
    public struct Settings: Sendable {
        /// Speed preset of x264 and x265.
        public var preset: Preset
        /// Quality or bit rate; 55 is x264's constant rate factor 18. Nil for a codec that loses nothing.
        public var rate: DeliveryOptions.Rate?
        /// Pixel format of the coded pictures; nil for that of the pictures, with chroma at half their size.
        public var pixelFormat: DeliveryOptions.PixelFormat?
        /// Seconds from one key frame to the next at most, by their times; nil for the number of frames that usually lasts two.
        public var keyframeInterval: Double?
        /// Encoder of H.264 and HEVC.
        public var encoder = DeliveryOptions.Encoder.software

        /// Creates settings of a recording, fast and good.
        public init(preset: Preset = .veryfast, rate: DeliveryOptions.Rate? = .quality(55)) {
            self.preset = preset
            self.rate = rate
        }

        /// Creates settings of a recording by what its description asks for; the rest is as of any recording.
        public init(_ coding: MovieDescription.Coding) {
            self.init()
            if let quality = coding.quality { rate = .quality(min(max(quality, 0), 1) * 100) }
            if let bits = coding.bitRate { rate = .bitrate(bits) }
            keyframeInterval = coding.keyframeInterval
        }

        /// Creates settings of a delivered movie: a key frame every second.
        public init(_ delivery: DeliveryOptions.Resolved) {
            self.init(preset: delivery.isDraft ? .ultrafast : .veryfast, rate: delivery.rate)
            (pixelFormat, keyframeInterval, encoder) = (delivery.pixelFormat, 1, delivery.encoder)
        }
    }

    /// Path of the movie as the caller gave it.
    public let path: String
    private let movie: MovieDescription
    private let leftOut = Mutex<[String]>([])
    private let pictures = Atomic(0)
    /// Ticks per second: a frame of any usual rate, 30000/1001 among them, is a whole number of them.
    private let timescale: Int32
    private let state: Mutex<State>

    /// writing ──finish──► finished;  writing ──cancel──► cancelled;  writing ──error──► failed ──salvage──► finished
    private enum State {
        case writing(Writing)
        case finished
        case cancelled
        case failed(any Error, Writing?)
    }

    private struct Writing {
        let tracks: MovieTracks
        let place: Place
        /// Time of the last picture, ticks.
        var last: Int64?
        /// Samples per channel so far.
        var samples: Int64 = 0
        /// Whether a coded sample was written.
        var hasCoded = false
        /// End that the movie is to have; nil for that of its last sample.
        var end: CMTime?
        /// Converter of sound of another rate than the movie's; nil without any.
        var resampler: SoundResampler?

        var remarks: [String] { if case .beside(_, _, let footage) = place { tracks.remarks + (footage?.remarks ?? []) } else { tracks.remarks } }
    }

    /// Location of the bytes until the end: a hidden temporary, or the open file in fragments.
    private enum Place {
        case hidden(OutputFile)
        case open(FragmentedFile)
        /// Fragments, of which the file is made at the end, with what the footage brings.
        case beside(FragmentedFile, OutputFile, FootageTracks?)
        /// None: segments are handed over.
        case handed

        func discard() {
            switch self {
            case .hidden(let file): file.discard()
            case .open(let file): file.discard()
            case .beside(let part, let file, _):
                part.discard()
                file.discard()
            case .handed: break
            }
        }
    }

    /// Opens the movie; throws `OutputError` or `MediaError` at once for an existing file, a missing directory or an unsupported description.
    ///
    /// - Parameter footage: file that the pictures are of; its sound, timecode, date and chapters go along (`FootageTracks`). Not for movies in
    ///   fragments under their names.
    public init(
        path: String, movie: MovieDescription, footage: Footage? = nil, replacingExisting: Bool = false, settings: Settings = Settings()
    ) throws {
        precondition(footage == nil || movie.fragments.areNamedAtEnd, "a recording in fragments has the sound that it is given")
        if let refusal = Self.refusal(of: movie, path: path) { throw MediaError(code: .unsupported, path: path, reason: refusal) }
        let footage = try footage.flatMap { try FootageTracks(of: $0, for: path) }
        var movie = movie
        if let footage { movie.metadata.merge(footage.metadata) { own, _ in own } }
        if movie.cinematic != nil || movie.codedTracks.contains(where: { $0.kind == .metadata }) { movie.metadata[CinematicTracks.item] = "1" }
        (self.path, self.movie) = (path, movie)
        timescale = Self.timescale(for: movie.frameDuration)
        let place: Place
        let target: MovieTracks.Target
        var fragmented = (movie: movie, footage: footage)
        if let segments = movie.segments {
            (place, target) = (.handed, .segments(segments))
        } else if movie.fragments == .none {
            let hidden = try OutputFile(path: path, replacingExisting: replacingExisting)
            (place, target) = (.hidden(hidden), .whole(hidden.temporaryPath))
        } else if movie.fragments == .beside {
            let file = try OutputFile(path: path, replacingExisting: replacingExisting)
            let part = try FragmentedFile(path: path, visibility: .beside, replacingExisting: replacingExisting)
            (place, target) = (.beside(part, file, footage), .fragments(part))
            fragmented.footage = nil
            // Of a timecode the muxer makes a track of its own.
            fragmented.movie.metadata["timecode"] = nil
        } else {
            let file = try FragmentedFile(path: path, visibility: movie.fragments, replacingExisting: replacingExisting)
            (place, target) = (.open(file), .fragments(file))
        }
        do {
            let tracks = try MovieTracks(
                path: path, target: target, movie: fragmented.movie, footage: fragmented.footage, timescale: timescale, settings: settings)
            state = Mutex(.writing(Writing(tracks: tracks, place: place)))
        } catch {
            place.discard()
            throw error
        }
    }

    deinit {
        // Nobody ended it: what was recorded stays.
        if movie.fragments.areNamedAtEnd { cancel() } else { _ = salvage() }
    }

    /// Encodes a picture; throws `MediaError` for another size or format, or a time not after the last picture's.
    public func append(_ image: CVPixelBuffer, at presentationTime: CMTime) throws {
        guard movie.cinematic == nil else {
            return try step { _ in
                throw MediaError(code: .mismatch, path: path, reason: "a cinematic movie has a disparity map and metadata with each picture")
            }
        }
        try append(image, nil, at: presentationTime)
    }

    /// Encodes a picture with its disparity, and writes its metadata; throws `MediaError` as without, and for a map of another size or a plain movie.
    public func append(_ image: CVPixelBuffer, with cinematic: CinematicFrame, at presentationTime: CMTime) throws {
        let map = cinematic.disparity
        guard let tracks = movie.cinematic, (map.width, map.height) == (tracks.width, tracks.height) else {
            let wanted = movie.cinematic.map { "one with maps of \($0.width)x\($0.height)" } ?? "a movie without disparity"
            return try step { _ in
                throw MediaError(code: .mismatch, path: path, reason: "a disparity map of \(map.width)x\(map.height) does not fit \(wanted)")
            }
        }
        try append(image, cinematic, at: presentationTime)
    }

    private func append(_ image: CVPixelBuffer, _ cinematic: CinematicFrame?, at presentationTime: CMTime) throws {
        try step { writing in
            guard image.format == movie.pixelFormat, image.size == (movie.width, movie.height) else {
                throw MediaError.unfit(image, for: movie, path: path)
            }
            guard presentationTime.isNumeric, presentationTime.value >= 0 else {
                throw MediaError(code: .unsupported, path: path, reason: "a picture without a time, or before zero, cannot be written")
            }
            let ticks = try count(presentationTime, perSecond: Int64(timescale))
            if let last = writing.last, ticks <= last {
                throw MediaError(
                    code: .unsupported, path: path, reason: "a picture at \(presentationTime.seconds) s is not later than the one before")
            }
            if let end = try (writing.end ?? movie.end).map({ try count($0, perSecond: Int64(timescale)) }), end > ticks {
                writing.tracks.setDuration(end - ticks, ofPictureAt: ticks)
            }
            try writing.tracks.encode(image, cinematic, at: ticks)
            writing.last = ticks
            pictures.add(1, ordering: .relaxed)
            try writing.tracks.copyFootage(until: presentationTime)
            try fillSilence(&writing, until: presentationTime - Self.longestWait)
        }
    }

    /// Sound that is later than this is taken for missing, so that a microphone that fell silent does not hold up the file.
    private static let longestWait = CMTime(value: 1, timescale: 10)

    /// Seconds without sound that are filled, as of a microphone that fell silent: a day.
    private static let longestSilence: Int64 = 86_400

    /// Encodes silence, a second at a time.
    private func fillSilence(_ writing: inout Writing, until time: CMTime) throws {
        guard let track = movie.sound else { return }
        let rate = Int64(track.sampleRate)
        let end = try count(time, perSecond: rate)
        guard end - writing.samples <= Self.longestSilence * rate else {
            throw MediaError(
                code: .unsupported, path: path,
                reason: "\(time.seconds) s without sound are more than a day; begin the times of a movie at zero")
        }
        while writing.samples < end {
            let count = min(end - writing.samples, rate)
            try writing.tracks.encode(repeatElement(0, count: Int(count) * track.layout.channelCount))
            writing.samples += count
        }
    }

    /// Encodes sound at its time, at the rate of the movie; gaps are filled with silence, and samples already written are dropped.
    public func append(_ sound: Sound) throws {
        try step { writing in
            guard let track = movie.sound, track.layout == sound.layout else {
                let wanted = movie.sound.map { "\($0.layout.rawValue) at \($0.sampleRate) Hz" } ?? "no sound"
                throw MediaError(
                    code: .mismatch, path: path,
                    reason: "sound in \(sound.layout.rawValue) at \(sound.sampleRate) Hz does not fit a movie with \(wanted)")
            }
            guard sound.presentationTime.isNumeric else {
                throw MediaError(code: .unsupported, path: path, reason: "sound without a time cannot be written")
            }
            guard track.sampleRate != sound.sampleRate else { return try encode(sound, track, &writing) }
            if writing.resampler?.takes(sound) != true {
                try finishSound(track, &writing)
                writing.resampler = try SoundResampler(from: sound.sampleRate, to: track.sampleRate, layout: track.layout, path: path)
            }
            for part in try writing.resampler?.convert(sound) ?? [] { try encode(part, track, &writing) }
        }
    }

    private func encode(_ sound: Sound, _ track: MovieDescription.SoundTrack, _ writing: inout Writing) throws {
        try fillSilence(&writing, until: sound.presentationTime)
        let start = try count(sound.presentationTime, perSecond: Int64(track.sampleRate))
        let late = min(Int(writing.samples - start), sound.sampleCount)
        try writing.tracks.encode(sound.samples.dropFirst(late * track.layout.channelCount))
        writing.samples += Int64(sound.sampleCount - late)
    }

    /// Encodes what a converter of sound holds back.
    private func finishSound(_ track: MovieDescription.SoundTrack, _ writing: inout Writing) throws {
        for part in try writing.resampler?.finish() ?? [] { try encode(part, track, &writing) }
    }

    /// Writes a sample of a coded track; throws `MediaError` for a track that there is not, or a sample without a time.
    public func append(_ sample: MovieSample, toCodedTrack track: Int) throws {
        try step { writing in
            guard movie.codedTracks.indices.contains(track), sample.time.isNumeric, abs(sample.time.seconds) < 0x1p31 else {
                throw MediaError(code: .mismatch, path: path, reason: "a coded sample has no time, or belongs to no track of the movie")
            }
            try writing.tracks.write(sample, ofCodedTrack: track)
            writing.hasCoded = true
        }
    }

    /// Sets the end of the movie; the picture that is appended next is shown until then. Samples later than it stay in the file, behind the end of its
    /// edit lists.
    public func end(at time: CMTime) throws { try step { $0.end = time } }

    /// Sound of the footage that the movie does not have, or has in another coding, each with its reason; complete after `finish`.
    public var remarks: [String] {
        state.withLock { state in
            if case .writing(let writing) = state { writing.remarks } else { leftOut.withLock { $0 } }
        }
    }

    /// Pictures taken so far.
    public var pictureCount: Int { pictures.load(ordering: .relaxed) }

    /// Bytes of coded media so far; 0 once the movie is no longer being written.
    public var byteCount: Int64 {
        state.withLock { state in
            if case .writing(let writing) = state { writing.tracks.byteCount } else { 0 }
        }
    }

    /// Completes the file; throws `MediaError` for a movie without a single frame or sample.
    public func finish() throws { try finish(with: []) }

    /// Completes the file, which takes its name together with `others`: all are there in the end or, after an error, none. For movies without fragments,
    /// which have had theirs from the start.
    public func finish(with others: [any PendingOutput]) throws {
        precondition(others.isEmpty || movie.fragments.areNamedAtEnd, "a movie in fragments has its name already")
        try state.withLock { state in
            var writing = try Self.writing(state, path: path)
            do {
                if let track = movie.sound { try finishSound(track, &writing) }
                guard writing.hasCoded || (movie.hasPictures ? writing.last != nil : writing.samples > 0) else {
                    throw MediaError(
                        code: .encodingFailed, path: path,
                        reason: "a movie without a single \(movie.hasPictures ? "frame" : "sound") is not written")
                }
                if let last = writing.last { try writing.tracks.copyFootage(until: end(after: last), isEnd: true) }
                try writing.tracks.finish()
                let pictureEnd = writing.last.map { writing.end ?? end(after: $0) }
                switch writing.place {
                case .hidden(let file):
                    try TrackMarks.write(to: file.temporaryPath)
                    if let end = writing.end { try MovieLength.shorten(file.temporaryPath, to: end) }
                    try file.commit(with: others)
                case .open(let file):
                    let isOwn = movie.codedTracks.allSatisfy { $0.kind != .sound }
                    let soundEnd = movie.sound.map { CMTime(value: writing.samples, timescale: CMTimeScale(clamping: $0.sampleRate)) }
                    try file.finish(movie, at: writing.end, pictureEnd: pictureEnd, soundEnd: isOwn ? soundEnd : nil)
                case .beside(let part, let file, let footage):
                    try part.finish(movie, in: file, with: others, footage: footage, at: writing.end, pictureEnd: pictureEnd)
                case .handed: break
                }
                leftOut.withLock { $0 = writing.remarks }
                state = .finished
            } catch {
                state = Self.failed(error, writing)
                throw error
            }
        }
    }

    /// Time after the last picture, which is at `last` ticks.
    private func end(after last: Int64) -> CMTime { movie.end(after: CMTime(value: last, timescale: timescale)) }

    /// Finishes what can be finished, else keeps all that the encoders took; true when a playable file is left.
    public func salvage() -> Bool {
        if (try? finish()) != nil { return true }
        return state.withLock { state in
            switch state {
            case .finished: return true
            case .failed(let error, let writing?):
                state = .failed(error, nil)
                guard case .open(let file) = writing.place else { return false }
                writing.tracks.finishAfterFailure()
                guard file.holdsMedia else {
                    file.discard()
                    return false
                }
                guard (try? file.finish(movie)) != nil else { return false }
                state = .finished
                return true
            default: return false
            }
        }
    }

    /// Removes the file; without effect once it is finished.
    public func cancel() {
        state.withLock { state in
            switch state {
            case .writing(let writing): writing.place.discard()
            case .failed(_, let writing): writing?.place.discard()
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
                state = Self.failed(error, writing)
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

    /// State after an error: a hidden file is removed at once, an open one waits to be salvaged.
    private static func failed(_ error: any Error, _ writing: Writing) -> State {
        switch writing.place {
        case .hidden, .beside:
            writing.place.discard()
            return .failed(error, nil)
        case .open, .handed: return .failed(error, writing)
        }
    }
}
