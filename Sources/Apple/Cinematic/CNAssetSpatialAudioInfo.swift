import AVFoundation
import Foundation

/// Kind of sound to make of a spatial recording.
public enum CNSpatialAudioContentType: Int, Sendable {
    /// Two channels.
    case stereo = 0
    /// First-order ambisonics.
    case spatial = 1
}

/// Way to mix a spatial recording. Only `standard`, the sound as it was recorded, can be made here.
public enum CNSpatialAudioRenderingStyle: Int, Sendable {
    /// Speech ahead of its surroundings, as in a cinema.
    case cinematic = 0
    /// Speech as in a studio.
    case studio = 1
    /// Those ahead who are in the picture.
    case inFrame = 2
    /// Surroundings alone, of `cinematic`.
    case cinematicBackgroundStem = 3
    /// Speech alone, of `cinematic`.
    case cinematicForegroundStem = 4
    /// Speech alone, of `studio`.
    case studioForegroundStem = 5
    /// Speech alone, of `inFrame`.
    case inFrameForegroundStem = 6
    /// As recorded.
    case standard = 7
    /// Surroundings alone, of `studio`.
    case studioBackgroundStem = 8
    /// Surroundings alone, of `inFrame`.
    case inFrameBackgroundStem = 9
}

/// First-order ambisonic sound of an asset.
open class CNAssetSpatialAudioInfo: NSObject, @unchecked Sendable {
    /// Track of the sound.
    public let defaultSpatialAudioTrack: AVAssetTrack

    /// Whether speech can be told from its surroundings; always false: the sound can be read and written, and mixed to two channels.
    public class var isSupported: Bool { false }

    /// Whether an asset has such sound; false where it cannot be read.
    public class func assetContainsSpatialAudio(asset: AVAsset) async -> Bool { (try? await track(of: asset)) != nil }

    /// Hands `completionHandler` whether an asset has such sound; false where it cannot be read.
    public class func checkIfContainsSpatialAudio(asset: AVAsset, completionHandler: @escaping @Sendable (Bool) -> Void) {
        Task { completionHandler(await assetContainsSpatialAudio(asset: asset)) }
    }

    /// Finds the track. Throws `CNCinematicError`: `unreadable` for a file that cannot be opened, `incomplete` for one without such sound.
    public init(asset: AVAsset) async throws {
        defaultSpatialAudioTrack = try await Self.track(of: asset)
        super.init()
    }

    /// Strength of the effect, 0…1: 0, as there is none.
    open var defaultEffectIntensity: Float32 { 0 }
    /// Way to mix: as recorded.
    open var defaultRenderingStyle: CNSpatialAudioRenderingStyle { .standard }

    /// Returns the settings of a track output that reads the sound: linear PCM in 32-bit floats, of two or four channels.
    open func assetReaderOutputSettings(for contentType: CNSpatialAudioContentType) -> [String: Any] {
        [
            AVFormatIDKey: kAudioFormatLinearPCM, AVNumberOfChannelsKey: contentType == .stereo ? 2 : 4, AVLinearPCMBitDepthKey: 32,
            AVLinearPCMIsFloatKey: true, AVLinearPCMIsNonInterleaved: false, AVLinearPCMIsBigEndianKey: false,
        ]
    }

    /// Returns the settings of a writer's input that takes the sound: AAC of two channels, or PCM of four.
    open func assetWriterInputSettings(for contentType: CNSpatialAudioContentType) -> [String: Any] {
        let rate = Int(defaultSpatialAudioTrack.naturalTimeScale)
        guard contentType == .spatial else {
            return [AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: rate, AVNumberOfChannelsKey: 2, AVEncoderBitRateKey: 192_000]
        }
        return [AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: rate, AVNumberOfChannelsKey: 4, AVLinearPCMBitDepthKey: 24]
    }

    private static func track(of asset: AVAsset) async throws -> AVAssetTrack {
        let tracks: [AVAssetTrack]
        do { tracks = try await asset.loadTracks(withMediaType: .audio) } catch {
            throw CNCinematicError(.unreadable, reason: error.localizedDescription, underlying: error)
        }
        let ambisonic = kAudioChannelLayoutTag_HOA_ACN_SN3D | 4
        let found = tracks.first { track in
            let formats = track.formatDescriptions.compactMap { $0 as? CMFormatDescription }
            return formats.contains { CMAudioFormatDescriptionGetChannelLayout($0, sizeOut: nil)?.pointee.mChannelLayoutTag == ambisonic }
        }
        guard let found else { throw CNCinematicError(.incomplete, reason: "the asset has no first-order ambisonic sound") }
        return found
    }
}
