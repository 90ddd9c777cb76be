internal import CFFmpeg
import CoreMedia
import Foundation

/// Converter of a sound track into another coding, packet by packet.
protocol SoundTrackConverter: AnyObject {
    /// Sound before the movie's first picture with which its decoder begins.
    var leadIn: CMTime { get }
    /// Time base of the packets that come out: samples.
    var timeBase: AVRational { get }
    /// Sets the codec parameters of the track in the movie.
    func describe(_ stream: UnsafeMutablePointer<AVStream>) throws
    /// Converts the samples of a packet from the movie's first picture up to, and without, `end`, or flushes at nil; passes finished packets to `write`. Times
    /// are the movie's, of the packet in units of `base`.
    func transcode(_ coded: FFmpegPacket?, base: AVRational, until end: CMTime?, write: (FFmpegPacket) throws -> Void) throws
}

/// Transcoder of a sound track for a container that has no place for the track's own coding: to PCM of the decoder's samples, or, for MP4, to ALAC.
///
/// FFmpeg 5.1 writes no PCM to MP4 (ISO/IEC 23003-5), and its ALAC has 16 or 24 bits: `loss` says what these do not hold.
final class SoundTranscoder: SoundTrackConverter {
    private let path: String
    private let decoder: UnsafeMutablePointer<AVCodecContext>
    private let encoder: UnsafeMutablePointer<AVCodecContext>
    private var resampler: OpaquePointer?
    private var fifo: OpaquePointer?
    private let packet: FFmpegPacket
    /// Time of the next sample, in samples; nil before the first.
    private var position: Int64?
    /// FFmpeg's name of the coding that comes out.
    var codingName: String { String(cString: avcodec_get_name(encoder.pointee.codec_id)) }
    /// Loss in words; nil for nothing.
    let loss: String?

    /// Nil for a track that cannot be decoded, for ambisonics, for samples that no PCM of the container holds, and for more channels than ALAC has (8).
    init?(_ stream: UnsafeMutablePointer<AVStream>, for container: MovieContainer, path: String) throws(MediaError) {
        self.path = path
        packet = try FFmpegPacket(for: path)
        let parameters = stream.pointee.codecpar!
        guard parameters.pointee.ch_layout.order != AV_CHANNEL_ORDER_AMBISONIC, let own = avcodec_find_decoder(parameters.pointee.codec_id),
            let coding = Coding(of: parameters.pointee, for: container), let target = avcodec_find_encoder(coding.id),
            let first = avcodec_alloc_context3(own)
        else { return nil }
        guard let second = avcodec_alloc_context3(target) else {
            var first: UnsafeMutablePointer<AVCodecContext>? = first
            avcodec_free_context(&first)
            throw FFmpeg.outOfMemory(path)
        }
        (decoder, encoder, loss) = (first, second, coding.loss)
        try FFmpeg.checkMemory(avcodec_parameters_to_context(first, parameters), path: path)
        first.pointee.pkt_timebase = stream.pointee.time_base
        // Samples before the first picture are dropped by their times.
        first.pointee.flags2 |= AV_CODEC_FLAG2_SKIP_MANUAL
        guard avcodec_open2(first, own, nil) >= 0, (1...coding.mostChannels).contains(first.pointee.ch_layout.nb_channels) else { return nil }
        second.pointee.sample_fmt = coding.format
        second.pointee.bits_per_raw_sample = coding.bits
        second.pointee.sample_rate = first.pointee.sample_rate
        second.pointee.time_base = AVRational(num: 1, den: first.pointee.sample_rate)
        second.pointee.flags |= AV_CODEC_FLAG_BITEXACT | AV_CODEC_FLAG_GLOBAL_HEADER
        second.pointee.thread_count = 1
        if coding.id != AV_CODEC_ID_ALAC, first.pointee.ch_layout.order == AV_CHANNEL_ORDER_NATIVE {
            av_channel_layout_copy(&second.pointee.ch_layout, &first.pointee.ch_layout)
        } else {
            av_channel_layout_default(&second.pointee.ch_layout, first.pointee.ch_layout.nb_channels)
        }
        guard avcodec_open2(second, target, nil) >= 0 else { return nil }
        let channels = second.pointee.ch_layout.nb_channels
        fifo = av_audio_fifo_alloc(second.pointee.sample_fmt, channels, packetLength)
        // The channels keep their places; both ends get the layout of what comes out.
        let made = swr_alloc_set_opts2(
            &resampler, &second.pointee.ch_layout, second.pointee.sample_fmt, second.pointee.sample_rate, &second.pointee.ch_layout,
            first.pointee.sample_fmt, first.pointee.sample_rate, 0, nil)
        guard made >= 0, fifo != nil, swr_init(resampler) >= 0 else { throw FFmpeg.outOfMemory(path) }
    }

