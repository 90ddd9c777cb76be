internal import CFFmpeg
import CoreMedia
import Foundation
import Pipeline

/// Decoder of a file's sound, from its beginning.
final class SoundReader {
    let layout: Sound.Layout
    let sampleRate: Int
    private let path: String
    private let input: Input
    private let stream: UnsafeMutablePointer<AVStream>
    private let timeBase: TimeBase
    private let decoder: UnsafeMutablePointer<AVCodecContext>
    private let packet: FFmpegPacket
    private var isDraining = false

    /// - Parameter place: place of the stream in the file, from 0; nil for the best.
    init(path: String, place: Int? = nil) throws(MediaError) {
        let input = try Input(.footage(path, mayBeCut: true))
        self.input = input
        packet = try FFmpegPacket(for: path)
        let chosen = place.map { place in input.streams.first { Int($0.pointee.index) == place } } ?? input.bestStream(AVMEDIA_TYPE_AUDIO)
        guard let stream = chosen, let codec = avcodec_find_decoder(stream.pointee.codecpar.pointee.codec_id),
            let decoder = avcodec_alloc_context3(codec)
        else { throw MediaError(code: .unsupported, path: path, reason: "holds no sound") }
        guard let timeBase = stream.timeBase else {
            throw MediaError(code: .corrupt, path: path, reason: "its sound is damaged: its times have no unit")
        }
        (self.path, self.stream, self.timeBase, self.decoder) = (path, stream, timeBase, decoder)
        avcodec_parameters_to_context(decoder, stream.pointee.codecpar)
        decoder.pointee.pkt_timebase = stream.pointee.time_base
        decoder.pointee.thread_count = 1
        let opened = avcodec_open2(decoder, codec, nil)
        sampleRate = Int(decoder.pointee.sample_rate)
        let channels = Int(decoder.pointee.ch_layout.nb_channels)
        let isReadable = [AV_SAMPLE_FMT_FLT, AV_SAMPLE_FMT_S32, AV_SAMPLE_FMT_S16].contains(av_get_packed_sample_fmt(decoder.pointee.sample_fmt))
        // Four channels with a loudspeaker layout are not ambisonics.
        let isAmbisonic = channels == 4 && [AV_CHANNEL_ORDER_AMBISONIC, AV_CHANNEL_ORDER_UNSPEC].contains(decoder.pointee.ch_layout.order)
        let layout = Sound.Layout.allCases.first { $0.channelCount == channels && (isAmbisonic || channels < 4) }
        self.layout = layout ?? .mono
        guard opened >= 0 else {
            throw MediaError(
                code: .unknownCodec, path: path, reason: "its sound cannot be decoded", underlying: opened, underlyingText: FFmpeg.text(opened))
        }
        guard layout != nil, isReadable, sampleRate > 0 else {
            throw MediaError(code: .unsupported, path: path, reason: "has sound of \(channels) channels that cannot be used; convert it first")
        }
    }

    deinit {
        var context: UnsafeMutablePointer<AVCodecContext>? = decoder
        avcodec_free_context(&context)
    }

    /// Whether a file has sound; false for one that cannot be opened.
    static func hasSound(_ path: String) -> Bool {
        guard let input = try? Input(.footage(path, mayBeCut: true)) else { return false }
        return input.bestStream(AVMEDIA_TYPE_AUDIO) != nil
    }

    /// Start of the file's video stream; zero without one.
    var pictureStart: CMTime { input.pictureTime }

    /// End of the sound as the container says; nil when it does not.
    var end: CMTime? {
        guard stream.pointee.duration != RF_AV_NOPTS_VALUE, stream.pointee.duration > 0 else { return nil }
        let start = stream.pointee.start_time == RF_AV_NOPTS_VALUE ? .zero : timeBase.time(stream.pointee.start_time)
        guard let start, let duration = timeBase.time(stream.pointee.duration) else { return nil }
        return start + duration
    }

    /// Goes to the last packet at or before a time; for before the first frame.
    func seek(to time: CMTime) {
        guard let ticks = timeBase.ticks(time), ticks > 0 else { return }
        av_seek_frame(input.context, stream.pointee.index, ticks, AVSEEK_FLAG_BACKWARD)
    }

    func time(of frame: FFmpegFrame) -> CMTime? { frame.timestamp.flatMap { timeBase.time($0) } }

    func next() throws(MediaError) -> FFmpegFrame? {
        let frame = try FFmpegFrame(for: path)
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
            let read = av_read_frame(input.context, packet.pointer)
            isDraining = read == RF_AVERROR_EOF
            guard read >= 0 || isDraining else { throw damaged(read) }
            if isDraining { try input.checkReads() }
            guard isDraining || packet.pointer.pointee.stream_index == stream.pointee.index else { continue }
            let sent = avcodec_send_packet(decoder, isDraining ? nil : packet.pointer)
            guard sent >= 0 else { throw damaged(sent) }
            return
        }
    }

    private func damaged(_ code: Int32) -> MediaError {
        MediaError(code: .corrupt, path: path, reason: "its sound is damaged", underlying: code, underlyingText: FFmpeg.text(code))
    }

    /// Appends the samples of a frame, interleaved.
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
