internal import CFFmpeg
import CoreMedia
import Foundation
import Pipeline

/// Disparity and timed metadata of a cinematic movie on their way to the muxer, two tracks in this order.
///
/// Disparity is FFV1 (RFC 9043) in 16-bit grey: lossless, each map by itself, with check sums. Metadata are packets of bytes under the sample entry `gpmd`,
/// the one timed-metadata entry that FFmpeg writes and keeps in copies.
final class CinematicTracks {
    private let context: UnsafeMutablePointer<AVCodecContext>
    private let path: String
    private let packet: FFmpegPacket
    private let frameTicks: Int64
    /// Frame that lasts another time than the rest, and that time, ticks; nil for none.
    var longPicture: (time: Int64, duration: Int64)?

    /// Key of the movie item that says that a movie is cinematic, as in a phone's file.
    static let item = "com.apple.quicktime.cinematic-video"

    /// - Parameters:
    ///   - path: final name of the movie, for errors.
    ///   - timescale: ticks per second of the movie's times.
    init(path: String, _ tracks: MovieDescription.CinematicTracks, frameDuration: CMTime, timescale: Int32) throws {
        packet = try FFmpegPacket(for: path)
        guard let encoder = avcodec_find_encoder(AV_CODEC_ID_FFV1), let fresh = avcodec_alloc_context3(encoder) else {
            throw MediaError(
                code: .missingEncoder, path: path, reason: "this FFmpeg has no encoder ffv1 for disparity; install the Debian package libavcodec59")
        }
        (self.path, context) = (path, fresh)
        frameTicks = frameDuration.value * Int64(timescale) / Int64(frameDuration.timescale)
        FFmpeg.watch(context)
        context.pointee.width = Int32(clamping: tracks.width)
        context.pointee.height = Int32(clamping: tracks.height)
        context.pointee.pix_fmt = AV_PIX_FMT_GRAY16LE
        context.pointee.color_range = AVCOL_RANGE_JPEG
        context.pointee.time_base = AVRational(num: 1, den: timescale)
        context.pointee.framerate = AVRational(num: frameDuration.timescale, den: Int32(clamping: frameDuration.value))
        context.pointee.thread_count = 1
        context.pointee.level = 3
        context.pointee.gop_size = 1
        context.pointee.flags |= AV_CODEC_FLAG_BITEXACT | AV_CODEC_FLAG_GLOBAL_HEADER
        try FFmpeg.checkMemory(av_opt_set(context.pointee.priv_data, "slicecrc", "1", 0), path: path)
        try FFmpeg.check(avcodec_open2(context, encoder, nil), "open the encoder of disparity", path: path, context)
    }

