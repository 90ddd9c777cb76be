import CoreMedia
import CoreVideo
import Foundation
import Pipeline
import Synchronization

/// Live Photos: a movie of the sharp pictures from 1.5 s before a photo to 1.5 s after it, without sound.
///
/// While they are enabled the pictures of the last 1.75 s are held, 240 MB at 1080p and 30 frames a second. The movie is written when its last picture
/// is there; a session that ends before makes it shorter. A capture ends with the movie's file.
extension AVCapturePhotoOutput {
    /// State of Live Photos.
    struct LivePhotos: Sendable {
        /// Time before and after the photo.
        fileprivate static let half = CMTime(value: 3, timescale: 2)
        /// Time by which a picture may be held before the photo that it comes to belong to is delivered.
        fileprivate static let margin = CMTime(value: 1, timescale: 4)
        var isEnabled = false
        var isSuspended = false
        var staysSuspended = false
        var trims = true
        /// Newest pictures, the oldest first.
        fileprivate var past: [Kept] = []
        fileprivate var open: [LiveMovie] = []
        fileprivate var source: SourceDescription?
    }

    /// One picture of the past.
    fileprivate struct Kept: Sendable {
        let time: CMTime
        let picture: CVPixelBuffer
    }

    /// Movie around a photo.
    fileprivate struct LiveMovie: @unchecked Sendable {
        let wish: LiveWish
        /// Time of the photo.
        let time: CMTime
        weak var delegate: (any AVCapturePhotoCaptureDelegate)?
        let resolved: AVCaptureResolvedPhotoSettings
    }

    /// File of a movie, as settings ask for it.
    struct LiveWish: Sendable {
        let url: URL
        let codec: MovieDescription.Codec
    }

    /// Whether Live Photos can be taken: where movies are written, and the session has no movie output.
    public var isLivePhotoCaptureSupported: Bool {
        !connections.isEmpty && environment.openMovie != nil && session?.outputs.contains { $0 is AVCaptureMovieFileOutput } != true
    }

    /// Whether Live Photos can be asked for; default false, raises where it is set to true without support, and is false again where a change of the
    /// session's takes that, as one of the camera. A change ends the captures under way.
    public var isLivePhotoCaptureEnabled: Bool {
        get { state.withLock { $0.live.isEnabled } }
        set {
            guard isLivePhotoCaptureSupported || !newValue else {
                return environment.raise(
                    .invalidArgument, "-[AVCapturePhotoOutput setLivePhotoCaptureEnabled:]", "Not supported - use isLivePhotoCaptureSupported")
            }
            guard newValue != isLivePhotoCaptureEnabled else { return }
            state.withLock { state in
                state.live.isEnabled = newValue
                state.live.isSuspended = false
            }
            failWaiting(because: AVError(.sessionConfigurationChanged))
        }
    }

    /// Whether no Live Photo can be taken for now; default false, as after the session's stop. Movies under way end, and what was held is forgotten.
    ///
    /// Raises where it is set to true while Live Photos are not enabled; stays false while no session runs.
    public var isLivePhotoCaptureSuspended: Bool {
        get { state.withLock { $0.live.isSuspended } }
        set {
            guard isLivePhotoCaptureEnabled || !newValue else {
                return environment.raise(
                    .invalidArgument, "-[AVCapturePhotoOutput setLivePhotoCaptureSuspended:]", "May not be YES when livePhotoCaptureEnabled is NO")
            }
            guard session?.isRunning == true || !newValue else { return }
            state.withLock { $0.live.isSuspended = newValue }
            if newValue { finishLivePhotos() }
        }
    }

    /// Whether `isLivePhotoCaptureSuspended` is kept when the session stops; default false.
    public var preservesLivePhotoCaptureSuspendedOnSessionStop: Bool {
        get { state.withLock { $0.live.staysSuspended } }
        set { state.withLock { $0.live.staysSuspended = newValue } }
    }

    /// Ends the suspension of Live Photos with the session's run.
    func settleSuspension() {
        guard session?.isRunning != true else { return }
        state.withLock { state in
            if !state.live.staysSuspended { state.live.isSuspended = false }
        }
    }

    /// Whether movies may be cut to their best part; default true, kept without effect.
    public var isLivePhotoAutoTrimmingEnabled: Bool {
        get { state.withLock { $0.live.trims } }
        set { state.withLock { $0.live.trims = newValue } }
    }

    /// Codecs of a Live Photo's movie, the default first; empty where none can be taken.
    public var availableLivePhotoVideoCodecTypes: [AVVideoCodecType] {
        isLivePhotoCaptureSupported ? environment.movieCodecs.filter { $0 == .hevc || $0 == .h264 }.map(AVVideoCodecType.init) : []
    }

