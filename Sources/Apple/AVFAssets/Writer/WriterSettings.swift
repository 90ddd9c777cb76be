import AVFCapture
import CoreMedia
import CoreVideo
import Foundation
import Pipeline
import Support

/// Coding of pictures that the settings of a writer's input ask for.
struct PictureSettings: Sendable {
    var codec: MovieDescription.Codec
    var width: Int
    var height: Int
    var coding = MovieDescription.Coding()
    /// Frames per second that the app expects; nil where it does not say.
    var expectedRate: Double?
    /// Whether a picture of another shape fills the size and loses its edges; else it is stretched.
    var fills = false

    /// Reads settings; throws `SettingsFault` for those that nothing can be written by.
    init(_ settings: [String: Any]) throws(SettingsFault) {
        let name = (settings[AVVideoCodecKey] as? AVVideoCodecType)?.rawValue ?? settings[AVVideoCodecKey] as? String
        guard let name else { throw SettingsFault("has no AVVideoCodecKey") }
        switch AVVideoCodecType(rawValue: name) {
        case .h264: codec = .h264
        case .hevc: codec = .hevc
        case .proRes422Proxy: (codec, coding.quality) = (.prores, 0.1)
        case .proRes422LT: (codec, coding.quality) = (.prores, 0.3)
        case .proRes422: (codec, coding.quality) = (.prores, 0.5)
        case .proRes422HQ: (codec, coding.quality) = (.prores, 0.9)
        default: throw SettingsFault("asks for the codec \(name.printable); there are avc1, hvc1, apco, apcs, apcn and apch")
        }
        guard let width = NumberSetting.number(settings[AVVideoWidthKey]), let height = NumberSetting.number(settings[AVVideoHeightKey]),
            (2...16_384).contains(width), (2...16_384).contains(height), width.truncatingRemainder(dividingBy: 2) == 0,
            height.truncatingRemainder(dividingBy: 2) == 0
        else { throw SettingsFault("needs AVVideoWidthKey and AVVideoHeightKey, both even and from 2 to 16384") }
        (self.width, self.height) = (Int(width), Int(height))
        switch settings[AVVideoScalingModeKey] as? String {
        case nil, AVVideoScalingModeResize: break
        case AVVideoScalingModeResizeAspectFill: fills = true
        case let mode?: throw SettingsFault("asks for the scaling mode \(mode.printable), which is not supported")
        }
        try readCompression(settings[AVVideoCompressionPropertiesKey] as? [String: Any] ?? [:])
    }

    private mutating func readCompression(_ properties: [String: Any]) throws(SettingsFault) {
        if let bits = NumberSetting.number(properties[AVVideoAverageBitRateKey]) {
            guard bits >= 1, bits < 0x1p31 else { throw SettingsFault("asks for \(bits) bits per second") }
            if codec != .prores { coding.bitRate = Int(bits) }
        }
        if let quality = NumberSetting.number(properties[AVVideoQualityKey]), codec != .prores {
            guard (0...1).contains(quality) else { throw SettingsFault("asks for a quality of \(quality), which is outside of 0…1") }
            coding.quality = quality
        }
        if let rate = NumberSetting.number(properties[AVVideoExpectedSourceFrameRateKey]), rate > 0, rate <= 1000 { expectedRate = rate }
        let longest = 3600.0
        if let seconds = NumberSetting.number(properties[AVVideoMaxKeyFrameIntervalDurationKey]), seconds > 0 {
            coding.keyframeInterval = min(seconds, longest)
        }
        if let frames = NumberSetting.number(properties[AVVideoMaxKeyFrameIntervalKey]), frames >= 1 {
            let seconds = min(frames / (expectedRate ?? 30), longest)
            coding.keyframeInterval = min(coding.keyframeInterval ?? seconds, seconds)
        }
    }
}

/// Coding of sound that the settings of a writer's input ask for.
struct SoundSettings: Sendable {
    var track: MovieDescription.SoundTrack

    /// Reads settings; throws `SettingsFault` for those that nothing can be written by.
    init(_ settings: [String: Any]) throws(SettingsFault) {
        guard let format = NumberSetting.number(settings[AVFormatIDKey]).flatMap({ AudioFormatID(exactly: $0) }) else {
            throw SettingsFault("has no AVFormatIDKey")
        }
        guard let rate = NumberSetting.number(settings[AVSampleRateKey]), (8_000...192_000).contains(rate) else {
            throw SettingsFault("needs AVSampleRateKey, from 8000 to 192000")
        }
        let channels = NumberSetting.number(settings[AVNumberOfChannelsKey]).flatMap { Int(exactly: $0) } ?? 0
        guard let layout = Sound.Layout.allCases.first(where: { $0.channelCount == channels }) else {
            throw SettingsFault("needs AVNumberOfChannelsKey: 1, 2 or, of ambisonics, 4")
        }
        track = MovieDescription.SoundTrack(layout: layout, sampleRate: Int(rate))
        switch format {
        case kAudioFormatMPEG4AAC:
            guard layout != .firstOrderAmbisonics else { throw SettingsFault("asks for AAC of four channels, which cannot name ambisonics") }
            let bits = NumberSetting.number(settings[AVEncoderBitRateKey])
            let each = NumberSetting.number(settings[AVEncoderBitRatePerChannelKey]).map { $0 * Double(channels) }
            track.coding = .aac(bitRate: (bits ?? each).flatMap { $0 >= 1 && $0 < 0x1p31 ? Int($0) : nil })
        case kAudioFormatLinearPCM:
            let bits = NumberSetting.number(settings[AVLinearPCMBitDepthKey]) ?? 16
            guard [16, 24].contains(bits), NumberSetting.number(settings[AVLinearPCMIsFloatKey]) != 1 else {
                throw SettingsFault("asks for PCM that is not written; there are integers of 16 and 24 bits")
            }
            track.coding = .pcm(bits: Int(bits))
        default: throw SettingsFault("asks for sound of another coding than AAC and linear PCM")
        }
    }
}

/// Reason why nothing can be written by some settings; it reads on from "the output settings".
struct SettingsFault: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}
