import AVFoundation
import Cinematic

/// A cut of several cinematic movies as an app would make it: parts of them, one after the other, that can still be focused again.
public final class CinematicCut {
    public let composition = AVMutableComposition()
    public let info: CNCompositionInfo
    private let sound: AVMutableCompositionTrack?

    /// Begins a cut that is shown as a movie is.
    public init(like movie: CNAssetInfo) {
        info = composition.addTracks(for: movie, preferredStartingTrackID: kCMPersistentTrackID_Invalid)
        sound = composition.addMutableTrack(withMediaType: .audio, preferredTrackID: kCMPersistentTrackID_Invalid)
    }

    /// Adds a part of a movie, with its sound.
    public func append(_ timeRange: CMTimeRange, of movie: CNAssetInfo) async throws {
        let start = composition.duration
        try info.insertTimeRange(timeRange, of: movie, at: start)
        guard let heard = try await movie.asset.loadTracks(withMediaType: .audio).first else { return }
        try sound?.insertTimeRange(timeRange, of: heard, at: start)
    }

    /// Opens the cut for editing.
    public func editor() async throws -> CinematicEditor { try await CinematicEditor(asset: composition) }
}
