internal import CFFmpeg
import CoreMedia
import Foundation
import Pipeline

/// Converter of first-order ambisonics to stereo AAC, as a coincident pair of cardioid microphones (`Sound.mixed(to:)`), where wanted after a mix by direction.
final class AmbisonicMixer: SoundTrackConverter {
    private let path: String
    private let decoder: UnsafeMutablePointer<AVCodecContext>
    private let encoder: SoundEncoder
    private let spatial: SpatialMixer?
    /// Time of the next sample, in samples; nil before the first.
    private var position: Int64?
    /// Time of the first sample that is coded, in samples.
    private var offset: Int64 = 0

    /// Nil for a coding that cannot be decoded to packed integers or floats.
    init?(_ stream: UnsafeMutablePointer<AVStream>, _ mix: SpatialMix? = nil, path: String) throws {
        self.path = path
        guard let parameters = stream.pointee.codecpar, let codec = avcodec_find_decoder(parameters.pointee.codec_id),
            let fresh = avcodec_alloc_context3(codec)
        else { return nil }
        decoder = fresh
        let rate = Int(parameters.pointee.sample_rate)
        encoder = try SoundEncoder(path: path, track: .init(layout: .stereo, sampleRate: rate))
        spatial = try mix.map { try SpatialMixer($0, sampleRate: rate, path: path) }
        try FFmpeg.checkMemory(avcodec_parameters_to_context(decoder, parameters), path: path)
        decoder.pointee.pkt_timebase = stream.pointee.time_base
        decoder.pointee.thread_count = 1
        guard avcodec_open2(decoder, codec, nil) >= 0,
            [AV_SAMPLE_FMT_FLT, AV_SAMPLE_FMT_S32, AV_SAMPLE_FMT_S16].contains(decoder.pointee.sample_fmt)
        else { return nil }
    }

    deinit {
        var context: UnsafeMutablePointer<AVCodecContext>? = decoder
        avcodec_free_context(&context)
    }

    var timeBase: AVRational { encoder.context.pointee.time_base }
    var leadIn: CMTime { .zero }

    func describe(_ stream: UnsafeMutablePointer<AVStream>) throws { try encoder.describe(stream) }

    func transcode(_ coded: FFmpegPacket?, base: AVRational, until end: CMTime?, write: (FFmpegPacket) throws -> Void) throws {
        if let coded, position == nil {
            position = av_rescale_q(coded.pointer.pointee.pts, base, timeBase)
            offset = max(position ?? 0, 0)
        }
        guard avcodec_send_packet(decoder, coded?.pointer) >= 0 || coded == nil else {
            throw MediaError(code: .corrupt, path: path, reason: "its ambisonic sound is damaged; leave --stereo out")
        }
        let (offset, rate) = (offset, Double(decoder.pointee.sample_rate))
        let limit = end.map { Int64(($0.seconds * rate).rounded()) } ?? .max
        let shifted: (FFmpegPacket) throws -> Void = { packet in
            packet.pointer.pointee.pts += offset
            packet.pointer.pointee.dts += offset
            try write(packet)
        }
        let frame = try FFmpegFrame(for: path)
        while avcodec_receive_frame(decoder, frame.pointer) >= 0 {
            let (samples, first) = (samples(of: frame.pointer.pointee), position ?? 0)
            let after = first + Int64(samples.count / 4)
            position = after
            let kept = min(max(-first, 0), after - first)..<max(min(after, limit) - first, min(max(-first, 0), after - first))
            let sound = Sound(
                presentationTime: Sound.time(of: first + kept.lowerBound, sampleRate: Int(decoder.pointee.sample_rate)),
                sampleRate: Int(decoder.pointee.sample_rate), layout: .firstOrderAmbisonics,
                samples: Array(samples[4 * Int(kept.lowerBound)..<4 * Int(kept.upperBound)]))
            for part in spatial?.convert(sound) ?? [sound] { try encoder.encode(part.mixed(to: .stereo).samples, write: shifted) }
        }
        guard coded == nil else { return }
        for rest in spatial?.finish() ?? [] { try encoder.encode(rest.mixed(to: .stereo).samples, write: shifted) }
        try encoder.finish(write: shifted)
    }

    /// Interleaved samples of a decoded frame, full scale ±1.
    private func samples(of frame: AVFrame) -> [Float] {
        guard let bytes = frame.data.0, frame.ch_layout.nb_channels == 4 else { return [] }
        let (raw, count) = (UnsafeRawPointer(bytes), 4 * Int(frame.nb_samples))
        return switch decoder.pointee.sample_fmt {
        case AV_SAMPLE_FMT_S32: (0..<count).map { Float(Double(raw.load(fromByteOffset: 4 * $0, as: Int32.self)) / 0x1p31) }
        case AV_SAMPLE_FMT_S16: (0..<count).map { Float(raw.load(fromByteOffset: 2 * $0, as: Int16.self)) / 0x1p15 }
        default: (0..<count).map { raw.load(fromByteOffset: 4 * $0, as: Float.self) }
        }
    }
}