    deinit {
        FFmpeg.unwatch(context)
        var context: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&context)
    }

    /// Parameters of the tracks, for the muxer.
    var descriptions: [MovieMuxer.TrackDescription] { [describeDisparity, describeMetadata] }

    private func describeDisparity(_ stream: UnsafeMutablePointer<AVStream>) throws {
        try FFmpeg.check(avcodec_parameters_from_context(stream.pointee.codecpar, context), "describe the disparity", path: path)
        stream.pointee.time_base = context.pointee.time_base
        stream.pointee.avg_frame_rate = context.pointee.framerate
        try stream.name(.disparity, path: path)
    }

    private func describeMetadata(_ stream: UnsafeMutablePointer<AVStream>) throws {
        stream.pointee.codecpar.pointee.codec_type = AVMEDIA_TYPE_DATA
        stream.pointee.codecpar.pointee.codec_id = AV_CODEC_ID_BIN_DATA
        stream.pointee.codecpar.pointee.codec_tag = Self.sampleEntry
        stream.pointee.time_base = context.pointee.time_base
        try stream.name(.cinematicMetadata, path: path)
    }

    /// `gpmd`, first character lowest, as FFmpeg keeps it.
    static let sampleEntry: UInt32 = "gpmd".utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }

    /// Writes the disparity and the metadata of a frame at a time in ticks, to two tracks from `first` on.
    func write(_ frame: CinematicFrame, at ticks: Int64, to muxer: MovieMuxer, from first: Int) throws {
        let picture = try picture(of: frame.disparity, frame.sample.disparity)
        picture.pointer.pointee.pts = ticks
        try FFmpeg.check(avcodec_send_frame(context, picture.pointer), "encode disparity", path: path, context)
        try receive(to: muxer, from: first)
        try fill(frame.sample.data, at: ticks)
        try muxer.write(packet, track: first + 1, timeBase: context.pointee.time_base)
    }

    /// Flushes the encoder.
    func finish(to muxer: MovieMuxer, from first: Int) throws {
        try FFmpeg.check(avcodec_send_frame(context, nil), "encode disparity", path: path, context)
        try receive(to: muxer, from: first)
    }

    private func receive(to muxer: MovieMuxer, from first: Int) throws {
        while true {
            let received = avcodec_receive_packet(context, packet.pointer)
            if received == rf_averror(EAGAIN) || received == RF_AVERROR_EOF { return }
            try FFmpeg.check(received, "encode disparity", path: path, context)
            packet.pointer.pointee.duration = duration(ofFrameAt: packet.pointer.pointee.pts)
            try muxer.write(packet, track: first, timeBase: context.pointee.time_base)
        }
    }

    private func duration(ofFrameAt time: Int64) -> Int64 { longPicture?.time == time ? longPicture!.duration : frameTicks }

    private func picture(of map: DisparityMap, _ coding: DisparityCoding) throws -> FFmpegFrame {
        let frame = try FFmpegFrame(for: path)
        frame.pointer.pointee.width = context.pointee.width
        frame.pointer.pointee.height = context.pointee.height
        frame.pointer.pointee.format = AV_PIX_FMT_GRAY16LE.rawValue
        frame.pointer.pointee.color_range = AVCOL_RANGE_JPEG
        try FFmpeg.check(av_frame_get_buffer(frame.pointer, 0), "encode disparity", path: path)
        let stride = Int(frame.pointer.pointee.linesize.0)
        for y in 0..<map.height {
            let (from, to) = (map.row(y), UnsafeMutableRawPointer(frame.pointer.pointee.data.0! + y * stride).assumingMemoryBound(to: UInt16.self))
            for x in 0..<map.width { to[x] = coding.code(from[x]).littleEndian }
        }
        return frame
    }

    private func fill(_ data: Data, at ticks: Int64) throws {
        try FFmpeg.check(av_new_packet(packet.pointer, Int32(data.count)), "write metadata", path: path)
        data.copyBytes(to: packet.pointer.pointee.data, count: data.count)
        packet.pointer.pointee.pts = ticks
        packet.pointer.pointee.dts = ticks
        packet.pointer.pointee.duration = duration(ofFrameAt: ticks)
        packet.pointer.pointee.flags |= AV_PKT_FLAG_KEY
    }
}

extension UnsafeMutablePointer<AVStream> {
    /// Mark of a track of ours, by its handler's name, with or without room for boxes; nil for another track.
    var mark: TrackMarks.Mark? {
        guard let name = handlerName?.trimmingCharacters(in: .whitespaces) else { return nil }
        return [.disparity, .cinematicMetadata].first { $0.name == name }
    }

    /// Names the track's handler, with room for its mark.
    func name(_ mark: TrackMarks.Mark, path: String) throws(MediaError) { try name(mark.roomyName, path: path) }

    /// Names the track's handler.
    func name(_ name: String, path: String) throws(MediaError) {
        try FFmpeg.checkMemory(av_dict_set(&pointee.metadata, "handler_name", name, 0), path: path)
    }

    /// Keys of timed metadata whose sample entry has yet to be written; nil for another track.
    var metadataKeys: Data? { handlerName.flatMap { MetadataMark(name: $0)?.keys } }

    private var handlerName: String? { av_dict_get(pointee.metadata, "handler_name", nil, 0).map { String(cString: $0.pointee.value) } }
}
