import AVFCapture
import CoreMedia
import CoreVideo
import Foundation
import Pipeline

/// Preset of pictures in H.264 of about 400 kbit/s, at most 480 by 360.
public let AVAssetExportPresetLowQuality = "AVAssetExportPresetLowQuality"
/// Preset of pictures in H.264, at most 568 by 320.
public let AVAssetExportPresetMediumQuality = "AVAssetExportPresetMediumQuality"
/// Preset of pictures in H.264, of their own size.
public let AVAssetExportPresetHighestQuality = "AVAssetExportPresetHighestQuality"
/// Preset of pictures in HEVC, of their own size.
public let AVAssetExportPresetHEVCHighestQuality = "AVAssetExportPresetHEVCHighestQuality"
/// Preset of pictures in H.264, at most 640 by 480.
public let AVAssetExportPreset640x480 = "AVAssetExportPreset640x480"
/// Preset of pictures in H.264, at most 960 by 540.
public let AVAssetExportPreset960x540 = "AVAssetExportPreset960x540"
/// Preset of pictures in H.264, at most 1280 by 720.
public let AVAssetExportPreset1280x720 = "AVAssetExportPreset1280x720"
/// Preset of pictures in H.264, at most 1920 by 1080.
public let AVAssetExportPreset1920x1080 = "AVAssetExportPreset1920x1080"
/// Preset of pictures in H.264, at most 3840 by 2160.
public let AVAssetExportPreset3840x2160 = "AVAssetExportPreset3840x2160"
/// Preset of pictures in HEVC, at most 1920 by 1080.
public let AVAssetExportPresetHEVC1920x1080 = "AVAssetExportPresetHEVC1920x1080"
/// Preset of pictures in HEVC, at most 3840 by 2160.
public let AVAssetExportPresetHEVC3840x2160 = "AVAssetExportPresetHEVC3840x2160"
/// Preset of pictures in ProRes 422, of their own size.
public let AVAssetExportPresetAppleProRes422LPCM = "AVAssetExportPresetAppleProRes422LPCM"
/// Preset of sound alone, in AAC.
public let AVAssetExportPresetAppleM4A = "AVAssetExportPresetAppleM4A"
/// Preset that codes nothing: samples as they are stored.
public let AVAssetExportPresetPassthrough = "AVAssetExportPresetPassthrough"

/// Coding and greatest size of an export.
struct ExportPreset {
    let name: String
    /// Coding of the pictures; nil of presets without, and of samples as they are.
    private let codec: AVVideoCodecType?
    /// Box that pictures are scaled down to, its longer side first; nil is their own size.
    private let box: (long: Int, short: Int)?
    /// Bits per second of the pictures; nil leaves them to the writer.
    private let bitRate: Int?

    var isPassthrough: Bool { name == AVAssetExportPresetPassthrough }
    var isSoundAlone: Bool { name == AVAssetExportPresetAppleM4A }

    private init(_ name: String, _ codec: AVVideoCodecType? = .h264, within box: (Int, Int)? = nil, bitRate: Int? = nil) {
        (self.name, self.codec, self.box, self.bitRate) = (name, codec, box.map { (long: $0.0, short: $0.1) }, bitRate)
    }

    static let all: [ExportPreset] = [
        ExportPreset(AVAssetExportPresetLowQuality, within: (480, 360), bitRate: 400_000),
        ExportPreset(AVAssetExportPresetMediumQuality, within: (568, 320)), ExportPreset(AVAssetExportPresetHighestQuality),
        ExportPreset(AVAssetExportPresetHEVCHighestQuality, .hevc), ExportPreset(AVAssetExportPreset640x480, within: (640, 480)),
        ExportPreset(AVAssetExportPreset960x540, within: (960, 540)), ExportPreset(AVAssetExportPreset1280x720, within: (1280, 720)),
        ExportPreset(AVAssetExportPreset1920x1080, within: (1920, 1080)), ExportPreset(AVAssetExportPreset3840x2160, within: (3840, 2160)),
        ExportPreset(AVAssetExportPresetHEVC1920x1080, .hevc, within: (1920, 1080)),
        ExportPreset(AVAssetExportPresetHEVC3840x2160, .hevc, within: (3840, 2160)),
        ExportPreset(AVAssetExportPresetAppleProRes422LPCM, .proRes422), ExportPreset(AVAssetExportPresetAppleM4A, nil),
        ExportPreset(AVAssetExportPresetPassthrough, nil),
    ]

    init?(named name: String) {
        guard let known = Self.all.first(where: { $0.name == name }) else { return nil }
        self = known
    }

