internal import CFFmpeg
import CoreMedia
import Foundation
import Pipeline

/// Decodes the sound of a file from its beginning.
final class SoundReader {
    let layout: Sound.Layout
    let sampleRate: Int
    private let path: String
    private let source: UnsafeMutablePointer<AVFormatContext>
    private let decoder: UnsafeMutablePointer<AVCodecContext>
    private let track: Int32
    private let packet = FFmpegPacket()
    private var isDraining = false

    init(path: String) throws(MediaError) {
        FFmpeg.silence()
        var context: UnsafeMutablePointer<AVFormatContext>?
        let opened = avformat_open_input(&context, ContainerEnd.address(of: path), nil, nil)
        guard opened >= 0, let source = context else {
            throw MediaError(
                code: opened == rf_averror(ENOENT) ? .missingFile : .unknownFormat, path: path, reason: "is nothing FFmpeg can open",
                underlying: opened, underlyingText: FFmpeg.text(opened))
        }
        var codec: UnsafePointer<AVCodec>?
        avformat_find_stream_info(source, nil)
        track = av_find_best_stream(source, AVMEDIA_TYPE_AUDIO, -1, -1, &codec, 0)
        guard track >= 0, let codec, let decoder = avcodec_alloc_context3(codec) else {
            avformat_close_input(&context)
            throw MediaError(code: .unsupported, path: path, reason: "holds no sound")
        }
        let stream = source.pointee.streams[Int(track)]!
        avcodec_parameters_to_context(decoder, stream.pointee.codecpar)
        decoder.pointee.pkt_timebase = stream.pointee.time_base
        decoder.pointee.thread_count = 1
        avcodec_open2(decoder, codec, nil)
        (self.path, self.source, self.decoder) = (path, source, decoder)
        sampleRate = Int(decoder.pointee.sample_rate)
        let channels = Int(decoder.pointee.ch_layout.nb_channels)
        let isReadable = [AV_SAMPLE_FMT_FLT, AV_SAMPLE_FMT_S32, AV_SAMPLE_FMT_S16].contains(av_get_packed_sample_fmt(decoder.pointee.sample_fmt))
        // Four channels that are said to be loudspeakers are no ambisonics.
        let isAmbisonic = channels == 4 && [AV_CHANNEL_ORDER_AMBISONIC, AV_CHANNEL_ORDER_UNSPEC].contains(decoder.pointee.ch_layout.order)
        let layout = Sound.Layout.allCases.first { $0.channelCount == channels && (isAmbisonic || channels < 4) }
        self.layout = layout ?? .mono
        guard layout != nil, isReadable else {
            throw MediaError(code: .unsupported, path: path, reason: "has sound of \(channels) channels that cannot be used; convert it first")
        }
    }

    deinit {
        var (context, source): (UnsafeMutablePointer<AVCodecContext>?, UnsafeMutablePointer<AVFormatContext>?) = (decoder, source)
        avcodec_free_context(&context)
        avformat_close_input(&source)
    }

    /// Whether a file has sound at all; false for what cannot be opened.
    static func hasSound(_ path: String) -> Bool {
        FFmpeg.silence()
        var context: UnsafeMutablePointer<AVFormatContext>?
        guard avformat_open_input(&context, ContainerEnd.address(of: path), nil, nil) >= 0 else { return false }
        defer { avformat_close_input(&context) }
        avformat_find_stream_info(context, nil)
        return av_find_best_stream(context, AVMEDIA_TYPE_AUDIO, -1, -1, nil, 0) >= 0
    }

    /// When the file's first picture is shown; zero where there is none.
    var pictureStart: CMTime {
        let video = av_find_best_stream(source, AVMEDIA_TYPE_VIDEO, -1, -1, nil, 0)
        guard video >= 0, let stream = source.pointee.streams[Int(video)]?.pointee, stream.start_time != RF_AV_NOPTS_VALUE else { return .zero }
        return CMTime(value: stream.start_time * Int64(stream.time_base.num), timescale: stream.time_base.den)
    }

    /// When the sound ends, as the container says; nil when it does not.
    var end: CMTime? {
        let stream = source.pointee.streams[Int(track)]!.pointee
        guard stream.duration != RF_AV_NOPTS_VALUE, stream.duration > 0 else { return nil }
        let start = stream.start_time == RF_AV_NOPTS_VALUE ? 0 : stream.start_time
        return CMTime(value: (start + stream.duration) * Int64(stream.time_base.num), timescale: stream.time_base.den)
    }

    func time(of frame: FFmpegFrame) -> CMTime? {
        let base = source.pointee.streams[Int(track)]!.pointee.time_base
        return frame.timestamp.map { CMTime(value: $0 * Int64(base.num), timescale: base.den) }
    }

    func next() throws(MediaError) -> FFmpegFrame? {
        let frame = FFmpegFrame()
        while true {
            let received = avcodec_receive_frame(decoder, frame.pointer)
            if received == 0 { return frame }
            if received == RF_AVERROR_EOF { return nil }
            guard received == rf_averror(EAGAIN), !isDraining else { throw damaged(received) }
            try feed()
        }
    }

    private func feed() throws(MediaError) {
        while true {
            av_packet_unref(packet.pointer)
            let read = av_read_frame(source, packet.pointer)
            isDraining = read == RF_AVERROR_EOF
            guard read >= 0 || isDraining else { throw damaged(read) }
            guard isDraining || packet.pointer.pointee.stream_index == track else { continue }
            let sent = avcodec_send_packet(decoder, isDraining ? nil : packet.pointer)
            guard sent >= 0 else { throw damaged(sent) }
            return
        }
    }

    private func damaged(_ code: Int32) -> MediaError {
        MediaError(code: .corrupt, path: path, reason: "its sound is damaged", underlying: code, underlyingText: FFmpeg.text(code))
    }

    /// Appends what a frame holds, interleaved.
    static func append(_ decoded: FFmpegFrame, to samples: inout [Float]) {
        let frame = decoded.pointer.pointee
        let format = AVSampleFormat(frame.format)
        let (channels, isPlanar) = (Int(frame.ch_layout.nb_channels), av_sample_fmt_is_planar(format) != 0)
        for index in 0..<Int(frame.nb_samples) {
            for channel in 0..<channels {
                let plane = UnsafeRawPointer(frame.extended_data[isPlanar ? channel : 0]!)
                let place = isPlanar ? index : index * channels + channel
                switch av_get_packed_sample_fmt(format) {
                case AV_SAMPLE_FMT_FLT: samples.append(plane.load(fromByteOffset: 4 * place, as: Float.self))
                case AV_SAMPLE_FMT_S32: samples.append(Float(plane.load(fromByteOffset: 4 * place, as: Int32.self)) / 0x1p31)
                default: samples.append(Float(plane.load(fromByteOffset: 2 * place, as: Int16.self)) / 0x1p15)
                }
            }
        }
    }
}