    /// Reason why a capture of a Live Photo raises; nil when it does not.
    func livePhotoRefusal(of settings: AVCapturePhotoSettings) -> String? {
        guard let file = settings.livePhotoMovieFileURL else { return nil }
        guard isLivePhotoCaptureEnabled else { return "settings.livePhotoMovieFileURL must be nil when output.livePhotoCaptureEnabled is NO" }
        if isLivePhotoCaptureSuspended { return "settings.livePhotoMovieFileURL must be nil when output.livePhotoCaptureSuspended is YES" }
        if !file.isFileURL { return "settings.livePhotoMovieFileURL must be a file URL" }
        let codec = settings.livePhotoVideoCodecType
        guard codec.rawValue.isEmpty || availableLivePhotoVideoCodecTypes.contains(codec) else {
            return "settings.livePhotoVideoCodecType must be one of availableLivePhotoVideoCodecTypes"
        }
        return settings is AVCapturePhotoBracketSettings ? "settings.livePhotoMovieFileURL must be nil for a bracketed capture" : nil
    }

    /// File that allowed settings ask for; nil for none.
    func liveWish(of settings: AVCapturePhotoSettings) -> LiveWish? {
        guard let url = settings.livePhotoMovieFileURL else { return nil }
        let codec = MovieDescription.Codec(settings.livePhotoVideoCodecType)
        return LiveWish(url: url, codec: codec ?? environment.movieCodecs.first { $0 == .hevc || $0 == .h264 } ?? .h264)
    }

    /// Holds a picture, and writes the movies whose last picture it is.
    func keep(_ frame: Frame, of source: SourceDescription) {
        let time = frame.presentationTime
        let done = state.withLock { state -> [(movie: LiveMovie, pictures: [Kept])] in
            guard state.live.isEnabled, !state.live.isSuspended else { return [] }
            state.live.source = source
            state.live.past.append(Kept(time: time, picture: frame.image))
            return state.live.takeMovies { time >= $0.time + LivePhotos.half }
        }
        for movie in done { write(movie.movie, movie.pictures, of: source) }
    }

    /// Opens the movie of a photo that was delivered.
    func openMovie(_ wish: LiveWish, at time: CMTime, for request: Request, _ resolved: AVCaptureResolvedPhotoSettings) {
        state.withLock { $0.live.open.append(LiveMovie(wish: wish, time: time, delegate: request.delegate, resolved: resolved)) }
    }

    /// Writes the movies under way as far as they have come: no more pictures will.
    func finishLivePhotos() {
        let (done, source) = state.withLock { state in
            defer { state.live.past = [] }
            return (state.live.takeMovies { _ in true }, state.live.source)
        }
        for movie in done { write(movie.movie, movie.pictures, of: source) }
    }

    private func write(_ movie: LiveMovie, _ pictures: [Kept], of source: SourceDescription?) {
        environment.callDelegate { [self] in
            movie.delegate?.photoOutput(
                self, didFinishRecordingLivePhotoMovieForEventualFileAt: movie.wish.url, resolvedSettings: movie.resolved)
            var failure: AVError?
            do { try write(pictures, to: movie.wish, of: source) } catch { failure = AVError(recordingFailure: error) }
            let start = pictures.first?.time ?? movie.time
            let duration = (pictures.last?.time ?? start) - start + (source?.frameDuration ?? .zero)
            movie.delegate?.photoOutput(
                self, didFinishProcessingLivePhotoToMovieFileAt: movie.wish.url, duration: duration, photoDisplayTime: movie.time - start,
                resolvedSettings: movie.resolved, error: failure)
            movie.delegate?.photoOutput(self, didFinishCaptureFor: movie.resolved, error: nil)
        }
    }

    private func write(_ pictures: [Kept], to wish: LiveWish, of source: SourceDescription?) throws {
        guard let openMovie = environment.openMovie else { throw MovieWriterMissing() }
        guard let source, let first = pictures.first else { throw AVError(.noDataCaptured) }
        let connection = connection(with: .video)
        var wishes = Recording.Wishes()
        wishes.codec = wish.codec
        (wishes.rotation, wishes.isMirrored) = (Int(connection?.videoRotationAngle ?? 0), connection?.isVideoMirrored ?? false)
        let writer = try openMovie(wish.url, MovieDescription(of: source, sound: nil, cinematic: nil, wishes: wishes))
        let converter = PictureConverter()
        for kept in pictures {
            try writer.append(converter.convert(kept.picture, to: wishes.pixelFormat, rotation: 0, isMirrored: false), at: kept.time - first.time)
        }
        try writer.finish()
    }
}

extension AVCapturePhotoOutput.LivePhotos {
    /// Removes the movies that are done, with their pictures, and the pictures that no movie can need any more.
    fileprivate mutating func takeMovies(
        where isDone: (AVCapturePhotoOutput.LiveMovie) -> Bool
    ) -> [(movie: AVCapturePhotoOutput.LiveMovie, pictures: [AVCapturePhotoOutput.Kept])] {
        let half = Self.half
        let done = open.filter(isDone).map { movie in
            (movie: movie, pictures: past.filter { $0.time >= movie.time - half && $0.time <= movie.time + half })
        }
        open.removeAll(where: isDone)
        guard let newest = past.last?.time else { return done }
        let needed = (open.map { $0.time } + [newest - Self.margin]).reduce(newest) { min($0, $1) } - half
        past.removeAll { $0.time < needed }
        return done
    }
}