    deinit {
        for context in [decoder, encoder] {
            var context: UnsafeMutablePointer<AVCodecContext>? = context
            avcodec_free_context(&context)
        }
        swr_free(&resampler)
        if let fifo { av_audio_fifo_free(fifo) }
    }

    /// Time base of the packets that come out: samples.
    var timeBase: AVRational { encoder.pointee.time_base }

    /// Opus converges in 80 ms (RFC 7845, 4.2), TrueHD has its headers 128 units of 1/1200 s apart.
    var leadIn: CMTime { CMTime(value: 1, timescale: 5) }

    /// Samples of a packet that comes out; PCM has no length of its own.
    private var packetLength: Int32 { encoder.pointee.frame_size > 0 ? encoder.pointee.frame_size : 1024 }

    /// Sets the codec parameters of the track in the movie.
    func describe(_ stream: UnsafeMutablePointer<AVStream>) throws {
        try FFmpeg.check(avcodec_parameters_from_context(stream.pointee.codecpar, encoder), "describe the sound", path: path)
        stream.pointee.time_base = encoder.pointee.time_base
    }

    func transcode(_ coded: FFmpegPacket?, base: AVRational, until end: CMTime?, write: (FFmpegPacket) throws -> Void) throws {
        // A decoder that begins in mid-stream passes over what needs packets before it.
        let isLeadIn = coded.map { $0.pointer.pointee.pts < 0 && position == nil } ?? false
        guard avcodec_send_packet(decoder, coded?.pointer) >= 0 || coded == nil || isLeadIn else {
            throw MediaError(code: .corrupt, path: path, reason: "its sound is damaged; copy it to a .mkv as it is")
        }
        let frame = try FFmpegFrame(for: path)
        while avcodec_receive_frame(decoder, frame.pointer) >= 0 {
            if position == nil {
                let time = frame.pointer.pointee.pts == RF_AV_NOPTS_VALUE ? coded?.pointer.pointee.pts ?? 0 : frame.pointer.pointee.pts
                position = av_rescale_q(time, base, timeBase)
            }
            let converted = try FFmpegFrame(for: path)
            converted.pointer.pointee.format = encoder.pointee.sample_fmt.rawValue
            converted.pointer.pointee.sample_rate = encoder.pointee.sample_rate
            converted.pointer.pointee.nb_samples = frame.pointer.pointee.nb_samples
            av_channel_layout_copy(&converted.pointer.pointee.ch_layout, &encoder.pointee.ch_layout)
            try FFmpeg.check(av_frame_get_buffer(converted.pointer, 0), "convert the sound", path: path)
            try fill(converted, from: frame, until: end)
            try encode(atEnd: false, write)
        }
        if coded == nil {
            try encode(atEnd: true, write)
            try FFmpeg.check(avcodec_send_frame(encoder, nil), "encode the sound", path: path)
            try receive(write)
        }
    }

