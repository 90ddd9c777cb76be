import AVFoundation
import Cinematic

/// Mixing desk of an editing app: sound of several tracks as one, and that of a spatial recording by direction.
public enum SoundDesk {
    public enum Failure: Error { case cannotRead }

    /// Mixes tracks of an asset to floats, interleaved.
    public static func mix(
        _ tracks: [AVAssetTrack], of asset: AVAsset, by mix: AVAudioMix? = nil, in timeRange: CMTimeRange? = nil, settings: [String: Any] = [:]
    ) throws -> [Float] {
        let reader = try AVAssetReader(asset: asset)
        if let timeRange { reader.timeRange = timeRange }
        let pcm: [String: Any] = [AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMIsFloatKey: true, AVLinearPCMBitDepthKey: 32]
        let output = AVAssetReaderAudioMixOutput(audioTracks: tracks, audioSettings: pcm.merging(settings) { $1 })
        output.audioMix = mix
        guard reader.canAdd(output) else { throw Failure.cannotRead }
        reader.add(output)
        guard reader.startReading() else { throw reader.error ?? Failure.cannotRead }
        var samples: [Float] = []
        var end = reader.timeRange.start
        while let sample = output.copyNextSampleBuffer(), let data = sample.dataBuffer {
            guard sample.presentationTimeStamp == end else { throw Failure.cannotRead }
            end = sample.presentationTimeStamp + sample.duration
            samples += try data.withContiguousStorage { Array($0.bindMemory(to: Float.self)) }
        }
        guard reader.status == .completed else { throw reader.error ?? Failure.cannotRead }
        return samples
    }

    /// Fades a track out over a range, and plays it at half its loudness before.
    public static func fade(_ track: AVAssetTrack, over timeRange: CMTimeRange) -> AVMutableAudioMix {
        let parameters = AVMutableAudioMixInputParameters(track: track)
        parameters.setVolume(0.5, at: .zero)
        parameters.setVolumeRamp(fromStartVolume: 0.5, toEndVolume: 0, timeRange: timeRange)
        let mix = AVMutableAudioMix()
        mix.inputParameters = [parameters]
        return mix
    }

    /// Sound of a spatial recording in a style.
    public static func spatial(
        _ asset: AVAsset, _ style: CNSpatialAudioRenderingStyle, as type: CNSpatialAudioContentType = .spatial, intensity: Float = 1
    ) async throws -> [Float] {
        let info = try await CNAssetSpatialAudioInfo(asset: asset)
        return try mix(
            [info.defaultSpatialAudioTrack], of: asset, by: info.audioMix(effectIntensity: intensity, renderingStyle: style),
            settings: info.assetReaderOutputSettings(for: type))
    }

    /// Exports the sound of a spatial recording alone, mixed in a style; nil as its stereo track has it.
    public static func export(_ asset: AVAsset, _ style: CNSpatialAudioRenderingStyle?, to url: URL) async throws {
        guard let session = AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetAppleM4A) else { throw Failure.cannotRead }
        if let style {
            session.audioMix = try await CNAssetSpatialAudioInfo(asset: asset).audioMix(effectIntensity: 1, renderingStyle: style)
        }
        try await session.export(to: url, as: .m4a)
    }
}
