import AVFCapture
import CoreMedia
import Foundation
import Pipeline
import Synchronization
import UniformTypeIdentifiers

/// Kind of a segment of a movie.
public enum AVAssetSegmentType: Int, Sendable {
    /// Index, which every other segment needs.
    case initialization = 1
    /// Media that can be played with the index, and without those before.
    case separable = 2
}

/// Rules that a file's layout follows.
public struct AVFileTypeProfile: RawRepresentable, Hashable, Sendable {
    /// Name of the rules, as Apple spells it.
    public let rawValue: String
    /// Makes rules from their name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Segments for HTTP Live Streaming.
    public static let mpeg4AppleHLS = Self(rawValue: "MPEG4AppleHLS")
    /// Segments of the Common Media Application Format.
    public static let mpeg4CMAFCompliant = Self(rawValue: "MPEG4CMAFCompliant")
}

/// Receiver of the segments of a writer, called on a queue of the writer's own.
public protocol AVAssetWriterDelegate: NSObjectProtocol, Sendable {
    /// Called with each segment, the index first, and what it holds; nil for the index.
    func assetWriter(
        _ writer: AVAssetWriter, didOutputSegmentData segmentData: Data, segmentType: AVAssetSegmentType, segmentReport: AVAssetSegmentReport?)
    /// Called with each segment, the index first, where the delegate does not ask for reports.
    func assetWriter(_ writer: AVAssetWriter, didOutputSegmentData segmentData: Data, segmentType: AVAssetSegmentType)
}

extension AVAssetWriterDelegate {
    /// Calls the method without a report, for delegates without this one.
    public func assetWriter(
        _ writer: AVAssetWriter, didOutputSegmentData segmentData: Data, segmentType: AVAssetSegmentType, segmentReport: AVAssetSegmentReport?
    ) { assetWriter(writer, didOutputSegmentData: segmentData, segmentType: segmentType) }
    /// Does nothing, for delegates without this method.
    public func assetWriter(_ writer: AVAssetWriter, didOutputSegmentData segmentData: Data, segmentType: AVAssetSegmentType) {}
}

/// Contents of a segment.
open class AVAssetSegmentReport: NSObject, @unchecked Sendable {
    /// Kind of the segment.
    public let segmentType: AVAssetSegmentType
    /// Media by track.
    public let trackReports: [AVAssetSegmentTrackReport]

    init(_ segmentType: AVAssetSegmentType, _ trackReports: [AVAssetSegmentTrackReport]) {
        (self.segmentType, self.trackReports) = (segmentType, trackReports)
    }
}

/// Media of one track in a segment.
open class AVAssetSegmentTrackReport: NSObject, @unchecked Sendable {
    /// Number of the track in the movie.
    public let trackID: CMPersistentTrackID
    /// Kind of the track.
    public let mediaType: AVMediaType
    /// Time at which the first sample is shown, from the session's start.
    public let earliestPresentationTimeStamp: CMTime
    /// Length of the samples together.
    public let duration: CMTime

    init(_ track: MovieSegments.Segment.Track, _ mediaType: AVMediaType) {
        (trackID, self.mediaType) = (CMPersistentTrackID(track.number), mediaType)
        (earliestPresentationTimeStamp, duration) = (track.start, track.duration)
    }
}

/// Segments of a writer that has a delegate in place of a file.
extension AVAssetWriter {
    /// Wishes of a writer of segments.
    struct Segmenting {
        var profile: AVFileTypeProfile?
        var interval = CMTime.invalid
        var start = CMTime.invalid
        weak var delegate: (any AVAssetWriterDelegate)?
        var segments: MovieSegments?
    }

    /// Rules that the segments follow; those of both are followed. Raises once writing has begun.
    public var outputFileTypeProfile: AVFileTypeProfile? {
        get { state.withLock { $0.segmenting.profile } }
        set { configure("setOutputFileTypeProfile:") { $0.segmenting.profile = newValue } }
    }

    /// Time after which a segment ends with the next key frame, which encoders then make; `.indefinite`: after `flushSegment()` alone. `.invalid`, the
    /// default, is none. Raises once writing has begun.
    public var preferredOutputSegmentInterval: CMTime {
        get { state.withLock { $0.segmenting.interval } }
        set { configure("setPreferredOutputSegmentInterval:") { $0.segmenting.interval = newValue } }
    }

    /// Time from which intervals are counted; kept: they are counted from the session's start. Raises once writing has begun.
    public var initialSegmentStartTime: CMTime {
        get { state.withLock { $0.segmenting.start } }
        set { configure("setInitialSegmentStartTime:") { $0.segmenting.start = newValue } }
    }

    /// Receiver of the segments, held weakly. Raises once writing has begun.
    public var delegate: (any AVAssetWriterDelegate)? {
        get { state.withLock { $0.segmenting.delegate } }
        set { configure("setDelegate:") { $0.segmenting.delegate = newValue } }
    }

    /// Lets the segment under way end with the next key frame. Raises unless `preferredOutputSegmentInterval` is `.indefinite` and samples are written.
    public func flushSegment() {
        guard status == .writing else { return refuseState("flushSegment") }
        guard preferredOutputSegmentInterval.isIndefinite else {
            return refuse(.internalInconsistency, "flushSegment", "preferredOutputSegmentInterval must be kCMTimeIndefinite")
        }
        run { [self] in state.withLock { $0.segmenting.segments }?.cut() }
    }

    /// The receiver of segments that a movie is written to; nil for a writer of a file. Throws `AVError` where they have no length.
    func openSegments() throws -> MovieSegments? {
        guard isOfSegments else { return nil }
        let interval = preferredOutputSegmentInterval
        guard interval.isIndefinite || interval.isNumeric && interval > .zero else {
            throw AVError(.unknown, reason: "a writer of segments needs a preferredOutputSegmentInterval")
        }
        // Tracks of the file: what is encoded, pictures first, then coded ones in the order of their inputs.
        let encoded = [AVMediaType.video, .audio].filter { kind in inputs.contains { $0.mediaType == kind && $0.outputSettings != nil } }
        let kinds = encoded + inputs.filter { $0.outputSettings == nil }.map(\.mediaType)
        let segments = MovieSegments(every: interval) { [weak self] segment in
            guard let self, let delegate else { return }
            let type: AVAssetSegmentType = segment.tracks.isEmpty ? .initialization : .separable
            let reports = segment.tracks.map { AVAssetSegmentTrackReport($0, kinds.indices.contains($0.number - 1) ? kinds[$0.number - 1] : .muxed) }
            let report = reports.isEmpty ? nil : AVAssetSegmentReport(type, reports)
            delegate.assetWriter(self, didOutputSegmentData: segment.data, segmentType: type, segmentReport: report)
        }
        state.withLock { $0.segmenting.segments = segments }
        return segments
    }
}
