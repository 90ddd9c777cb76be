internal import CFFmpeg
import CoreMedia
import CoreVideo
import Foundation
import Pipeline

/// libx264 into an MP4 file: takes `420v` pictures without copying them.
final class H264Encoder {
    private let path: String
    private let codec: UnsafeMutablePointer<AVCodecContext>
    private let muxer: UnsafeMutablePointer<AVFormatContext>
    private let packet = FFmpegPacket()
    private let frameTicks: Int64

    /// - Parameters:
    ///   - path: the name the movie will have, for errors; `temporaryPath` is what is written.
    ///   - timescale: ticks per second of the movie's times.
    init(path: String, temporaryPath: String, width: Int, height: Int, frameDuration: CMTime, timescale: Int32, settings: H264MovieWriter.Settings)
        throws
    {
        guard let encoder = avcodec_find_encoder_by_name(settings.encoder), let fresh = avcodec_alloc_context3(encoder) else {
            throw MediaError(
                code: .missingEncoder, path: path,
                reason: "this FFmpeg has no encoder \(settings.encoder); install the Debian package libavcodec59 (or libavcodec-extra59)")
        }
        var container: UnsafeMutablePointer<AVFormatContext>?
        guard avformat_alloc_output_context2(&container, nil, "mp4", temporaryPath) >= 0, let container else {
            var context: UnsafeMutablePointer<AVCodecContext>? = fresh
            avcodec_free_context(&context)
            throw MediaError(code: .missingEncoder, path: path, reason: "this FFmpeg cannot write MP4; install the Debian package libavformat59")
        }
        (self.path, codec, muxer) = (path, fresh, container)
        frameTicks = frameDuration.value * Int64(timescale) / Int64(frameDuration.timescale)
        FFmpeg.watch(codec)
        FFmpeg.watch(muxer)
        configure(width: width, height: height, frameDuration: frameDuration, timescale: timescale, settings: settings)
        try check(avcodec_open2(codec, encoder, nil), "open the encoder")
        try openFile(temporaryPath)
    }

    deinit {
        FFmpeg.unwatch(codec)
        FFmpeg.unwatch(muxer)
        var context: UnsafeMutablePointer<AVCodecContext>? = codec
        avcodec_free_context(&context)
        avio_closep(&muxer.pointee.pb)
        avformat_free_context(muxer)
    }

    private func configure(width: Int, height: Int, frameDuration: CMTime, timescale: Int32, settings: H264MovieWriter.Settings) {
        codec.pointee.width = Int32(width)
        codec.pointee.height = Int32(height)
        codec.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
        codec.pointee.pix_fmt = AV_PIX_FMT_NV12
        codec.pointee.color_range = AVCOL_RANGE_MPEG
        codec.pointee.color_primaries = AVCOL_PRI_BT709
        codec.pointee.color_trc = AVCOL_TRC_BT709
        codec.pointee.colorspace = AVCOL_SPC_BT709
        codec.pointee.chroma_sample_location = AVCHROMA_LOC_LEFT
        codec.pointee.time_base = AVRational(num: 1, den: timescale)
        codec.pointee.framerate = AVRational(num: frameDuration.timescale, den: Int32(clamping: frameDuration.value))
        codec.pointee.gop_size = Int32(clamping: Int64((2 / frameDuration.seconds).rounded(.up)))
        // With two threads Debian's x264 gives about one small movie in a hundred other bits.
        codec.pointee.thread_count = 1
        codec.pointee.flags |= AV_CODEC_FLAG_BITEXACT | AV_CODEC_FLAG_GLOBAL_HEADER
        av_opt_set(codec.pointee.priv_data, "preset", settings.preset.rawValue, 0)
        av_opt_set(codec.pointee.priv_data, "crf", String(settings.quality), 0)
    }

