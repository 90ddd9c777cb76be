import AVFoundation
import Foundation
import Optics
import Pipeline

/// Kind of sound to make of a spatial recording.
public enum CNSpatialAudioContentType: Int, Sendable {
    /// Two channels.
    case stereo = 0
    /// First-order ambisonics.
    case spatial = 1
}

/// Way to mix a spatial recording. What comes straight from ahead is the foreground, where a phone tells speech from its surroundings (`SpatialMix`).
public enum CNSpatialAudioRenderingStyle: Int, Sendable {
    /// Foreground in the middle, before quieter surroundings, as in a cinema.
    case cinematic = 0
    /// Foreground almost alone, as in a studio.
    case studio = 1
    /// Those alone who are in the picture, before quieter surroundings.
    case inFrame = 2
    /// Surroundings alone, of `cinematic`.
    case cinematicBackgroundStem = 3
    /// Foreground alone, of `cinematic`.
    case cinematicForegroundStem = 4
    /// Foreground alone, of `studio`.
    case studioForegroundStem = 5
    /// Foreground alone, of `inFrame`.
    case inFrameForegroundStem = 6
    /// As recorded.
    case standard = 7
    /// Surroundings alone, of `studio`.
    case studioBackgroundStem = 8
    /// Surroundings alone, of `inFrame`.
    case inFrameBackgroundStem = 9
}

/// First-order ambisonic sound of an asset.
///
///     let info = try await CNAssetSpatialAudioInfo(asset: asset)
///     let output = AVAssetReaderAudioMixOutput(
///         audioTracks: [info.defaultSpatialAudioTrack], audioSettings: info.assetReaderOutputSettings(for: .stereo))
///     output.audioMix = info.audioMix(effectIntensity: 1, renderingStyle: .inFrame)
open class CNAssetSpatialAudioInfo: NSObject, @unchecked Sendable {
    /// Track of the sound.
    public let defaultSpatialAudioTrack: AVAssetTrack
    /// Horizontal angle of the picture, degrees.
    private let fieldOfView: Float

    /// Whether such sound can be mixed; always.
    public class var isSupported: Bool { true }

    /// Whether an asset has such sound; false where it cannot be read.
    public class func assetContainsSpatialAudio(asset: AVAsset) async -> Bool { (try? await track(of: asset)) != nil }

    /// Hands `completionHandler` whether an asset has such sound; false where it cannot be read.
    public class func checkIfContainsSpatialAudio(asset: AVAsset, completionHandler: @escaping @Sendable (Bool) -> Void) {
        Task { completionHandler(await assetContainsSpatialAudio(asset: asset)) }
    }

    /// Finds the track. Throws `CNCinematicError`: `unreadable` for a file that cannot be opened, `incomplete` for one without such sound.
    public init(asset: AVAsset) async throws {
        defaultSpatialAudioTrack = try await Self.track(of: asset)
        fieldOfView = (try? CNAssetInfo(reading: asset))?.fieldOfView ?? SpatialMix.usualFieldOfView
        super.init()
    }

    /// Strength of the effect, 0…1; one half, as none is recorded.
    open var defaultEffectIntensity: Float32 { 0.5 }
    /// Way to mix: as recorded.
    open var defaultRenderingStyle: CNSpatialAudioRenderingStyle { .standard }

    /// Parameters of a mix, as JSON of this project's own: the horizontal angle of the picture in degrees, and the default style and intensity. On a phone
    /// these are bytes for an audio unit, of which there is none here.
    open var spatialAudioMixMetadata: Data {
        let style = defaultRenderingStyle.rawValue
        return Data(#"{"version":1,"fieldOfView":\#(fieldOfView),"intensity":\#(defaultEffectIntensity),"style":\#(style)}"#.utf8)
    }

    /// Returns a mix of the spatial track.
    ///
    /// - Parameters:
    ///   - effectIntensity: strength, 0…1; 0 is as recorded. Without effect on stems, of which foreground and background add up to the recording.
    ///   - renderingStyle: style, or a stem of one.
    open func audioMix(effectIntensity: Float, renderingStyle: CNSpatialAudioRenderingStyle) -> AVAudioMix {
        let mix = renderingStyle.mixed.map { SpatialMix(style: $0, part: $1, intensity: effectIntensity, fieldOfView: fieldOfView) }
        return AVAudioMix([AVAudioMixInputParameters(trackID: defaultSpatialAudioTrack.trackID, mix)])
    }

    /// Returns the settings of a track output that reads the sound: linear PCM in 32-bit floats, of two or four channels.
    open func assetReaderOutputSettings(for contentType: CNSpatialAudioContentType) -> [String: Any] {
        [
            AVFormatIDKey: kAudioFormatLinearPCM, AVNumberOfChannelsKey: contentType == .stereo ? 2 : 4, AVLinearPCMBitDepthKey: 32,
            AVLinearPCMIsFloatKey: true, AVLinearPCMIsNonInterleaved: false, AVLinearPCMIsBigEndianKey: false,
        ].bridged
    }

    /// Returns the settings of a writer's input that takes the sound: AAC of two channels, or PCM of four.
    open func assetWriterInputSettings(for contentType: CNSpatialAudioContentType) -> [String: Any] {
        let rate = Int(defaultSpatialAudioTrack.naturalTimeScale)
        guard contentType == .spatial else {
            return [AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: rate, AVNumberOfChannelsKey: 2, AVEncoderBitRateKey: 192_000].bridged
        }
        return [AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: rate, AVNumberOfChannelsKey: 4, AVLinearPCMBitDepthKey: 24].bridged
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

extension CNSpatialAudioRenderingStyle {
    /// Style of the mix, and the part of it that is heard; nil is as recorded.
    fileprivate var mixed: (SpatialMix.Style, SpatialMix.Part)? {
        switch self {
        case .cinematic: (.cinematic, .whole)
        case .studio: (.studio, .whole)
        case .inFrame: (.inFrame, .whole)
        case .cinematicForegroundStem: (.cinematic, .foreground)
        case .cinematicBackgroundStem: (.cinematic, .background)
        case .studioForegroundStem: (.studio, .foreground)
        case .studioBackgroundStem: (.studio, .background)
        case .inFrameForegroundStem: (.inFrame, .foreground)
        case .inFrameBackgroundStem: (.inFrame, .background)
        case .standard: nil
        }
    }
}

extension CNAssetInfo {
    /// Horizontal angle of the picture in the first frame, degrees; nil where its metadata cannot be read.
    package var fieldOfView: Float? {
        guard let reader = try? cinematicMetadataTrack.samples(in: timeRange, as: .cinematic), let first = try? reader.next(),
            case .cinematic(let sample) = first.content, sample.sensorWidth > 0
        else { return nil }
        let share = cinematicVideoTrack.naturalSize.width / Double(sample.sensorWidth)
        return Float(2 * atan(18 * share / sample.lens.focalLength) * 180 / .pi)
    }
}
