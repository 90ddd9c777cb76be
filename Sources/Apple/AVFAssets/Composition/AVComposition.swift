import AVFCapture
import CoreMedia
import Foundation
import Pipeline
import Synchronization

/// Asset that is put together of parts of other assets; nothing is copied, a reader reads the files of the parts.
///
///     let composition = AVMutableComposition()
///     let track = composition.addMutableTrack(withMediaType: .video, preferredTrackID: kCMPersistentTrackID_Invalid)
///     try track?.insertTimeRange(range, of: pictures, at: .zero)
///     let reader = try AVAssetReader(asset: composition)
///
/// A composition itself does not change: `AVMutableComposition.copy()` makes one.
open class AVComposition: AVAsset, NSCopying, NSMutableCopying, @unchecked Sendable {
    let composed: CompositionSource
    fileprivate let views: Mutex<[AVCompositionTrack]>
    fileprivate let size: Mutex<CGSize>

    /// Makes a composition of tracks that share a source.
    fileprivate init(_ composed: CompositionSource, size: CGSize = .zero) {
        self.composed = composed
        views = Mutex([])
        self.size = Mutex(size)
        super.init(source: composed)
        views.withLock { $0 = composed.current.map { view(of: $0) } }
    }

    fileprivate func view(of track: CompositionSource.Track) -> AVCompositionTrack { AVCompositionTrack(track, of: self) }

    package override func loadedTracks() -> [AVAssetTrack] { views.withLock { $0 } }

    /// Size to show the pictures at, pixels: that of the first track of pictures, unless one was set.
    open var naturalSize: CGSize {
        let size = size.withLock { $0 }
        return size != .zero ? size : loadedTracks().first { $0.mediaType == .video }?.naturalSize ?? .zero
    }

    /// Options of the files' assets; there are none.
    open var urlAssetInitializationOptions: [String: Any] { [:] }

    fileprivate var snapshot: (CompositionSource, CGSize) { (CompositionSource(composed.current), size.withLock { $0 }) }

    /// Returns the composition as it is now, an `AVComposition`.
    open func copy(with zone: NSZone? = nil) -> Any {
        let (tracks, size) = snapshot
        return AVComposition(tracks, size: size)
    }

    /// Returns an `AVMutableComposition` of the same tracks.
    open func mutableCopy(with zone: NSZone? = nil) -> Any {
        let (tracks, size) = snapshot
        return AVMutableComposition(tracks, size: size)
    }
}

/// Composition that is being put together.
open class AVMutableComposition: AVComposition, @unchecked Sendable {
    /// Makes an empty composition.
    public convenience init() { self.init(CompositionSource()) }

    /// Makes an empty composition; options are ignored.
    public convenience init(urlAssetInitializationOptions: [String: Any]?) { self.init() }

    fileprivate override func view(of track: CompositionSource.Track) -> AVCompositionTrack { AVMutableCompositionTrack(track, of: self) }

    /// Size to show the pictures at, pixels; zero is that of the first track of pictures.
    open override var naturalSize: CGSize {
        get { super.naturalSize }
        set { size.withLock { $0 = newValue } }
    }

    /// Adds an empty track, under the number wished for or, where that is taken or `kCMPersistentTrackID_Invalid`, under one that is free. Nil for a kind of
    /// media that no file has a track of.
    @discardableResult
    open func addMutableTrack(withMediaType mediaType: AVMediaType, preferredTrackID: CMPersistentTrackID) -> AVMutableCompositionTrack? {
        guard let kind = MovieContents.Track.Kind(mediaType) else { return nil }
        let number = composed.add(kind, wished: Int(preferredTrackID))
        let track = AVMutableCompositionTrack(composed.track(number, of: kind), of: self)
        views.withLock { $0.append(track) }
        return track
    }

    /// Removes a track; without effect where it is of another composition.
    open func removeTrack(_ track: AVCompositionTrack) {
        views.withLock { views in
            guard let place = views.firstIndex(where: { $0 === track }) else { return }
            views.remove(at: place)
            composed.edit { $0.removeAll { $0.number == track.number } }
        }
    }

    /// Returns a track that a range of another can be put into: the first of its kind of media; nil for none.
    open func mutableTrack(compatibleWith track: AVAssetTrack) -> AVMutableCompositionTrack? {
        tracks.first { $0.mediaType == track.mediaType }
    }

    /// Puts a range of all tracks of an asset in at a time, `.invalid` at the end, and adds the tracks that are missing. What is there is pushed behind it, in
    /// every track. Throws for an asset that cannot be read; `AVError.invalidCompositionTrackSegmentDuration` for a range without length.
    open func insertTimeRange(_ timeRange: CMTimeRange, of asset: AVAsset, at startTime: CMTime) throws {
        try insert(timeRange, of: asset, at: startTime)
    }

