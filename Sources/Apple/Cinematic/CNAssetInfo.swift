import AVFoundation
import Foundation
import Pipeline

/// Tracks that make an asset a cinematic movie.
open class CNAssetInfo: NSObject, @unchecked Sendable {
    /// Asset.
    public let asset: AVAsset
    /// Pictures, disparity and metadata.
    public let allCinematicTracks: [AVAssetTrack]
    /// Sharp pictures.
    public let cinematicVideoTrack: AVAssetTrack
    /// Disparity, a map a picture.
    public let cinematicDisparityTrack: AVAssetTrack
    /// Timed metadata, a sample a picture.
    public let cinematicMetadataTrack: AVAssetTrack

    /// Whether an asset is a cinematic movie; false where it cannot be read.
    public class func isCinematic(asset: AVAsset) async -> Bool { (try? await CNAssetInfo(asset: asset)) != nil }

    /// Finds the tracks. Throws `CNCinematicError`: `unreadable` for a file that cannot be opened, `incomplete` for one that lacks a track.
    public convenience init(asset: AVAsset) async throws { try self.init(reading: asset) }

    /// Finds the tracks while the caller waits. Throws `CNCinematicError`.
    package convenience init(reading asset: AVAsset) throws {
        let (tracks, contents): ([AVAssetTrack], MovieContents)
        do { (tracks, contents) = (try asset.loadedTracks(), try asset.contents()) } catch {
            throw CNCinematicError(.unreadable, reason: error.localizedDescription, underlying: error)
        }
        func first(_ kind: MovieContents.Track.Kind) -> AVAssetTrack? { tracks.first { $0.track.kind == kind } }
        guard let video = first(.picture), let disparity = first(.disparity), let metadata = first(.metadata) else {
            throw CNCinematicError(.incomplete, of: asset, reason: Self.shortfall(of: contents))
        }
        self.init(asset, video: video, disparity: disparity, metadata: metadata)
    }

    init(_ asset: AVAsset, video: AVAssetTrack, disparity: AVAssetTrack, metadata: AVAssetTrack) {
        self.asset = asset
        (cinematicVideoTrack, cinematicDisparityTrack, cinematicMetadataTrack) = (video, disparity, metadata)
        allCinematicTracks = [video, disparity, metadata]
        super.init()
    }

    /// Tracks that make a movie cinematic and are not there, in words; it reads on from the name of the movie.
    private static func shortfall(of contents: MovieContents) -> String {
        let kinds = contents.tracks.map(\.kind)
        let lacking = [MovieContents.Track.Kind.picture, .disparity, .metadata].filter { !kinds.contains($0) }
        guard lacking != [.metadata] || !contents.hasPhoneDisparity else {
            return "has picture and disparity, but no decisions that can be read: a phone keeps them in a format of its own; "
                + "`rackfocus render --video FILE --cinematic take.mov` makes a cinematic movie of it with decisions made anew"
        }
        let has = kinds.isEmpty ? "no tracks" : kinds.map(\.word).joined(separator: ", ")
        return "is no cinematic movie: it has \(has), but lacks \(lacking.map(\.word).joined(separator: " and "))"
    }

    /// Time in which all of the tracks have samples.
    open var timeRange: CMTimeRange {
        allCinematicTracks.dropFirst().reduce(allCinematicTracks[0].timeRange) { $0.intersection($1.timeRange) }
    }
    /// Size of the pictures as they are rendered, pixels.
    open var naturalSize: CGSize { cinematicVideoTrack.naturalSize }
    /// Size of the pictures as they are shown, pixels: with the sides exchanged where they are turned.
    open var preferredSize: CGSize {
        let transform = preferredTransform
        return transform.a == 0 ? CGSize(width: naturalSize.height, height: naturalSize.width) : naturalSize
    }
    /// Map of the stored picture to the upright one: quarter turns and mirrors.
    open var preferredTransform: CGAffineTransform { cinematicVideoTrack.preferredTransform }
}

extension CNAssetInfo {
    /// Track whose samples are the frames in time.
    public var frameTimingTrack: AVAssetTrack { cinematicVideoTrack }
    /// Tracks of pictures that a compositor asks for.
    public var videoCompositionTracks: [AVAssetTrack] { [cinematicVideoTrack, cinematicDisparityTrack] }
    /// Numbers of the tracks of pictures that a compositor asks for.
    public var videoCompositionTrackIDs: [CMPersistentTrackID] { videoCompositionTracks.map(\.trackID) }
    /// Numbers of the tracks of data that a compositor asks for.
    public var sampleDataTrackIDs: [CMPersistentTrackID] { [cinematicMetadataTrack.trackID] }
}

extension MovieContents.Track.Kind {
    /// Word for the content of a track, as to cinematic movies.
    package var word: String {
        switch self {
        case .picture, .disparity, .sound, .metadata, .timecode: rawValue
        case .foreignMetadata, .other: "other"
        }
    }
}
