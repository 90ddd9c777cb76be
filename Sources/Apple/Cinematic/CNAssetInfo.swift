import AVFoundation
import Foundation

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
    public init(asset: AVAsset) async throws {
        let tracks: [AVAssetTrack]
        do { tracks = try await asset.load(.tracks) } catch {
            throw CNCinematicError(.unreadable, reason: error.localizedDescription, underlying: error)
        }
        let found: [(AVMediaType, String)] = [(.video, "pictures"), (.auxiliaryPicture, "disparity"), (.metadata, "metadata")]
        let lacking = found.filter { kind, _ in !tracks.contains { $0.mediaType == kind } }.map(\.1)
        guard let video = tracks.first(where: { $0.mediaType == .video }), let disparity = tracks.first(where: { $0.mediaType == .auxiliaryPicture }),
            let metadata = tracks.first(where: { $0.mediaType == .metadata })
        else { throw CNCinematicError(.incomplete, reason: "the movie lacks \(lacking.joined(separator: " and "))") }
        self.asset = asset
        (cinematicVideoTrack, cinematicDisparityTrack, cinematicMetadataTrack) = (video, disparity, metadata)
        allCinematicTracks = [video, disparity, metadata]
        super.init()
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
    public var videoCompositionTrackIDs: [NSNumber] { videoCompositionTracks.map { NSNumber(value: $0.trackID) } }
    /// Numbers of the tracks of data that a compositor asks for.
    public var sampleDataTrackIDs: [NSNumber] { [NSNumber(value: cinematicMetadataTrack.trackID)] }
}