    /// Puts a range of all tracks of an asset in, as from a thread that may wait.
    public final func insertTimeRange(
        _ timeRange: CMTimeRange, of asset: AVAsset, at time: CMTime, isolation: isolated (any Actor)? = #isolation
    ) async throws {
        try insert(timeRange, of: asset, at: time)
    }

    private func insert(_ timeRange: CMTimeRange, of asset: AVAsset, at time: CMTime) throws {
        let range = try timeRange.composable(within: asset.contents().duration)
        var free = Dictionary(grouping: tracks, by: \.mediaType)
        var (parts, added): ([Int: [CompositionTimeline.Part]], [AVCompositionTrack]) = ([:], [])
        for source in try asset.loadedTracks() {
            if let own = free[source.mediaType]?.first {
                free[source.mediaType]?.removeFirst()
                parts[own.number] = source.parts(in: range)
            } else if let own = addMutableTrack(withMediaType: source.mediaType, preferredTrackID: source.trackID) {
                own.preferredTransform = source.preferredTransform
                added.append(own)
                parts[own.number] = source.parts(in: range)
            }
        }
        do {
            try composed.edit { tracks in
                let start = time.isValid ? time : tracks.map(\.timeline.end).max() ?? .zero
                for track in tracks {
                    try tracks.insert(parts[track.number] ?? [.gap(range.duration)], into: track.number, at: start)
                }
            }
        } catch {
            for track in added { removeTrack(track) }
            throw error
        }
    }

    /// Puts a gap into every track; what is there is pushed behind it. Without effect at the end.
    open func insertEmptyTimeRange(_ timeRange: CMTimeRange) {
        composed.edit { tracks in
            for place in tracks.indices { tracks[place].timeline.insertGap(timeRange) }
        }
    }

    /// Takes a range out of every track; what follows moves up.
    open func removeTimeRange(_ timeRange: CMTimeRange) {
        guard timeRange.isValid, timeRange.start.isNumeric, timeRange.end.isNumeric else { return }
        composed.edit { tracks in
            for place in tracks.indices { tracks[place].timeline.remove(timeRange) }
        }
    }

    /// Shows a range of every track for another length, slower or faster; what follows moves. Without effect for a length of zero.
    open func scaleTimeRange(_ timeRange: CMTimeRange, toDuration duration: CMTime) {
        composed.edit { tracks in
            for place in tracks.indices { tracks[place].timeline.scale(timeRange, to: duration) }
        }
    }
}

extension CMTimeRange {
    /// The range as a part of a track or an asset of a length. Throws `AVError` without length.
    func composable(within length: CMTime) throws(AVError) -> CMTimeRange {
        guard isValid, start.isNumeric, start >= .zero, duration > .zero else {
            throw AVError(
                .invalidCompositionTrackSegmentDuration,
                reason: "the range from \(start.seconds) s, \(duration.seconds) s long, has no length, or begins before zero")
        }
        guard start < length else {
            throw AVError(
                .invalidCompositionTrackSegmentSourceStartTime,
                reason: "the range begins at \(start.seconds) s, but its media are \(length.seconds) s long")
        }
        return CMTimeRange(start: start, end: min(end, length))
    }
}

extension MovieContents.Track.Kind {
    /// Kind of an empty track; nil for media that no file has a track of.
    init?(_ mediaType: AVMediaType) {
        switch mediaType {
        case .video: self = .picture
        case .auxiliaryPicture: self = .disparity
        case .audio: self = .sound
        case .metadata: self = .foreignMetadata
        case .timecode: self = .timecode
        case .text: self = .other
        default: return nil
        }
    }
}

extension _AssetLookup where Self: AVComposition {
    /// Tracks in the order in which they were added.
    public var tracks: [AVCompositionTrack] { loadedTracks().compactMap { $0 as? AVCompositionTrack } }
    /// Returns the track of a number; nil where there is none.
    public func track(withTrackID trackID: CMPersistentTrackID) -> AVCompositionTrack? { tracks.first { $0.trackID == trackID } }
    /// Returns the tracks of a kind.
    public func tracks(withMediaType mediaType: AVMediaType) -> [AVCompositionTrack] { tracks.filter { $0.mediaType == mediaType } }
}

extension _AssetLookup where Self: AVMutableComposition {
    /// Tracks in the order in which they were added.
    public var tracks: [AVMutableCompositionTrack] { loadedTracks().compactMap { $0 as? AVMutableCompositionTrack } }
    /// Returns the track of a number; nil where there is none.
    public func track(withTrackID trackID: CMPersistentTrackID) -> AVMutableCompositionTrack? { tracks.first { $0.trackID == trackID } }
    /// Returns the tracks of a kind.
    public func tracks(withMediaType mediaType: AVMediaType) -> [AVMutableCompositionTrack] { tracks.filter { $0.mediaType == mediaType } }
}
