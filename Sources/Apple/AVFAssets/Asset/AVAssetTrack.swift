import AVFCapture
import CoreMedia
import Foundation
import Pipeline

/// One track of an asset: pictures, disparity, sound or timed metadata.
open class AVAssetTrack: NSObject, AVAsynchronousKeyValueLoading, @unchecked Sendable {
    private let described: MovieContents.Track
    let source: any AssetSource
    private weak var owner: AVAsset?
    /// Asset of the track; nil once it is gone.
    open var asset: AVAsset? { owner }

    init(track: MovieContents.Track, source: any AssetSource, asset: AVAsset) {
        (described, self.source, owner) = (track, source, asset)
    }

    /// The track as the index of its file says.
    package var track: MovieContents.Track { described }

    /// Parts of files that make up a range of the track, as long as it altogether.
    func parts(in range: CMTimeRange) -> [CompositionTimeline.Part] {
        guard let file = source as? AssetFile else { return [] }
        let media = range.intersection(track.timeRange)
        guard media.duration > .zero else { return [.gap(range.duration)] }
        let part = CompositionTimeline.Part(.init(file: file, track: track), media)
        return [.gap(media.start - range.start), part, .gap(range.end - media.end)]
    }

    /// Number of the track in its file, from 1.
    open var trackID: CMPersistentTrackID { CMPersistentTrackID(clamping: track.number) }

    /// Kind of media; disparity is an auxiliary picture.
    open var mediaType: AVMediaType { track.kind.mediaType }

    /// Map of the stored picture to the upright one, moved to where no coordinate is negative.
    open var preferredTransform: CGAffineTransform { CGAffineTransform(rotation: track.rotation, isMirrored: track.isMirrored, of: naturalSize) }
    /// Ticks per second of the track's times.
    open var naturalTimeScale: CMTimeScale { track.timescale }
    /// Language as an ISO 639-2 code; nil for none.
    open var languageCode: String? { track.language }
    /// Whether the track is to be shown or heard unless somebody chooses otherwise.
    open var isEnabled: Bool { track.isEnabled }

    /// Opens a reader of the track's samples.
    package func samples(in range: CMTimeRange, as coding: MovieSample.Coding) throws -> any MovieTrackReader {
        try source.opened().reader(of: track.number, in: range, as: coding)
    }

    /// Whether the track has a characteristic.
    open func hasMediaCharacteristic(_ mediaCharacteristic: AVMediaCharacteristic) -> Bool {
        switch mediaCharacteristic {
        case .visual, .frameBased: track.kind == .picture
        case .audible: track.kind == .sound
        case .containsHDRVideo: track.kind == .picture && track.colors.isHDR
        default: false
        }
    }

    /// Loads the tracks that this one names for a purpose: the pictures, for metadata that describe them, and the stereo beside ambisonics; else empty.
    open func loadAssociatedTracks(ofType trackAssociationType: AssociationType) async throws -> [AVAssetTrack] {
        let tracks = try asset?.loadedTracks() ?? []
        switch trackAssociationType {
        case .metadataReferent where mediaType == .metadata: return tracks.filter { $0.track.kind == .picture }
        case .audioFallback where track.isAmbisonic: return tracks.filter { $0.track.kind == .sound && !$0.track.isAmbisonic }
        default: return []
        }
    }

    var isPlayable: Bool { track.kind == .picture || track.kind == .sound }

    /// Purpose for which a track names another.
    public struct AssociationType: RawRepresentable, Hashable, Sendable {
        /// Four-character code of the reference.
        public let rawValue: String
        /// Makes a purpose from its code; any is accepted.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The track that a track of metadata describes.
        public static let metadataReferent = AssociationType(rawValue: "cdsc")
        /// The timecode of a track, of which none is read.
        public static let timecode = AssociationType(rawValue: "tmcd")
        /// The sound to take where a track of sound cannot be played.
        public static let audioFallback = AssociationType(rawValue: "fall")
    }
}

/// Properties that wait for nothing, as before they were loaded by name.
extension AVAssetTrack {
    /// Size of the pictures as stored, pixels; zero without pictures.
    public var naturalSize: CGSize { CGSize(width: track.width, height: track.height) }
    /// Frames per second; 0 without pictures, and where they come unevenly.
    public var nominalFrameRate: Float { track.frameDuration.isNumeric ? Float(1 / track.frameDuration.seconds) : 0 }
    /// Shortest time of a picture; `.invalid` without pictures.
    public var minFrameDuration: CMTime { track.frameDuration }
    /// Time that the track covers in the asset.
    public var timeRange: CMTimeRange { track.timeRange }
    /// Average bits per second.
    public var estimatedDataRate: Float {
        let seconds = track.timeRange.duration.seconds
        return seconds > 0 ? Float(Double(track.byteCount * 8) / seconds) : 0
    }
    /// Format of the samples as stored, one.
    public var formatDescriptions: [Any] { descriptions }

    var descriptions: [CMFormatDescription] { track.formatDescription.map { [$0] } ?? [] }
}

extension MovieContents.Track.Kind {
    /// Kind of media as an app knows it.
    var mediaType: AVMediaType {
        switch self {
        case .picture: .video
        case .disparity: .auxiliaryPicture
        case .sound: .audio
        case .metadata, .foreignMetadata: .metadata
        case .timecode: .timecode
        case .other: .text
        }
    }
}

