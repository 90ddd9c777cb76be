import AVFCapture
import CoreMedia
import Foundation
import Pipeline

/// Track of a composition: parts of tracks of one kind of media, and gaps.
open class AVCompositionTrack: AVAssetTrack, @unchecked Sendable {
    let composed: CompositionSource
    let number: Int
    private let kind: MovieContents.Track.Kind

    init(_ track: CompositionSource.Track, of composition: AVComposition) {
        (composed, number, kind) = (composition.composed, track.number, track.kind)
        super.init(track: track.described, source: composition.composed, asset: composition)
    }

    var own: CompositionSource.Track { composed.track(number, of: kind) }

    /// Number of the track in the composition, from 1.
    open override var trackID: CMPersistentTrackID { CMPersistentTrackID(clamping: number) }

    package override var track: MovieContents.Track { own.described }
    override func parts(in range: CMTimeRange) -> [CompositionTimeline.Part] { own.timeline.parts(in: range) }

    /// Map of the stored picture to the upright one; identity unless an app set another.
    open override var preferredTransform: CGAffineTransform { own.transform }
    /// Whether the track is to be shown or heard.
    open override var isEnabled: Bool { own.isEnabled }

    /// Parts and gaps, one after the other.
    open var segments: [AVCompositionTrackSegment] { own.timeline.placed.map { AVCompositionTrackSegment($0.part, at: $0.start) } }

    /// Returns the part or gap at a time; nil outside.
    open func segment(forTrackTime trackTime: CMTime) -> AVCompositionTrackSegment? {
        segments.first { $0.timeMapping.target.containsTime(trackTime) }
    }
}

/// Track of a composition that is being put together.
open class AVMutableCompositionTrack: AVCompositionTrack, @unchecked Sendable {
    /// Map of the stored picture to the upright one; at first identity. Of pictures that are read it says nothing: they come as stored.
    open override var preferredTransform: CGAffineTransform {
        get { super.preferredTransform }
        set { change { $0.transform = newValue } }
    }
    /// Ticks per second of the track's times; 0 is those of its first part.
    open override var naturalTimeScale: CMTimeScale {
        get { super.naturalTimeScale }
        set { change { $0.timescale = newValue > 0 ? newValue : nil } }
    }
    /// Language as an ISO 639-2 code; nil is that of its first part.
    open override var languageCode: String? {
        get { super.languageCode }
        set { change { $0.language = newValue } }
    }
    /// Whether the track is to be shown or heard; a reader reads it either way.
    open override var isEnabled: Bool {
        get { super.isEnabled }
        set { change { $0.isEnabled = newValue } }
    }

    /// Puts a range of another track in at a time, `.invalid` at the end; what is there is pushed behind it, a gap fills the time up to it.
    ///
    /// Throws `AVError`: `invalidCompositionTrackSegmentDuration` for a range without length, `invalidCompositionTrackSegmentSourceStartTime` for one outside
    /// of the track, `invalidSourceMedia` for a track of another kind.
    open func insertTimeRange(_ timeRange: CMTimeRange, of track: AVAssetTrack, at startTime: CMTime) throws {
        try insert([(timeRange, track)], at: startTime)
    }

    /// Puts ranges of tracks in, one after the other; all or none. Throws as `insertTimeRange(_:of:at:)`.
    open func insertTimeRanges(_ timeRanges: [CMTimeRange], of tracks: [AVAssetTrack], at startTime: CMTime) throws {
        try insert(Array(zip(timeRanges, tracks)), at: startTime)
    }

    private func insert(_ ranges: [(CMTimeRange, AVAssetTrack)], at time: CMTime) throws {
        let parts = try ranges.flatMap { range, track in track.parts(in: try range.composable(within: track.timeRange.end)) }
        try composed.edit { try $0.insert(parts, into: number, at: time) }
    }

    /// Puts a range of several tracks into as many of one composition, at a time, `.invalid` behind the longest; all or none. Throws as
    /// `insertTimeRange(_:of:at:)`.
    package static func insert(_ range: CMTimeRange, of sources: [AVAssetTrack], into tracks: [AVMutableCompositionTrack], at time: CMTime) throws {
        let range = try range.composable(within: sources.map(\.timeRange.end).max() ?? .zero)
        let parts = sources.map { $0.parts(in: range) }
        let end = tracks.map(\.own.timeline.end).max() ?? .zero
        try tracks.first?.composed.edit { composed in
            for (track, parts) in zip(tracks, parts) { try composed.insert(parts, into: track.number, at: time.isValid ? time : end) }
        }
    }

    /// Puts a gap in; what is there is pushed behind it. Without effect at the end.
    open func insertEmptyTimeRange(_ timeRange: CMTimeRange) { change { $0.timeline.insertGap(timeRange) } }

    /// Takes a range out; what follows moves up.
    open func removeTimeRange(_ timeRange: CMTimeRange) {
        guard timeRange.isValid, timeRange.start.isNumeric, timeRange.end.isNumeric else { return }
        change { $0.timeline.remove(timeRange) }
    }

    /// Shows a range for another length, slower or faster; what follows moves. Without effect for a length of zero.
    ///
    /// Pictures come at other times. Sound is resampled, and so lower or higher, where a phone keeps the pitch.
    open func scaleTimeRange(_ timeRange: CMTimeRange, toDuration duration: CMTime) { change { $0.timeline.scale(timeRange, to: duration) } }

    private func change(_ body: (inout CompositionSource.Track) -> Void) {
        composed.edit { tracks in
            if let place = tracks.firstIndex(where: { $0.number == number }) { body(&tracks[place]) }
        }
    }
}

/// Part of a track: a range of media, and the range of the track that it is shown in.
open class AVAssetTrackSegment: NSObject, @unchecked Sendable {
    /// Range of the media, and range of the track; of other lengths where the speed was changed.
    public let timeMapping: CMTimeMapping
    /// Whether it is a gap.
    public let isEmpty: Bool

    init(_ mapping: CMTimeMapping, isEmpty: Bool) { (timeMapping, self.isEmpty) = (mapping, isEmpty) }
}

/// Part of a composition's track.
open class AVCompositionTrackSegment: AVAssetTrackSegment, @unchecked Sendable {
    /// File of the media; nil of a gap.
    public let sourceURL: URL?
    /// Number of the track in the file; `kCMPersistentTrackID_Invalid` of a gap.
    public let sourceTrackID: CMPersistentTrackID

    init(_ part: CompositionTimeline.Part, at start: CMTime) {
        sourceURL = part.media?.file.url
        sourceTrackID = part.media.map { CMPersistentTrackID(clamping: $0.track.number) } ?? kCMPersistentTrackID_Invalid
        let target = CMTimeRange(start: start, duration: part.duration)
        let source = part.media == nil ? target : part.source
        super.init(CMTimeMapping(source: source, target: target), isEmpty: part.media == nil)
    }
}
