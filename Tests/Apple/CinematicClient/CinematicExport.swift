import AVFoundation
import Cinematic

extension CinematicEditor {
    /// Exports the movie, or a part of it, as the script says, with its sound.
    public func export(to url: URL, in timeRange: CMTimeRange? = nil, preset: String = AVAssetExportPresetHighestQuality) async throws {
        guard let session = AVAssetExportSession(asset: asset, presetName: preset) else { throw Failure.cannotRead("preset") }
        session.videoComposition = videoComposition()
        if let timeRange { session.timeRange = timeRange }
        try await session.export(to: url, as: .mov)
    }
}