extension MovieContents.Track {
    /// Layout of the channels, as Core Audio names it.
    var layoutTag: AudioChannelLayoutTag {
        switch channels {
        case 1: kAudioChannelLayoutTag_Mono
        case 2: kAudioChannelLayoutTag_Stereo
        case 4 where isAmbisonic: kAudioChannelLayoutTag_HOA_ACN_SN3D | 4
        default: kAudioChannelLayoutTag_Unknown | AudioChannelLayoutTag(channels)
        }
    }
}

extension CGAffineTransform {
    /// Map of a stored picture of a size to the upright one: a clockwise rotation by quarter turns, then a mirror.
    init(rotation: Int, isMirrored: Bool, of size: CGSize) {
        var (a, b, c, d): (CGFloat, CGFloat, CGFloat, CGFloat) =
            switch rotation {
            case 90: (0, 1, -1, 0)
            case 180: (-1, 0, 0, -1)
            case 270: (0, -1, 1, 0)
            default: (1, 0, 0, 1)
            }
        if isMirrored { (a, c) = (-a, -c) }
        let x = (a < 0 ? size.width : 0) + (c < 0 ? size.height : 0)
        let y = (b < 0 ? size.width : 0) + (d < 0 ? size.height : 0)
        self.init(a: a, b: b, c: c, d: d, tx: x, ty: y)
    }

    /// Clockwise rotation in degrees and the mirror behind it; nil for anything but quarter turns. Where the picture is moved to is ignored.
    package var posture: (rotation: Int, isMirrored: Bool)? {
        let parts = [a, b, c, d].map { $0.rounded() }
        guard zip(parts, [a, b, c, d]).allSatisfy({ abs($0 - $1) < 1e-3 }), abs(parts[0]) + abs(parts[1]) == 1,
            abs(parts[2]) + abs(parts[3]) == 1, parts[0] * parts[2] + parts[1] * parts[3] == 0
        else { return nil }
        let isMirrored = parts[0] * parts[3] - parts[1] * parts[2] < 0
        let (x, y) = isMirrored ? (-parts[0], parts[1]) : (parts[0], parts[1])
        return (x == 1 ? 0 : y == 1 ? 90 : x == -1 ? 180 : 270, isMirrored)
    }
}

extension AVPartialAsyncProperty where Root: AVAssetTrack {
    private static func property<Value>(_ read: @escaping (Root) throws -> Value) -> AVAsyncProperty<Root, Value> {
        AVAsyncProperty(isLoaded: { _ in true }, read)
    }

    /// Formats of the samples as stored, one.
    public static var formatDescriptions: AVAsyncProperty<Root, [CMFormatDescription]> { property { $0.descriptions } }
    /// Whether there is something to show or to hear.
    public static var isPlayable: AVAsyncProperty<Root, Bool> { property { $0.isPlayable } }
    /// Whether a reader can decode it.
    public static var isDecodable: AVAsyncProperty<Root, Bool> { property { $0.isPlayable || $0.track.kind == .disparity } }
    /// Whether the track is to be shown or heard.
    public static var isEnabled: AVAsyncProperty<Root, Bool> { property { $0.isEnabled } }
    /// Whether all of its samples are in the file, which they always are.
    public static var isSelfContained: AVAsyncProperty<Root, Bool> { property { _ in true } }
    /// Bytes of all samples.
    public static var totalSampleDataLength: AVAsyncProperty<Root, Int64> { property { $0.track.byteCount } }
    /// Time that the track covers in the asset.
    public static var timeRange: AVAsyncProperty<Root, CMTimeRange> { property { $0.timeRange } }
    /// Ticks per second of the track's times.
    public static var naturalTimeScale: AVAsyncProperty<Root, CMTimeScale> { property { $0.naturalTimeScale } }
    /// Average bits per second.
    public static var estimatedDataRate: AVAsyncProperty<Root, Float> { property { $0.estimatedDataRate } }
    /// Language as an ISO 639-2 code; nil for none.
    public static var languageCode: AVAsyncProperty<Root, String?> { property { $0.languageCode } }
    /// Size of the pictures as stored, pixels; zero without pictures.
    public static var naturalSize: AVAsyncProperty<Root, CGSize> { property { $0.naturalSize } }
    /// Map of the stored picture to the upright one.
    public static var preferredTransform: AVAsyncProperty<Root, CGAffineTransform> { property { $0.preferredTransform } }
    /// Volume at which to play, always 1.
    public static var preferredVolume: AVAsyncProperty<Root, Float> { property { _ in 1 } }
    /// Frames per second; 0 without pictures, and where they come unevenly.
    public static var nominalFrameRate: AVAsyncProperty<Root, Float> { property { $0.nominalFrameRate } }
    /// Shortest time of a picture; `.invalid` without pictures.
    public static var minFrameDuration: AVAsyncProperty<Root, CMTime> { property { $0.minFrameDuration } }
    /// Metadata of the track; none is read.
    public static var metadata: AVAsyncProperty<Root, [AVMetadataItem]> { property { _ in [] } }
    /// Characteristics of the media.
    public static var mediaCharacteristics: AVAsyncProperty<Root, [AVMediaCharacteristic]> {
        property { track in [.visual, .audible, .frameBased, .containsHDRVideo].filter { track.hasMediaCharacteristic($0) } }
    }
}
