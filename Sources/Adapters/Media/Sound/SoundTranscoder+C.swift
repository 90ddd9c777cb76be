internal import CFFmpeg
import CoreMedia
import Foundation

/// Converter of a sound track into another coding, packet by packet.
protocol SoundTrackConverter: AnyObject {
    /// Time base of the packets that come out: samples.
    var timeBase: AVRational { get }
    /// Sets the codec parameters of the track in the movie.
    func describe(_ stream: UnsafeMutablePointer<AVStream>) throws
    /// Converts the samples of a packet from the movie's first picture up to, and without, `end`, or flushes at nil; passes finished packets to `write`. Times
    /// are the movie's, of the packet in units of `base`.
    func transcode(_ coded: FFmpegPacket?, base: AVRational, until end: CMTime?, write: (FFmpegPacket) throws -> Void) throws
}

/// Transcoder of a sound track to ALAC, which loses nothing, for a container that has no place for the track's own coding.
///
/// Sound of 16 bits stays so; all other becomes 24 bits.
final class SoundTranscoder: SoundTrackConverter {
    private let path: String
    private let decoder: UnsafeMutablePointer<AVCodecContext>
    private let encoder: UnsafeMutablePointer<AVCodecContext>
    private var resampler: OpaquePointer?
    private var fifo: OpaquePointer?
    private let packet: FFmpegPacket
    /// Time of the next sample, in samples; nil before the first.
    private var position: Int64?

    /// Nil for a track that cannot be decoded, for ambisonics, which ALAC cannot name, and for more channels than it has (8).
    init?(_ stream: UnsafeMutablePointer<AVStream>, path: String) throws(MediaError) {
        self.path = path
        packet = try FFmpegPacket(for: path)
        let parameters = stream.pointee.codecpar!
        guard parameters.pointee.ch_layout.order != AV_CHANNEL_ORDER_AMBISONIC, let own = avcodec_find_decoder(parameters.pointee.codec_id),
            let alac = avcodec_find_encoder(AV_CODEC_ID_ALAC),
            let first = avcodec_alloc_context3(own)
        else { return nil }
        guard let second = avcodec_alloc_context3(alac) else {
            var first: UnsafeMutablePointer<AVCodecContext>? = first
            avcodec_free_context(&first)
            throw FFmpeg.outOfMemory(path)
        }
        (decoder, encoder) = (first, second)
        try FFmpeg.checkMemory(avcodec_parameters_to_context(first, parameters), path: path)
        first.pointee.pkt_timebase = stream.pointee.time_base
        guard avcodec_open2(first, own, nil) >= 0, (1...8).contains(first.pointee.ch_layout.nb_channels) else { return nil }
        let isShort = [AV_SAMPLE_FMT_U8, AV_SAMPLE_FMT_S16, AV_SAMPLE_FMT_U8P, AV_SAMPLE_FMT_S16P].contains(first.pointee.sample_fmt)
        second.pointee.sample_fmt = isShort ? AV_SAMPLE_FMT_S16P : AV_SAMPLE_FMT_S32P
        second.pointee.bits_per_raw_sample = isShort ? 16 : 24
        second.pointee.sample_rate = first.pointee.sample_rate
        second.pointee.time_base = AVRational(num: 1, den: first.pointee.sample_rate)
        second.pointee.flags |= AV_CODEC_FLAG_BITEXACT | AV_CODEC_FLAG_GLOBAL_HEADER
        second.pointee.thread_count = 1
        av_channel_layout_default(&second.pointee.ch_layout, first.pointee.ch_layout.nb_channels)
        guard avcodec_open2(second, alac, nil) >= 0 else { return nil }
        let channels = second.pointee.ch_layout.nb_channels
        fifo = av_audio_fifo_alloc(second.pointee.sample_fmt, channels, second.pointee.frame_size)
        // The channels keep their places; both ends get the layout of ALAC.
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

    /// Sets the codec parameters of the track in the movie.
    func describe(_ stream: UnsafeMutablePointer<AVStream>) throws {
        try FFmpeg.check(avcodec_parameters_from_context(stream.pointee.codecpar, encoder), "describe the sound", path: path)
        stream.pointee.time_base = encoder.pointee.time_base
    }

    func transcode(_ coded: FFmpegPacket?, base: AVRational, until end: CMTime?, write: (FFmpegPacket) throws -> Void) throws {
        if let coded, position == nil { position = av_rescale_q(coded.pointer.pointee.pts, base, timeBase) }
        guard avcodec_send_packet(decoder, coded?.pointer) >= 0 || coded == nil else {
            throw MediaError(code: .corrupt, path: path, reason: "its sound is damaged; copy it to a .mov or .mkv as it is")
        }
        let frame = try FFmpegFrame(for: path)
        while avcodec_receive_frame(decoder, frame.pointer) >= 0 {
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
        let count = source.extended_data.withMemoryRebound(to: UnsafePointer<UInt8>?.self, capacity: 8) { input in
            swr_convert(resampler, target.extended_data, target.nb_samples, input, source.nb_samples)
        }
        try FFmpeg.check(count, "convert the sound", path: path)
        let (first, waiting) = (position ?? 0, Int64(av_audio_fifo_size(fifo)))
        let limit = end.map { Int64(($0.seconds * Double(encoder.pointee.sample_rate)).rounded()) } ?? .max
        let next = first + waiting
        let kept = Int32(clamping: next > limit ? 0 : min(Int64(count), limit == .max ? limit : limit - next))
        let written = target.extended_data.withMemoryRebound(to: UnsafeMutableRawPointer?.self, capacity: 8) { av_audio_fifo_write(fifo, $0, kept) }
        try FFmpeg.check(written, "convert the sound", path: path)
        if first < 0 {
            let early = Int32(clamping: min(-first, waiting + Int64(kept)))
            av_audio_fifo_drain(fifo, early)
            position = first + Int64(early)
        }
    }

    private func encode(atEnd: Bool, _ write: (FFmpegPacket) throws -> Void) throws {
        let size = encoder.pointee.frame_size
        while av_audio_fifo_size(fifo) >= (atEnd ? 1 : size) {
            let frame = try FFmpegFrame(for: path)
            frame.pointer.pointee.format = encoder.pointee.sample_fmt.rawValue
            frame.pointer.pointee.sample_rate = encoder.pointee.sample_rate
            frame.pointer.pointee.nb_samples = min(size, av_audio_fifo_size(fifo))
            av_channel_layout_copy(&frame.pointer.pointee.ch_layout, &encoder.pointee.ch_layout)
            try FFmpeg.check(av_frame_get_buffer(frame.pointer, 0), "encode the sound", path: path)
            let count = frame.pointer.pointee.extended_data.withMemoryRebound(to: UnsafeMutableRawPointer?.self, capacity: 8) {
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