    /// Outputs of an asset that are read, each with the input that writes it.
    func pairs(
        _ asset: AVAsset, _ composition: AVVideoComposition?, _ mix: AVAudioMix?
    ) throws -> [(output: AVAssetReaderOutput, input: AVAssetWriterInput)] {
        let tracks = try asset.loadedTracks()
        if isPassthrough { return tracks.map(Self.stored) }
        var pairs: [(output: AVAssetReaderOutput, input: AVAssetWriterInput)] = []
        if let codec, let track = tracks.first(where: { $0.mediaType == .video && $0.isEnabled }) {
            pairs.append(try pictures(track, of: tracks, codec, composition))
        }
        let heard = Self.heard(of: tracks, mix)
        if !heard.isEmpty { pairs.append(sound(heard, mix)) }
        return pairs
    }

    private static func stored(_ track: AVAssetTrack) -> (output: AVAssetReaderOutput, input: AVAssetWriterInput) {
        let input = AVAssetWriterInput(mediaType: track.mediaType, outputSettings: nil, sourceFormatHint: track.descriptions.first)
        if track.mediaType == .video { input.transform = track.preferredTransform }
        return (AVAssetReaderTrackOutput(track: track, outputSettings: nil), input)
    }

    private func pictures(
        _ track: AVAssetTrack, of tracks: [AVAssetTrack], _ codec: AVVideoCodecType, _ composition: AVVideoComposition?
    ) throws -> (output: AVAssetReaderOutput, input: AVAssetWriterInput) {
        let scaled = size(of: composition?.renderedSize ?? track.naturalSize)
        var settings: [String: Any] = [AVVideoCodecKey: codec, AVVideoWidthKey: scaled.width, AVVideoHeightKey: scaled.height]
        if let bitRate { settings[AVVideoCompressionPropertiesKey] = [AVVideoAverageBitRateKey: bitRate] }
        let input = AVAssetWriterInput(mediaType: .video, outputSettings: settings)
        let format = [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange]
        guard let composition else {
            input.transform = track.preferredTransform
            return (AVAssetReaderTrackOutput(track: track, outputSettings: format), input)
        }
        let sources = tracks.filter { [.video, .auxiliaryPicture].contains($0.mediaType) }
        let output = AVAssetReaderVideoCompositionOutput(videoTracks: sources, videoSettings: nil)
        output.videoComposition = composition
        return (output, input)
    }

    /// Tracks of sound that are mixed: all that are enabled, but of ambisonics and the stereo beside them that which the mix names, by default the stereo.
    private static func heard(of tracks: [AVAssetTrack], _ mix: AVAudioMix?) -> [AVAssetTrack] {
        let sound = tracks.filter { $0.mediaType == .audio }
        guard let spatial = sound.first(where: \.track.isAmbisonic), let stereo = sound.first(where: { !$0.track.isAmbisonic }) else {
            return sound.filter(\.isEnabled)
        }
        let left = mix?.inputParameters.contains { $0.trackID == spatial.trackID } ?? false ? stereo : spatial
        return sound.filter { $0 !== left && ($0.isEnabled || $0 === spatial) }
    }

    private func sound(_ tracks: [AVAssetTrack], _ mix: AVAudioMix?) -> (output: AVAssetReaderOutput, input: AVAssetWriterInput) {
        let channels = min(tracks.map(\.track.channels).max() ?? 2, 2)
        let settings: [String: Any] = [
            AVFormatIDKey: codec == .proRes422 ? kAudioFormatLinearPCM : kAudioFormatMPEG4AAC, AVSampleRateKey: tracks[0].track.sampleRate,
            AVNumberOfChannelsKey: channels,
        ]
        let pcm: [String: Any] = [
            AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMIsFloatKey: true, AVLinearPCMBitDepthKey: 32, AVNumberOfChannelsKey: channels,
        ]
        let output = AVAssetReaderAudioMixOutput(audioTracks: tracks, audioSettings: pcm)
        output.audioMix = mix
        return (output, AVAssetWriterInput(mediaType: .audio, outputSettings: settings))
    }

    /// Greatest even size of a picture's shape within the box; its own where it is within.
    private func size(of picture: CGSize) -> (width: Int, height: Int) {
        func even(_ side: CGFloat) -> Int { max(2, Int((side / 2).rounded()) * 2) }
        guard let box else { return (even(picture.width), even(picture.height)) }
        let (long, short) = (max(picture.width, picture.height), min(picture.width, picture.height))
        let scale = min(1, CGFloat(box.long) / long, CGFloat(box.short) / short)
        return (even(picture.width * scale), even(picture.height * scale))
    }
}
