import AVFoundation
import CoreMedia
import Foundation

/// Tracks of a composition that parts of cinematic movies are put into, so that the composition is a cinematic movie.
///
///     let info = composition.addTracks(for: first, preferredStartingTrackID: kCMPersistentTrackID_Invalid)
///     try info.insertTimeRange(first.timeRange, of: first, at: .zero)
///     try info.insertTimeRange(second.timeRange, of: second, at: .invalid)
///     let script = try await CNScript(asset: composition)
open class CNCompositionInfo: CNAssetInfo, @unchecked Sendable {
    private let tracks: [AVMutableCompositionTrack]

    fileprivate init(_ composition: AVMutableComposition, _ tracks: [AVMutableCompositionTrack]) {
        self.tracks = tracks
        super.init(composition, video: tracks[0], disparity: tracks[1], metadata: tracks[2])
    }

    /// Puts a range of a cinematic movie's tracks in at a time, `.invalid` at the end; what is there is pushed behind it. All tracks or none.
    ///
    /// Throws `AVError` as `AVMutableCompositionTrack.insertTimeRange(_:of:at:)`.
    open func insertTimeRange(_ timeRange: CMTimeRange, of assetInfo: CNAssetInfo, at startTime: CMTime) throws {
        try AVMutableCompositionTrack.insert(timeRange, of: assetInfo.allCinematicTracks, into: tracks, at: startTime)
    }
}

extension AVMutableComposition {
    /// Adds empty tracks for the pictures, disparity and metadata of a cinematic movie, turned upright as its pictures are; put a range in before they are
    /// read. Their numbers begin with `preferredStartingTrackID` where those are free.
    @discardableResult
    public func addTracks(for assetInfo: CNAssetInfo, preferredStartingTrackID: CMPersistentTrackID) -> CNCompositionInfo {
        let kinds: [AVMediaType] = [.video, .auxiliaryPicture, .metadata]
        let tracks = kinds.enumerated().compactMap { offset, kind in
            let isAny = preferredStartingTrackID == kCMPersistentTrackID_Invalid
            return addMutableTrack(withMediaType: kind, preferredTrackID: isAny ? 0 : preferredStartingTrackID + CMPersistentTrackID(offset))
        }
        tracks[0].preferredTransform = assetInfo.preferredTransform
        return CNCompositionInfo(self, tracks)
    }
}