    /// Appends a frame's samples, of those from 0 up to `end`, to those that wait for the encoder.
    private func fill(_ converted: FFmpegFrame, from frame: FFmpegFrame, until end: CMTime?) throws {
        let (source, target) = (frame.pointer.pointee, converted.pointer.pointee)
        let count = source.extended_data.withMemoryRebound(to: UnsafePointer<UInt8>?.self, capacity: 1) { input in
            swr_convert(resampler, target.extended_data, target.nb_samples, input, source.nb_samples)
        }
        try FFmpeg.check(count, "convert the sound", path: path)
        let (first, waiting) = (position ?? 0, Int64(av_audio_fifo_size(fifo)))
        let limit = end.map { Int64(($0.seconds * Double(encoder.pointee.sample_rate)).rounded()) } ?? .max
        let next = first + waiting
        let kept = Int32(clamping: next > limit ? 0 : min(Int64(count), limit == .max ? limit : limit - next))
        let written = target.extended_data.withMemoryRebound(to: UnsafeMutableRawPointer?.self, capacity: 1) { av_audio_fifo_write(fifo, $0, kept) }
        try FFmpeg.check(written, "convert the sound", path: path)
        if first < 0 {
            let early = Int32(clamping: min(-first, waiting + Int64(kept)))
            av_audio_fifo_drain(fifo, early)
            position = first + Int64(early)
        }
    }

    private func encode(atEnd: Bool, _ write: (FFmpegPacket) throws -> Void) throws {
        let size = packetLength
        while av_audio_fifo_size(fifo) >= (atEnd ? 1 : size) {
            let frame = try FFmpegFrame(for: path)
            frame.pointer.pointee.format = encoder.pointee.sample_fmt.rawValue
            frame.pointer.pointee.sample_rate = encoder.pointee.sample_rate
            frame.pointer.pointee.nb_samples = min(size, av_audio_fifo_size(fifo))
            av_channel_layout_copy(&frame.pointer.pointee.ch_layout, &encoder.pointee.ch_layout)
            try FFmpeg.check(av_frame_get_buffer(frame.pointer, 0), "encode the sound", path: path)
            let count = frame.pointer.pointee.extended_data.withMemoryRebound(to: UnsafeMutableRawPointer?.self, capacity: 1) {
                av_audio_fifo_read(fifo, $0, frame.pointer.pointee.nb_samples)
            }
            frame.pointer.pointee.pts = position ?? 0
            position = (position ?? 0) + Int64(count)
            try FFmpeg.check(avcodec_send_frame(encoder, frame.pointer), "encode the sound", path: path)
            try receive(write)
        }
    }

    private func receive(_ write: (FFmpegPacket) throws -> Void) throws {
        while avcodec_receive_packet(encoder, packet.pointer) >= 0 { try write(packet) }
    }
}

/// Coding that holds the samples of a decoder.
private struct Coding {
    let id: AVCodecID
    let format: AVSampleFormat
    /// Bits of a sample that are told to the encoder.
    let bits: Int32
    let mostChannels: Int32
    /// Loss in words; nil for nothing.
    let loss: String?

    /// Nil for samples that no PCM of ours holds.
    init?(of parameters: AVCodecParameters, for container: MovieContainer) {
        let given = av_get_packed_sample_fmt(AVSampleFormat(parameters.format))
        let bits = parameters.bits_per_raw_sample
        let isShort = given == AV_SAMPLE_FMT_U8 || given == AV_SAMPLE_FMT_S16
        let isWhole = given == AV_SAMPLE_FMT_S32 && (1...24).contains(bits)
        if container == .mp4 {
            (id, format, self.bits, mostChannels) = (
                AV_CODEC_ID_ALAC, isShort ? AV_SAMPLE_FMT_S16P : AV_SAMPLE_FMT_S32P, isShort ? 16 : 24, 8
            )
            loss =
                isShort || isWhole
                ? nil
                : given == AV_SAMPLE_FMT_S32
                    ? "its samples of 32 bits lose the lowest 8"
                    : "its samples are numbers of floating point: they are rounded to 24 bits, and clipped where they are beyond full scale"
            return
        }
        guard
            let id = [
                AV_SAMPLE_FMT_U8: AV_CODEC_ID_PCM_U8, AV_SAMPLE_FMT_S16: AV_CODEC_ID_PCM_S16LE,
                AV_SAMPLE_FMT_S32: isWhole ? AV_CODEC_ID_PCM_S24LE : AV_CODEC_ID_PCM_S32LE, AV_SAMPLE_FMT_FLT: AV_CODEC_ID_PCM_F32LE,
                AV_SAMPLE_FMT_DBL: AV_CODEC_ID_PCM_F64LE,
            ][given]
        else { return nil }
        (self.id, format, self.bits, mostChannels, loss) = (id, given, 0, 64, nil)
    }
}
