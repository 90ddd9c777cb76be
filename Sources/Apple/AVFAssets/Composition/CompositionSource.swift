import AVFCapture
import CoreMedia
import Foundation
import Pipeline
import Synchronization

/// Tracks of a composition with what was put into them; the tracks that an app sees look here.
final class CompositionSource: AssetSource {
    /// Track of a composition.
    struct Track: Sendable {
        let number: Int
        let kind: MovieContents.Track.Kind
        var timeline = CompositionTimeline()
        var transform = CGAffineTransform.identity
        /// Ticks per second; nil is those of its first part.
        var timescale: CMTimeScale?
        var language: String?
        var isEnabled = true
    }

    let environment = CaptureEnvironment.bound?.withoutDevices
    private let tracks: Mutex<[Track]>

    init(_ tracks: [Track] = []) { self.tracks = Mutex(tracks) }

    var isOpened: Bool { true }
    /// Tracks as they are now.
    var current: [Track] { tracks.withLock { $0 } }

    func opened() -> any MovieFile { CompositionFile(current) }

    /// Errors come from the files, which have told them already.
    func told(_ error: any Error) -> any Error { error }

    /// A track as it is now, without parts once it was removed.
    func track(_ number: Int, of kind: MovieContents.Track.Kind) -> Track {
        current.first { $0.number == number } ?? Track(number: number, kind: kind)
    }

    /// Changes tracks, all or, where `body` throws, none.
    func edit<Value>(_ body: (inout [Track]) throws -> Value) rethrows -> Value {
        try tracks.withLock { tracks in
            var edited = tracks
            let value = try body(&edited)
            tracks = edited
            return value
        }
    }

    /// Adds a track, under a number that is free: the one wished for, or the least that is above all others.
    func add(_ kind: MovieContents.Track.Kind, wished: Int) -> Int {
        edit { tracks in
            let isFree = wished > 0 && !tracks.contains { $0.number == wished }
            let number = isFree ? wished : (tracks.map(\.number).max() ?? 0) + 1
            tracks.append(Track(number: number, kind: kind))
            return number
        }
    }
}

extension CompositionSource.Track {
    /// The track as the index of a file would say: that of its first part, with the times that it covers here.
    var described: MovieContents.Track {
        let placed = timeline.placed.filter { $0.part.media != nil }
        guard let first = placed.first?.part.media?.track, let start = placed.first?.start else {
            return MovieContents.Track(number: number, kind: kind, codec: 0, timescale: timescale ?? 600, timeRange: .zero, language: language)
        }
        var track = first
        track.number = number
        track.timescale = timescale ?? first.timescale
        track.timeRange = CMTimeRange(start: start, end: timeline.end)
        track.language = language ?? first.language
        (track.rotation, track.isMirrored) = transform.posture ?? (0, false)
        // Samples and bytes by the share of each file's track that is used.
        let shares = timeline.parts.compactMap { part -> (track: MovieContents.Track, used: Double)? in
            guard let whole = part.media?.track, whole.timeRange.duration > .zero else { return nil }
            return (whole, min(part.source.duration.seconds / whole.timeRange.duration.seconds, 1))
        }
        track.sampleCount = shares.reduce(0) { $0 + Int((Double($1.track.sampleCount) * $1.used).rounded()) }
        track.byteCount = shares.reduce(0) { $0 + Int64((Double($1.track.byteCount) * $1.used).rounded()) }
        let isEven = shares.allSatisfy { $0.track.frameDuration == first.frameDuration } && !timeline.parts.contains(where: \.isScaled)
        if !isEven { track.frameDuration = .invalid }
        return track
    }
}

extension [CompositionSource.Track] {
    /// Puts parts of tracks into the track of a number at a time, `.invalid` at its end; without effect where the track was removed. Throws `AVError` for media
    /// of another kind, and a time before zero.
    mutating func insert(_ parts: [CompositionTimeline.Part], into number: Int, at time: CMTime) throws(AVError) {
        guard let place = firstIndex(where: { $0.number == number }) else { return }
        guard !time.isValid || time.isNumeric && time >= .zero else {
            throw AVError(.invalidCompositionTrackSegmentDuration, reason: "nothing can be put in at \(time.seconds) s")
        }
        let track = self[place]
        let kinds = Set(parts.compactMap { $0.media?.track.kind })
        let own = track.timeline.parts.lazy.compactMap { $0.media?.track.kind }.first
        guard kinds.allSatisfy({ $0.mediaType == track.kind.mediaType && $0 == own ?? kinds.first }) else {
            let (kind, found) = (own ?? track.kind, kinds.map(\.rawValue).sorted().joined(separator: ", "))
            throw AVError(.invalidSourceMedia, reason: "track \(number) of the composition is of \(kind.rawValue) and takes no \(found)")
        }
        self[place].timeline.insert(parts, at: time.isValid ? time : track.timeline.end)
    }
}