    private func openFile(_ temporaryPath: String) throws {
        muxer.pointee.flags |= AVFMT_FLAG_BITEXACT
        guard let stream = avformat_new_stream(muxer, nil) else { preconditionFailure("out of memory") }
        try check(avcodec_parameters_from_context(stream.pointee.codecpar, codec), "describe the stream")
        stream.pointee.time_base = codec.pointee.time_base
        stream.pointee.avg_frame_rate = codec.pointee.framerate
        try check(avio_open(&muxer.pointee.pb, "file:" + temporaryPath, AVIO_FLAG_WRITE), "create")
        var options: OpaquePointer?
        av_dict_set(&options, "movflags", "+faststart+write_colr", 0)
        defer { av_dict_free(&options) }
        try check(avformat_write_header(muxer, &options), "write the header")
    }

    /// Encodes a picture at a time in ticks, and writes what is ready.
    func encode(_ image: CVPixelBuffer, at ticks: Int64) throws {
        let frame = FFmpegFrame()
        let picture = frame.pointer
        picture.pointee.width = codec.pointee.width
        picture.pointee.height = codec.pointee.height
        picture.pointee.format = codec.pointee.pix_fmt.rawValue
        picture.pointee.pts = ticks
        // The encoder holds the buffer itself for as long as it needs the pixels.
        let owner = Unmanaged.passRetained(image).toOpaque()
        let plane = image.plane(0)
        picture.pointee.buf.0 = av_buffer_create(
            plane.row(0, as: UInt8.self), plane.bytesPerRow * plane.height,
            { owner, _ in Unmanaged<CVPixelBuffer>.fromOpaque(owner!).release() }, owner, AV_BUFFER_FLAG_READONLY)
        picture.pointee.data.0 = plane.row(0, as: UInt8.self)
        picture.pointee.data.1 = image.plane(1).row(0, as: UInt8.self)
        picture.pointee.linesize.0 = Int32(plane.bytesPerRow)
        picture.pointee.linesize.1 = Int32(image.plane(1).bytesPerRow)
        try check(avcodec_send_frame(codec, picture), "encode")
        try writePackets()
    }

    /// Writes the rest and the index; the file is complete then, and closed.
    func finish() throws {
        try check(avcodec_send_frame(codec, nil), "encode")
        try writePackets()
        try check(av_write_trailer(muxer), "write the index")
        avio_flush(muxer.pointee.pb)
        try check(muxer.pointee.pb.pointee.error, "write")
        try check(avio_closep(&muxer.pointee.pb), "write")
    }

    /// Bytes handed to the file so far.
    var byteCount: Int64 { avio_seek(muxer.pointee.pb, 0, SEEK_CUR) }

    private func writePackets() throws {
        while true {
            let received = avcodec_receive_packet(codec, packet.pointer)
            if received == rf_averror(EAGAIN) || received == RF_AVERROR_EOF { return }
            try check(received, "encode")
            packet.pointer.pointee.duration = frameTicks
            packet.pointer.pointee.stream_index = 0
            av_packet_rescale_ts(packet.pointer, codec.pointee.time_base, muxer.pointee.streams[0]!.pointee.time_base)
            try check(av_interleaved_write_frame(muxer, packet.pointer), "write")
            try check(muxer.pointee.pb.pointee.error, "write")
        }
    }

    /// An error of the file system is an `OutputError`, FFmpeg's own a `MediaError`.
    private func check(_ result: Int32, _ action: String) throws {
        guard result < 0 else { return }
        let number = -result
        if [ENOSPC, EDQUOT, EFBIG, EIO, EACCES, EROFS, ENOENT, EPERM].contains(number) {
            throw OutputError(errno: number, path: path, action: action)
        }
        throw MediaError(
            code: .encodingFailed, path: path, reason: "cannot \(action)", underlying: result,
            underlyingText: FFmpeg.takeLines(of: codec) ?? FFmpeg.takeLines(of: muxer) ?? FFmpeg.text(result))
    }
}
